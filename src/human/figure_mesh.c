// The triangles of a figure's skin, coarse or fine, and their colours: skin, hair and simple clothes by a seed.
#include "human/figure.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Colours

#define RGB(r, g, b) ((fr_color){(r), (g), (b), 255})

static const fr_color skins[] = {RGB(236, 196, 168), RGB(222, 178, 148), RGB(205, 158, 124),
                                 RGB(173, 124, 92),  RGB(132, 90, 64),   RGB(94, 64, 48)};
static const fr_color hairs[] = {RGB(38, 30, 26), RGB(62, 42, 30), RGB(96, 66, 42), RGB(150, 112, 68),
                                 RGB(128, 124, 120)};
static const fr_color shirts[] = {RGB(86, 122, 162), RGB(214, 214, 208), RGB(164, 74, 66),  RGB(92, 132, 98),
                                  RGB(196, 156, 84), RGB(116, 92, 134),  RGB(64, 110, 118), RGB(70, 76, 92)};
static const fr_color trousers[] = {RGB(66, 70, 82), RGB(52, 66, 98), RGB(118, 104, 84), RGB(84, 84, 80),
                                    RGB(48, 46, 50)};
static const fr_color shoes[] = {RGB(48, 38, 34), RGB(30, 30, 32), RGB(98, 70, 48), RGB(176, 176, 172)};

typedef struct outfit {
    fr_color skin, lips, hair, iris, white, shirt, trousers, shoes, sole;
    bool has_long_sleeves, has_long_trousers;
} outfit;

static fr_color choose(fr_random *random, const fr_color *colors, size_t count) {
    return colors[fr_random_below(random, count)];
}
#define CHOOSE(random, table) choose(random, table, sizeof(table) / sizeof *(table))

static outfit choose_outfit(uint64_t seed) {
    fr_random random = fr_random_seed(seed);
    outfit o = {.iris = RGB(44, 48, 54), .white = RGB(240, 238, 234), .sole = RGB(34, 32, 32)};
    o.skin = seed == 0 ? skins[1] : CHOOSE(&random, skins);
    o.hair = seed == 0 ? hairs[1] : CHOOSE(&random, hairs);
    o.shirt = seed == 0 ? shirts[0] : CHOOSE(&random, shirts);
    o.trousers = seed == 0 ? trousers[0] : CHOOSE(&random, trousers);
    o.shoes = seed == 0 ? shoes[0] : CHOOSE(&random, shoes);
    o.lips = RGB((uint8_t)(o.skin.r * 9 / 10), (uint8_t)(o.skin.g * 7 / 10), (uint8_t)(o.skin.b * 7 / 10));
    o.has_long_sleeves = seed != 0 && fr_random_below(&random, 2) == 1;
    o.has_long_trousers = seed == 0 || fr_random_below(&random, 5) != 0;
    return o;
}

// Of one of the nine pieces of a polygon of the cage: rows from below, columns from the front.
static fr_color piece_color(const outfit *o, fr__cloth cloth, uint32_t piece) {
    uint32_t row = piece / 3, column = piece % 3;
    switch (cloth) {
    case FR__CLOTH_HAIR: return o->hair;
    case FR__CLOTH_FOREHEAD: return row > 0 ? o->hair : o->skin;
    case FR__CLOTH_TEMPLE: return column == 2 || (column == 1 && row == 2) ? o->hair : o->skin;
    case FR__CLOTH_BROW: return row == 0 ? o->hair : o->skin;
    case FR__CLOTH_EYE: return row != 1 ? o->skin : column == 1 ? o->iris : o->white;
    case FR__CLOTH_MOUTH: return row == 1 ? o->lips : o->skin;
    case FR__CLOTH_SHIRT:
    case FR__CLOTH_SLEEVE: return o->shirt;
    case FR__CLOTH_LONG_SLEEVE: return o->has_long_sleeves ? o->shirt : o->skin;
    case FR__CLOTH_TROUSERS: return o->trousers;
    case FR__CLOTH_LONG_TROUSERS: return o->has_long_trousers ? o->trousers : o->skin;
    case FR__CLOTH_SHOE: return o->shoes;
    case FR__CLOTH_SOLE: return o->sole;
    case FR__CLOTH_SKIN: break;
    }
    return o->skin;
}

// Of a whole polygon of the cage, which has no room for eyes.
static fr_color cage_color(const outfit *o, fr__cloth cloth) {
    bool is_small = cloth == FR__CLOTH_EYE || cloth == FR__CLOTH_BROW || cloth == FR__CLOTH_MOUTH;
    return is_small || cloth == FR__CLOTH_TEMPLE ? o->skin : piece_color(o, cloth, 4);
}

// ---------------------------------------------------------------------------------------------------------------
// Triangles

// Whether a quadrilateral is flatter when it is cut from corner 1 to corner 3 than from 0 to 2.
static bool is_cut_from_one(const fr_vec3 p[4]) {
    double best = 0.0;
    bool is_one = false;
    for (int first = 0; first < 2; first++) {
        fr_vec3 a = p[first], b = p[first + 1], c = p[first + 2], d = p[(first + 3) % 4], diagonal = fr_vec3_sub(c, a);
        fr_vec3 one = fr_vec3_unit(fr_vec3_cross(fr_vec3_sub(b, a), diagonal), a);
        fr_vec3 two = fr_vec3_unit(fr_vec3_cross(diagonal, fr_vec3_sub(d, a)), a);
        double flatness = fr_vec3_dot(one, two);
        if (first == 0 || flatness > best) { is_one = first == 1; }
        if (first == 0) { best = flatness; }
    }
    return is_one;
}

