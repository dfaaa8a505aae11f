// The intermediate file: what is written comes back, mapped or copied, and no damage gets through or harms.
#include "rich_model.h"

#define HEADER 64
#define TRAILER 32

// Bytes where a mapped file would lie.
static void *aligned_copy(const fr_array *bytes) {
    void *copy = aligned_alloc(64, (bytes->count + 63) / 64 * 64);
    assert_non_null(copy);
    memcpy(copy, bytes->data, bytes->count);
    return copy;
}

static uint64_t load_u64(const char *at) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

// Where a chunk lies; fails when it is not there.
static char *find_chunk(const fr_array *bytes, const char *tag, uint64_t *size) {
    char *base = bytes->data, *end = base + bytes->count - TRAILER;
    for (char *entry = base + load_u64(end); entry < end; entry += 32) {
        if (memcmp(entry, tag, 4) != 0) { continue; }
        *size = load_u64(entry + 16);
        return base + load_u64(entry + 8);
    }
    fail_msg("no chunk %s", tag);
    return base;
}

static void all_comes_back(void **state) {
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++) {
        fr_model *model = rich_model(is_double != 0);
        fr_model *again = written_and_read(model, FR_MODEL_FRM);
        assert_same_models(model, again);
        fr_array first = written(model, FR_MODEL_FRM), second = written(again, FR_MODEL_FRM);
        assert_int_equal(first.count, second.count);
        assert_memory_equal(first.data, second.data, first.count);
        assert_int_equal(fr_model_format_detect(first.data, first.count, "x.obj"), FR_MODEL_FRM);
        fr_array_destroy(&first);
        fr_array_destroy(&second);
        fr_model_destroy(again);
        fr_model_destroy(model);
    }
}

static void warnings_and_counts_come_back(void **state) {
    (void)state;
    fr_model *model = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nwhat\nf 1 2\nf 1 2 3\nl 1 2\np 1\n", FR_MODEL_OBJ);
    fr_model *again = written_and_read(model, FR_MODEL_FRM);
    assert_same_models(model, again);
    fr_model_destroy(again);
    fr_model_destroy(model);
}

