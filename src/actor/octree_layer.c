// An actor that only draws: the octree of an object, over the object.
#include "fureai/actor.h"
#include "fureai/octree.h"

#include <stdio.h>
#include <string.h>

#define OCTREE_LAYER_COOKIE 0x4f43544cu

typedef struct fr__octree_layer {
    fr_allocator allocator;
    fr_object_id object;
    uint32_t depth;
    uint64_t vertices; // version of the vertices that the octree is drawn of
    bool is_drawn;
    char name[FR_CAST_LAYER_NAME_MAX_BYTES + 1]; // of the layer
} fr__octree_layer;

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
        fr_octree_build_input input = fr_default_octree_build_input();
        input.mesh = part.mesh;
        input.pose = &part.pose;
        input.vertices = own_vertices(object, first);
        input.may_clip = true;
        fr_status status = fr_octree_build(builder, &input, one, error);
        if (status == FR_OK) { status = fr_octree_combine(FR_OCTREE_UNION, tree, one, tree, error); }
        if (status != FR_OK) { return status; }
        first += fr_mesh_get(part.mesh)->vertex_count;
    }
    return FR_OK;
}

static fr_status make_tree(const fr__octree_layer *layer, const fr_space *space, fr_octree **out, fr_error *error) {
    fr_object_id id = layer->object;
    const fr_object_view *object = fr_object_get(space, id);
    fr_bounds bounds = bounds_of(space, id, object);
    fr_octree_def def = fr_default_octree_def();
    def.depth = layer->depth;
    def.allocator = layer->allocator;
    fr_octree_root_about(&bounds, &def);
    fr_octree *tree = NULL, *one = NULL;
    fr_octree_builder *builder = NULL;
    fr_status status = fr_octree_create(&def, &tree, error);
    if (status == FR_OK) { status = fr_octree_create(&def, &one, error); }
    if (status == FR_OK) { status = fr_octree_builder_create(&layer->allocator, &builder, error); }
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

static void paint_octree(const fr_draw *draw, void *user) {
    const fr_color faces = {80, 160, 240, 40}, lines = {60, 130, 220, 150};
    fr_octree_draw(user, draw, faces, lines);
}

static fr_status draw(fr_painter *painter, const fr__octree_layer *octree, const fr_space *space, fr_error *error) {
    fr_octree *tree;
    fr_status status = make_tree(octree, space, &tree, error);
    if (status != FR_OK) { return status; }
    const fr_cast_layer layer = {.name = octree->name, .object = octree->object, .paint = paint_octree, .user = tree};
    status = fr_painter_draw(painter, &layer, error);
    fr_octree_destroy(tree);
    return status;
}

// An octree is made again when its object was deformed.
static void paint(fr_painter *painter, const fr_proposal *proposal, void *user) {
    fr__octree_layer *octree = user;
    const fr_object_view *object = fr_object_get(proposal->space, octree->object);
    if (object == NULL) { return; }
    uint64_t vertices = fr_object_versions(proposal->space, octree->object).vertices;
    bool is_shown = octree->is_drawn && octree->vertices == vertices && !fr_painter_is_new(painter);
    if (is_shown) { return; }
    octree->is_drawn = true;
    octree->vertices = vertices;
    fr_error error = {0};
    if (draw(painter, octree, proposal->space, &error) != FR_OK) {
        fr_log(FR_LOG_WARNING, "the %s is not drawn: %s", octree->name, error.message);
    }
}

static void leave(void *user) {
    fr__octree_layer *octree = user;
    fr_allocator allocator = octree->allocator;
    fr_deallocate(&allocator, octree, 1, sizeof *octree);
}

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_octree_layer_def fr_default_octree_layer_def(void) {
    fr_octree_layer_def def;
    memset(&def, 0, sizeof def);
    def.depth = 5;
    def.cookie = OCTREE_LAYER_COOKIE;
    return def;
}

fr_status fr_octree_layer_create(const fr_octree_layer_def *def, fr_actor *out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    if (def->cookie != OCTREE_LAYER_COOKIE) { return fr_error_set_cookie(error, "fr_default_octree_layer_def"); }
    bool is_right = def->name != NULL && strlen(def->name) <= FR_WORLD_NAME_MAX_BYTES &&
                    def->depth >= FR_OCTREE_LAYER_MIN_DEPTH && def->depth <= FR_OCTREE_LAYER_MAX_DEPTH;
    if (!is_right) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the layer of an octree needs a name and a depth of %d .. %d",
                            FR_OCTREE_LAYER_MIN_DEPTH, FR_OCTREE_LAYER_MAX_DEPTH);
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr__octree_layer *octree = fr_allocate(&allocator, 1, sizeof *octree, _Alignof(fr__octree_layer));
    if (octree == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a layer"); }
    memset(octree, 0, sizeof *octree);
    octree->allocator = allocator;
    octree->object = def->object;
    octree->depth = def->depth;
    snprintf(octree->name, sizeof octree->name, "octree of %s", def->name);
    *out = (fr_actor){.name = "octree", .paint = paint, .leave = leave, .user = octree};
    return FR_OK;
}
