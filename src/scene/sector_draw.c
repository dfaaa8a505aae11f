// Draws the shapes of a sector file: the boxes that turn, and what is queried about sectors.
#include "fureai/scene.h"

#define CIRCLE_STEPS 48

static void draw_line(const fr_draw *draw, fr_vec3 a, fr_vec3 b, fr_color color, double width) {
    const double points[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    fr_draw_lines(draw, points, 1, color, width);
}

static void draw_box(const fr_draw *draw, const fr_oriented_box *box, fr_color color, double width) {
    fr_vec3 c[8];
    for (int i = 0; i < 8; i++) {
        fr_vec3 p = fr_vec3_add_scaled(box->center, i & 1 ? box->half.x : -box->half.x, box->axes.row[0]);
        p = fr_vec3_add_scaled(p, i & 2 ? box->half.y : -box->half.y, box->axes.row[1]);
        c[i] = fr_vec3_add_scaled(p, i & 4 ? box->half.z : -box->half.z, box->axes.row[2]);
    }
    for (int i = 0; i < 8; i++) {
        for (int bit = 1; bit < 8; bit <<= 1) {
            if ((i & bit) == 0) { draw_line(draw, c[i], c[i | bit], color, width); }
        }
    }
}

static void draw_circle(const fr_draw *draw, fr_vec3 center, fr_vec3 u, fr_vec3 v, fr_color color) {
    fr_vec3 from = fr_vec3_add(center, u);
    for (int i = 1; i <= CIRCLE_STEPS; i++) {
        double sine, cosine;
        fr_sincos(2.0 * FR_PI * i / CIRCLE_STEPS, &sine, &cosine);
        fr_vec3 to = fr_vec3_add_scaled(fr_vec3_add_scaled(center, cosine, u), sine, v);
        draw_line(draw, from, to, color, 1.5);
        from = to;
    }
}

static void draw_ball(const fr_draw *draw, fr_vec3 center, double radius, fr_color color) {
    const fr_vec3 x = {radius, 0, 0}, y = {0, radius, 0}, z = {0, 0, radius};
    draw_circle(draw, center, x, y, color);
    draw_circle(draw, center, y, z, color);
    draw_circle(draw, center, z, x, color);
}

// Two balls and four lines between them.
static void draw_capsule(const fr_draw *draw, const fr_vec3 ends[2], double radius, fr_color color) {
    const fr_vec3 up = {0.0, 1.0, 0.0};
    fr_vec3 along = fr_vec3_unit(fr_vec3_sub(ends[1], ends[0]), up), u = fr_vec3_perpendicular(along);
    fr_vec3 v = fr_vec3_cross(along, u);
    for (int i = 0; i < 4; i++) {
        fr_vec3 side = fr_vec3_scale(i & 1 ? radius : -radius, i & 2 ? u : v);
        draw_line(draw, fr_vec3_add(ends[0], side), fr_vec3_add(ends[1], side), color, 1.5);
    }
    draw_ball(draw, ends[0], radius, color);
    draw_ball(draw, ends[1], radius, color);
}

void fr_sector_entry_draw_box(const fr_sector_entry *entry, const fr_draw *draw, fr_color color) {
    if (entry->build == FR_SECTOR_GIVEN) { return; }
    fr_oriented_box end = entry->box;
    end.center = fr_screw_apply(&entry->screw, entry->box.center, 1.0);
    fr_mat3 turned = fr_quat_to_mat3(fr_quat_from_axis_angle(entry->screw.axis, entry->screw.angle));
    for (int i = 0; i < 3; i++) {
        end.axes.row[i] = fr_mat3_apply(turned, entry->box.axes.row[i]);
    }
    draw_box(draw, &entry->box, color, 2.0);
    draw_box(draw, &end, color, 1.0);
}

void fr_sector_query_draw(const fr_sector_query *q, const fr_draw *draw, fr_color color) {
    switch (q->shape) {
    case FR_SECTOR_QUERY_POINT: fr_draw_points(draw, &q->points[0].x, 1, color, 6.0); break;
    case FR_SECTOR_QUERY_SPHERE: draw_ball(draw, q->points[0], q->radius, color); break;
    case FR_SECTOR_QUERY_CAPSULE: draw_capsule(draw, q->points, q->radius, color); break;
    case FR_SECTOR_QUERY_BOX: draw_box(draw, &q->box, color, 1.5); break;
    case FR_SECTOR_QUERY_TRIANGLE:
        for (int i = 0; i < 3; i++) {
            draw_line(draw, q->points[i], q->points[(i + 1) % 3], color, 1.5);
        }
        break;
    case FR_SECTOR_QUERY_SECTOR: break; // it is drawn as a sector
    }
}
