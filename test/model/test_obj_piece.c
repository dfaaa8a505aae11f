// OBJ files that workers read in pieces: the model, the warnings and the errors are those of one reader that reads
// statement by statement, whatever stands in the file and wherever it is cut.
#include "failing.h"
#include "frame.h"
#include "fureai/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES ((size_t)900 << 10) // three pieces and more

typedef struct text {
    char *bytes;
    size_t size;
} text;

static void put(text *t, const char *line) {
    size_t length = strlen(line);
    memcpy(t->bytes + t->size, line, length);
    t->size += length;
}

// What is not plain, or wrong; chosen at random. %u is a number of a vertex.
static const char *const unusual[] = {
    "v 1 2 3 1\n",
    "v 1 2 3 0.5\n",
    "v 1 2 3 1 0 0\n",
    "f -1 -2 -3\n",
    "f 1 2 \\\n3\n",
    "v 1 2 \\\r\n 3\n",
    "# a comment \\\nv 0 1 2\n",
    "f 1 2\n",
    "o\n",
    "g  a b \n",
    "usemtl red\r\n",
    "usemtl blue\r",
    "s off\n",
    "what is this\n",
    "vn 0 0 1\n",
    "vn 0 x 1\n",
    "vn 1 2\n",
    "vn 1e999 nan 0\n",
    "vn 1 \\\n 2 3\n",
    "f 1//-1 2//-2 3/1/-1\n",
    "f 1//0 2//99999999 3//-99999999\n",
    "vt 0 0\n",
    "\tv 1e3 -2.5e-2 7\n",
    "f 1/1 2/2/2 3//4\n",
    "l 1 2\n",
    "\n\n\r\n",
    "mtllib none.mtl\n",
    "f 1 2 3 1 2\n",
    "vp 1\n",
    "v\t1 2 3\n",
};
static const char *const wrong[] = {
    "v 1 2\n",    "v 1 2 x\n",   "v 1 2 nan\n",      "v 1 2 1e999\n", "f 0 1 2\n",     "f 1 2 99999999\n",
    "f 1 2 3x\n", "f 1 2/a 3\n", "f -9999999 1 2\n", "v\n",           "v 1 2 3 4 5\n",
};

