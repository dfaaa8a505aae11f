// A model of one part from a skin: its mesh with smooth normals, and its bones as nodes that stand where they were
// bound.
#include "model.h"

#include <string.h>

// What a model of a skin is made of, in one arena.
typedef struct skin_arrays {
    fr_model_node *nodes;     // the part, then the bones, parents first
    uint32_t *bone_nodes;     // of each bone
    double (*transforms)[12]; // of each bone, to its parent's frame
    uint32_t *bones;          // of the vertices
    float *normals;           // 3 a corner
    fr_vec3 *vertex_normals;
} skin_arrays;

static bool take_arrays(const fr_skin_view *skin, const fr_mesh_view *mesh, fr_arena *arena, skin_arrays *a) {
    size_t corners = (size_t)3 * mesh->triangle_count, influences = (size_t)skin->vertex_count * skin->influence_count;
    a->nodes = fr_arena_alloc(arena, (size_t)skin->bone_count + 1, sizeof *a->nodes, _Alignof(fr_model_node));
    a->bone_nodes = fr_arena_alloc(arena, skin->bone_count, sizeof *a->bone_nodes, _Alignof(uint32_t));
    a->transforms = fr_arena_alloc(arena, skin->bone_count, sizeof *a->transforms, _Alignof(double));
    a->bones = fr_arena_alloc(arena, influences, sizeof *a->bones, _Alignof(uint32_t));
    a->normals = fr_arena_alloc(arena, 3 * corners, sizeof *a->normals, _Alignof(float));
    a->vertex_normals = fr_arena_alloc(arena, mesh->vertex_count, sizeof *a->vertex_normals, _Alignof(fr_vec3));
    return a->nodes != NULL && a->bone_nodes != NULL && a->transforms != NULL && a->bones != NULL &&
           a->normals != NULL && a->vertex_normals != NULL;
}

// A bone stands where its inverse bind comes from. Each pass places the bones whose parents have a node.
static void place_bones(const fr_skin_view *skin, skin_arrays *a) {
    memset(a->bone_nodes, 0xff, skin->bone_count * sizeof *a->bone_nodes);
    for (uint32_t placed = 0; placed < skin->bone_count;) {
        for (uint32_t b = 0; b < skin->bone_count; b++) {
            uint32_t parent = skin->parents[b];
            if (a->bone_nodes[b] != FR_NONE || (parent != FR_NONE && a->bone_nodes[parent] == FR_NONE)) { continue; }
            // fr_skin_create refused inverse binds without an inverse.
            (void)fr__matrix_invert(&skin->inverse_binds[12 * b], a->transforms[b]);
            if (parent != FR_NONE) {
                fr__matrix_multiply(&skin->inverse_binds[12 * parent], a->transforms[b], a->transforms[b]);
            }
            a->bone_nodes[b] = ++placed;
            a->nodes[placed] = fr_default_model_node();
            a->nodes[placed].name = skin->names[b];
            a->nodes[placed].transform = a->transforms[b];
            a->nodes[placed].parent = parent != FR_NONE ? a->bone_nodes[parent] : FR_NONE;
        }
    }
}

static void smooth_normals(const fr_mesh *mesh, skin_arrays *a) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    fr_mesh_vertex_normals(mesh, a->vertex_normals);
    for (size_t i = 0; i < (size_t)3 * view->triangle_count; i++) {
        fr_vec3 normal = a->vertex_normals[view->triangles[i]];
        a->normals[3 * i] = (float)normal.x;
        a->normals[3 * i + 1] = (float)normal.y;
        a->normals[3 * i + 2] = (float)normal.z;
    }
}

static fr_status create_from(const fr_skin_view *skin, const char *name, const fr_color *colors,
                             const fr_allocator *allocator, fr_arena *arena, fr_model **out, fr_error *error) {
    const fr_mesh_view *mesh = fr_mesh_get(skin->mesh);
    skin_arrays a;
    if (!take_arrays(skin, mesh, arena, &a)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a model");
    }
    place_bones(skin, &a);
    smooth_normals(skin->mesh, &a);
    for (size_t i = 0; i < (size_t)skin->vertex_count * skin->influence_count; i++) {
        a.bones[i] = skin->bones[i];
    }
    fr_model_deform deform = {.influence_count = skin->influence_count,
                              .bone_count = skin->bone_count,
                              .bones = a.bones,
                              .weights = skin->weights};
    fr_model_mesh part = {.positions_float = mesh->positions_float,
                          .positions_double = mesh->positions_double,
                          .vertex_count = mesh->vertex_count,
                          .corners = mesh->triangles,
                          .face_count = mesh->triangle_count,
                          .face_ids = mesh->faces,
                          .face_colors = colors,
                          .corner_normals = a.normals,
                          .deform = &deform};
    fr_model_skin bones = {name, skin->bone_count, a.bone_nodes, skin->inverse_binds, FR_NONE};
    a.nodes[0] = fr_default_model_node();
    a.nodes[0].name = name;
    a.nodes[0].mesh = 0;
    a.nodes[0].skin = 0;
    fr_model_def def = fr_default_model_def();
    def.nodes = a.nodes;
    def.node_count = skin->bone_count + 1;
    def.meshes = &part;
    def.mesh_count = 1;
    def.skins = &bones;
    def.skin_count = 1;
    def.allocator = *allocator;
    return fr_model_create(&def, out, error);
}

fr_status fr_model_from_skin(const fr_skin *skin, const char *name, const fr_color *colors,
                             const fr_allocator *allocator, fr_model **out, fr_error *error) {
    FR_ASSERT(skin != NULL && out != NULL);
    *out = NULL;
    const fr_skin_view *view = fr_skin_get(skin);
    if (view->mesh == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the skin has no mesh"); }
    fr_allocator own = fr_allocator_or_default(allocator);
    fr_arena *arena = NULL;
    fr_status status = fr_arena_create(0, &own, &arena, error);
    if (status == FR_OK) { status = create_from(view, name, colors, &own, arena, out, error); }
    fr_arena_destroy(arena);
    return status;
}
