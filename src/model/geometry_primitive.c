// Box, Sphere, Cylinder and Cone as polygons.
#include "geometry_part.h"

#include <math.h>
#include <string.h>

#define MOST_FACETS 256u
#define FEWEST_FACETS 12u
#define FINE_POINTS ((size_t)1 << 21) // vertices of all primitives of a file before they are cut coarsely
#define TURN 6.283185307179586477

// What a part was made from, compared by its bytes: what is between the fields is zero.
typedef struct made_primitive {
    fr_model_primitive primitive;
    const float *part_colors;
    uint32_t solid, wants_uvs;
} made_primitive;

void fr__geometry_destroy(fr__geometry *geometry) {
    fr_arena_destroy(geometry->scratch);
    fr__names_free(&geometry->made);
    fr_uint32_array_destroy(&geometry->made_parts);
    geometry->scratch = NULL;
}

// A primitive while it is cut.
typedef struct cut {
    fr__geometry *geometry;
    const fr__primitive_node *node;
    uint32_t facets; // around
    bool is_plain;   // without normals at the corners
    double radius, half_height;
} cut;

// ---------------------------------------------------------------------------------------------------------------
// Corners

// A corner: its vertex, its normal and where it is in the texture.
typedef struct primitive_corner {
    uint32_t vertex;
    fr_vec3 normal;
    double u, v;
} primitive_corner;

static bool add_corner(const cut *c, const primitive_corner *k) {
    fr__builder *builder = c->geometry->builder;
    const float normal[3] = {(float)k->normal.x, (float)k->normal.y, (float)k->normal.z};
    const float uv[2] = {(float)k->u, (float)k->v};
    return fr__builder_corner(builder, k->vertex) && (c->is_plain || fr__builder_normal_corner(builder, normal)) &&
           (!c->node->wants_uvs || fr__builder_uv_corner(builder, uv));
}

// Ends a polygon, which belongs to a part.
static bool end_polygon(const cut *c, uint32_t count, uint32_t part) {
    fr__builder *builder = c->geometry->builder;
    const fr__primitive_node *node = c->node;
    if (!fr__builder_end_face(builder, count)) { return false; }
    if (node->part_colors == NULL) { return true; }
    uint32_t color = part < node->part_color_count ? part : node->part_color_count - 1, width = node->part_color_width;
    return fr__builder_color_face(builder, fr__geometry_color(node->part_colors + (size_t)width * color, width));
}

static bool add_polygon(const cut *c, const primitive_corner *corners, uint32_t count, uint32_t part) {
    for (uint32_t i = 0; i < count; i++) {
        if (!add_corner(c, &corners[i])) { return false; }
    }
    return end_polygon(c, count, part);
}

// The direction at facet i of those around y: from the back (-z) towards -x, +z and +x, as VRML's textures run.
static fr_vec3 around(const cut *c, uint32_t i) {
    double sine, cosine;
    fr_sincos(TURN * (double)(i % c->facets) / (double)c->facets, &sine, &cosine);
    return fr_vec3_make(-sine, 0.0, -cosine);
}

static bool add_ring(const cut *c, double radius, double y) {
    for (uint32_t i = 0; i < c->facets; i++) {
        fr_vec3 p = fr_vec3_scale(radius, around(c, i));
        if (!fr__geometry_vertex(c->geometry->builder, fr_vec3_make(p.x, y, p.z))) { return false; }
    }
    return true;
}

// A flat end: the ring that begins at vertex `first`, seen from above or from below.
static bool add_end(const cut *c, uint32_t first, bool is_top, uint32_t part) {
    double up = is_top ? 1.0 : -1.0;
    for (uint32_t k = 0; k < c->facets; k++) {
        uint32_t i = is_top ? k : c->facets - 1 - k;
        fr_vec3 at = around(c, i);
        primitive_corner end = {first + i, fr_vec3_make(0.0, up, 0.0), 0.5 + 0.5 * at.x, 0.5 - up * 0.5 * at.z};
        if (!add_corner(c, &end)) { return false; }
    }
    return end_polygon(c, c->facets, part);
}

// ---------------------------------------------------------------------------------------------------------------
// The four

static bool add_box(const cut *c) {
    // Corners of each side, counter-clockwise from outside, from the texture's lower left; bits of x, y, z.
    static const uint8_t sides[6][4] = {{4, 5, 7, 6}, {1, 0, 2, 3}, {5, 1, 3, 7},
                                        {0, 4, 6, 2}, {6, 7, 3, 2}, {0, 1, 5, 4}};
    static const double normals[6][3] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    static const double us[4] = {0, 1, 1, 0}, vs[4] = {0, 0, 1, 1};
    static const uint8_t parts[6] = {0, 1, 3, 2, 4, 5};
    const double *size = c->node->primitive.size;
    for (int i = 0; i < 8; i++) {
        fr_vec3 p = {(i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1], (i & 4 ? 0.5 : -0.5) * size[2]};
        if (!fr__geometry_vertex(c->geometry->builder, p)) { return false; }
    }
    for (int side = 0; side < 6; side++) {
        primitive_corner corners[4];
        for (int k = 0; k < 4; k++) {
            const double *n = normals[side];
            corners[k] = (primitive_corner){sides[side][k], fr_vec3_make(n[0], n[1], n[2]), us[k], vs[k]};
        }
        if (!add_polygon(c, corners, 4, parts[side])) { return false; }
    }
    return true;
}

