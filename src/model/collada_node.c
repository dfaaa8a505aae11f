// Nodes of a Collada file as they are read: their transforms, the nodes and geometries that are shown in them, and the
// controllers that stand for geometries.
#include "collada.h"
#include "model.h"

#include <math.h>
#include <string.h>

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

// The innermost node that is open; NULL for none.
static fr__dae_node *open_node(const fr__dae *dae) {
    for (size_t i = dae->open.count; i-- > 0;) {
        uint32_t node = dae->open.data[i].node;
        if (node != FR_NONE) { return &dae->nodes.data[node]; }
    }
    return NULL;
}

// Appends element `index` to a chain; *next is that of the chain's last element.
static void append(fr__dae_chain *chain, uint32_t *next, uint32_t index) {
    if (chain->first == FR_NONE) {
        chain->first = index;
    } else {
        *next = index;
    }
    chain->last = index;
}

void fr__dae_begin_node(fr__dae *dae, bool is_scene, const char **attributes) {
    static const fr__dae_chain none = {FR_NONE, FR_NONE};
    const char *name = fr__xml_attribute(attributes, "name"), *id = fr__xml_attribute(attributes, "id");
    if (name == NULL) { name = id != NULL ? id : ""; }
    fr__dae_node node = {.name = fr__builder_text(&dae->reader->builder, (fr__span){name, strlen(name)}),
                         .at = fr__dae_place(dae),
                         .children = none,
                         .node_uses = none,
                         .geometry_uses = none,
                         .next = FR_NONE,
                         .sid = FR_NONE,
                         .placed = FR_NONE,
                         .is_scene = is_scene};
    uint32_t number = id != NULL ? fr__dae_name(dae, id) : FR_NONE;
    if (node.name == NULL) { fr__dae_no_memory(dae); }
    const char *sid = fr__xml_attribute(attributes, "sid");
    if (sid != NULL) { node.sid = fr__dae_name(dae, sid); }
    uint32_t index = fr__dae_node_array_add(dae, &dae->nodes, node);
    if (dae->status != FR_OK) { return; }
    if (number != FR_NONE && is_scene) { fr__dae_id_of(dae, number)->scene = index; }
    if (number != FR_NONE && !is_scene) { fr__dae_id_of(dae, number)->node = index; }
    fr__dae_node *parent = open_node(dae);
    if (parent != NULL) { append(&parent->children, &dae->nodes.data[parent->children.last].next, index); }
    fr__dae_top(dae)->node = index;
}

// A transform is rounded to floats, as positions are, unless doubles are wanted.
void fr__dae_end_node(fr__dae *dae) {
    fr__dae_node *node = &dae->nodes.data[fr__dae_top(dae)->node];
    if (node->transform == NULL) { return; }
    for (int i = 0; i < 12; i++) {
        double *number = &node->transform[i];
        if (!dae->reader->builder.is_double) { *number = (double)(float)*number; }
        if (!isfinite(*number)) { fr__dae_fail(dae, FR_ERROR_NOT_FINITE, "the transform of this node is not finite"); }
    }
    if (memcmp(node->transform, identity, sizeof identity) == 0) { node->transform = NULL; }
}

void fr__dae_begin_controller(fr__dae *dae, const char **attributes) {
    const char *id = fr__xml_attribute(attributes, "id");
    uint32_t number = id != NULL ? fr__dae_name(dae, id) : FR_NONE;
    const char *name = fr__xml_attribute(attributes, "name");
    if (name == NULL) { name = id != NULL ? id : ""; }
    fr__dae_controller controller = {.name = fr__builder_text(&dae->reader->builder, (fr__span){name, strlen(name)}),
                                     .source_id = FR_NONE,
                                     .joint_source = FR_NONE,
                                     .bind_source = FR_NONE,
                                     .weight_source = FR_NONE};
    if (controller.name == NULL) { fr__dae_no_memory(dae); }
    uint32_t index = fr__dae_controller_array_add(dae, &dae->controllers, controller);
    if (number != FR_NONE) { fr__dae_id_of(dae, number)->controller = index; }
}

