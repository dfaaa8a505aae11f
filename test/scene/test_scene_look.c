// How the models of a scene look.
#include "fureai/scene.h"

#include "failing.h"

#include <math.h>
#include <string.h>

#define SQUARE "coord Coordinate { point [0 0 0, 1 0 0, 1 1 0, 0 1 0] } "
#define COORDINATES "texCoord TextureCoordinate { point [0 0, 1 0, 1 1, 0 1] } "

// Five squares: one has a material; one a picture, moved and scaled; one pixels; one colours by face; one a picture
// that is none.
static const char model[] =
    "#VRML V2.0 utf8\n"
    "Shape { appearance Appearance { material Material { diffuseColor 1 0 0.5 emissiveColor 0 0 1 transparency 0.2 } }"
    "  geometry IndexedFaceSet { " SQUARE "coordIndex [0 1 2 3 -1] } }\n"
    "Shape { appearance Appearance { material Material { diffuseColor 0.1 0.2 0.3 }"
    "  texture ImageTexture { url \"wood.png\" repeatT FALSE }"
    "  textureTransform TextureTransform { translation 1 2 scale 2 3 } }"
    "  geometry IndexedFaceSet { " SQUARE COORDINATES "coordIndex [3 2 1 0 -1] } }\n"
    "Shape { appearance Appearance { material Material { diffuseColor 0.5 0.5 0.5 }"
    "  texture PixelTexture { image 1 2 2 0x1020 0xf0ff } }"
    "  geometry IndexedFaceSet { " SQUARE COORDINATES "coordIndex [0 1 2 3 -1] } }\n"
    "Shape { geometry IndexedFaceSet { " SQUARE "color Color { color [1 0 0, 0 1 0] } colorPerVertex FALSE"
    "  coordIndex [0 1 2 -1 0 2 3 -1] } }\n"
    "Shape { appearance Appearance { material Material { diffuseColor 0 1 0 } texture ImageTexture { url \"text.png\" "
    "} }"
    "  geometry IndexedFaceSet { " SQUARE COORDINATES "coordIndex [0 1 2 3 -1] } }\n";

// Triangles with a normal at each corner that is the triangle's own, of any length, turned, stretched and mirrored; one
// with normals on its other side; one without any.
#define TILTED "coord Coordinate { point [1 0 0, 0 2 0, 0 0 4] } coordIndex [0 1 2 -1] "
static const char normals_model[] =
    "#VRML V2.0 utf8\n"
    "Transform { rotation 1 2 3 0.7 scale 1 3 0.5 children Shape { geometry IndexedFaceSet { " TILTED
    "  normal Normal { vector [8 4 2, 4 2 1, 12 6 3] } } } }\n"
    "Transform { translation 5 0 0 scale -2 1 1 children Shape { geometry IndexedFaceSet { " TILTED
    "  normal Normal { vector [8 4 2, 4 2 1, 12 6 3] } } } }\n"
    "Shape { geometry IndexedFaceSet { " TILTED "normal Normal { vector [-8 -4 -2, -4 -2 -1, -4 -2 -1] } } }\n"
    "Shape { geometry IndexedFaceSet { " TILTED "} }\n";

static const char wood[] = "\x89PNG\r\n\x1a\n the rest of it", text[] = "no picture at all, this one";

static fr_status load(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)context;
    const struct {
        const char *path, *bytes;
        size_t size;
    } files[] = {{"m/model.wrl", model, sizeof model - 1},
                 {"m/wood.png", wood, sizeof wood},
                 {"m/text.png", text, sizeof text},
                 {"m/normals.wrl", normals_model, sizeof normals_model - 1}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (strcmp(path, files[i].path) == 0) {
            *bytes = files[i].bytes;
            *size = files[i].size;
            return FR_OK;
        }
    }
    return fr_error_set(error, FR_ERROR_FILE, "there is no %s", path);
}

static const char scene_text[] =
    "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\",\"model\":\"m/model.wrl\"},"
    "{\"name\":\"c\",\"model\":\"m/model.wrl\",\"color\":[1,2,3]}]}";

typedef struct built {
    fr_scene *scene;
    fr_scene_player *player;
    fr_space *space;
    fr_object_id ids[3];
} built;

static fr_status build_of(const char *text_of_scene, const fr_allocator *allocator, built *out) {
    *out = (built){0};
    fr_scene_read_input reading = fr_default_scene_read_input();
    fr_space_def def = fr_default_space_def();
    if (allocator != NULL) { reading.allocator = def.allocator = *allocator; }
    fr_status status = fr_scene_read(text_of_scene, strlen(text_of_scene), &reading, &out->scene, NULL);
    if (status == FR_OK) { status = fr_scene_player_create(allocator, &out->player, NULL); }
    if (status == FR_OK) { status = fr_space_create(&def, &out->space, NULL); }
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = load;
    options.player = out->player;
    if (allocator != NULL) { options.allocator = *allocator; }
    return status == FR_OK ? fr_scene_build(out->scene, &options, out->space, out->ids, NULL) : status;
}

static fr_status build(const fr_allocator *allocator, built *out) { return build_of(scene_text, allocator, out); }

static void end(built *b) {
    if (b->space != NULL) { fr_space_destroy(b->space); }
    fr_scene_player_destroy(b->player);
    fr_scene_destroy(b->scene);
}

static const fr_mesh_look *look_of(const built *b, const fr_looks *looks, uint32_t object, uint32_t part) {
    const fr_mesh *mesh = fr_object_part(b->space, b->ids[object], part).mesh;
    for (uint32_t i = 0; i < looks->mesh_count; i++) {
        if (looks->meshes[i].mesh == mesh) { return &looks->meshes[i]; }
    }
    return NULL;
}

