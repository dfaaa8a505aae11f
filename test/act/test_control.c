// The control room: a panel of 40 buttons, 10 levers, 10 meters, a keyboard and a touch panel from one file, at random
// places and tilts. The finger meets what it is sent to, every event comes once, no link goes through the panel; then
// the file is changed, and all of it works without a restart.
#include "frame.h"
#include "human/furniture.h"

#include "fureai/act_director.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUTTONS = 40, LEVERS = 10, METERS = 10, PARTS = BUTTONS + LEVERS + METERS + 2, KEYS = 6 };
enum { KEYBOARD = PARTS - 2, SCREEN = PARTS - 1 };
enum { LAYOUT_BYTES = 1 << 15 };

static const char *const kinds[] = {"button", "lever", "meter", "keyboard", "touch_panel", "panel"};

typedef struct control_part {
    char name[32]; // of the frame
    const char *kind;
    fr_pose pose; // on the panel
} control_part;

typedef struct control_room {
    char folder[64]; // of the library
    control_part parts[PARTS];
    fr_library *library;
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_director *director;
    fr_skeleton *skeleton;
    fr_figure *figure;
    fr_object_id panel;
    // What was seen.
    uint32_t done, refused;
    double depth; // of an arm in the panel
    double miss;  // of a tip from its target
    double value; // of a lever from its goal
} control_room;

// ---------------------------------------------------------------------------------------------------------------
// Layouts

static fr_quat about_x(double degrees) { return fr_quat_from_vector(fr_vec3_make(fr_radians(degrees), 0.0, 0.0)); }

// A place on the board of the panel, so far to the right and up, with a tilt of its own.
static fr_pose on_board(fr_random *random, double u, double v, double over, double tilt_deg) {
    double s = sin(fr_radians(30.0)), c = cos(fr_radians(30.0));
    fr_vec3 at = {u, 0.98 + v * s + over * c, over * s - v * c};
    double x = fr_random_between(random, -tilt_deg, tilt_deg), y = fr_random_between(random, -tilt_deg, tilt_deg);
    fr_quat own = fr_quat_from_vector(fr_vec3_make(fr_radians(x), fr_radians(y), 0.0));
    fr_quat turn = fr_quat_multiply(about_x(-60.0), own);
    (void)fr_quat_normalize(&turn, NULL);
    return fr_pose_make(at, turn);
}

static control_part *name_part(control_room *r, uint32_t index, const char *kind, unsigned number) {
    control_part *part = &r->parts[index];
    part->kind = kind;
    (void)snprintf(part->name, sizeof part->name, number > 0 ? "%s %u" : "%s", kind, number);
    return part;
}

// Two blocks of buttons, the keyboard and the touch panel stand in any order before a row of levers; meters hang on the
// wall behind. All of them are somewhere about their cells, and tilted.
static void make_layout(control_room *r, fr_random *random) {
    static const double widths[4] = {0.22, 0.22, 0.27, 0.37};
    uint32_t order[4] = {0, 1, 2, 3};
    for (uint32_t i = 3; i > 0; i--) {
        uint32_t k = (uint32_t)fr_random_below(random, i + 1), other = order[i];
        order[i] = order[k];
        order[k] = other;
    }
    double left = -0.54, middles[4];
    for (int i = 0; i < 4; i++) {
        middles[order[i]] = left + 0.5 * widths[order[i]];
        left += widths[order[i]];
    }
    for (uint32_t i = 0; i < BUTTONS; i++) {
        double u = middles[i / 20] + 0.046 * ((double)(i % 4) - 1.5) + fr_random_between(random, -0.006, 0.006);
        double v = -0.06 - 0.045 * (double)(i % 20 / 4) + fr_random_between(random, -0.006, 0.006);
        name_part(r, i, "button", i + 1)->pose = on_board(random, u, v, 0.003, 8.0);
    }
    for (uint32_t i = 0; i < LEVERS; i++) {
        double u = -0.45 + 0.1 * i, v = fr_random_between(random, 0.13, 0.17);
        name_part(r, BUTTONS + i, "lever", i + 1)->pose = on_board(random, u, v, 0.0, 5.0);
    }
    for (uint32_t i = 0; i < METERS; i++) {
        fr_vec3 at = {-0.48 + 0.24 * (i % 5) + fr_random_between(random, -0.04, 0.04), i < 5 ? 1.6 : 1.42, -0.32};
        name_part(r, BUTTONS + LEVERS + i, "meter", i + 1)->pose = fr_pose_make(at, fr_quat_identity());
    }
    control_part *keyboard = name_part(r, KEYBOARD, "keyboard", 0);
    keyboard->pose = on_board(random, middles[2], fr_random_between(random, -0.17, -0.12), 0.002, 0.0);
    keyboard->pose.rotation = about_x(30.0);
    double v = fr_random_between(random, -0.15, -0.13);
    name_part(r, SCREEN, "touch_panel", 0)->pose = on_board(random, middles[3], v, 0.032, 3.0);
}