void fr__dae_begin_skin(fr__dae *dae, const char **attributes) {
    fr__dae_controller *controller = &dae->controllers.data[dae->controllers.count - 1];
    controller->source_id = fr__dae_target(dae, fr__xml_attribute(attributes, "source"));
}

void fr__dae_begin_use(fr__dae *dae, bool is_geometry, const char **attributes) {
    const char *url = fr__xml_attribute(attributes, "url");
    fr__dae_use use = {.id = fr__dae_target(dae, url),
                       .next = FR_NONE,
                       .at = fr__dae_place(dae),
                       .bindings = {FR_NONE, FR_NONE},
                       .skeleton = FR_NONE,
                       .skin = FR_NONE};
    uint32_t index = fr__dae_use_array_add(dae, &dae->uses, use);
    fr__dae_node *node = open_node(dae);
    if (index == FR_NONE || node == NULL) { return; }
    fr__dae_chain *chain = is_geometry ? &node->geometry_uses : &node->node_uses;
    append(chain, &dae->uses.data[chain->last].next, index);
}

// The use of a geometry that it stands in is the last one.
void fr__dae_begin_binding(fr__dae *dae, const char **attributes) {
    const char *symbol = fr__xml_attribute(attributes, "symbol");
    if (symbol == NULL || dae->uses.count == 0) { return; }
    fr__dae_binding binding = {.symbol = fr__dae_name(dae, symbol),
                               .material_id = fr__dae_target(dae, fr__xml_attribute(attributes, "target")),
                               .next = FR_NONE};
    uint32_t index = fr__dae_binding_array_add(dae, &dae->bindings, binding);
    if (index == FR_NONE) { return; }
    fr__dae_use *use = &dae->uses.data[dae->uses.count - 1];
    append(&use->bindings, &dae->bindings.data[use->bindings.last].next, index);
    use->binding_count++;
}

// ---------------------------------------------------------------------------------------------------------------
// Transforms

static fr_vec3 vector_at(const double *numbers) { return fr_vec3_make(numbers[0], numbers[1], numbers[2]); }

// A vector of length 1; zero stays zero.
static fr_vec3 unit_of(fr_vec3 v) {
    double length = fr_vec3_length(v);
    return length > 0.0 ? fr_vec3_scale(1.0 / length, v) : fr_vec3_make(0.0, 0.0, 0.0);
}

static void set_columns(double m[12], fr_vec3 x, fr_vec3 y, fr_vec3 z, fr_vec3 position) {
    const fr_vec3 columns[4] = {x, y, z, position};
    for (int k = 0; k < 4; k++) {
        m[k] = columns[k].x;
        m[4 + k] = columns[k].y;
        m[8 + k] = columns[k].z;
    }
}

static void set_rotation(const double *v, double m[12]) {
    double sine = 0.0, cosine = 1.0;
    fr_vec3 a = unit_of(vector_at(v));
    if (a.x == 0.0 && a.y == 0.0 && a.z == 0.0) { return; }
    fr_sincos(v[3] * (FR_PI / 180.0), &sine, &cosine);
    double rest = 1.0 - cosine;
    const double rotation[12] = {
        rest * a.x * a.x + cosine,     rest * a.x * a.y - sine * a.z, rest * a.x * a.z + sine * a.y, 0.0,
        rest * a.x * a.y + sine * a.z, rest * a.y * a.y + cosine,     rest * a.y * a.z - sine * a.x, 0.0,
        rest * a.x * a.z - sine * a.y, rest * a.y * a.z + sine * a.x, rest * a.z * a.z + cosine,     0.0};
    memcpy(m, rotation, sizeof rotation);
}

// What lies along `from`, the part of the first axis that is square to the second, is moved along the second axis so
// that the first axis turns towards it by the angle.
static void set_skew(const double *v, double m[12]) {
    fr_vec3 turned = vector_at(v + 1), along = unit_of(vector_at(v + 4));
    double height = fr_vec3_dot(turned, along), sine = 0.0, cosine = 1.0;
    fr_vec3 square = fr_vec3_sub(turned, fr_vec3_scale(height, along)), from = unit_of(square);
    double width = fr_vec3_dot(turned, from);
    fr_sincos(v[0] * (FR_PI / 180.0), &sine, &cosine);
    double turned_width = width * cosine - height * sine, turned_height = width * sine + height * cosine;
    if (width == 0.0 || turned_width == 0.0) { return; }
    double amount = turned_height / turned_width - height / width;
    const double to[3] = {along.x, along.y, along.z}, by[3] = {from.x, from.y, from.z};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            m[4 * i + k] += amount * to[i] * by[k];
        }
    }
}

