// Steps of cloth and rods made by others: every pair of elements that is known to meet is found.
#include "collide/moving_scenes.h"
#include "frame.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct cloth {
    uint32_t vertex_count, triangle_count;
    double *positions;   // 3 a vertex
    uint32_t *triangles; // 3 a triangle
} cloth;

static char *read_all(const char *relative, size_t *size) {
    char path[512];
    FILE *file = fopen(test_shared_path(relative, path, sizeof path), "rb");
    if (file == NULL) { fail_msg("%s cannot be opened", path); }
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

// These files are little endian: three doubles a vertex, then 3 and three integers a face.
static cloth read_frame(const char *relative) {
    size_t size;
    char *bytes = read_all(relative, &size);
    const char *vertex = strstr(bytes, "element vertex "), *face = strstr(bytes, "element face ");
    const char *end = strstr(bytes, "end_header\n");
    assert_true(vertex != NULL && face != NULL && end != NULL);
    cloth c = {(uint32_t)strtoul(vertex + 15, NULL, 10), (uint32_t)strtoul(face + 13, NULL, 10), NULL, NULL};
    const char *at = end + 11;
    assert_true(size >= (size_t)(at - bytes) + 24 * (size_t)c.vertex_count + 13 * (size_t)c.triangle_count);
    c.positions = malloc(24 * (size_t)c.vertex_count);
    c.triangles = malloc(12 * (size_t)c.triangle_count);
    assert_true(c.positions != NULL && c.triangles != NULL);
    memcpy(c.positions, at, 24 * (size_t)c.vertex_count);
    at += 24 * (size_t)c.vertex_count;
    for (uint32_t t = 0; t < c.triangle_count; t++, at += 13) {
        assert_int_equal(*at, 3);
        memcpy(c.triangles + 3 * (size_t)t, at + 1, 12);
    }
    free(bytes);
    return c;
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Edges by larger, then smaller vertex, each once.
static uint64_t *edges_of(const cloth *c, uint32_t *count) {
    uint64_t *edges = malloc(3 * (size_t)c->triangle_count * sizeof *edges);
    assert_non_null(edges);
    size_t all = 3 * (size_t)c->triangle_count;
    for (size_t i = 0; i < all; i++) {
        uint64_t a = c->triangles[i], b = c->triangles[i % 3 == 2 ? i - 2 : i + 1];
        edges[i] = a > b ? a << 32 | b : b << 32 | a;
    }
    qsort(edges, all, sizeof *edges, compare_keys);
    uint32_t kept = 0;
    for (size_t i = 0; i < all; i++) {
        if (i == 0 || edges[i] != edges[i - 1]) { edges[kept++] = edges[i]; }
    }
    *count = kept;
    return edges;
}

// What one element of a query is: its vertices.
typedef struct element {
    uint32_t vertices[3], count;
} element;

static element element_of(const cloth *c, const uint64_t *edges, uint32_t edge_count, uint32_t id) {
    element e = {{id, 0, 0}, 1};
    if (id < c->vertex_count) { return e; }
    uint32_t edge = id - c->vertex_count;
    if (edge < edge_count) {
        element two = {{(uint32_t)(edges[edge] >> 32), (uint32_t)edges[edge], 0}, 2};
        return two;
    }
    const uint32_t *t = c->triangles + 3 * (size_t)(edge - edge_count);
    element face = {{t[0], t[1], t[2]}, 3};
    return face;
}

static bool holds(const uint32_t *triangle, const element *e) {
    for (uint32_t i = 0; i < e->count; i++) {
        uint32_t v = e->vertices[i];
        if (triangle[0] != v && triangle[1] != v && triangle[2] != v) { return false; }
    }
    return true;
}

static bool share_a_vertex(const uint32_t *s, const uint32_t *t) {
    for (int i = 0; i < 9; i++) {
        if (s[i / 3] == t[i % 3]) { return true; }
    }
    return false;
}

// How many pairs of triangles must be there and are not; neighbours are those that share a vertex.
typedef struct tally {
    uint32_t must, missed, neighbours, neighbours_missed;
} tally;

// Where two elements meet, every triangle that holds the one shares that point with every triangle that holds the
// other.
static void look_up(const cloth *c, const fr_collide_output *out, const element *a, const element *b, tally *sum) {
    for (uint32_t i = 0; i < c->triangle_count; i++) {
        const uint32_t *s = c->triangles + 3 * (size_t)i;
        if (!holds(s, a)) { continue; }
        for (uint32_t k = 0; k < c->triangle_count; k++) {
            const uint32_t *t = c->triangles + 3 * (size_t)k;
            if (i == k || !holds(t, b)) { continue; }
            const fr_face_pair wanted = {.triangle_a = i < k ? i : k, .triangle_b = i < k ? k : i};
            bool is_missed = scene_find_pair(out, &wanted) == NULL, is_neighbour = share_a_vertex(s, t);
            sum->must++;
            sum->missed += is_missed;
            sum->neighbours += is_neighbour;
            sum->neighbours_missed += is_missed && is_neighbour;
        }
    }
}

// Goes through a list of pairs and the list of which of them meet.
static void check_list(const char *folder, const char *name, const cloth *c, const fr_collide_output *out) {
    char path[256];
    size_t size;
    uint32_t edge_count;
    uint64_t *edges = edges_of(c, &edge_count);
    snprintf(path, sizeof path, "data/ccd-scalable/%s/boxes/%s.json", folder, name);
    char *pairs = read_all(path, &size);
    snprintf(path, sizeof path, "data/ccd-scalable/%s/mma_bool/%s_mma_bool.json", folder, name);
    char *truths = read_all(path, &size);
    uint32_t must = 0;
    tally sum = {0};
    const char *at = pairs, *truth = truths;
    while ((at = strpbrk(at, "0123456789")) != NULL && (truth = strpbrk(truth, "tf")) != NULL) {
        char *next;
        uint32_t first = (uint32_t)strtoul(at, &next, 10);
        at = strpbrk(next, "0123456789");
        assert_non_null(at);
        uint32_t second = (uint32_t)strtoul(at, &next, 10);
        at = next;
        if (*truth++ == 't') {
            element a = element_of(c, edges, edge_count, first), b = element_of(c, edges, edge_count, second);
            must++;
            look_up(c, out, &a, &b, &sum);
        }
        truth = strpbrk(truth, ",]");
    }
    printf("%s %s: %u elements, %u pairs of triangles must be found, %u missed; of %u neighbours %u missed\n", folder,
           name, must, sum.must, sum.missed, sum.neighbours, sum.neighbours_missed);
    assert_true(must > 0);
    assert_int_equal(sum.missed, 0);
    free(edges);
    free(pairs);
    free(truths);
}

static void check_step(const char *folder, int frame) {
    char path[2][256], name[2][32];
    cloth frames[2];
    for (int k = 0; k < 2; k++) {
        snprintf(path[k], sizeof path[k], "data/ccd-scalable/%s/frames/%d.ply", folder, frame + k);
        snprintf(name[k], sizeof name[k], "%d%s", frame, k == 0 ? "vf" : "ee");
        frames[k] = read_frame(path[k]);
    }
    fr_mesh_def mesh_def = fr_default_mesh_def();
    mesh_def.positions_double = frames[0].positions;
    mesh_def.vertex_count = frames[0].vertex_count;
    mesh_def.triangles = frames[0].triangles;
    mesh_def.triangle_count = frames[0].triangle_count;
    mesh_def.is_double = true;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&mesh_def, &mesh, NULL), FR_OK);
    fr_space *space = scene_space();
    fr_object_id id = scene_add_at(space, mesh, fr_vec3_make(0.0, 0.0, 0.0), FR_OBJECT_SELF);
    assert_int_equal(fr_object_set_next_vertices(space, id, (const fr_vec3 *)(const void *)frames[1].positions,
                                                 frames[1].vertex_count, NULL),
                     FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_collide *asker = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
    fr_collide_output out;
    assert_int_equal(fr_collide_continuous(asker, &input, &out, NULL), FR_OK);
    printf("%s %d: %zu pairs of %llu tested\n", folder, frame, out.pair_count, (unsigned long long)out.stats.tested);
    check_list(folder, name[0], &frames[0], &out);
    check_list(folder, name[1], &frames[0], &out);
    fr_collide_destroy(asker);
    fr_space_destroy(space);
    fr_mesh_release(mesh);
    for (int k = 0; k < 2; k++) {
        free(frames[k].positions);
        free(frames[k].triangles);
    }
}

static void the_cloth_in_a_funnel_is_found(void **state) {
    (void)state;
    check_step("cloth-funnel", 227);
}

static void the_twisted_rods_are_found(void **state) {
    (void)state;
    check_step("rod-twist", 3036);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cloth_in_a_funnel_is_found),
        cmocka_unit_test(the_twisted_rods_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