static const fr_mesh_look *look_of_part(const built *b, const fr_looks *looks, uint32_t part) {
    return look_of(b, looks, 1, part);
}

static bool is_color(fr_color c, int r, int g, int b, int a) { return c.r == r && c.g == g && c.b == b && c.a == a; }

static void materials_are_those_of_the_model(void **state) {
    (void)state;
    built b;
    assert_int_equal(build(NULL, &b), FR_OK);
    const fr_looks *looks = fr_scene_player_looks(b.player);
    // Both objects of the model share its meshes; the one that the scene gives a colour is shown in that.
    assert_int_equal(looks->mesh_count, 5);
    assert_int_equal(looks->plain_count, 1);
    assert_true(fr_object_id_equal(looks->plain[0], b.ids[2]));

    const fr_mesh_look *first = look_of_part(&b, looks, 0);
    assert_non_null(first);
    assert_true(first->materials == NULL && first->uvs == NULL && first->colors == NULL);
    const fr_material *red = &looks->materials[first->material];
    assert_true(is_color(red->color, 255, 0, 128, 204) && is_color(red->glow, 0, 0, 255, 255));
    assert_true(!red->is_unlit && red->picture == FR_NONE);

    const fr_mesh_look *faces = look_of_part(&b, looks, 3);
    assert_true(faces != NULL && faces->colors != NULL);
    for (int k = 0; k < 3; k++) {
        assert_true(is_color(faces->colors[k], 255, 0, 0, 255) && is_color(faces->colors[3 + k], 0, 255, 0, 255));
    }
    // What is no picture leaves the material's own colour.
    const fr_mesh_look *last = look_of_part(&b, looks, 4);
    assert_true(last != NULL && looks->materials[last->material].picture == FR_NONE);
    assert_true(is_color(looks->materials[last->material].color, 0, 255, 0, 255));
    end(&b);
}

static void pictures_lie_where_the_model_has_them(void **state) {
    (void)state;
    built b;
    assert_int_equal(build(NULL, &b), FR_OK);
    const fr_looks *looks = fr_scene_player_looks(b.player);
    assert_int_equal(looks->picture_count, 2);
    const fr_mesh_look *second = look_of_part(&b, looks, 1), *third = look_of_part(&b, looks, 2);
    assert_true(second != NULL && third != NULL && second->uvs != NULL && third->uvs != NULL);

    // A picture in colour stands for the material's, a grey one is multiplied with it.
    const fr_material *wooden = &looks->materials[second->material], *grey = &looks->materials[third->material];
    assert_true(is_color(wooden->color, 255, 255, 255, 255) && is_color(grey->color, 128, 128, 128, 255));
    const fr_picture *file = &looks->pictures[wooden->picture], *pixels = &looks->pictures[grey->picture];
    assert_true(file->width == 0 && file->is_repeated_u && !file->is_repeated_v && file->byte_count == sizeof wood);
    assert_memory_equal(file->bytes, wood, sizeof wood);
    static const uint8_t top_first[8] = {0xf0, 0xf0, 0xf0, 0xff, 0x10, 0x10, 0x10, 0x20};
    assert_true(pixels->width == 1 && pixels->height == 2 && pixels->byte_count == 8);
    assert_memory_equal(pixels->bytes, top_first, 8);

    // Every corner has the coordinates of its vertex, moved by 1, 2 and scaled by 2, 3.
    const fr_mesh_view *mesh = fr_mesh_get(second->mesh);
    assert_int_equal(mesh->triangle_count, 2);
    for (int i = 0; i < 6; i++) {
        const float *p = mesh->positions_float + 3 * (size_t)mesh->triangles[i];
        assert_true(fabsf(second->uvs[2 * i] - 2.0f * (p[0] + 1.0f)) < 1e-5f);
        assert_true(fabsf(second->uvs[2 * i + 1] - 3.0f * (p[1] + 2.0f)) < 1e-5f);
    }
    end(&b);
}

static fr_vec3 corner_of(const fr_mesh_view *mesh, uint32_t corner) {
    const float *p = mesh->positions_float + 3 * (size_t)mesh->triangles[corner];
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

static void normals_of_files_go_with_their_surfaces(void **state) {
    (void)state;
    built b;
    assert_int_equal(build_of("{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"model\":\"m/normals.wrl\"}]}", NULL, &b),
                     FR_OK);
    const fr_looks *looks = fr_scene_player_looks(b.player);
    for (uint32_t part = 0; part < 3; part++) {
        const fr_mesh_look *look = look_of(&b, looks, 0, part);
        assert_true(look != NULL && look->normals != NULL);
        const fr_mesh_view *mesh = fr_mesh_get(look->mesh);
        fr_vec3 u = fr_vec3_sub(corner_of(mesh, 1), corner_of(mesh, 0));
        fr_vec3 face = fr_vec3_cross(u, fr_vec3_sub(corner_of(mesh, 2), corner_of(mesh, 0)));
        face = fr_vec3_scale(1.0 / fr_vec3_length(face), face);
        for (int k = 0; k < 3; k++) {
            assert_true(fr_vec3_distance(fr_direction_unpack(look->normals[k]), face) < 1e-4);
        }
    }
    const fr_mesh_look *bare = look_of(&b, looks, 0, 3);
    assert_true(bare == NULL || bare->normals == NULL);
    end(&b);
}

static fr_status build_and_end(const fr_allocator *allocator, void *context) {
    (void)context;
    built b;
    fr_status status = build(allocator, &b);
    end(&b);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(build_and_end, NULL) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_are_those_of_the_model),
        cmocka_unit_test(pictures_lie_where_the_model_has_them),
        cmocka_unit_test(normals_of_files_go_with_their_surfaces),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
