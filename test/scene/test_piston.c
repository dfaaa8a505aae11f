// The engine's piston of the demo room: its parts are apart where they lie, and where they belong.
#include "frame.h"

#include "fureai/collide.h"
#include "fureai/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { TABLE, PISTON, ROD, PIN, CAP, BOLT, TWIN, OBJECTS };

typedef struct engine {
    fr_scene *scene;
    fr_space *space;
    fr_object_id ids[OBJECTS];
    fr_assembly *assembly;
    fr_collide *collide;
    double time;
} engine;

static void open_engine(engine *e) {
    memset(e, 0, sizeof *e);
    static char text[1 << 16];
    FILE *file = fopen(PISTON_FILE, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_int_equal(fr_scene_read(text, size, NULL, &e->scene, NULL), FR_OK);
    assert_int_equal(fr_scene_get(e->scene)->object_count, OBJECTS);
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &e->space, NULL), FR_OK);
    fr_scene_build_input options = fr_default_scene_build_input();
    assert_int_equal(fr_scene_build(e->scene, &options, e->space, e->ids, NULL), FR_OK);
    assert_int_equal(fr_space_update(e->space, NULL, NULL), FR_OK);
    assert_int_equal(fr_scene_build_assembly(e->scene, e->space, e->ids, NULL, &e->assembly, NULL), FR_OK);
    assert_int_equal(fr_collide_create(NULL, &e->collide, NULL), FR_OK);
}

static void close_engine(engine *e) {
    fr_collide_destroy(e->collide);
    fr_assembly_destroy(e->assembly);
    fr_space_destroy(e->space);
    fr_scene_destroy(e->scene);
}

static void put(engine *e, fr_object_id id, const fr_pose *pose) {
    assert_int_equal(fr_object_set_pose(e->space, id, pose, NULL), FR_OK);
    assert_int_equal(fr_space_update(e->space, NULL, NULL), FR_OK);
}

static size_t pair_count(engine *e) {
    fr_collide_input input = fr_default_collide_input();
    input.space = e->space;
    fr_collide_output output;
    assert_int_equal(fr_collide_static(e->collide, &input, &output, NULL), FR_OK);
    return output.pair_count;
}

// Where a part is `back` metres before its place, when all before it are fitted.
static fr_pose before_its_place(engine *e, uint32_t part, double back) {
    const fr_assembly_part *def = fr_assembly_get(e->assembly, part);
    fr_pose pose = fr_object_get(e->space, def->object)->pose;
    fr_assembly_output out;
    assert_int_equal(fr_assembly_frame(e->assembly, e->space, part, &pose, e->time, &out, NULL), FR_OK);
    assert_int_not_equal(out.place, FR_NONE);
    fr_vec3 travel = fr_pose_turn(&out.target, def->insertion);
    out.target.position = fr_vec3_add_scaled(out.target.position, -back, travel);
    return out.target;
}

static void fit(engine *e, uint32_t part, double back) {
    fr_pose pose = before_its_place(e, part, back);
    fr_object_id id = fr_assembly_get(e->assembly, part)->object;
    put(e, id, &pose);
    fr_assembly_output out;
    assert_int_equal(fr_assembly_frame(e->assembly, e->space, part, &pose, e->time, &out, NULL), FR_OK);
    assert_int_equal(out.result, FR_ASSEMBLY_FITTED);
    put(e, id, &out.pose);
}

static double gap(engine *e, int a, int b) {
    fr_object_distance out;
    assert_int_equal(fr_space_distance(e->space, e->ids[a], e->ids[b], 1.0, &out, NULL), FR_OK);
    return out.distance;
}

static void expect_gap(engine *e, int a, int b, double least, double most) {
    double d = gap(e, a, b);
    if (!(d >= least && d <= most)) { fail_msg("objects %d and %d are %g apart", a, b, d); }
}

static void parts_lie_apart(void **state) {
    (void)state;
    engine e;
    open_engine(&e);
    assert_int_equal(pair_count(&e), 0);
    close_engine(&e);
}

// Each of them is put before its place with the whole path to go; in the end no two share a point, and the clearances
// are those of a real fit.
static void parts_fit_without_touching(void **state) {
    (void)state;
    engine e;
    open_engine(&e);
    const double back = 0.0149;
    for (uint32_t i = 0; i < OBJECTS - 1; i++) {
        fit(&e, i, back);
        assert_int_equal(pair_count(&e), 0);
    }
    assert_int_equal(fr_assembly_fitted_count(e.assembly), OBJECTS - 1);
    expect_gap(&e, PISTON, ROD, 0.000149, 0.000151);
    expect_gap(&e, PISTON, PIN, 0.00007, 0.000101);
    expect_gap(&e, ROD, PIN, 0.00007, 0.000101);
    expect_gap(&e, ROD, CAP, 0.000099, 0.000101);
    expect_gap(&e, CAP, BOLT, 0.00009, 0.000151);
    expect_gap(&e, ROD, BOLT, 0.0001, 0.000151);
    expect_gap(&e, CAP, TWIN, 0.00009, 0.000151);
    expect_gap(&e, PISTON, TABLE, 0.0001, 0.0003);
    close_engine(&e);
}

// The pin before the rod is too early; the rod cannot come through the crown; the pin holds the rod.
static void the_order_is_that_of_the_engine(void **state) {
    (void)state;
    engine e;
    open_engine(&e);
    fit(&e, PISTON - 1, 0.01);
    fr_pose pose = before_its_place(&e, PIN - 1, 0.01);
    fr_assembly_output out;
    put(&e, e.ids[PIN], &pose);
    assert_int_equal(fr_assembly_frame(e.assembly, e.space, PIN - 1, &pose, e.time, &out, NULL), FR_OK);
    assert_int_equal(out.result, FR_ASSEMBLY_EARLY);
    assert_int_equal(out.missing, ROD - 1);
    pose.position.x += 0.3;
    put(&e, e.ids[PIN], &pose);
    fit(&e, ROD - 1, 0.0149);
    fit(&e, PIN - 1, 0.0149);
    fr_error error;
    assert_int_equal(fr_assembly_take(e.assembly, ROD - 1, &error), FR_ERROR_BUSY);
    assert_non_null(strstr(error.message, "'pin'"));
    assert_int_equal(fr_assembly_take(e.assembly, PIN - 1, NULL), FR_OK);
    assert_int_equal(fr_assembly_take(e.assembly, ROD - 1, NULL), FR_OK);
    close_engine(&e);
}

static void a_pin_beside_its_hole_is_blocked(void **state) {
    (void)state;
    engine e;
    open_engine(&e);
    fit(&e, PISTON - 1, 0.01);
    fit(&e, ROD - 1, 0.0149);
    // The rod stands half a millimetre too high: the pin would go through it
    fr_pose rod = fr_object_get(e.space, e.ids[ROD])->pose;
    rod.position.y += 0.0005;
    put(&e, e.ids[ROD], &rod);
    fr_pose pose = before_its_place(&e, PIN - 1, 0.0149);
    put(&e, e.ids[PIN], &pose);
    fr_assembly_output out;
    assert_int_equal(fr_assembly_frame(e.assembly, e.space, PIN - 1, &pose, e.time, &out, NULL), FR_OK);
    assert_int_equal(out.result, FR_ASSEMBLY_BLOCKED);
    assert_true(fr_object_id_equal(out.blocker, e.ids[ROD]));
    close_engine(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_lie_apart),
        cmocka_unit_test(parts_fit_without_touching),
        cmocka_unit_test(the_order_is_that_of_the_engine),
        cmocka_unit_test(a_pin_beside_its_hole_is_blocked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
