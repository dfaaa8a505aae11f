#include "failing.h"
#include "frame.h"
#include "fureai/shape.h"
#include "shape/mesh.h"

#include <string.h>

typedef struct cooked {
    unsigned char *bytes; // aligned to 64
    size_t size;
} cooked;

static cooked cook(const fr_mesh *mesh) {
    cooked piece = {NULL, fr_mesh_cook(mesh, NULL, 0)};
    piece.bytes = fr_allocate(NULL, piece.size, 1, 64);
    assert_non_null(piece.bytes);
    assert_int_equal(fr_mesh_cook(mesh, piece.bytes, piece.size - 1), piece.size);
    assert_int_equal(fr_mesh_cook(mesh, piece.bytes, piece.size), piece.size);
    return piece;
}

static void throw_away(cooked *piece) { fr_deallocate(NULL, piece->bytes, piece->size, 1); }

static fr_mesh *make(const char *name, bool keep_double) {
    fr_mesh_def like = fr_default_mesh_def();
    like.is_double = keep_double;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named(name, &like, &mesh, NULL), FR_OK);
    return mesh;
}

// A mesh with polygon numbers and a degenerate triangle.
static fr_mesh *make_with_faces(void) {
    const double points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.1};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 1, 0}, faces[] = {5, 5, 2};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = points;
    def.vertex_count = 4;
    def.triangles = triangles;
    def.triangle_count = 3;
    def.faces = faces;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    return mesh;
}

static void expect_same(const fr_mesh *a, const fr_mesh *b) {
    const fr_mesh_view *x = fr_mesh_get(a), *y = fr_mesh_get(b);
    assert_int_equal(x->vertex_count, y->vertex_count);
    assert_int_equal(x->triangle_count, y->triangle_count);
    assert_int_equal(x->face_count, y->face_count);
    assert_int_equal(x->degenerate_count, y->degenerate_count);
    assert_memory_equal(&x->bounds, &y->bounds, sizeof x->bounds);
    assert_true(x->largest == y->largest && x->rounding == y->rounding);
    assert_true(fr_tree_validate(y->tree, NULL));
    for (uint32_t t = 0; t < x->triangle_count; t++) {
        fr_vec3 p[3], q[3];
        fr_mesh_corners(a, t, p);
        fr_mesh_corners(b, t, q);
        assert_memory_equal(p, q, sizeof p);
        assert_int_equal(fr_mesh_face(a, t), fr_mesh_face(b, t));
        assert_int_equal(fr_mesh_is_degenerate(a, t), fr_mesh_is_degenerate(b, t));
    }
}

static void comes_back_the_same_copied_and_in_place(void **state) {
    (void)state;
    fr_mesh *meshes[] = {make("sphere_960", false), make("head_1816", true), make("box", false), make_with_faces()};
    for (int i = 0; i < 4; i++) {
        cooked piece = cook(meshes[i]), again;
        for (int in_place = 0; in_place < 2; in_place++) {
            fr_mesh *back;
            fr_error error;
            if (fr_mesh_from_cooked(piece.bytes, piece.size, in_place == 1, NULL, &back, &error) != FR_OK) {
                fail_msg("%s", error.message);
            }
            expect_same(meshes[i], back);
            again = cook(back);
            assert_int_equal(again.size, piece.size);
            assert_memory_equal(again.bytes, piece.bytes, piece.size);
            throw_away(&again);
            fr_mesh_release(back);
        }
        throw_away(&piece);
        fr_mesh_release(meshes[i]);
    }
}

static void copied_piece_may_lie_anywhere(void **state) {
    (void)state;
    fr_mesh *mesh = make("box", false), *back;
    cooked piece = cook(mesh);
    unsigned char *shifted = fr_allocate(NULL, piece.size + 1, 1, 64);
    memcpy(shifted + 1, piece.bytes, piece.size);
    assert_int_equal(fr_mesh_from_cooked(shifted + 1, piece.size, false, NULL, &back, NULL), FR_OK);
    expect_same(mesh, back);
    fr_mesh_release(back);
    assert_int_equal(fr_mesh_from_cooked(shifted + 1, piece.size, true, NULL, &back, NULL), FR_ERROR_ARGUMENT);
    assert_null(back);
    fr_deallocate(NULL, shifted, piece.size + 1, 1);
    throw_away(&piece);
    fr_mesh_release(mesh);
}