static void write_layout(const control_room *r) {
    char *text = malloc(LAYOUT_BYTES), path[128];
    assert_non_null(text);
    size_t used =
        (size_t)snprintf(text, LAYOUT_BYTES, "{\"fureai\":1,\"shapes\":[\"panel.obj\"],\"static\":true,\"frames\":[");
    for (uint32_t i = 0; i < PARTS; i++) {
        const control_part *p = &r->parts[i];
        const fr_quat q = p->pose.rotation;
        used += (size_t)snprintf(text + used, LAYOUT_BYTES - used,
                                 "%s\n{\"name\":\"%s\",\"class\":\"%s\",\"position\":[%.17g,%.17g,%.17g],\"rotation\":"
                                 "[%.17g,%.17g,%.17g,%.17g]}",
                                 i > 0 ? "," : "", p->name, p->kind, p->pose.position.x, p->pose.position.y,
                                 p->pose.position.z, q.w, q.x, q.y, q.z);
    }
    used += (size_t)snprintf(text + used, LAYOUT_BYTES - used, "]}\n");
    assert_true(used < LAYOUT_BYTES);
    (void)snprintf(path, sizeof path, "%s/panel/object.json", r->folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, used, file), used);
    assert_int_equal(fclose(file), 0);
    free(text);
}

// ---------------------------------------------------------------------------------------------------------------
// The room

static void make_folder(control_room *r) {
    (void)snprintf(r->folder, sizeof r->folder, "/tmp/fureai_control_XXXXXX");
    assert_non_null(mkdtemp(r->folder));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char path[512];
        fr_error error = {0};
        (void)snprintf(path, sizeof path, "%s/%s", OBJECT_FOLDER, kinds[i]);
        if (fr_library_add(r->folder, path, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    }
}

static void remove_folder(const control_room *r) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        assert_int_equal(fr_library_remove(r->folder, kinds[i], NULL), FR_OK);
    }
    static const char *const rest[] = {".fureai-index.sqlite", ".fureai-index.sqlite-wal", ".fureai-index.sqlite-shm"};
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s/%s", r->folder, rest[i]);
        (void)unlink(path);
    }
    (void)rmdir(r->folder);
}

