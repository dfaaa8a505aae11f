// The looks of a scene's meshes: pictures, materials and the colours of faces.
#include "scene/scene_look.h"

#include <stdalign.h>
#include <string.h>

// Of all pictures of a scene together.
#define PICTURES_MAX_BYTES ((size_t)1 << 26)

// ---------------------------------------------------------------------------------------------------------------
// Making

fr__scene_looks fr__scene_looks_make(const fr_allocator *allocator) {
    return (fr__scene_looks){.allocator = fr_allocator_or_default(allocator),
                             .pictures = fr__picture_array_make(allocator),
                             .materials = fr__material_array_make(allocator),
                             .meshes = fr__mesh_look_array_make(allocator),
                             .plain = fr__object_id_array_make(allocator)};
}

void fr__scene_looks_clear(fr__scene_looks *looks) {
    const fr_mesh_look *meshes = looks->meshes.data;
    for (size_t i = 0; i < looks->meshes.count; i++) {
        fr_mesh_release(meshes[i].mesh);
    }
    looks->pictures.count = looks->materials.count = looks->meshes.count = looks->plain.count = 0;
    looks->picture_bytes = 0;
    if (looks->arena != NULL) { fr_arena_destroy(looks->arena); }
    looks->arena = NULL;
}

void fr__scene_looks_free(fr__scene_looks *looks) {
    fr__scene_looks_clear(looks);
    fr__picture_array_destroy(&looks->pictures);
    fr__material_array_destroy(&looks->materials);
    fr__mesh_look_array_destroy(&looks->meshes);
    fr__object_id_array_destroy(&looks->plain);
}

// Memory that stays until the looks are cleared; NULL without any.
static void *keep(fr__scene_looks *looks, size_t count, size_t size) {
    if (looks->arena == NULL && fr_arena_create(0, &looks->allocator, &looks->arena, NULL) != FR_OK) {
        looks->arena = NULL;
        return NULL;
    }
    return fr_arena_alloc(looks->arena, count, size, 4);
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

// Whether bytes begin as a file that browsers show: PNG, JPEG, GIF, WebP.
static bool is_picture_file(const unsigned char *bytes, size_t size) {
    return size > 12 && (memcmp(bytes, "\x89PNG", 4) == 0 || memcmp(bytes, "\xff\xd8\xff", 3) == 0 ||
                         memcmp(bytes, "GIF8", 4) == 0 || memcmp(bytes + 8, "WEBP", 4) == 0);
}

static bool fits(const fr__scene_looks *looks, uint64_t bytes) {
    return bytes > 0 && bytes <= FR_PICTURE_MAX_BYTES && bytes <= PICTURES_MAX_BYTES - looks->picture_bytes;
}

// One pixel as red, green, blue, alpha; one or two components are grey.
static void set_pixel(const uint8_t *from, uint32_t components, uint8_t *to) {
    bool is_grey = components < 3;
    to[0] = from[0];
    to[1] = from[is_grey ? 0 : 1];
    to[2] = from[is_grey ? 0 : 2];
    to[3] = components == 2 || components == 4 ? from[components - 1] : 255;
}

// Pixels of a model have the lowest row first, ours the highest.
static bool take_pixels(fr__scene_looks *looks, const fr_model_texture *texture, fr_picture *out) {
    uint32_t width = texture->width, height = texture->height, components = texture->components;
    uint64_t bytes = (uint64_t)width * height * 4;
    if (components < 1 || components > 4 || !fits(looks, bytes)) { return true; }
    uint8_t *pixels = keep(looks, (size_t)bytes, 1);
    if (pixels == NULL) { return false; }
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *row = texture->pixels + (size_t)(height - 1 - y) * width * components;
        for (uint32_t x = 0; x < width; x++) {
            set_pixel(row + (size_t)x * components, components, pixels + 4 * ((size_t)y * width + x));
        }
    }
    out->bytes = pixels;
    out->byte_count = (uint32_t)bytes;
    out->width = width;
    out->height = height;
    return true;
}