// Corner of a sphere at ring j of `rings` (0 the pole below) and facet i. The pole belongs to the middle of its facet.
static primitive_corner sphere_corner(const cut *c, uint32_t rings, uint32_t i, uint32_t j) {
    double sine, cosine;
    fr_sincos(0.5 * TURN * (double)j / (double)rings, &sine, &cosine);
    bool is_pole = j == 0 || j == rings;
    fr_vec3 at = around(c, i);
    fr_vec3 normal = fr_vec3_make(sine * at.x, -cosine, sine * at.z);
    if (is_pole) { normal = fr_vec3_make(0.0, j == 0 ? -1.0 : 1.0, 0.0); }
    uint32_t vertex = j == 0 ? 0 : j == rings ? 1 + (rings - 1) * c->facets : 1 + (j - 1) * c->facets + i % c->facets;
    return (primitive_corner){vertex, normal, ((double)i + (is_pole ? 0.5 : 0.0)) / (double)c->facets,
                              (double)j / (double)rings};
}

static bool add_sphere(const cut *c) {
    fr__builder *builder = c->geometry->builder;
    uint32_t rings = (c->facets + 1) / 2;
    if (!fr__geometry_vertex(builder, fr_vec3_make(0.0, -c->radius, 0.0))) { return false; }
    for (uint32_t j = 1; j < rings; j++) {
        double sine, cosine;
        fr_sincos(0.5 * TURN * (double)j / (double)rings, &sine, &cosine);
        if (!add_ring(c, c->radius * sine, -c->radius * cosine)) { return false; }
    }
    if (!fr__geometry_vertex(builder, fr_vec3_make(0.0, c->radius, 0.0))) { return false; }
    for (uint32_t j = 0; j < rings; j++) {
        for (uint32_t i = 0; i < c->facets; i++) {
            primitive_corner corners[4];
            uint32_t count = 0;
            corners[count++] = sphere_corner(c, rings, i, j);
            if (j > 0) { corners[count++] = sphere_corner(c, rings, i + 1, j); }
            if (j + 1 < rings || j == 0) { corners[count++] = sphere_corner(c, rings, i + 1, j + 1); }
            if (j + 1 < rings || j > 0) { corners[count++] = sphere_corner(c, rings, i, j + 1); }
            if (!add_polygon(c, corners, count, 0)) { return false; }
        }
    }
    return true;
}

static bool add_cylinder(const cut *c) {
    const fr_model_primitive *p = &c->node->primitive;
    if (!add_ring(c, c->radius, -c->half_height) || !add_ring(c, c->radius, c->half_height)) { return false; }
    for (uint32_t i = 0; p->has_side && i < c->facets; i++) {
        uint32_t next = (i + 1) % c->facets;
        double u = (double)i / (double)c->facets, u_next = (double)(i + 1) / (double)c->facets;
        const primitive_corner corners[4] = {{i, around(c, i), u, 0.0},
                                             {next, around(c, next), u_next, 0.0},
                                             {c->facets + next, around(c, next), u_next, 1.0},
                                             {c->facets + i, around(c, i), u, 1.0}};
        if (!add_polygon(c, corners, 4, 0)) { return false; }
    }
    return (!p->has_top || add_end(c, c->facets, true, 1)) && (!p->has_bottom || add_end(c, 0, false, 2));
}

// Across the side of a cone, at facet i and `part` of the distance to the next.
static fr_vec3 cone_normal(const cut *c, uint32_t i, double part) {
    double sine, cosine;
    fr_sincos(TURN * ((double)i + part) / (double)c->facets, &sine, &cosine);
    fr_vec3 n = {-sine * 2.0 * c->half_height, c->radius, -cosine * 2.0 * c->half_height};
    return fr_vec3_unit(n, fr_vec3_make(0.0, 1.0, 0.0));
}

