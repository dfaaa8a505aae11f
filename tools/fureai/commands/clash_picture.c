// Draws clashes: parts, colliding faces and where surfaces meet.
#include "clash_picture.h"

#include <stdlib.h>

static const fr_color part_color = {170, 175, 180, 40};
static const fr_color face_color = {214, 39, 40, 255};
static const fr_color line_color = {40, 40, 40, 255};
static const fr_color pair_colors[2] = {{70, 120, 190, 60}, {225, 165, 60, 60}};

static void draw_region(const fr_draw *draw, const fr_contact_region *region) {
    for (size_t i = 0; i < region->line_count; i++) {
        const fr_vec3 *p = region->points + region->lines[i].first;
        for (size_t k = 0; k + 1 < region->lines[i].count; k++) {
            double ends[6] = {p[k].x, p[k].y, p[k].z, p[k + 1].x, p[k + 1].y, p[k + 1].z};
            fr_draw_lines(draw, ends, 1, line_color, 1.5);
        }
        double point[3] = {p[0].x, p[0].y, p[0].z};
        if (region->lines[i].count == 1) { fr_draw_points(draw, point, 1, line_color, 4.0); }
    }
}

// Draws a part; hit[i] says whether its triangle i shares a point with another part.
static void draw_mesh(const fr_draw *draw, const fr_mesh *mesh, const bool *hit, fr_color color) {
    for (uint32_t i = 0; i < fr_mesh_get(mesh)->triangle_count; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(mesh, i, corners);
        fr_triangle_draw(corners, draw, hit[i] ? face_color : color);
    }
}

// Marks the triangles of a part that collide with `other`, or with any part where that is the part itself.
static void mark_hits(const fr_clash_output *found, uint32_t part, uint32_t other, bool *hit) {
    for (size_t i = 0; i < found->pair_count; i++) {
        const fr_face_pair *pair = &found->pairs[i];
        if (pair->flags & FR_CONTACT_NEAR) { continue; }
        if (pair->a == part && (other == part || pair->b == other)) { hit[pair->triangle_a] = true; }
        if (pair->b == part && (other == part || pair->a == other)) { hit[pair->triangle_b] = true; }
    }
}

static exit_status draw_part(tool *t, const fr_draw *draw, const assembly *a, const fr_clash_output *found,
                             uint32_t part, uint32_t other, fr_color color) {
    const fr_mesh *mesh = ((const fr_clash_part *)a->parts.data)[part].mesh;
    bool *hit = calloc(fr_mesh_get(mesh)->triangle_count, sizeof *hit);
    if (hit == NULL) {
        fr_error error = {.status = FR_ERROR_MEMORY};
        return tool_failed(t, &error);
    }
    mark_hits(found, part, other, hit);
    draw_mesh(draw, mesh, hit, color);
    free(hit);
    return EXIT_STATUS_DONE;
}

exit_status clash_draw(tool *t, picture *p, const assembly *a, const fr_clash_output *found) {
    fr_draw draw = picture_draw(p);
    for (uint32_t i = 0; i < a->parts.count; i++) {
        exit_status status = draw_part(t, &draw, a, found, i, i, part_color);
        if (status != EXIT_STATUS_DONE) { return status; }
    }
    for (size_t i = 0; i < found->count; i++) {
        draw_region(&draw, &found->clashes[i].region);
    }
    picture_legend(p, part_color, "parts");
    picture_legend(p, face_color, "colliding faces");
    picture_legend(p, line_color, "contact");
    return EXIT_STATUS_DONE;
}

exit_status clash_draw_one(tool *t, picture *p, const assembly *a, const fr_clash_output *found, const fr_clash *c) {
    fr_draw draw = picture_draw(p);
    exit_status status = draw_part(t, &draw, a, found, c->a, c->b, pair_colors[0]);
    if (status == EXIT_STATUS_DONE) { status = draw_part(t, &draw, a, found, c->b, c->a, pair_colors[1]); }
    draw_region(&draw, &c->region);
    picture_legend(p, pair_colors[0], assembly_name(a, c->a));
    picture_legend(p, pair_colors[1], assembly_name(a, c->b));
    picture_legend(p, face_color, "colliding faces");
    return status;
}