static void every_truncation_and_every_flipped_bit_is_refused(void **state) {
    (void)state;
    fr_mesh *mesh = make_with_faces(), *back;
    cooked piece = cook(mesh);
    for (size_t size = 0; size < piece.size; size++) {
        assert_int_not_equal(fr_mesh_from_cooked(piece.bytes, size, false, NULL, &back, NULL), FR_OK);
    }
    for (size_t bit = 0; bit < 8 * piece.size; bit++) {
        piece.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_int_not_equal(fr_mesh_from_cooked(piece.bytes, piece.size, false, NULL, &back, NULL), FR_OK);
        assert_null(back);
        piece.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    throw_away(&piece);
    fr_mesh_release(mesh);
}

// A forger keeps the hash right.
static void forge_hash(cooked *piece) {
    fr__mesh_header header;
    memcpy(&header, piece->bytes, sizeof header);
    size_t begin = offsetof(fr__mesh_header, hash) + sizeof(uint64_t);
    header.hash = fr_hash(piece->bytes + begin, piece->size - begin, header.size);
    memcpy(piece->bytes, &header, sizeof header);
}

static void forged_pieces_are_refused_or_harmless(void **state) {
    (void)state;
    fr_mesh *mesh = make_with_faces(), *back;
    cooked piece = cook(mesh);
    fr_random random = fr_random_seed(3);
    uint64_t rounds = test_count(20000, 2000000), accepted = 0;
    unsigned char *original = fr_allocate(NULL, piece.size, 1, 64);
    memcpy(original, piece.bytes, piece.size);
    for (uint64_t i = 0; i < rounds; i++) {
        memcpy(piece.bytes, original, piece.size);
        for (uint64_t n = 1 + fr_random_below(&random, 3); n > 0; n--) {
            piece.bytes[24 + fr_random_below(&random, piece.size - 24)] = (unsigned char)fr_random_bits(&random);
        }
        forge_hash(&piece);
        if (fr_mesh_from_cooked(piece.bytes, piece.size, true, NULL, &back, NULL) != FR_OK) { continue; }
        accepted++;
        assert_true(fr_tree_validate(fr_mesh_get(back)->tree, NULL));
        (void)fr_mesh_mass(back);
        fr_mesh_release(back);
    }
    // Only what describes nothing (padding, the rounding, the tree's cost) may pass.
    assert_true(accepted < rounds / 2);
    fr_deallocate(NULL, original, piece.size, 1);
    throw_away(&piece);
    fr_mesh_release(mesh);
}

static void another_version_is_refused(void **state) {
    (void)state;
    fr_mesh *mesh = make("box", false), *back;
    cooked piece = cook(mesh);
    piece.bytes[offsetof(fr__mesh_header, version)]++;
    forge_hash(&piece);
    fr_error error;
    assert_int_equal(fr_mesh_from_cooked(piece.bytes, piece.size, false, NULL, &back, &error), FR_ERROR_VERSION);
    throw_away(&piece);
    fr_mesh_release(mesh);
}

static fr_status read_and_release(const fr_allocator *allocator, void *context) {
    const cooked *piece = context;
    fr_mesh *mesh = NULL;
    fr_status status = fr_mesh_from_cooked(piece->bytes, piece->size, false, allocator, &mesh, NULL);
    fr_mesh_release(mesh);
    return status;
}

static void survives_every_allocation_failure(void **state) {
    (void)state;
    fr_mesh *mesh = make("sphere_24", false);
    cooked piece = cook(mesh);
    assert_true(test_every_failure(read_and_release, &piece) >= 4);
    throw_away(&piece);
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_the_same_copied_and_in_place),
        cmocka_unit_test(copied_piece_may_lie_anywhere),
        cmocka_unit_test(every_truncation_and_every_flipped_bit_is_refused),
        cmocka_unit_test(forged_pieces_are_refused_or_harmless),
        cmocka_unit_test(another_version_is_refused),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("mesh_cook", tests, NULL, NULL);
}