// A camera at a point that looks at another along -z.
static void set_look_at(const double *v, double m[12]) {
    fr_vec3 eye = vector_at(v), up = unit_of(vector_at(v + 6));
    fr_vec3 ahead = unit_of(fr_vec3_sub(vector_at(v + 3), eye)), right = unit_of(fr_vec3_cross(ahead, up));
    set_columns(m, right, fr_vec3_cross(right, ahead), fr_vec3_scale(-1.0, ahead), eye);
}

static void set_matrix(fr__dae_transform kind, const double *v, double m[12]) {
    memcpy(m, identity, sizeof identity);
    switch (kind) {
    case FR__DAE_MATRIX: memcpy(m, v, 12 * sizeof *m); break;
    case FR__DAE_TRANSLATE: m[3] = v[0], m[7] = v[1], m[11] = v[2]; break;
    case FR__DAE_SCALE: m[0] = v[0], m[5] = v[1], m[10] = v[2]; break;
    case FR__DAE_ROTATE: set_rotation(v, m); break;
    case FR__DAE_SKEW: set_skew(v, m); break;
    case FR__DAE_LOOK_AT: set_look_at(v, m); break;
    }
}

// The numbers of the element that ends; false, with the failure noted, where there are not `needed` of them.
static bool take_numbers(fr__dae *dae, int needed, const char *name, double *numbers) {
    const char *at = fr__dae_text(dae), *end = at + dae->text.count;
    for (int count = 0;; count++) {
        while (at < end && fr__is_space(*at)) {
            at++;
        }
        if (at >= end && count == needed) { return true; }
        if (at >= end || count == needed) {
            fr__dae_fail(dae, FR_ERROR_SYNTAX, "%s has %d numbers", name, needed);
            return false;
        }
        fr_number_result result = fr_number_read(&at, end, &numbers[count]);
        if (!dae->reader->builder.is_double && result == FR_NUMBER_OK) {
            numbers[count] = (double)(float)numbers[count];
        }
        bool is_word = at >= end || fr__is_space(*at);
        if (result != FR_NUMBER_OK || !is_word || !isfinite(numbers[count])) {
            bool is_number = result == FR_NUMBER_MISSING || (result == FR_NUMBER_OK && !is_word);
            fr__dae_fail(dae, is_number ? FR_ERROR_SYNTAX : FR_ERROR_NOT_FINITE,
                         "number %d of this list is no number that floats have", count);
            return false;
        }
    }
}

void fr__dae_end_transform(fr__dae *dae, fr__dae_transform kind, const char *name) {
    static const int counts[] = {16, 3, 4, 3, 7, 9};
    double numbers[16], matrix[12];
    if (!take_numbers(dae, counts[kind], name, numbers)) { return; }
    fr__dae_node *node = open_node(dae);
    set_matrix(kind, numbers, matrix);
    if (node->transform == NULL) {
        node->transform = fr__builder_alloc(&dae->reader->builder, 12, sizeof(double), sizeof(double));
        if (node->transform == NULL) {
            fr__dae_no_memory(dae);
            return;
        }
        memcpy(node->transform, identity, sizeof identity);
    }
    fr__matrix_multiply(node->transform, matrix, node->transform);
}

// Where the geometry of the skin that is open stands. Numbers are rounded as they are read.
void fr__dae_end_bind(fr__dae *dae, const char *name) {
    fr__dae_controller *controller = &dae->controllers.data[dae->controllers.count - 1];
    double numbers[16];
    if (!take_numbers(dae, 16, name, numbers) || memcmp(numbers, identity, sizeof identity) == 0) { return; }
    controller->bind = fr__builder_alloc(&dae->reader->builder, 12, sizeof(double), sizeof(double));
    if (controller->bind == NULL) {
        fr__dae_no_memory(dae);
        return;
    }
    memcpy(controller->bind, numbers, 12 * sizeof(double));
}