static bool take_file(fr__scene_looks *looks, const void *bytes, size_t size, fr_picture *out) {
    if (!is_picture_file(bytes, size) || !fits(looks, size)) { return true; }
    void *copy = keep(looks, size, 1);
    if (copy == NULL) { return false; }
    memcpy(copy, bytes, size);
    out->bytes = copy;
    out->byte_count = (uint32_t)size;
    return true;
}

// The picture of a texture; without bytes where it has none that can be shown. False without memory.
static bool take_picture(fr__scene_looks *looks, const fr_model_texture *texture, const fr_model_files *files,
                         fr_picture *out) {
    *out = (fr_picture){.is_repeated_u = texture->is_repeated_s, .is_repeated_v = texture->is_repeated_t};
    if (texture->pixels != NULL) { return take_pixels(looks, texture, out); }
    if (texture->bytes != NULL) { return take_file(looks, texture->bytes, texture->byte_count, out); }
    const void *bytes;
    size_t size;
    fr_error unasked = {0};
    if (texture->path[0] == '\0' || files->load == NULL ||
        files->load(texture->path, &bytes, &size, files->context, &unasked) != FR_OK) {
        return true;
    }
    bool is_taken = take_file(looks, bytes, size, out);
    files->unload(bytes, size, files->context);
    return is_taken;
}

// Whether two textures are one picture, whatever their coordinates.
static bool is_same_picture(const fr_model_texture *a, const fr_model_texture *b) {
    return a->path[0] != '\0' && strcmp(a->path, b->path) == 0 && a->is_repeated_s == b->is_repeated_s &&
           a->is_repeated_t == b->is_repeated_t;
}