static bool add_cone(const cut *c) {
    const fr_model_primitive *p = &c->node->primitive;
    if (!add_ring(c, c->radius, -c->half_height)) { return false; }
    if (!fr__geometry_vertex(c->geometry->builder, fr_vec3_make(0.0, c->half_height, 0.0))) { return false; }
    for (uint32_t i = 0; p->has_side && i < c->facets; i++) {
        double facets = (double)c->facets;
        const primitive_corner corners[3] = {
            {i, cone_normal(c, i, 0.0), (double)i / facets, 0.0},
            {(i + 1) % c->facets, cone_normal(c, i, 1.0), (double)(i + 1) / facets, 0.0},
            {c->facets, cone_normal(c, i, 0.5), ((double)i + 0.5) / facets, 1.0}};
        if (!add_polygon(c, corners, 3, 0)) { return false; }
    }
    return !p->has_bottom || add_end(c, 0, false, 1);
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

// Facets around, so that their middles lie at most the tolerance inside.
static uint32_t facets_around(const fr__geometry *geometry, double radius) {
    double tolerance = geometry->tolerance;
    if (!(tolerance > 0.0)) { tolerance = fmax(1e-4 / geometry->unit, radius / 1000.0); }
    double angle = fr_acos(fmax(1.0 - tolerance / radius, -1.0));
    double facets = angle > 0.0 ? ceil(0.5 * TURN / angle) : (double)MOST_FACETS;
    return facets < (double)FEWEST_FACETS ? FEWEST_FACETS
           : facets > (double)MOST_FACETS ? MOST_FACETS
                                          : (uint32_t)facets;
}

// How many of the sizes a kind has.
static int size_count(fr_model_primitive_kind kind) {
    return kind == FR_MODEL_BOX ? 3 : kind == FR_MODEL_SPHERE ? 1 : 2;
}

static bool has_size(const fr_model_primitive *primitive) {
    for (int i = 0; i < size_count(primitive->kind); i++) {
        if (!(primitive->size[i] > 0.0) || !isfinite(primitive->size[i])) { return false; }
    }
    return true;
}

static void describe(const fr__primitive_node *node, made_primitive *made) {
    memset(made, 0, sizeof *made);
    made->primitive.kind = node->primitive.kind;
    made->primitive.has_side = node->primitive.has_side;
    made->primitive.has_top = node->primitive.has_top;
    made->primitive.has_bottom = node->primitive.has_bottom;
    // What a kind has no use for makes no difference.
    for (int i = 0; i < size_count(node->primitive.kind); i++) {
        made->primitive.size[i] = node->primitive.size[i];
    }
    made->part_colors = node->part_colors;
    made->solid = node->solid;
    made->wants_uvs = node->wants_uvs;
}

static bool add_faces(const cut *c) {
    switch (c->node->primitive.kind) {
    case FR_MODEL_BOX: return add_box(c);
    case FR_MODEL_SPHERE: return add_sphere(c);
    case FR_MODEL_CYLINDER: return add_cylinder(c);
    default: return add_cone(c);
    }
}

// `primitive` lives as long as the builder.
static fr_status make_part(fr__geometry *geometry, const fr__primitive_node *node,
                           const fr_model_primitive *primitive) {
    fr__builder *builder = geometry->builder;
    if (!fr__geometry_begin(geometry, node->solid)) { return fr__geometry_failed(geometry); }
    if (!has_size(primitive)) { return fr__geometry_warn(geometry, node->at, "left out: a size that is not above 0"); }
    cut c = {.geometry = geometry, .node = node, .radius = primitive->size[0], .half_height = 0.5 * primitive->size[1]};
    bool is_round = primitive->kind != FR_MODEL_BOX;
    c.is_plain = is_round && geometry->primitive_points >= FINE_POINTS;
    if (is_round) { c.facets = c.is_plain ? FEWEST_FACETS : facets_around(geometry, c.radius); }
    fr__builder_last_part(builder)->primitive = primitive;
    size_t before = builder->positions.count;
    bool is_made = add_faces(&c) && fr__builder_goes_on(builder, 32 * (builder->positions.count - before));
    if (!is_made) { return fr__geometry_failed(geometry); }
    bool was_fine = geometry->primitive_points < FINE_POINTS;
    geometry->primitive_points += builder->positions.count - before;
    if (!was_fine || geometry->primitive_points < FINE_POINTS) { return FR_OK; }
    return fr__geometry_note(geometry, node->at, "very many round primitives: from here on they get %u facets",
                             FEWEST_FACETS);
}

// Remembers that the last part was made from a primitive; `made` lives as long as the builder.
static fr_status remember(fr__geometry *geometry, const made_primitive *made) {
    uint32_t *part = fr_uint32_array_push(&geometry->made_parts, 1);
    if (part == NULL) { return FR_ERROR_MEMORY; }
    *part = (uint32_t)geometry->builder->parts.count - 1;
    bool is_kept = fr__names_find_or_append(&geometry->made, (fr__span){(const char *)made, sizeof *made}) != FR_NONE;
    return is_kept ? FR_OK : FR_ERROR_MEMORY;
}

fr_status fr__add_primitive(fr__geometry *geometry, const fr__primitive_node *node, uint32_t *part) {
    made_primitive wanted;
    describe(node, &wanted);
    uint32_t number = fr__names_find(&geometry->made, (fr__span){(const char *)&wanted, sizeof wanted});
    if (number == FR_NONE) {
        made_primitive *made = fr__builder_alloc(geometry->builder, 1, sizeof *made, _Alignof(made_primitive));
        if (made == NULL) { return FR_ERROR_MEMORY; }
        memcpy(made, &wanted, sizeof wanted);
        FR__TRY(make_part(geometry, node, &made->primitive));
        number = (uint32_t)geometry->made_parts.count;
        FR__TRY(remember(geometry, made));
    }
    *part = geometry->made_parts.data[number];
    return FR_OK;
}
