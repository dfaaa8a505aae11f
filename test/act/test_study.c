// Work study of people whom a director moves: scores, loads and clearances of a cup that is taken, against the postures
// themselves, the cup's class and all pairs of triangles; the table, memory that runs short, and bodies of a survey.
#include "failing.h"
#include "frame.h"

#include "fureai/act.h"
#include "fureai/base_drawing.h"

#include <math.h>
#include <string.h>

static const char scene_text[] =
    "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
    "{\"name\":\"cup\",\"class\":\"cup\",\"position\":[1.0,0.95,1.6],\"axis_angle_deg\":[0,1,0,270]},"
    "{\"name\":\"a \\\"post\\\"\",\"shape\":\"box\",\"position\":[1.2,0.7,0.45]}],"
    "\"people\":[{\"name\":\"Mai\",\"position\":[1.2,0,1.2],\"detail\":\"coarse\"}]}";

static const char script_text[] = "{\"fureai\":1,\"commands\":[{\"motion\":\"reach\",\"object\":\"cup\"},"
                                  "{\"motion\":\"take\",\"object\":\"cup\"},"
                                  "{\"motion\":\"walk\",\"goal\":[1.2,0,2.2],\"fused\":[{\"motion\":\"carry\","
                                  "\"object\":\"cup\"}]}]}";

typedef struct stage {
    fr_library *library;
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_director *director;
    fr_study *study;
    // What the test sees by itself, tick by tick.
    size_t rows;
    uint32_t failures;
    double load_max, nearest;
} stage;