// The pictures of a model's textures, each once; `numbers` becomes the index of each, FR_NONE for none.
static bool add_pictures(fr__scene_looks *looks, const fr_model_view *view, const fr_model_files *files,
                         uint32_t *numbers) {
    for (uint32_t i = 0; i < view->texture_count; i++) {
        uint32_t same = 0;
        while (same < i && !is_same_picture(&view->textures[same], &view->textures[i])) {
            same++;
        }
        numbers[i] = same < i ? numbers[same] : FR_NONE;
        if (same < i) { continue; }
        fr_picture picture;
        if (!take_picture(looks, &view->textures[i], files, &picture)) { return false; }
        if (picture.bytes == NULL) { continue; }
        fr_picture *place = fr__picture_array_push(&looks->pictures, 1);
        if (place == NULL) { return false; }
        *place = picture;
        looks->picture_bytes += picture.byte_count;
        numbers[i] = (uint32_t)(looks->pictures.count - 1);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Materials

static uint8_t color_byte(float value) {
    return value > 0.0f ? (uint8_t)(value < 1.0f ? value * 255.0f + 0.5f : 255.0f) : 0;
}

static fr_color color_of(const float color[3], uint8_t alpha) {
    return (fr_color){color_byte(color[0]), color_byte(color[1]), color_byte(color[2]), alpha};
}

// In VRML and X3D a picture in colour takes the place of the material's colour; elsewhere they are multiplied.
static bool replaces_color(const fr_model_view *view, const fr_model_texture *texture) {
    bool is_vrml = view->format == FR_MODEL_VRML || view->format == FR_MODEL_X3D || view->format == FR_MODEL_X3D_VRML;
    return is_vrml && (texture->pixels == NULL || texture->components >= 3);
}

static bool add_materials(fr__scene_looks *looks, const fr_model_view *view, const uint32_t *pictures) {
    for (uint32_t i = 0; i < view->material_count; i++) {
        const fr_model_material *from = &view->materials[i];
        fr_material *to = fr__material_array_push(&looks->materials, 1);
        if (to == NULL) { return false; }
        *to = (fr_material){.color = fr_model_material_color(from),
                            .glow = from->is_unlit ? (fr_color){0, 0, 0, 255} : color_of(from->emissive, 255),
                            .is_unlit = from->is_unlit,
                            .picture = from->texture != FR_NONE ? pictures[from->texture] : FR_NONE};
        if (to->picture != FR_NONE && replaces_color(view, &view->textures[from->texture])) {
            to->color = (fr_color){255, 255, 255, to->color.a};
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

// A model's polygons as the triangles of a mesh.
typedef struct dressing {
    const fr_model_view *view;
    const fr_model_mesh *from;
    const fr_mesh_view *mesh;
    uint32_t material;       // of the node, in the model; FR_NONE: none
    uint32_t first_material; // of the model, among all
    uint32_t *corner_of;     // of each vertex: its corner in the polygon at hand
    uint32_t *materials;     // to be filled, with the two below, where they are not NULL
    float *uvs;
    fr_color *colors;
    uint32_t *normals;
    fr_mat3 turn; // of normals, from the model's mesh to the mesh
} dressing;

// As VRML's TextureTransform: moved, turned and scaled about the centre.
static void transform_uv(const fr_model_texture *t, const float from[2], float to[2]) {
    double s = (double)from[0] + (double)t->translation[0] + (double)t->center[0];
    double r = (double)from[1] + (double)t->translation[1] + (double)t->center[1];
    double cosine = fr_cos((double)t->rotation), sine = fr_sin((double)t->rotation);
    double u = (cosine * s - sine * r) * (double)t->scale[0] - (double)t->center[0];
    double v = (sine * s + cosine * r) * (double)t->scale[1] - (double)t->center[1];
    to[0] = fabs(u) <= 1e6 ? (float)u : 0.0f;
    to[1] = fabs(v) <= 1e6 ? (float)v : 0.0f;
}

// How normals go with a transform of points, 3 rows of 4: the cofactors, turned about where it mirrors, since polygons
// are turned about there too.
static fr_mat3 turn_of_normals(const double m[12]) {
    fr_vec3 x = {m[0], m[1], m[2]}, y = {m[4], m[5], m[6]}, z = {m[8], m[9], m[10]};
    fr_mat3 turn = {{fr_vec3_cross(y, z), fr_vec3_cross(z, x), fr_vec3_cross(x, y)}};
    if (fr_vec3_dot(x, turn.row[0]) < 0.0) {
        for (int i = 0; i < 3; i++) {
            turn.row[i] = fr_vec3_scale(-1.0, turn.row[i]);
        }
    }
    return turn;
}

static fr_vec3 position_of(const fr_mesh_view *mesh, uint32_t vertex) {
    size_t at = 3 * (size_t)vertex;
    if (mesh->positions_double != NULL) {
        const double *p = mesh->positions_double + at;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    const float *p = mesh->positions_float + at;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

// The normals of a triangle's corners. Files exist whose normals lie on the other side than their polygons' order says:
// a viewer that lights both sides needs them on the side that is in front.
static void dress_normals(const dressing *d, uint32_t triangle) {
    const uint32_t *corners = d->mesh->triangles + 3 * (size_t)triangle;
    fr_vec3 p[3], normals[3], sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        const float *n = d->from->corner_normals + 3 * (size_t)d->corner_of[corners[k]];
        fr_vec3 own = fr_vec3_make((double)n[0], (double)n[1], (double)n[2]);
        p[k] = position_of(d->mesh, corners[k]);
        normals[k] = fr_vec3_unit(fr_mat3_apply(d->turn, own), sum);
    }
    for (int k = 0; k < 3; k++) {
        sum = fr_vec3_add(sum, normals[k]);
    }
    fr_vec3 face = fr_vec3_cross(fr_vec3_sub(p[1], p[0]), fr_vec3_sub(p[2], p[0]));
    double side = fr_vec3_dot(sum, face) < 0.0 ? -1.0 : 1.0;
    for (size_t k = 0; k < 3; k++) {
        d->normals[3 * (size_t)triangle + k] = fr_direction_pack(fr_vec3_scale(side, normals[k]));
    }
}

static void dress_corner(const dressing *d, uint32_t face, uint32_t material, uint32_t triangle, uint32_t k) {
    uint32_t corner = d->corner_of[d->mesh->triangles[3 * (size_t)triangle + k]];
    size_t at = 3 * (size_t)triangle + k;
    if (d->uvs != NULL) {
        static const fr_model_texture as_it_is = {.scale = {1.0f, 1.0f}};
        uint32_t texture = material != FR_NONE ? d->view->materials[material].texture : FR_NONE;
        transform_uv(texture != FR_NONE ? &d->view->textures[texture] : &as_it_is,
                     d->from->corner_uvs + 2 * (size_t)corner, d->uvs + 2 * at);
    }
    if (d->colors != NULL) {
        d->colors[at] = d->from->corner_colors != NULL ? d->from->corner_colors[corner] : d->from->face_colors[face];
    }
}

// Polygons were cut into triangles in order, corners - 2 each.
static void dress_triangles(const dressing *d) {
    uint32_t triangle = 0;
    for (uint32_t face = 0; face < d->from->face_count; face++) {
        uint32_t begin = fr_model_face_begin(d->from, face), end = fr_model_face_end(d->from, face);
        for (uint32_t c = begin; c < end; c++) {
            d->corner_of[d->from->corners[c]] = c;
        }
        uint32_t own = d->from->face_materials != NULL ? d->from->face_materials[face] : FR_NONE;
        uint32_t material = own != FR_NONE ? own : d->material;
        for (uint32_t i = begin; i + 2 < end; i++, triangle++) {
            if (d->materials != NULL) { d->materials[triangle] = own != FR_NONE ? own + d->first_material : FR_NONE; }
            for (uint32_t k = 0; k < 3 && (d->uvs != NULL || d->colors != NULL); k++) {
                dress_corner(d, face, material, triangle, k);
            }
            if (d->normals != NULL) { dress_normals(d, triangle); }
        }
    }
}

static uint64_t triangle_count(const fr_model_mesh *mesh) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        count += fr_model_face_end(mesh, i) - fr_model_face_begin(mesh, i) - 2;
    }
    return count;
}

static bool has_texture(const dressing *d, uint32_t material) {
    return material != FR_NONE && d->view->materials[material].texture != FR_NONE;
}

// Readers that keep one list for all meshes give those without materials or colours of their own empty ones: FR_NONE,
// and what `is_unpainted` knows.
static bool has_own_materials(const fr_model_mesh *mesh) {
    bool is_found = false;
    for (uint32_t i = 0; !is_found && mesh->face_materials != NULL && i < mesh->face_count; i++) {
        is_found = mesh->face_materials[i] != FR_NONE;
    }
    return is_found;
}

static bool is_unpainted(fr_color color) { return color.r == 204 && color.g == 204 && color.b == 204; }

static bool has_own_colors(const fr_model_mesh *mesh) {
    bool is_found = mesh->corner_colors != NULL;
    for (uint32_t i = 0; !is_found && mesh->face_colors != NULL && i < mesh->face_count; i++) {
        is_found = !is_unpainted(mesh->face_colors[i]);
    }
    return is_found;
}

// Coordinates in pictures are of no use where there is none.
static bool needs_uvs(const dressing *d) {
    if (d->from->corner_uvs == NULL) { return false; }
    bool is_found = has_texture(d, d->material);
    for (uint32_t i = 0; !is_found && d->from->face_materials != NULL && i < d->from->face_count; i++) {
        is_found = has_texture(d, d->from->face_materials[i]);
    }
    return is_found;
}

// Normals are those of the mesh at rest: bones turn them, other shapes of a mesh would bend them.
static bool has_own_normals(const fr_model_mesh *mesh, const fr_skin *skin) {
    return mesh->corner_normals != NULL && (skin != NULL || mesh->deform == NULL);
}

// Takes memory for what is known of the triangles.
static bool begin_dressing(fr__scene_looks *looks, dressing *d, bool has_normals) {
    const fr_model_mesh *from = d->from;
    size_t count = d->mesh->triangle_count;
    bool good = true;
    if (has_own_materials(from)) {
        d->materials = keep(looks, count, sizeof *d->materials);
        good = d->materials != NULL;
    }
    if (good && needs_uvs(d)) {
        d->uvs = keep(looks, 6 * count, sizeof *d->uvs);
        good = d->uvs != NULL;
    }
    if (good && has_own_colors(from)) {
        d->colors = keep(looks, 3 * count, sizeof *d->colors);
        good = d->colors != NULL;
    }
    if (good && has_normals) {
        d->normals = keep(looks, 3 * count, sizeof *d->normals);
        good = d->normals != NULL;
    }
    if (good) {
        d->corner_of = fr_allocate(&looks->allocator, from->vertex_count, sizeof(uint32_t), alignof(uint32_t));
    }
    return good && d->corner_of != NULL;
}

static bool add_mesh(fr__scene_looks *looks, const fr__scene_look_input *input, uint32_t part,
                     uint32_t first_material) {
    double matrix[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}; // bones take a mesh along from its own frame
    const fr_model_view *view = fr_model_get(input->model);
    const fr_model_node *node = &view->nodes[input->nodes[part]];
    const fr_mesh *mesh = input->parts[part].mesh;
    dressing d = {.view = view,
                  .from = &view->meshes[node->mesh],
                  .mesh = fr_mesh_get(mesh),
                  .material = node->material,
                  .first_material = first_material};
    bool has_normals = has_own_normals(d.from, input->skins[part]);
    bool has_look = node->material != FR_NONE || has_normals || has_own_materials(d.from) || has_own_colors(d.from);
    // A mesh that is not the polygons as they are has no look that would fit it.
    if (!has_look || triangle_count(d.from) != d.mesh->triangle_count || d.from->vertex_count != d.mesh->vertex_count) {
        return true;
    }
    if (input->skins[part] == NULL) { fr_model_node_matrix(input->model, input->nodes[part], matrix); }
    d.turn = turn_of_normals(matrix);
    bool good = begin_dressing(looks, &d, has_normals);
    fr_mesh_look *look = good ? fr__mesh_look_array_push(&looks->meshes, 1) : NULL;
    if (look != NULL) {
        dress_triangles(&d);
        uint32_t material = node->material != FR_NONE ? node->material + first_material : FR_NONE;
        *look = (fr_mesh_look){fr_mesh_retain(mesh), material, d.materials, d.uvs, d.colors, d.normals};
    }
    fr_deallocate(&looks->allocator, d.corner_of, d.from->vertex_count, sizeof(uint32_t));
    return look != NULL;
}

bool fr__scene_looks_add(fr__scene_looks *looks, const fr__scene_look_input *input) {
    const fr_model_view *view = fr_model_get(input->model);
    uint32_t first_material = (uint32_t)looks->materials.count;
    uint32_t *pictures = fr_allocate(&looks->allocator, (size_t)view->texture_count + 1, sizeof *pictures, 4);
    bool good =
        pictures != NULL && add_pictures(looks, view, input->files, pictures) && add_materials(looks, view, pictures);
    fr_deallocate(&looks->allocator, pictures, (size_t)view->texture_count + 1, sizeof *pictures);
    for (uint32_t i = 0; i < input->count && good; i++) {
        good = add_mesh(looks, input, i, first_material);
    }
    return good;
}

bool fr__scene_looks_add_colors(fr__scene_looks *looks, const fr_mesh *mesh, const fr_color *colors) {
    size_t count = 3 * (size_t)fr_mesh_get(mesh)->triangle_count;
    fr_color *corners = keep(looks, count, sizeof *corners);
    fr_mesh_look *look = corners != NULL ? fr__mesh_look_array_push(&looks->meshes, 1) : NULL;
    if (look == NULL) { return false; }
    for (size_t i = 0; i < count; i++) {
        corners[i] = colors[i / 3];
    }
    *look = (fr_mesh_look){.mesh = fr_mesh_retain(mesh), .material = FR_NONE, .colors = corners};
    return true;
}

bool fr__scene_looks_add_plain(fr__scene_looks *looks, fr_object_id id) {
    fr_object_id *place = fr__object_id_array_push(&looks->plain, 1);
    if (place == NULL) { return false; }
    // Most often the places of objects grow in the order of the scene.
    while (place != looks->plain.data && place[-1].index1 > id.index1) {
        place[0] = place[-1];
        place--;
    }
    *place = id;
    return true;
}

static bool is_painted(const fr_model_material *material) {
    const fr_model_material grey = fr_default_model_material();
    return material->texture != FR_NONE || memcmp(material->diffuse, grey.diffuse, sizeof grey.diffuse) != 0;
}

bool fr__scene_has_looks(const fr_model_view *view) {
    bool is_found = false;
    for (uint32_t i = 0; i < view->material_count && !is_found; i++) {
        is_found = is_painted(&view->materials[i]);
    }
    for (uint32_t i = 0; i < view->mesh_count && !is_found; i++) {
        is_found = has_own_colors(&view->meshes[i]);
    }
    return is_found;
}

// The materials of a mesh's triangles, counted on from those that are there.
static void shift_materials(fr_mesh_look *look, uint32_t first) {
    uint32_t *materials = (uint32_t *)(uintptr_t)look->materials;
    if (look->material != FR_NONE) { look->material += first; }
    for (size_t i = 0; materials != NULL && i < fr_mesh_get(look->mesh)->triangle_count; i++) {
        if (materials[i] != FR_NONE) { materials[i] += first; }
    }
}

bool fr__scene_looks_append(fr__scene_looks *looks, fr__scene_looks *others) {
    uint32_t first_material = (uint32_t)looks->materials.count, first_picture = (uint32_t)looks->pictures.count;
    bool has_room = fr__picture_array_reserve(&looks->pictures, looks->pictures.count + others->pictures.count) &&
                    fr__material_array_reserve(&looks->materials, looks->materials.count + others->materials.count) &&
                    fr__mesh_look_array_reserve(&looks->meshes, looks->meshes.count + others->meshes.count) &&
                    fr__object_id_array_reserve(&looks->plain, looks->plain.count + others->plain.count);
    if (!has_room) { return false; }
    for (size_t i = 0; i < others->pictures.count; i++) {
        *fr__picture_array_push(&looks->pictures, 1) = others->pictures.data[i];
    }
    for (size_t i = 0; i < others->materials.count; i++) {
        fr_material *to = fr__material_array_push(&looks->materials, 1);
        *to = others->materials.data[i];
        if (to->picture != FR_NONE) { to->picture += first_picture; }
    }
    for (size_t i = 0; i < others->meshes.count; i++) {
        fr_mesh_look *to = fr__mesh_look_array_push(&looks->meshes, 1);
        *to = others->meshes.data[i];
        shift_materials(to, first_material);
    }
    for (size_t i = 0; i < others->plain.count; i++) {
        (void)fr__scene_looks_add_plain(looks, others->plain.data[i]);
    }
    // The references to meshes went along.
    others->pictures.count = others->materials.count = others->meshes.count = others->plain.count = 0;
    return true;
}

const fr_looks *fr__scene_looks_get(fr__scene_looks *looks) {
    looks->view = (fr_looks){.pictures = looks->pictures.data,
                             .picture_count = (uint32_t)looks->pictures.count,
                             .materials = looks->materials.data,
                             .material_count = (uint32_t)looks->materials.count,
                             .meshes = looks->meshes.data,
                             .mesh_count = (uint32_t)looks->meshes.count,
                             .plain = looks->plain.data,
                             .plain_count = (uint32_t)looks->plain.count};
    return &looks->view;
}