static void a_mapped_file_is_used_where_it_lies(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    fr_array bytes = written(model, FR_MODEL_FRM);
    char *mapped = aligned_copy(&bytes);
    fr_model *again;
    fr_error error;
    assert_int_equal(fr_model_map(mapped, bytes.count, NULL, &again, &error), FR_OK);
    assert_same_models(model, again);
    const char *positions = (const char *)fr_model_get(again)->meshes[0].positions_float;
    assert_true(positions > mapped && positions < mapped + bytes.count);
    // Cooked meshes are the ones that the polygons would give.
    for (int own = 0; own < 2; own++) {
        fr_model_mesh_input options = fr_default_model_mesh_input();
        options.is_in_own_frame = own != 0;
        fr_mesh *a, *b;
        assert_int_equal(fr_model_part_mesh(model, 1, &options, &a, NULL), FR_OK);
        assert_int_equal(fr_model_part_mesh(again, 1, &options, &b, NULL), FR_OK);
        const fr_mesh_view *x = fr_mesh_get(a), *y = fr_mesh_get(b);
        assert_int_equal(x->triangle_count, y->triangle_count);
        assert_memory_equal(x->triangles, y->triangles, 12 * (size_t)x->triangle_count);
        assert_memory_equal(x->positions_float, y->positions_float, 12 * (size_t)x->vertex_count);
        assert_memory_equal(x->faces, y->faces, 4 * (size_t)x->triangle_count);
        const char *place = (const char *)y->triangles;
        assert_int_equal(place > mapped && place < mapped + bytes.count, own);
        fr_mesh_release(a);
        fr_mesh_release(b);
    }
    fr_model_destroy(again);
    free(mapped);
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

static void cooked_meshes_can_be_left_out(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    fr_model_write_input options = fr_default_model_write_input();
    options.is_uncooked = true;
    fr_array with = written(model, FR_MODEL_FRM), without = fr_array_make(1, NULL);
    assert_int_equal(fr_model_write(model, FR_MODEL_FRM, &options, push_bytes, &without, NULL), FR_OK);
    assert_true(without.count < with.count);
    char *mapped = aligned_copy(&without);
    fr_model *again;
    assert_int_equal(fr_model_map(mapped, without.count, NULL, &again, NULL), FR_OK);
    assert_same_models(model, again);
    fr_model_destroy(again);
    options.unit = 0.001;
    assert_int_equal(fr_model_write(model, FR_MODEL_FRM, &options, push_bytes, &without, NULL), FR_ERROR_ARGUMENT);
    free(mapped);
    fr_array_destroy(&with);
    fr_array_destroy(&without);
    fr_model_destroy(model);
}

static void nodes_have_their_bounds_and_polygons(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    fr_array bytes = written(model, FR_MODEL_FRM);
    uint64_t size;
    const char *nodes = find_chunk(&bytes, "NODE", &size);
    assert_int_equal(size, 5 * 152);
    // The first node has no mesh; its subtree has those of its children, in the model's frame.
    uint32_t links[8];
    memcpy(links, nodes + 8, sizeof links);
    assert_int_equal(links[6], 1);
    assert_int_equal(links[7], 4);
    assert_int_equal(load_u64(nodes + 40), 0);
    assert_int_equal(load_u64(nodes + 48), 3 + 1 + 3);
    double subtree[6], leg[6];
    memcpy(subtree, nodes + 104, sizeof subtree);
    memcpy(leg, nodes + 152 + 56, sizeof leg);
    assert_true(subtree[0] == 4.0 && subtree[3] == 6.0 && subtree[2] == -2.0);
    assert_true(leg[0] == 4.0 && leg[1] == 0.5 && leg[2] == -2.0 && leg[4] == 2.5);
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

static fr_status read_damaged(const char *bytes, size_t size, bool verify, bool is_mapped, fr_error *error) {
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_FRM;
    options.is_verified = verify;
    fr_model *model;
    fr_status status = is_mapped ? fr_model_map(bytes, size, &options, &model, error)
                                 : fr_model_read(bytes, size, &options, &model, error);
    if (status == FR_OK) {
        // What was let through can be used.
        fr_mesh *mesh = NULL;
        fr_model_whole_mesh(model, NULL, &mesh, NULL);
        fr_mesh_release(mesh);
        for (uint32_t i = 0; i < fr_model_get(model)->node_count; i++) {
            mesh = NULL;
            fr_model_mesh_input own = fr_default_model_mesh_input();
            own.is_in_own_frame = true;
            fr_model_part_mesh(model, i, &own, &mesh, NULL);
            fr_mesh_release(mesh);
        }
    }
    fr_model_destroy(model);
    return status;
}

static void every_flipped_byte_is_found_by_verify(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    fr_array bytes = written(model, FR_MODEL_FRM);
    char *copy = aligned_copy(&bytes);
    uint64_t missed = 0;
    fr_error error;
    assert_int_equal(read_damaged(copy, bytes.count, true, true, &error), FR_OK);
    for (size_t i = 0; i < bytes.count; i++) {
        copy[i] = (char)(copy[i] ^ (1 << (i % 8)));
        if (read_damaged(copy, bytes.count, true, false, &error) == FR_OK) {
            // Only the gaps between chunks and the zeros after an entry belong to nothing.
            missed++;
        } else {
            assert_true(error.message[0] != '\0');
        }
        if (i % 4 == 0) { read_damaged(copy, bytes.count, false, true, &error); }
        copy[i] = (char)(copy[i] ^ (1 << (i % 8)));
    }
    assert_true(missed < 64 * 24);
    free(copy);
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

static void every_cut_is_refused(void **state) {
    (void)state;
    fr_model *model = rich_model(true);
    fr_array bytes = written(model, FR_MODEL_FRM);
    char *copy = aligned_copy(&bytes);
    fr_error error;
    for (size_t size = 0; size < bytes.count; size++) {
        fr_status status = read_damaged(copy, size, false, size % 2 == 0, &error);
        assert_true(status == FR_ERROR_SYNTAX || status == FR_ERROR_CORRUPT);
    }
    free(copy);
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

// Words of 32 bits that readers trip over, two at every place.
static void hostile_numbers_are_survived(void **state) {
    (void)state;
    static const uint32_t words[] = {0, 1, 0x7fffffff, 0xffffffff, 0x7fc00000, 64};
    fr_model *model = rich_model(false);
    fr_model_write_input plain = fr_default_model_write_input();
    plain.is_uncooked = true;
    fr_array bytes = fr_array_make(1, NULL);
    assert_int_equal(fr_model_write(model, FR_MODEL_FRM, &plain, push_bytes, &bytes, NULL), FR_OK);
    char *copy = aligned_copy(&bytes);
    fr_error error;
    for (size_t at = 0; at + 4 <= bytes.count; at += 4) {
        for (size_t i = 0; i < 2; i++) {
            size_t k = (at / 4 + 3 * i) % (sizeof words / sizeof words[0]);
            memcpy(copy + at, &words[k], 4);
            read_damaged(copy, bytes.count, false, i == 0, &error);
        }
        memcpy(copy + at, (const char *)bytes.data + at, 4);
    }
    free(copy);
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

// Puts a number into a record and expects a refusal.
static void refuses_change(const char *tag, size_t at, uint32_t value, fr_status status, const char *words) {
    fr_model *model = rich_model(false);
    fr_array bytes = written(model, FR_MODEL_FRM);
    uint64_t size;
    char *chunk = find_chunk(&bytes, tag, &size);
    assert_true(at + 4 <= size);
    memcpy(chunk + at, &value, 4);
    fr_error error;
    char *copy = aligned_copy(&bytes);
    assert_int_equal(read_damaged(copy, bytes.count, false, true, &error), status);
    if (strstr(error.message, words) == NULL) { fail_msg("'%s' in '%s'", words, error.message); }
    free(copy);
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

static void wrong_counts_offsets_and_indices_are_refused(void **state) {
    (void)state;
    refuses_change("FACE", 0, 5, FR_ERROR_CORRUPT, "without its vertex");
    refuses_change("FACE", 52, 2, FR_ERROR_CORRUPT, "fewer than 3 corners");
    refuses_change("VERT", 8, 0x7f800000, FR_ERROR_CORRUPT, "not finite");
    refuses_change("GSET", 20, 2, FR_ERROR_CORRUPT, "material that is not there");
    refuses_change("MESH", 0, 1000, FR_ERROR_CORRUPT, "not in chunk VERT");
    refuses_change("NODE", 152 + 8, 1, FR_ERROR_CORRUPT, "does not come before it");
    refuses_change("NODE", 12, 3, FR_ERROR_CORRUPT, "mesh 3 of 3");
    refuses_change("NODE", 28, 9, FR_ERROR_CORRUPT, "transform 9 of 2");
    refuses_change("NODE", 0, 100000, FR_ERROR_CORRUPT, "no words");
    refuses_change("XFRM", 4, 0x7ff00000, FR_ERROR_NOT_FINITE, "not finite");
    refuses_change("MATL", 60, 7, FR_ERROR_CORRUPT, "texture 7 of 2");
    refuses_change("ANIM", 4, 99, FR_ERROR_CORRUPT, "track 0");
    refuses_change("SOND", 16, 99, FR_ERROR_CORRUPT, "sound 0");
    refuses_change("TEXR", 80 + 32, 100000, FR_ERROR_CORRUPT, "not in chunk DATA");
}

// Many lists that lie in one array would be gone through many times.
static void arrays_in_one_another_are_refused(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    fr_array bytes = written(model, FR_MODEL_FRM);
    uint64_t size;
    char *meshes = find_chunk(&bytes, "MESH", &size);
    const uint32_t five = 5, first = HEADER;
    memcpy(meshes + 2 * 168, &five, 4);
    memcpy(meshes + 2 * 168 + 24, &first, 4);
    fr_error error;
    assert_int_equal(read_damaged(bytes.data, bytes.count, false, false, &error), FR_ERROR_CORRUPT);
    assert_non_null(strstr(error.message, "lie in one another"));
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

static void limits_hold(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    fr_array bytes = written(model, FR_MODEL_FRM);
    for (int i = 0; i < 6; i++) {
        fr_model_read_input options = fr_default_model_read_input();
        uint64_t *const limits[] = {&options.limits.vertices, &options.limits.faces,           &options.limits.corners,
                                    &options.limits.nodes,    &options.limits.polygon_corners, &options.limits.bytes};
        *limits[i] = 3;
        fr_model *again;
        fr_status status = fr_model_read(bytes.data, bytes.count, &options, &again, NULL);
        assert_int_equal(status, i == 4 ? FR_ERROR_CORRUPT : FR_ERROR_LIMIT);
    }
    fr_model_read_input options = fr_default_model_read_input();
    options.limits.nesting = 2;
    fr_model *again;
    assert_int_equal(fr_model_read(bytes.data, bytes.count, &options, &again, NULL), FR_ERROR_LIMIT);
    options = fr_default_model_read_input();
    options.limits.placed_vertices = 16;
    assert_int_equal(fr_model_read(bytes.data, bytes.count, &options, &again, NULL), FR_ERROR_LIMIT);
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

static fr_status map_bounded(const fr_allocator *allocator, void *context) {
    const bounded_read *file = context;
    fr_model_read_input options = file->options;
    options.allocator = *allocator;
    fr_model *model;
    fr_status status = fr_model_map(file->bytes, file->size, &options, &model, NULL);
    if (status == FR_OK) { note_model(model); }
    fr_model_destroy(model);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    fr_array bytes = written(model, FR_MODEL_FRM);
    survives_failures(bytes.data, bytes.count, FR_MODEL_AUTO, 100);
    char *mapped = aligned_copy(&bytes);
    bounded_read file = {mapped, bytes.count, fr_default_model_read_input()};
    test_every_bound(map_bounded, &file, true);
    free(mapped);
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_comes_back),
        cmocka_unit_test(warnings_and_counts_come_back),
        cmocka_unit_test(a_mapped_file_is_used_where_it_lies),
        cmocka_unit_test(cooked_meshes_can_be_left_out),
        cmocka_unit_test(nodes_have_their_bounds_and_polygons),
        cmocka_unit_test(every_flipped_byte_is_found_by_verify),
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(hostile_numbers_are_survived),
        cmocka_unit_test(wrong_counts_offsets_and_indices_are_refused),
        cmocka_unit_test(arrays_in_one_another_are_refused),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