static text make_text(uint64_t seed, bool is_wrong) {
    text t = {malloc(BYTES + 4096), 0};
    fr_random random = fr_random_seed(seed);
    size_t wrong_at = is_wrong ? (size_t)fr_random_between(&random, 100.0, (double)BYTES) : SIZE_MAX;
    double share = seed % 3 == 0 ? 0.0 : seed % 3 == 1 ? 0.001 : 0.05; // of unusual lines
    unsigned vertices = 0;
    char line[256];
    put(&t, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (vertices = 3; t.size < BYTES;) {
        double which = fr_random_between(&random, 0.0, 1.0);
        if (t.size > wrong_at) {
            put(&t, wrong[(size_t)fr_random_between(&random, 0.0, (double)(sizeof wrong / sizeof wrong[0]))]);
            wrong_at = SIZE_MAX;
        } else if (which < share) {
            put(&t, unusual[(size_t)fr_random_between(&random, 0.0, (double)(sizeof unusual / sizeof unusual[0]))]);
        } else if (which < 0.4) {
            snprintf(line, sizeof line, "v %.7g %g %.3f%s", fr_random_between(&random, -9.0, 9.0), which, 10.0 * which,
                     which < 0.2 ? "\n" : " \r\n");
            put(&t, line);
            vertices++;
        } else if (seed % 3 == 2 && which > 0.8) {
            if (which < 0.9) {
                snprintf(line, sizeof line, "vn %g 1 %g\n", which, which * which);
            } else {
                snprintf(line, sizeof line, "f 1//%u 2//2 %u/7/1\n", vertices / 3, vertices / 2);
            }
            put(&t, line);
        } else if (which < 0.401) {
            snprintf(line, sizeof line, "o part %u\nusemtl m%u\n", vertices, vertices % 5);
            put(&t, line);
        } else {
            unsigned v = 1 + (unsigned)fr_random_between(&random, 0.0, (double)vertices - 1.0);
            bool is_quad = seed % 2 == 1 && which < 0.5;
            snprintf(line, sizeof line, is_quad ? "f %u %u 1 2\n" : "f %u %u 1\n", v, v > 1 ? v - 1 : 2);
            put(&t, line);
        }
    }
    return t;
}

static bool hash_bytes(const void *bytes, size_t size, void *context) {
    uint64_t *hash = context;
    *hash = fr_hash(bytes, size, *hash);
    return true;
}

// What a reading gives: the hash of all that the model holds, or of the error.
static uint64_t read_hash(const text *t, const fr_tasks *tasks, bool is_float, uint64_t vertex_limit,
                          fr_status *status) {
    fr_model_read_input input = fr_default_model_read_input();
    input.format = FR_MODEL_OBJ;
    input.name = "a.obj";
    input.tasks = tasks;
    if (is_float) { input.precision = FR_MODEL_FLOAT; }
    if (vertex_limit > 0) { input.limits.vertices = vertex_limit; }
    fr_model *model = NULL;
    fr_error error = {0};
    *status = fr_model_read(t->bytes, t->size, &input, &model, &error);
    uint64_t hash = 7;
    if (*status == FR_OK) {
        assert_int_equal(fr_model_dump(model, hash_bytes, &hash, NULL), FR_OK);
        fr_model_destroy(model);
    } else {
        hash = fr_hash(error.message, strlen(error.message), (uint64_t)error.line << 32 | (uint32_t)error.column);
    }
    return hash;
}

static void compare(const text *t, bool is_float, uint64_t vertex_limit, bool *is_read) {
    fr_status status, shared;
    uint64_t hash = read_hash(t, NULL, is_float, vertex_limit, &status);
    for (int workers = 2; workers <= 8; workers *= 4) {
        fr_task_pool_def def = fr_default_task_pool_def();
        def.worker_count = workers;
        fr_task_pool *pool;
        assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
        fr_tasks tasks = fr_task_pool_tasks(pool);
        assert_true(read_hash(t, &tasks, is_float, vertex_limit, &shared) == hash);
        assert_int_equal(shared, status);
        fr_task_pool_destroy(pool);
    }
    *is_read = status == FR_OK;
}

static void pieces_are_read_as_the_whole(void **state) {
    (void)state;
    bool is_read;
    for (uint64_t seed = 0; seed < 9; seed++) {
        text t = make_text(seed, false);
        compare(&t, seed % 4 == 3, 0, &is_read);
        assert_true(is_read);
        compare(&t, false, 20000, &is_read); // over the limit
        assert_false(is_read);
        free(t.bytes);
    }
}

static void the_first_error_is_the_same(void **state) {
    (void)state;
    size_t refused = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        text t = make_text(seed, true);
        bool is_read;
        compare(&t, false, 0, &is_read);
        refused += !is_read;
        free(t.bytes);
    }
    assert_true(refused >= 20);
}

// Lines without ends are one piece, however long; lines that are joined are not cut.
static void lines_that_never_end_are_read(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        text t = {malloc(BYTES + 4096), 0};
        put(&t, "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r");
        while (t.size < BYTES) {
            put(&t, kind == 0 ? "v 1 2 3\r" : kind == 1 ? "f 1 2 \\\n3\\\n 2\n" : "f 1 2 3 \\\r\n");
        }
        bool is_read;
        compare(&t, false, 0, &is_read);
        assert_true(is_read == (kind < 2)); // the last joins a word to a polygon
        free(t.bytes);
    }
}

static fr_status read_with(const fr_allocator *allocator, void *context) {
    const text *t = context;
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = 2;
    fr_task_pool *pool;
    assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    fr_model_read_input input = fr_default_model_read_input();
    input.format = FR_MODEL_OBJ;
    input.tasks = &tasks;
    input.allocator = *allocator;
    fr_model *model = NULL;
    fr_status status = fr_model_read(t->bytes, t->size, &input, &model, NULL);
    fr_model_destroy(model);
    fr_task_pool_destroy(pool);
    return status;
}

// Without memory for pieces the file is read as without workers; any other failure is one.
static void every_allocation_may_fail(void **state) {
    (void)state;
    text t = make_text(2, false);
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    assert_int_equal(read_with(&allocator, &t), FR_OK);
    uint64_t count = fr_probe_get(probe).allocations, made_up_for = 0;
    assert_true(count > 20);
    for (uint64_t n = 1; n <= count; n += 1 + count / 60) {
        for (int all_after = 0; all_after < 2; all_after++) {
            fr_probe_fail(probe, n, all_after == 1);
            fr_status status = read_with(&allocator, &t);
            assert_true(status == FR_ERROR_MEMORY || (status == FR_OK && all_after == 0));
            assert_int_equal(fr_probe_get(probe).live_blocks, 0);
            made_up_for += status == FR_OK;
        }
    }
    assert_true(made_up_for < count);
    fr_probe_destroy(probe);
    free(t.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_read_as_the_whole),
        cmocka_unit_test(the_first_error_is_the_same),
        cmocka_unit_test(lines_that_never_end_are_read),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