static void build_world(control_room *r, const char *text) {
    fr_error error = {0};
    if (fr_library_open(r->folder, NULL, &r->library, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = fr_library_classes(r->library);
    if (fr_scene_read(text, strlen(text), &reading, &r->scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_scene_get(r->scene)->object_count, 1 + PARTS + 1 + FR_FIGURE_PROXY_COUNT);
    fr_world_def def = fr_scene_world_def(r->scene);
    def.sense = FR_SENSE_STATIC;
    def.want = FR_WANT_PAIRS;
    assert_int_equal(fr_world_create(&def, &r->world, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.classes = fr_library_classes(r->library);
    if (fr_scene_build_world(r->scene, &building, r->world, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_scene_cast(r->scene, r->world, NULL, &r->cast, NULL), FR_OK);
    fr_director_def directing = fr_default_director_def();
    directing.cast = r->cast;
    directing.library = r->library;
    if (fr_director_create_for_scene(&directing, r->scene, &r->director, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
}

static void open_room(control_room *r, fr_random *random) {
    memset(r, 0, sizeof *r);
    make_folder(r);
    make_layout(r, random);
    write_layout(r);
    char text[1024];
    double x = fr_random_between(random, -0.04, 0.04), y = fr_random_between(random, -0.05, 0.05);
    double z = fr_random_between(random, -0.47, -0.43), yaw = fr_random_between(random, -6.0, 6.0);
    (void)snprintf(text, sizeof text,
                   "{\"fureai\":1,\"step\":0.016666666666666666,\"objects\":[{\"name\":\"panel\",\"class\":\"panel\","
                   "\"position\":[%.6f,%.6f,%.6f],\"axis_angle_deg\":[0,1,0,%.6f]}],"
                   "\"people\":[{\"name\":\"Aya\",\"heading_deg\":180,\"detail\":\"coarse\"}]}",
                   x, y, z, yaw);
    build_world(r, text);
    r->panel = fr_world_find(r->world, "panel");
    fr_body_def body = fr_default_body_def();
    assert_int_equal(fr_skeleton_create_body(&body, &r->skeleton, NULL), FR_OK);
    fr_figure_def figure = fr_default_figure_def();
    figure.skeleton = r->skeleton;
    figure.detail = FR_FIGURE_COARSE;
    assert_int_equal(fr_figure_create(&figure, &r->figure, NULL), FR_OK);
}

static void close_room(control_room *r) {
    fr_figure_release(r->figure);
    fr_skeleton_release(r->skeleton);
    fr_cast_destroy(r->cast);
    fr_world_destroy(r->world);
    fr_scene_destroy(r->scene);
    fr_library_destroy(r->library);
    remove_folder(r);
}

static fr_object_id object_of(const control_room *r, uint32_t part) {
    char name[64];
    (void)snprintf(name, sizeof name, "panel %s", r->parts[part].name);
    fr_object_id id = fr_world_find(r->world, name);
    assert_true(id.index1 != 0);
    return id;
}

// Where a part is by the file.
static fr_pose place_of(const control_room *r, uint32_t part) {
    fr_pose base = fr_object_get(fr_world_space(r->world), r->panel)->pose;
    return fr_pose_compose(&base, &r->parts[part].pose);
}

// ---------------------------------------------------------------------------------------------------------------
// Watching

static bool is_panel(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space, (void)b;
    return fr_object_id_equal(a, *(const fr_object_id *)context);
}

static void look(control_room *r) {
    const fr_pose *links = fr_person_links(fr_director_get(r->director, 0).person);
    fr_query_filter filter = fr_default_query_filter();
    filter.accept = is_panel;
    filter.context = &r->panel;
    assert_int_equal(fr_space_update(fr_world_space(r->world), NULL, NULL), FR_OK);
    for (int side = 0; side < 2; side++) {
        double depth = depth_of_arm(fr_world_space(r->world), r->figure, links, side == 1, &filter);
        r->depth = fmax(r->depth, depth);
    }
}

static double tip_distance(const control_room *r, fr_vec3 point) {
    const fr_pose *links = fr_person_links(fr_director_get(r->director, 0).person);
    const fr_vec3 *tips = fr_skeleton_get(r->skeleton)->tips;
    double right = fr_vec3_distance(fr_pose_apply(&links[FR_LINK_RIGHT_INDEX_3], tips[FR_LINK_RIGHT_INDEX_3]), point);
    double left = fr_vec3_distance(fr_pose_apply(&links[FR_LINK_LEFT_INDEX_3], tips[FR_LINK_LEFT_INDEX_3]), point);
    return fmin(right, left);
}

// What a command shall cause: an event of the part, so many times, each with a tip at its point.
typedef struct expected {
    const char *motion, *key, *value, *event;
    const fr_vec3 *points;
    uint32_t count;
    bool has_tip;
} expected;

static void tick_once(control_room *r) {
    fr_error error = {0};
    if (fr_cast_tick(r->cast, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
}

// Carries a command out and counts its events. A tip may meet its point in any frame of the press.
static bool carry_out(control_room *r, uint32_t part, const expected *e) {
    fr_object_id object = object_of(r, part);
    const fr_command_parameter parameter = {e->key, e->value};
    const fr_command command = {.name = e->motion,
                                .object = object,
                                .person = "Aya",
                                .parameters = &parameter,
                                .parameter_count = e->key != NULL ? 1 : 0};
    fr_error error = {0};
    if (fr_cast_command(r->cast, &command, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_director_state before = fr_director_get(r->director, 0);
    uint32_t counts[KEYS] = {0};
    double nearest[KEYS];
    for (int i = 0; i < KEYS; i++) {
        nearest[i] = INFINITY;
    }
    for (int frame = 0;; frame++) {
        assert_true(frame < 1500);
        tick_once(r);
        if (frame % 3 == 0) { look(r); }
        const fr_snapshot *now = fr_world_snapshot(r->world);
        for (size_t i = 0; i < now->event_count; i++) {
            const fr_event *event = &now->events[i];
            if (event->kind != FR_EVENT_NAMED || strcmp(event->name, e->event) != 0) { continue; }
            assert_true(fr_object_id_equal(event->b, object));
            uint32_t key = e->count > 1 ? (uint32_t)event->value : 0;
            assert_true(key < e->count);
            counts[key]++;
        }
        fr_snapshot_release(now);
        for (uint32_t i = 0; i < e->count && e->has_tip; i++) {
            nearest[i] = fmin(nearest[i], tip_distance(r, e->points[i]));
        }
        fr_director_state state = fr_director_get(r->director, 0);
        if (state.failed > before.failed) {
            print_message("%s of %s: %s\n", e->motion, r->parts[part].name, state.reason);
            r->refused++;
            return false;
        }
        if (state.done > before.done) { break; }
    }
    for (uint32_t i = 0; i < e->count; i++) {
        assert_int_equal(counts[i], 1);
        if (e->has_tip) { r->miss = fmax(r->miss, nearest[i]); }
    }
    r->done++;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// One of each kind

static void press_button(control_room *r, uint32_t part) {
    fr_pose place = place_of(r, part);
    fr_vec3 bottom = fr_pose_apply(&place, fr_vec3_make(0.0, 0.0, 0.012 - 0.008));
    const expected e = {.motion = "press", .event = "press", .points = &bottom, .count = 1, .has_tip = true};
    (void)carry_out(r, part, &e);
}

static void slide_lever(control_room *r, uint32_t part, fr_random *random) {
    double goal = fr_random_between(random, -0.7, 0.7);
    char value[32];
    (void)snprintf(value, sizeof value, "%.6f", goal);
    const expected e = {.motion = "slide", .key = "value", .value = value, .event = "moved", .count = 1};
    if (!carry_out(r, part, &e)) { return; }
    const fr_space *space = fr_world_space(r->world);
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        const fr_joint *joint = fr_joint_get(space, fr_space_joint_at(space, i));
        if (joint == NULL || !fr_object_id_equal(joint->child, object_of(r, part))) { continue; }
        r->value = fmax(r->value, fabs(joint->value - goal));
        if (getenv("FUREAI_SHOW") != NULL) {
            print_message("%s: %.3f for %.3f\n", r->parts[part].name, joint->value, goal);
        }
    }
}

static void touch_screen(control_room *r, fr_random *random) {
    double u = fr_random_between(random, 0.05, 0.95), v = fr_random_between(random, 0.05, 0.95);
    char value[64];
    (void)snprintf(value, sizeof value, "%.6f,%.6f", u, v);
    fr_pose place = place_of(r, SCREEN);
    fr_vec3 point = fr_pose_apply(&place, fr_vec3_make(0.32 * (u - 0.5), 0.2 * (v - 0.5), 0.0));
    const expected e = {"touch", "point", value, "touch", &point, 1, true};
    (void)carry_out(r, SCREEN, &e);
}

static void type_text(control_room *r, fr_random *random) {
    static const char letters[] = "1234567890qwertyuiopasdfghjklzxcvbnm";
    char text[KEYS + 1] = {0};
    fr_vec3 points[KEYS];
    fr_class *c;
    assert_int_equal(fr_library_find(r->library, "keyboard", &c, NULL), FR_OK);
    const fr_class_view *view = fr_class_get(c);
    fr_pose place = place_of(r, KEYBOARD);
    for (int i = 0; i < KEYS; i++) {
        text[i] = letters[fr_random_below(random, sizeof letters - 1)];
        for (uint32_t k = 0; k < view->frame_count; k++) {
            if (view->frames[k].name[0] != text[i]) { continue; }
            fr_pose key = fr_pose_compose(&place, &view->frames[k].pose);
            points[i] = fr_pose_apply(&key, fr_vec3_make(0.0, 0.0, -0.003));
        }
    }
    fr_class_release(c);
    const expected e = {"type", "text", text, "press", points, KEYS, true};
    (void)carry_out(r, KEYBOARD, &e);
}

// All parts, or one of so many.
static void operate(control_room *r, fr_random *random, uint32_t every) {
    for (uint32_t i = 0; i < BUTTONS; i += every) {
        press_button(r, i);
    }
    for (uint32_t i = 0; i<LEVERS; i += every> LEVERS / 2 ? LEVERS / 2 : every) {
        slide_lever(r, BUTTONS + i, random);
    }
    for (uint32_t i = 0; i < METERS; i += every) {
        const expected check = {.motion = "check", .event = "seen", .count = 1};
        const expected call = {.motion = "call", .event = "called", .count = 1};
        (void)carry_out(r, BUTTONS + LEVERS + i, &check);
        (void)carry_out(r, BUTTONS + LEVERS + i, &call);
    }
    touch_screen(r, random);
    type_text(r, random);
}

// Ticks go on until all parts are where the file has them now.
static void await_layout(control_room *r) {
    const fr_space *space = fr_world_space(r->world);
    double apart = INFINITY;
    for (int frame = 0; frame < 240 && apart > 1e-9; frame++) {
        tick_once(r);
        apart = 0.0;
        for (uint32_t i = 0; i < PARTS; i++) {
            if (i >= BUTTONS && i < BUTTONS + LEVERS) { continue; } // levers keep their values
            fr_pose place = place_of(r, i), now = fr_object_get(space, object_of(r, i))->pose;
            apart = fmax(apart, fr_vec3_distance(place.position, now.position));
        }
    }
    assert_true(apart <= 1e-9);
}

static void a_panel_is_operated_and_changed(void **state) {
    (void)state;
    fr_random random = fr_random_seed(61);
    uint64_t count = test_count(1, 3);
    uint32_t every = test_is_long() ? 1 : 13, done = 0, refused = 0;
    double depth = 0.0, miss = 0.0, value = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        control_room r;
        open_room(&r, &random);
        operate(&r, &random, every);
        make_layout(&r, &random);
        write_layout(&r);
        await_layout(&r);
        operate(&r, &random, every);
        done += r.done;
        refused += r.refused;
        depth = fmax(depth, r.depth);
        miss = fmax(miss, r.miss);
        value = fmax(value, r.value);
        close_room(&r);
    }
    print_message("%u commands done, %u refused; tip %.2e m off, depth %.2e m, levers %.2e rad off\n", done, refused,
                  miss, depth, value);
    assert_true(miss <= 0.003);
    assert_true(depth <= 0.002);
    assert_true(value <= 0.02);
    assert_int_equal(refused, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_panel_is_operated_and_changed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
