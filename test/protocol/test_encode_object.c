// Objects and meshes of a space, sent to a mirror.
#include "failing.h"
#include "mesh_object.h"
#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t number_of(const fr_mesh *mesh, const fr_skin *skin, void *user) {
    (void)skin;
    (void)mesh;
    return ++*(uint32_t *)user;
}

static fr_mirror *make_mirror(void) {
    fr_mirror_def def = fr_default_mirror_def();
    fr_mirror *mirror;
    assert_int_equal(fr_mirror_create(&def, &mirror, NULL), FR_OK);
    return mirror;
}

static fr_encoder *make_encoder(void) {
    fr_encoder *encoder;
    assert_int_equal(fr_encoder_create(NULL, &encoder, NULL), FR_OK);
    return encoder;
}

static fr_space *make_space(void) {
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    return space;
}

// Tells a mesh piece by piece, each into a frame of its own.
static uint32_t send_mesh(fr_encoder *encoder, const fr_mesh *mesh, uint32_t number, fr_mirror *mirror) {
    fr_array out = fr_array_make(1, NULL);
    fr_mesh_transfer telling = {.mesh = mesh, .number = number};
    uint32_t pieces = 0;
    while (!fr_mesh_transfer_is_done(&telling)) {
        const fr_mirror_mesh *received = fr_mirror_mesh_of(mirror, number);
        assert_true(received == NULL || !received->is_whole);
        out.count = 0;
        assert_int_equal(fr_protocol_encode_mesh_piece(encoder, &telling, &out, NULL), FR_OK);
        assert_true(out.count > 0 && out.count <= FR_PROTOCOL_HEADER_BYTES + FR_PROTOCOL_PIECE_BYTES);
        assert_int_equal(fr_mirror_feed(mirror, out.data, out.count, NULL), FR_OK);
        pieces++;
    }
    out.count = 0;
    assert_int_equal(fr_protocol_encode_mesh_piece(encoder, &telling, &out, NULL), FR_OK);
    assert_int_equal(out.count, 0);
    fr_array_destroy(&out);
    return pieces;
}

static void expect_same_mesh(const fr_mesh *mesh, const fr_mirror_mesh *received) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    assert_non_null(received);
    assert_true(received->is_whole && received->vertex_count == view->vertex_count &&
                received->triangle_count == view->triangle_count);
    for (uint32_t i = 0; i < 3 * view->vertex_count; i++) {
        float expected = view->positions_float != NULL ? view->positions_float[i] : (float)view->positions_double[i];
        assert_true(received->positions[i] == expected);
    }
    assert_memory_equal(received->triangles, view->triangles, 3 * sizeof(uint32_t) * view->triangle_count);
    assert_int_equal(received->face_count, view->faces != NULL ? view->face_count : 0);
    if (view->faces != NULL) {
        assert_memory_equal(received->faces, view->faces, sizeof(uint32_t) * view->triangle_count);
    }
}

static void meshes_come_through_in_pieces(void **state) {
    (void)state;
    fr_encoder *encoder = make_encoder();
    fr_mirror *mirror = make_mirror();
    fr_mesh_def like = fr_default_mesh_def();
    fr_mesh *small, *large, *exact;
    assert_int_equal(fr_mesh_create_box((fr_vec3){1, 2, 3}, &like, &small, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_named("sphere:100x100", &like, &large, NULL), FR_OK);
    like.is_double = true;
    assert_int_equal(fr_mesh_create_sphere(1e-3, 8, 9, FR_AXIS_Y, &like, &exact, NULL), FR_OK);

    send_mesh(encoder, small, 1, mirror);
    assert_true(send_mesh(encoder, large, 7, mirror) >= 6);
    send_mesh(encoder, exact, 4, mirror);
    expect_same_mesh(small, fr_mirror_mesh_of(mirror, 1));
    expect_same_mesh(large, fr_mirror_mesh_of(mirror, 7));
    expect_same_mesh(exact, fr_mirror_mesh_of(mirror, 4));
    assert_int_equal(fr_mirror_get(mirror)->mesh_count, 3);
    fr_mesh_release(small);
    fr_mesh_release(large);
    fr_mesh_release(exact);
    fr_mirror_destroy(mirror);
    fr_encoder_destroy(encoder);
}

static fr_object_id add_two_boxes(fr_space *space) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box((fr_vec3){1, 1, 1}, NULL, &mesh, NULL), FR_OK);
    fr_part_def parts[2] = {fr_default_part_def(), fr_default_part_def()};
    parts[0].mesh = parts[1].mesh = mesh;
    parts[1].pose.position.y = 4;
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = 2;
    def.pose.position.x = 3;
    def.flags = FR_OBJECT_SENSOR;
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    fr_mesh_release(mesh);
    return id;
}

