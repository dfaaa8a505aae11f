#include "octree_layer.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 300 };

// ---------------------------------------------------------------------------------------------------------------
// What is asked for

// One NAME:DEPTH; a name may hold colons.
static bool read_one(const char *text, size_t size, octree_layer *out) {
    if (size < 3 || text[size - 2] != ':' || text[size - 1] < '1' || text[size - 1] > '0' + OCTREE_LAYER_DEPTH_MAX) {
        return false;
    }
    *out = (octree_layer){.object = text, .object_bytes = size - 2, .depth = (uint32_t)(text[size - 1] - '0')};
    return out->object_bytes < NAME_BYTES - 16;
}

bool octree_layers_read(const char *text, octree_layers *out) {
    *out = (octree_layers){0};
    while (text != NULL) {
        const char *comma = strchr(text, ',');
        size_t size = comma != NULL ? (size_t)(comma - text) : strlen(text);
        if (out->count == OCTREE_LAYERS_MAX || !read_one(text, size, &out->list[out->count])) { return false; }
        out->count++;
        text = comma != NULL ? comma + 1 : NULL;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// An octree of an object, in the object's frame

// The vertices of a part, in the part's frame: the mesh's own, or those of a deformed object.
static const fr_vec3 *own_vertices(const fr_object_view *object, uint32_t first) {
    return object->vertices != NULL ? object->vertices + first : NULL;
}

static fr_vec3 position_of(const fr_mesh_view *mesh, uint32_t vertex) {
    size_t at = 3 * (size_t)vertex;
    if (mesh->positions_float == NULL) {
        const double *p = mesh->positions_double + at;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    const float *p = mesh->positions_float + at;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

static fr_bounds bounds_of(const fr_space *space, fr_object_id id, const fr_object_view *object) {
    fr_bounds bounds = fr_bounds_empty();
    uint32_t first = 0;
    for (uint32_t p = 0; p < object->part_count; p++) {
        fr_part_view part = fr_object_part(space, id, p);
        const fr_mesh_view *mesh = fr_mesh_get(part.mesh);
        const fr_vec3 *vertices = own_vertices(object, first);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            fr_vec3 at = vertices != NULL ? vertices[v] : position_of(mesh, v);
            bounds = fr_bounds_with_point(&bounds, fr_pose_apply(&part.pose, at));
        }
        first += mesh->vertex_count;
    }
    return bounds;
}

// Fills `tree` with all parts, one after another through `one`.
static fr_status fill(const fr_space *space, fr_object_id id, const fr_object_view *object, fr_octree_builder *builder,
                      fr_octree *one, fr_octree *tree, fr_error *error) {
    uint32_t first = 0;
    for (uint32_t p = 0; p < object->part_count; p++) {
        fr_part_view part = fr_object_part(space, id, p);
        fr_octree_mesh input = fr_default_octree_mesh();
        input.mesh = part.mesh;
        input.pose = &part.pose;
        input.vertices = own_vertices(object, first);
        input.clip = true;
        fr_status status = fr_octree_build(builder, &input, one, error);
        if (status == FR_OK) { status = fr_octree_combine(FR_OCTREE_UNION, tree, one, tree); }
        if (status != FR_OK) { return status; }
        first += fr_mesh_get(part.mesh)->vertex_count;
    }
    return FR_OK;
}

static fr_status make_tree(const fr_space *space, fr_object_id id, uint32_t depth, fr_octree **out, fr_error *error) {
    const fr_object_view *object = fr_object_get(space, id);
    fr_bounds bounds = bounds_of(space, id, object);
    fr_octree_def def = fr_default_octree_def();
    def.depth = depth;
    fr_octree_root_about(&bounds, &def);
    fr_octree *tree = NULL, *one = NULL;
    fr_octree_builder *builder = NULL;
    fr_status status = fr_octree_create(&def, &tree, error);
    if (status == FR_OK) { status = fr_octree_create(&def, &one, error); }
    if (status == FR_OK) { status = fr_octree_builder_create(NULL, &builder, error); }
    if (status == FR_OK) { status = fill(space, id, object, builder, one, tree, error); }
    if (builder != NULL) { fr_octree_builder_destroy(builder); }
    if (one != NULL) { fr_octree_destroy(one); }
    if (status == FR_OK) {
        *out = tree;
    } else if (tree != NULL) {
        fr_octree_destroy(tree);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Drawing

static void paint(const fr_draw *draw, void *user) {
    const fr_color faces = {80, 160, 240, 40}, lines = {60, 130, 220, 150};
    fr_octree_draw(user, draw, faces, lines);
}

static fr_status draw(const octree_layers *layers, const octree_layer *layer, const fr_space *space, fr_error *error) {
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "octree of %.*s", (int)layer->object_bytes, layer->object);
    fr_octree *tree;
    fr_status status = make_tree(space, layer->id, layer->depth, &tree, error);
    if (status != FR_OK) { return status; }
    status = fr_server_draw_on(layers->server, layer->id, name, paint, tree, error);
    fr_octree_destroy(tree);
    return status;
}

// A corrector that corrects nothing: it only looks. An octree is made again when its object was deformed.
static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)wishes;
    (void)error;
    octree_layers *layers = user;
    if (layers->server == NULL) { return FR_OK; }
    for (size_t i = 0; i < layers->count; i++) {
        octree_layer *layer = &layers->list[i];
        const fr_object_view *object = fr_object_get(proposal->space, layer->id);
        uint64_t vertices = fr_object_versions(proposal->space, layer->id).vertices;
        if (object == NULL || (layer->is_drawn && layer->vertices == vertices)) { continue; }
        layer->is_drawn = true;
        layer->vertices = vertices;
        fr_error why = {0};
        if (draw(layers, layer, proposal->space, &why) != FR_OK) {
            fr_log(FR_LOG_WARNING, "the octree of %.*s is not drawn: %s", (int)layer->object_bytes, layer->object,
                   why.message);
        }
    }
    return FR_OK;
}

fr_status octree_layers_join(octree_layers *layers, fr_world *world) {
    if (layers->count == 0) { return FR_OK; }
    for (size_t i = 0; i < layers->count; i++) {
        octree_layer *layer = &layers->list[i];
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%.*s", (int)layer->object_bytes, layer->object);
        layer->id = fr_world_find(world, name);
        layer->is_drawn = false;
    }
    const fr_corrector looker = {.name = "octrees", .propose = propose, .user = layers};
    return fr_world_add_corrector(world, &looker);
}