static void open_stage(stage *s) {
    memset(s, 0, sizeof *s);
    fr_error error = {0};
    if (fr_library_open(OBJECT_FOLDER, NULL, &s->library, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = fr_library_classes(s->library);
    if (fr_scene_read(scene_text, sizeof scene_text - 1, &reading, &s->scene, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    fr_world_def def = fr_scene_world_def(s->scene);
    def.sense = FR_SENSE_STATIC;
    def.want = FR_WANT_PAIRS;
    assert_int_equal(fr_world_create(&def, &s->world, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.classes = fr_library_classes(s->library);
    if (fr_scene_build_world(s->scene, &building, s->world, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_scene_cast(s->scene, s->world, NULL, &s->cast, NULL), FR_OK);
    fr_director_def directing = fr_default_director_def();
    directing.cast = s->cast;
    directing.library = s->library;
    assert_int_equal(fr_director_create_for_scene(&directing, s->scene, &s->director, NULL), FR_OK);
}

static void close_stage(stage *s) {
    fr_study_destroy(s->study);
    fr_cast_destroy(s->cast);
    fr_world_destroy(s->world);
    fr_scene_destroy(s->scene);
    fr_library_destroy(s->library);
}

// The distance of two objects by all pairs of their triangles.
static double distance_between(const fr_space *space, fr_object_id a, fr_object_id b) {
    uint32_t count_a = fr_object_get(space, a)->triangle_count, count_b = fr_object_get(space, b)->triangle_count;
    double least = INFINITY;
    for (uint32_t i = 0; i < count_a; i++) {
        fr_vec3 of_a[3], of_b[3];
        assert_int_equal(fr_object_corners(space, a, i, of_a, NULL), FR_OK);
        for (uint32_t k = 0; k < count_b; k++) {
            assert_int_equal(fr_object_corners(space, b, k, of_b, NULL), FR_OK);
            least = fmin(least, fr_triangle_distance(of_a, of_b, NULL, NULL));
        }
    }
    return least;
}

// The least distance of a body's pieces, its feet left out, to the box behind it.
static double clearance_of(const stage *s, fr_object_id post) {
    const fr_object_id *pieces = fr_person_proxies(fr_director_get(s->director, 0).person);
    double least = FR_STUDY_CLEARANCE_MAX;
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        fr_link link = fr_figure_proxy_link(i);
        if (link == FR_LINK_LEFT_FOOT || link == FR_LINK_RIGHT_FOOT) { continue; }
        least = fmin(least, distance_between(fr_world_space(s->world), pieces[i], post));
    }
    return least;
}

static fr_status look(uint32_t over, void *user, fr_error *error) {
    (void)over;
    stage *s = user;
    fr_status status = fr_study_take(s->study, error);
    size_t count;
    const fr_study_row *rows = fr_study_rows(s->study, &count);
    if (status != FR_OK || count == s->rows) { return status; }
    const fr_study_row *row = &rows[count - 1];
    // The posture itself says the angles and scores.
    fr_performer_view body = fr_performer_get(fr_person_performer(fr_director_get(s->director, 0).person));
    fr_work_angles angles;
    assert_int_equal(fr_work_angles_of(body.skeleton, &body.posture, &angles, NULL), FR_OK);
    fr_work_conditions conditions = {.load = row->conditions.load, .is_walking = body.walk != NULL};
    s->failures += angles.trunk_flexion != row->angles.trunk_flexion || angles.neck_twist != row->angles.neck_twist;
    for (int side = 0; side < FR_WORK_SIDE_COUNT; side++) {
        s->failures += fr_rula_of(&angles, &conditions, (fr_work_side)side).score != row->rula[side].score;
        s->failures += fr_reba_of(&angles, &conditions, (fr_work_side)side).score != row->reba[side].score;
    }
    s->failures += row->conditions.is_walking != (body.walk != NULL) || row->conditions.is_seated;
    s->load_max = fmax(s->load_max, row->conditions.load);
    // The box and the floor are all that it can be near to, besides the cup, which it takes on purpose.
    fr_object_id post = fr_world_find(s->world, "a \"post\"");
    if (count % 5 == 1 && fr_object_id_equal(row->nearest, post)) {
        double brute = clearance_of(s, post);
        s->nearest = fmin(s->nearest, brute);
        s->failures += fabs(brute - row->clearance) > 1e-6;
    }
    s->failures += fr_object_id_equal(row->nearest, fr_world_find(s->world, "cup"));
    s->failures += fr_object_id_equal(row->nearest, fr_world_find(s->world, "floor"));
    s->rows = count;
    return FR_OK;
}

static void carry_out(stage *s, fr_script_run *run) {
    fr_script *script = NULL;
    fr_error error = {0};
    if (fr_script_read(script_text, sizeof script_text - 1, NULL, &script, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    fr_script_run_input input = fr_default_script_run_input();
    input.script = script;
    input.cast = s->cast;
    input.max_ticks = 2000;
    input.after = look;
    input.user = s;
    if (fr_script_carry_out(&input, run, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_script_destroy(script);
}

typedef struct text_sink {
    char bytes[200000];
    size_t size, limit;
} text_sink;

static bool keep(const char *bytes, size_t size, void *context) {
    text_sink *sink = context;
    if (sink->size + size > sink->limit) { return false; }
    memcpy(sink->bytes + sink->size, bytes, size);
    sink->size += size;
    return true;
}

// Lines of a table, each with as many fields as the first; quotes hold commas.
static size_t count_lines(const text_sink *sink) {
    size_t lines = 0, fields = 1, expected = 0;
    bool is_quoted = false;
    for (size_t i = 0; i < sink->size; i++) {
        char c = sink->bytes[i];
        if (c == '"') { is_quoted = !is_quoted; }
        if (c == ',' && !is_quoted) { fields++; }
        if (c != '\n' || is_quoted) { continue; }
        if (lines == 0) { expected = fields; }
        assert_int_equal(fields, expected);
        fields = 1;
        lines++;
    }
    assert_false(is_quoted);
    return lines;
}

static void scores_what_a_person_does(void **state) {
    (void)state;
    stage s;
    open_stage(&s);
    s.nearest = INFINITY;
    fr_study_def def = fr_default_study_def();
    def.director = s.director;
    assert_int_equal(fr_study_create(&def, &s.study, NULL), FR_OK);
    fr_study_summary empty = fr_study_sum(s.study, 0);
    assert_int_equal(empty.row_count, 0);
    fr_script_run run;
    carry_out(&s, &run);
    for (uint32_t i = 0; i < run.result_count; i++) {
        if (!run.results[i].is_done) { fail_msg("%s", run.results[i].reason); }
    }
    assert_int_equal(s.failures, 0);
    assert_true(s.rows == (run.ticks + 4) / 5); // ten times a second at 50 ticks
    assert_true(s.load_max == 0.25);            // of the cup's class
    assert_true(s.nearest < FR_STUDY_CLEARANCE_MAX);

    fr_study_summary sum = fr_study_sum(s.study, 0);
    assert_int_equal(sum.row_count, s.rows);
    size_t rula = 0, reba = 0;
    for (uint32_t i = 0; i <= FR_REBA_MAX; i++) {
        reba += sum.reba_counts[i];
        rula += i <= FR_RULA_MAX ? sum.rula_counts[i] : 0;
    }
    assert_true(rula == s.rows && reba == s.rows);
    assert_true(sum.walking > 0.05 && sum.walking < 0.95 && sum.seated == 0.0);
    assert_true(sum.rula_max >= sum.rula_mean && sum.rula_counts[sum.rula_max] > 0);
    assert_int_equal(sum.unknown_max, 0);

    static text_sink sink;
    sink = (text_sink){.limit = sizeof sink.bytes};
    assert_int_equal(fr_study_write(s.study, keep, &sink, NULL), FR_OK);
    assert_int_equal(count_lines(&sink), s.rows + 1);
    sink.bytes[sink.size] = '\0';
    assert_non_null(strstr(sink.bytes, "\"a \"\"post\"\"\""));
    for (size_t limit = 0; limit < 2000; limit += 97) {
        sink = (text_sink){.limit = limit};
        assert_int_equal(fr_study_write(s.study, keep, &sink, NULL), FR_ERROR_FILE);
    }

    fr_drawing_def drawing_def = fr_default_drawing_def();
    fr_drawing *drawing = NULL;
    assert_int_equal(fr_drawing_create(&drawing_def, &drawing, NULL), FR_OK);
    fr_draw draw = fr_drawing_draw(drawing);
    fr_study_draw(s.study, &draw);
    assert_int_equal(fr_drawing_check(drawing, NULL), FR_OK);
    assert_true(fr_drawing_get(drawing).count > 2 * s.rows);
    fr_study_draw(s.study, NULL);
    fr_drawing_destroy(drawing);
    fr_script_run_destroy(&run);
    close_stage(&s);
}

static void refuses_what_is_wrong(void **state) {
    (void)state;
    stage s;
    open_stage(&s);
    fr_study *study = NULL;
    fr_study_def def = fr_default_study_def();
    assert_int_equal(fr_study_create(&def, &study, NULL), FR_ERROR_ARGUMENT);
    def.director = s.director;
    static const double wrong[] = {0.0, -1.0, 61.0, INFINITY, NAN};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        def.every = wrong[i];
        assert_int_equal(fr_study_create(&def, &study, NULL), FR_ERROR_ARGUMENT);
        assert_null(study);
    }
    def.every = 0.1;
    def.cookie = 0;
    assert_int_equal(fr_study_create(&def, &study, NULL), FR_ERROR_ARGUMENT);
    close_stage(&s);
}

// A study that looks while memory runs short keeps the rows that it had.
static fr_status study_shortly(const fr_allocator *allocator, void *context) {
    stage *s = context;
    fr_study *study = NULL;
    fr_study_def def = fr_default_study_def();
    def.director = s->director;
    def.every = 0.001;
    def.has_no_clearance = true;
    def.allocator = *allocator;
    fr_status status = fr_study_create(&def, &study, NULL);
    for (int i = 0; i < 40 && status == FR_OK; i++) {
        size_t before, after;
        (void)fr_study_rows(study, &before);
        status = fr_study_take(study, NULL);
        (void)fr_study_rows(study, &after);
        assert_true(status == FR_OK ? after >= before : after == before);
        if (status == FR_OK) { assert_int_equal(fr_cast_tick(s->cast, NULL, NULL), FR_OK); }
    }
    fr_study_destroy(study);
    return status;
}

static void survives_every_failure(void **state) {
    (void)state;
    stage s;
    open_stage(&s);
    (void)test_every_failure(study_shortly, &s);
    close_stage(&s);
}

// People without tasks take the body that is given; one that cannot be made is refused where the person stands.
static void scenes_take_other_bodies(void **state) {
    (void)state;
    static const char text[] = "{\"fureai\":1,\"objects\":[],\"people\":[{\"name\":\"a\",\"stature\":1.5},\n"
                               "{\"name\":\"b\",\"stature\":1.5,\"does\":[]}]}";
    fr_body_def body;
    assert_int_equal(fr_survey_body(FR_SURVEY_MAN, 95.0, &body, NULL), FR_OK);
    fr_scene_read_input input = fr_default_scene_read_input();
    input.body = &body;
    fr_scene *scene = NULL;
    assert_int_equal(fr_scene_read(text, sizeof text - 1, &input, &scene, NULL), FR_OK);
    assert_true(fr_scene_get(scene)->people[0].body.stature == body.stature);
    assert_true(fr_scene_get(scene)->people[0].body.mass == body.mass);
    assert_true(fr_scene_get(scene)->people[1].body.stature == 1.5);
    fr_scene_destroy(scene);
    body.arm = 0.9;
    fr_error error = {0};
    assert_int_equal(fr_scene_read(text, sizeof text - 1, &input, &scene, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "arm"));
    assert_int_equal(error.line, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(scores_what_a_person_does),
        cmocka_unit_test(survives_every_failure),
        cmocka_unit_test(scenes_take_other_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