static void add_triangle(fr__figure_work *work, uint32_t a, uint32_t b, uint32_t c, fr_color color) {
    uint32_t *t = work->triangles[work->triangle_count];
    t[0] = work->numbers[a];
    t[1] = work->numbers[b];
    t[2] = work->numbers[c];
    work->colors[work->triangle_count++] = color;
}

// A polygon of the left side and its mirror image, cut alike.
static void add_polygon(fr__figure_work *work, const uint32_t corners[4], fr_color color) {
    const fr__surface_vertex *v = work->surface.vertices;
    uint32_t count = corners[3] == FR_NONE ? 3 : 4, c[4] = {corners[0], corners[1], corners[2], corners[2]};
    if (count == 4) {
        fr_vec3 points[4];
        for (int i = 0; i < 4; i++) {
            points[i] = work->warped[corners[i]];
        }
        uint32_t first = is_cut_from_one(points) ? 1 : 0;
        for (uint32_t i = 0; i < 4; i++) {
            c[i] = corners[(i + first) % 4];
        }
    }
    for (uint32_t t = 1; t + 1 < count; t++) {
        add_triangle(work, c[0], c[t], c[t + 1], color);
        add_triangle(work, v[c[0]].twin, v[c[t + 1]].twin, v[c[t]].twin, color);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The coarse skin

// A polygon with its corners on the body holds less than the body. Its corners go out by a part of how far they stand
// out of their neighbours.
static void puff_cage(fr__figure_work *work) {
    fr__body_surface *s = &work->surface;
    memset(s->sums, 0, s->cage.vertex_count * sizeof *s->sums);
    memset(s->degrees, 0, s->cage.vertex_count * sizeof *s->degrees);
    for (uint32_t f = 0; f < s->cage.face_count; f++) {
        const uint32_t *c = s->cage.faces[f].corners;
        uint32_t count = c[3] == FR_NONE ? 3 : 4;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t a = c[i], b = c[(i + 1) % count];
            s->sums[a] = fr_vec3_add(s->sums[a], work->warped[b]);
            s->sums[b] = fr_vec3_add(s->sums[b], work->warped[a]);
            s->degrees[a]++;
            s->degrees[b]++;
        }
    }
    for (uint32_t i = 0; i < s->cage.vertex_count; i++) {
        if ((s->vertices[i].parts & FR__PART_HEAD) != 0) { continue; }
        fr_vec3 mean = fr_vec3_scale(1.0 / (double)s->degrees[i], s->sums[i]), normal = s->vertices[i].normal;
        double out = fr_vec3_dot(fr_vec3_sub(work->warped[i], mean), normal);
        s->sums[i] = fr_vec3_add_scaled(work->warped[i], 0.2 * out, normal);
        if (s->vertices[i].is_middle) { s->sums[i].x = work->warped[i].x; }
    }
    for (uint32_t i = 0; i < s->cage.vertex_count; i++) {
        if ((s->vertices[i].parts & FR__PART_HEAD) != 0) { continue; }
        work->warped[i] = s->sums[i];
        if (s->vertices[i].is_middle) { continue; }
        work->warped[s->vertices[i].twin] = fr_vec3_make(-s->sums[i].x, s->sums[i].y, s->sums[i].z);
    }
}

// Numbers the vertices that the mesh has, in the surface's order.
static void number_vertices(fr__figure_work *work, bool is_coarse) {
    work->vertex_count = 0;
    for (uint32_t i = 0; i < work->surface.vertex_count; i++) {
        work->numbers[i] = FR_NONE;
        if (is_coarse && !work->surface.vertices[i].is_coarse) { continue; }
        work->mesh_vertices[work->vertex_count] = i;
        work->numbers[i] = work->vertex_count++;
    }
}

void fr__figure_triangulate(const fr_figure_def *def, fr__figure_work *work) {
    outfit o = choose_outfit(def->seed);
    const fr__body_surface *s = &work->surface;
    bool is_coarse = def->detail == FR_FIGURE_COARSE;
    if (is_coarse) { puff_cage(work); }
    number_vertices(work, is_coarse);
    work->triangle_count = 0;
    for (uint32_t f = 0; is_coarse && f < s->cage.face_count; f++) {
        add_polygon(work, s->cage.faces[f].corners, cage_color(&o, s->cage.faces[f].cloth));
    }
    for (uint32_t f = 0; !is_coarse && f < s->half_face_count; f++) {
        const fr__surface_face *face = &s->faces[f];
        add_polygon(work, face->corners, piece_color(&o, s->cage.faces[face->cage].cloth, face->piece));
    }
    double lowest = 0.0;
    for (uint32_t i = 0; i < work->vertex_count; i++) {
        double y = work->warped[work->mesh_vertices[i]].y;
        if (i == 0 || y < lowest) { lowest = y; }
    }
    // The body stands on the ground.
    for (uint32_t i = 0; i < FR_MAX_LINKS; i++) {
        work->binds[i].position.y -= lowest;
    }
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        work->warped[i].y -= lowest;
    }
    for (uint32_t i = 0; i < work->vertex_count; i++) {
        fr_vec3 p = work->warped[work->mesh_vertices[i]];
        work->positions[i][0] = p.x;
        work->positions[i][1] = p.y;
        work->positions[i][2] = p.z;
    }
}
