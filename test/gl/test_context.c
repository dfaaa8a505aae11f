// Opening and closing contexts.
#include "drawn.h"

static void a_context_tells_what_it_is(void **state) {
    (void)state;
    fr_gl_info info = fr_gl_get_info(drawn_gl);
    printf("%s, OpenGL %s\n", info.renderer, info.version);
    assert_true(info.renderer != NULL && info.version != NULL && info.renderer[0] != '\0');
    assert_true(10 * info.major + info.minor >= 33);
    assert_true(info.has_compute == (10 * info.major + info.minor >= 43));
}

static void a_device_that_is_not_there_is_refused(void **state) {
    (void)state;
    fr_gl_def def = fr_default_gl_def();
    def.device = 1000;
    fr_gl *gl;
    fr_error error;
    assert_int_equal(fr_gl_create(&def, &gl, &error), FR_ERROR_UNSUPPORTED);
    assert_null(gl);
    assert_true(error.message[0] != '\0');
}

static void contexts_come_and_go(void **state) {
    (void)state;
    fr_gl_destroy(NULL);
    for (int i = 0; i < 2; i++) {
        fr_gl_def def = fr_default_gl_def();
        fr_gl *gl;
        assert_int_equal(fr_gl_create(&def, &gl, NULL), FR_OK);
        fr_gl_destroy(gl);
    }
}

// A context, a radar and a query.
static fr_status ask(const fr_allocator *allocator, void *context) {
    const stage *s = context;
    fr_gl_def def = fr_default_gl_def();
    def.allocator = *allocator;
    fr_gl *gl;
    fr_status status = fr_gl_create(&def, &gl, NULL);
    if (status != FR_OK) { return status; }
    fr_radar *radar;
    assert_int_equal(fr_radar_create(NULL, &radar, NULL), FR_OK);
    fr_radar_backend backend = fr_gl_radar_backend(gl);
    fr_radar_output output;
    fr_radar_set_backend(radar, &backend);
    status = fr_radar_move(radar, &s->input, &output, NULL);
    fr_radar_destroy(radar);
    fr_gl_destroy(gl);
    return status;
}

// Each allocation fails with all after it; a context takes long to open, so not each alone too.
static void every_allocation_may_fail(void **state) {
    (void)state;
    stage s;
    fr_random random = fr_random_seed(3);
    stage_open(&s, NULL);
    s.input.mover = stage_add(&s, star(&random, 3, 0.2), fr_vec3_make(2, 0, 0), fr_quat_identity());
    stage_add(&s, star(&random, 3, 0.2), fr_vec3_make(2, 3, 0), fr_quat_identity());
    s.input.travel = fr_vec3_make(0, 3, 0);
    s.input.resolution = 6;
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    assert_int_equal(ask(&allocator, &s), FR_OK);
    uint64_t count = fr_probe_get(probe).allocations;
    assert_true(count >= 6 && fr_probe_get(probe).live_blocks == 0);
    for (uint64_t n = 1; n <= count; n++) {
        fr_probe_fail(probe, n, true);
        assert_int_equal(ask(&allocator, &s), FR_ERROR_MEMORY);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    }
    fr_probe_destroy(probe);
    test_every_bound(ask, &s, true);
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_tells_what_it_is),
        cmocka_unit_test(a_device_that_is_not_there_is_refused),
        cmocka_unit_test(contexts_come_and_go),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return drawn_run(tests, sizeof tests / sizeof tests[0]);
}