static void objects_come_through(void **state) {
    (void)state;
    fr_encoder *encoder = make_encoder();
    fr_mirror *mirror = make_mirror();
    fr_space *space = make_space();
    fr_object_id id = add_two_boxes(space);
    uint32_t number = 10;
    fr_protocol_object telling = {space, id, "two", {1, 2, 3, 4}, true, number_of, &number};
    fr_array out = fr_array_make(1, NULL);
    assert_int_equal(fr_protocol_encode_object(encoder, &telling, &out, NULL), FR_OK);
    assert_int_equal(fr_mirror_feed(mirror, out.data, out.count, NULL), FR_OK);
    const fr_mirror_object *object = fr_mirror_find(mirror, "two");
    assert_non_null(object);
    assert_true(object->ref.index1 == id.index1 && object->ref.generation == id.generation);
    assert_true(object->part_count == 2 && object->parts[0].mesh == 11 && object->parts[1].mesh == 12);
    assert_true(object->parts[1].pose.position.y == 4 && object->pose.position.x == 3);
    assert_true(object->flags == FR_OBJECT_SENSOR && object->color.b == 3 && object->hold == FR_HOLD_FREE);
    assert_true(object->is_plain);

    assert_int_equal(fr_object_remove(space, id, NULL), FR_OK);
    out.count = 0;
    assert_int_equal(fr_protocol_encode_object(encoder, &telling, &out, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_protocol_encode_vertices(encoder, space, id, &out, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(out.count, 0);
    fr_array_destroy(&out);
    fr_space_destroy(space);
    fr_mirror_destroy(mirror);
    fr_encoder_destroy(encoder);
}

static void deformed_vertices_come_through(void **state) {
    (void)state;
    fr_encoder *encoder = make_encoder();
    fr_mirror *mirror = make_mirror();
    fr_space *space = make_space();
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("sphere:90x90", NULL, &mesh, NULL), FR_OK);
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    uint32_t number = 0;
    fr_protocol_object telling = {space, id, NULL, {0, 0, 0, 0}, false, number_of, &number};
    fr_array out = fr_array_make(1, NULL);
    assert_int_equal(fr_protocol_encode_object(encoder, &telling, &out, NULL), FR_OK);
    size_t before = out.count;
    assert_int_equal(fr_protocol_encode_vertices(encoder, space, id, &out, NULL), FR_OK);
    assert_int_equal(out.count, before); // its mesh's own stand

    uint32_t count = fr_object_get(space, id)->vertex_count;
    fr_vec3 *vertices = malloc(count * sizeof *vertices);
    assert_non_null(vertices);
    for (uint32_t i = 0; i < count; i++) {
        vertices[i] = (fr_vec3){i, 0.1 * i, i == 5 ? 1e60 : -1.0};
    }
    assert_int_equal(fr_object_set_vertices(space, id, vertices, count, NULL), FR_OK);
    assert_int_equal(fr_protocol_encode_vertices(encoder, space, id, &out, NULL), FR_OK);
    assert_true(out.count > before + FR_PROTOCOL_PIECE_BYTES);
    assert_int_equal(fr_mirror_feed(mirror, out.data, out.count, NULL), FR_OK);
    const fr_mirror_object *object = fr_mirror_object_of(mirror, id.index1);
    assert_int_equal(object->vertex_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(object->vertices[3 * i] == (float)i && object->vertices[3 * i + 1] == (float)(0.1 * i));
        assert_true(object->vertices[3 * i + 2] == (i == 5 ? 0x1.fffffep+127f : -1.0f));
    }
    free(vertices);
    fr_mesh_release(mesh);
    fr_array_destroy(&out);
    fr_space_destroy(space);
    fr_mirror_destroy(mirror);
    fr_encoder_destroy(encoder);
}

typedef struct scene {
    fr_space *space;
    fr_object_id id;
} scene;

static fr_status send_all(const fr_allocator *allocator, void *context) {
    const scene *received = context;
    uint32_t number = 0;
    fr_protocol_object telling = {received->space, received->id, "x", {0, 0, 0, 0}, false, number_of, &number};
    fr_mesh_transfer mesh = {.mesh = fr_object_part(received->space, received->id, 0).mesh, .number = 1};
    fr_encoder *encoder = NULL;
    fr_array out = fr_array_make(1, allocator);
    fr_status status = fr_encoder_create(allocator, &encoder, NULL);
    if (status == FR_OK) { status = fr_protocol_encode_object(encoder, &telling, &out, NULL); }
    size_t whole = out.count;
    if (status == FR_OK) { status = fr_protocol_encode_vertices(encoder, received->space, received->id, &out, NULL); }
    if (status != FR_OK) { assert_int_equal(out.count, whole); }
    while (status == FR_OK && !fr_mesh_transfer_is_done(&mesh)) {
        whole = out.count;
        fr_mesh_transfer before = mesh;
        status = fr_protocol_encode_mesh_piece(encoder, &mesh, &out, NULL);
        if (status != FR_OK) {
            assert_int_equal(out.count, whole);
            assert_true(mesh.stage == before.stage && mesh.at == before.at);
        }
    }
    const fr_sound sound = {.intensity = 0.5, .far = 2.0, .pitch = 1.0, .file = "RIFF", .file_bytes = 4};
    const fr_material material = {{1, 2, 3, 4}, {5, 6, 7, 8}, true, 0};
    const fr_picture picture = {.bytes = "abcd", .byte_count = 4, .width = 1, .height = 1};
    if (status == FR_OK) { status = fr_protocol_encode_sound(&sound, &out, NULL); }
    if (status == FR_OK) { status = fr_protocol_encode_material(&material, 3, &out, NULL); }
    if (status == FR_OK) { status = fr_protocol_encode_picture(&picture, 1, &out, NULL); }
    test_note(out.data, status == FR_OK ? out.count : 0);
    fr_encoder_destroy(encoder);
    fr_array_destroy(&out);
    return status;
}

static void sounds_come_through(void **state) {
    (void)state;
    const fr_sound sound = {.object = {7, 0, 2},
                            .point = {1, 2, 3},
                            .intensity = 0.5,
                            .near = 1,
                            .far = INFINITY,
                            .pitch = 2,
                            .start = 4,
                            .is_spatial = true,
                            .file = "RIFF",
                            .file_bytes = 4};
    fr_array out = fr_array_make(1, NULL);
    assert_int_equal(fr_protocol_encode_sound(&sound, &out, NULL), FR_OK);
    fr_mirror *mirror = make_mirror();
    assert_int_equal(fr_mirror_feed(mirror, out.data, out.count, NULL), FR_OK);
    fr_mirror_destroy(mirror);
    fr_frame frame = {out.data, out.count, 0, FR_READER_CLIENT};
    fr_packet packet;
    fr_status status;
    fr_arena *arena;
    fr_message received;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    assert_true(fr_frame_next(&frame, &packet, &status, NULL));
    assert_int_equal(fr_protocol_read(&packet, arena, &received, NULL), FR_OK);
    assert_int_equal(received.type, FR_MESSAGE_SOUND);
    const fr_message_sound *s = &received.as.sound;
    assert_true(s->object.index1 == 7 && s->point.z == 3.0 && s->intensity == 0.5f && s->flags == FR_SOUND_SPATIAL);
    assert_true(isfinite(s->far) && s->far > 1e30f && s->start == 4.0);
    assert_int_equal(s->file_bytes, 4);
    assert_memory_equal(s->file, "RIFF", 4);
    fr_sound large = sound;
    large.file_bytes = FR_SOUND_MAX_BYTES + 1;
    assert_int_equal(fr_protocol_encode_sound(&large, &out, NULL), FR_ERROR_LIMIT);
    fr_arena_destroy(arena);
    fr_array_destroy(&out);
}

// The message at a place of a frame, read.
static fr_message read_at(const fr_array *bytes, size_t *at, fr_arena *arena) {
    fr_frame frame = {bytes->data, bytes->count, *at, FR_READER_CLIENT};
    fr_packet packet;
    fr_status status;
    fr_message message;
    assert_true(fr_frame_next(&frame, &packet, &status, NULL));
    assert_int_equal(fr_protocol_read(&packet, arena, &message, NULL), FR_OK);
    *at = frame.at;
    return message;
}

static void looks_of_meshes_come_through_in_pieces(void **state) {
    (void)state;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("sphere:50x50", NULL, &mesh, NULL), FR_OK);
    uint32_t count = fr_mesh_get(mesh)->triangle_count;
    uint32_t *materials = calloc(count, sizeof *materials);
    float *uvs = calloc(6 * (size_t)count, sizeof *uvs);
    fr_color *colors = calloc(3 * (size_t)count, sizeof *colors);
    uint32_t *normals = calloc(3 * (size_t)count, sizeof *normals);
    assert_true(count > 3300 && normals != NULL && materials != NULL && uvs != NULL && colors != NULL);
    for (uint32_t i = 0; i < count; i++) {
        materials[i] = i % 3 == 0 ? FR_NONE : i;
        uvs[6 * (size_t)i] = (float)i;
        colors[3 * (size_t)i + 2].b = (uint8_t)i;
        normals[3 * (size_t)i + 1] = 7 * i;
    }
    const fr_mesh_look look = {mesh, 4, materials, uvs, colors, normals};
    fr_mesh_transfer telling = {.mesh = mesh, .number = 9, .look = &look};
    fr_encoder *encoder = make_encoder();
    fr_array out = fr_array_make(1, NULL);
    fr_arena *arena;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    while (!fr_mesh_transfer_is_done(&telling)) {
        size_t before = out.count;
        assert_int_equal(fr_protocol_encode_mesh_piece(encoder, &telling, &out, NULL), FR_OK);
        assert_true(out.count - before <= FR_PROTOCOL_HEADER_BYTES + FR_PROTOCOL_PIECE_BYTES);
    }
    size_t at = 0;
    fr_message begin = read_at(&out, &at, arena);
    assert_true(begin.as.mesh.material == 5 && begin.as.mesh.look == 15);
    uint32_t received = 0, pieces = 0;
    while (at < out.count) {
        fr_message message = read_at(&out, &at, arena);
        if (message.type != FR_MESSAGE_MESH_LOOK) { continue; }
        const fr_message_mesh_look *l = &message.as.mesh_look;
        assert_true(l->mesh == 9 && l->first == received && l->uv_count == 6 * l->material_count);
        assert_int_equal(l->rgba_count, 12 * l->material_count);
        assert_int_equal(l->normal_count, 3 * l->material_count);
        for (uint32_t i = 0; i < l->material_count; i++, received++) {
            assert_int_equal(l->materials[i], received % 3 == 0 ? 0 : received + 1);
            assert_true(l->uvs[6 * (size_t)i] == (float)received);
            assert_int_equal(l->rgba[12 * (size_t)i + 10], (uint8_t)received);
            assert_int_equal(l->normals[3 * (size_t)i + 1], 7 * received);
        }
        pieces++;
    }
    assert_true(received == count && pieces > 2);
    fr_mirror *mirror = make_mirror();
    assert_int_equal(fr_mirror_feed(mirror, out.data, out.count, NULL), FR_OK);
    expect_same_mesh(mesh, fr_mirror_mesh_of(mirror, 9));
    fr_mirror_destroy(mirror);
    fr_arena_destroy(arena);
    fr_array_destroy(&out);
    fr_encoder_destroy(encoder);
    free(materials);
    free(uvs);
    free(colors);
    free(normals);
    fr_mesh_release(mesh);
}

static void materials_and_pictures_come_through(void **state) {
    (void)state;
    fr_array out = fr_array_make(1, NULL);
    fr_arena *arena;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    const fr_material material = {{1, 2, 3, 4}, {5, 6, 7, 8}, true, 0}, bare = {.picture = FR_NONE};
    fr_picture picture = {.bytes = "abcd", .byte_count = 4, .width = 1, .height = 1, .is_repeated_v = true};
    assert_int_equal(fr_protocol_encode_material(&material, 3, &out, NULL), FR_OK);
    assert_int_equal(fr_protocol_encode_material(&bare, 4, &out, NULL), FR_OK);
    assert_int_equal(fr_protocol_encode_picture(&picture, 1, &out, NULL), FR_OK);
    size_t at = 0;
    const fr_message first = read_at(&out, &at, arena), second = read_at(&out, &at, arena);
    const fr_message third = read_at(&out, &at, arena);
    assert_true(first.as.material.material == 3 && first.as.material.color.a == 4 && first.as.material.glow.b == 7);
    assert_true(first.as.material.flags == FR_MATERIAL_UNLIT && first.as.material.picture == 1);
    assert_true(second.as.material.flags == 0 && second.as.material.picture == 0);
    assert_true(third.as.picture.picture == 1 && third.as.picture.flags == FR_PICTURE_REPEATS_V);
    assert_memory_equal(third.as.picture.bytes, "abcd", 4);
    picture.byte_count = FR_PICTURE_MAX_BYTES + 1;
    assert_int_equal(fr_protocol_encode_picture(&picture, 1, &out, NULL), FR_ERROR_LIMIT);
    assert_int_equal(at, out.count);
    fr_arena_destroy(arena);
    fr_array_destroy(&out);
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    scene received = {make_space(), {0, 0, 0}};
    received.id = add_two_boxes(received.space);
    fr_vec3 vertices[16] = {{0, 0, 0}};
    assert_int_equal(fr_object_set_vertices(received.space, received.id, vertices, 16, NULL), FR_OK);
    assert_true(test_every_failure(send_all, &received) > 4);
    fr_space_destroy(received.space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_come_through_in_pieces),          cmocka_unit_test(objects_come_through),
        cmocka_unit_test(deformed_vertices_come_through),         cmocka_unit_test(sounds_come_through),
        cmocka_unit_test(looks_of_meshes_come_through_in_pieces), cmocka_unit_test(materials_and_pictures_come_through),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
