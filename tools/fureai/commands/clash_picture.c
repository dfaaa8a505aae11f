// Draws clashes: parts, colliding faces and where surfaces meet.
#include "clash_picture.h"

#include "contrast.h"

#include <stdlib.h>
#include <string.h>

enum {
    PART_ALPHA = 40,  // parts are seen through
    LEGEND_PARTS = 6, // more are not named
};

static const fr_color face_color = {214, 39, 40, 255}; // of one clash, whose parts have colours of ours
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

// How a part is drawn.
typedef struct part_look {
    const fr_color *colors; // one a triangle; NULL: all have the one below
    fr_color color;
    fr_color hit; // of faces that collide
} part_look;

// Draws a part; hit[i] says whether its triangle i shares a point with another part.
static void draw_mesh(const fr_draw *draw, const fr_clash_part *part, const bool *hit, const part_look *look) {
    for (uint32_t i = 0; i < fr_mesh_get(part->mesh)->triangle_count; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(part->mesh, i, corners);
        for (int k = 0; k < 3; k++) {
            corners[k] = fr_pose_apply(&part->pose, corners[k]);
        }
        fr_color color = look->color;
        if (look->colors != NULL) {
            color = look->colors[i];
            color.a = PART_ALPHA;
        }
        fr_triangle_draw(corners, draw, hit[i] ? look->hit : color);
    }
}

// Marks the triangles of a part that collide with `other`, or with any part where that is the part itself; all of one
// that is there twice.
static void mark_hits(const fr_clash_output *found, uint32_t part, uint32_t other, bool *hit, size_t count) {
    for (size_t i = 0; i < found->count; i++) {
        const fr_clash *c = &found->clashes[i];
        bool is_here =
            (c->a == part && (other == part || c->b == other)) || (c->b == part && (other == part || c->a == other));
        if (is_here && c->kind == FR_CLASH_DUPLICATE) { memset(hit, 1, count * sizeof *hit); }
    }
    for (size_t i = 0; i < found->pair_count; i++) {
        const fr_face_pair *pair = &found->pairs[i];
        if (pair->flags & FR_CONTACT_NEAR) { continue; }
        if (pair->a == part && (other == part || pair->b == other)) { hit[pair->triangle_a] = true; }
        if (pair->b == part && (other == part || pair->a == other)) { hit[pair->triangle_b] = true; }
    }
}

static exit_status draw_part(tool *t, const fr_draw *draw, const assembly *a, const fr_clash_output *found,
                             uint32_t part, uint32_t other, const part_look *look) {
    const fr_clash_part *placed = (const fr_clash_part *)a->parts.data + part;
    size_t count = fr_mesh_get(placed->mesh)->triangle_count;
    bool *hit = calloc(count, sizeof *hit);
    if (hit == NULL) {
        fr_error error = {.status = FR_ERROR_MEMORY};
        return tool_failed(t, &error);
    }
    mark_hits(found, part, other, hit, count);
    draw_mesh(draw, placed, hit, look);
    free(hit);
    return EXIT_STATUS_DONE;
}

// The colour of most of a part's area is not looked for: that of its first triangle names it.
static fr_color name_color(const assembly *a, uint32_t part) {
    const fr_color *colors = assembly_colors(a, part);
    return colors != NULL ? colors[0] : assembly_grey;
}

// A colour that no part has.
static fr_color choose_hit_color(const assembly *a) {
    contrast against = contrast_begin();
    for (uint32_t i = 0; i < a->parts.count; i++) {
        const fr_color *colors = assembly_colors(a, i);
        const fr_mesh *mesh = ((const fr_clash_part *)a->parts.data)[i].mesh;
        for (uint32_t k = 0; colors != NULL && k < fr_mesh_get(mesh)->triangle_count; k++) {
            contrast_add(&against, colors[k]);
        }
    }
    return contrast_choose(&against);
}

// Names parts by their colours where they have some and are few.
static void name_parts(picture *p, const assembly *a) {
    bool has_colors = false;
    for (uint32_t i = 0; i < a->parts.count; i++) {
        has_colors = has_colors || assembly_colors(a, i) != NULL;
    }
    if (!has_colors || a->parts.count > LEGEND_PARTS) {
        picture_legend(p, assembly_grey, "parts");
        return;
    }
    for (uint32_t i = 0; i < a->parts.count; i++) {
        picture_legend(p, name_color(a, i), assembly_name(a, i));
    }
}

exit_status clash_draw(tool *t, picture *p, const assembly *a, const fr_clash_output *found) {
    fr_draw draw = picture_draw(p);
    fr_color hit = choose_hit_color(a);
    for (uint32_t i = 0; i < a->parts.count; i++) {
        part_look look = {assembly_colors(a, i), assembly_grey, hit};
        look.color.a = PART_ALPHA;
        exit_status status = draw_part(t, &draw, a, found, i, i, &look);
        if (status != EXIT_STATUS_DONE) { return status; }
    }
    for (size_t i = 0; i < found->count; i++) {
        draw_region(&draw, &found->clashes[i].region);
    }
    name_parts(p, a);
    picture_legend(p, hit, "colliding faces");
    picture_legend(p, line_color, "contact");
    return EXIT_STATUS_DONE;
}

exit_status clash_draw_one(tool *t, picture *p, const assembly *a, const fr_clash_output *found, const fr_clash *c) {
    fr_draw draw = picture_draw(p);
    const part_look looks[2] = {{NULL, pair_colors[0], face_color}, {NULL, pair_colors[1], face_color}};
    exit_status status = draw_part(t, &draw, a, found, c->a, c->b, &looks[0]);
    if (status == EXIT_STATUS_DONE) { status = draw_part(t, &draw, a, found, c->b, c->a, &looks[1]); }
    draw_region(&draw, &c->region);
    picture_legend(p, pair_colors[0], assembly_name(a, c->a));
    picture_legend(p, pair_colors[1], assembly_name(a, c->b));
    picture_legend(p, face_color, "colliding faces");
    return status;
}
