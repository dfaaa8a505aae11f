// The demos of the gallery, served by the tool as one folder: each opens, plays, and shows by numbers that what it is
// about happens. Every file of the folder has its lines in the table below. The short form plays every fifth one.
#include "frame.h"
#include "served.h"

#include <dirent.h>

enum { PATIENCE_SECONDS = 60, CHECKS_MAX = 3, SHORT_STRIDE = 5 };

typedef enum subject {
    NOTHING,
    COLLIDES,   // states in which faces of an object collide with another's
    TRAVELS,    // metres that an object goes
    TURNS,      // degrees that it turns by
    BENDS,      // metres that a bone of a person goes, in the person's frame
    IS_DRAWN,   // items of a layer
    IS_HANDLED, // metres that an object goes with the hand that took it
} subject;

typedef struct check {
    subject subject;
    const char *object; // or layer
    double goal;
} check;

typedef struct demo {
    const char *name;
    check checks[CHECKS_MAX];
} demo;

static const demo demos[] = {
    {"ahead", {{IS_DRAWN, "ahead", 2}, {TURNS, "bat", 30}, {TRAVELS, "ball that comes", 0.2}}},
    {"blocks", {{IS_HANDLED, "red cube", 0.05}}},
    {"control", {{BENDS, "Aya", 0.5}}},
    {"door", {{TURNS, "door", 20}, {TRAVELS, "drawer", 0.1}, {TRAVELS, "ball", 0.1}}},
    {"gears", {{TURNS, "gear 1 in row 1", 20}, {COLLIDES, "gear 1 in row 1", 1}}},
    {"grasp", {{TRAVELS, "palm", 0.1}, {TURNS, "finger 1 link 3", 10}, {IS_DRAWN, "radar", 1}}},
    {"knots", {{COLLIDES, "blue knot", 5}}},
    {"octree", {{IS_DRAWN, "octree of chair", 1}, {IS_DRAWN, "octree of ring", 1}, {TURNS, "chair", 5}}},
    {"people", {{TRAVELS, "Hana", 1.0}, {BENDS, "Ken", 0.2}, {BENDS, "a child", 0.05}}},
    {"piston", {{IS_HANDLED, "rod", 0.05}}},
    {"room", {{TRAVELS, "Mai", 1.0}, {TURNS, "door", 20}}},
    {"search", {{TRAVELS, "probe", 0.5}, {IS_DRAWN, "radar", 1}}},
    {"seek", {{TRAVELS, "probe", 1.0}, {IS_DRAWN, "", 1}}},
    {"spheres", {{COLLIDES, "A", 1}}},
    {"swing", {{TURNS, "bat", 30}, {IS_DRAWN, "ahead", 1}}},
    {"ten_people", {{TRAVELS, "Ken", 0.3}, {BENDS, "Mai", 0.1}, {TRAVELS, "Ito", 0.3}}},
    {"touch", {{TRAVELS, "pen", 0.05}, {IS_DRAWN, "", 1}}},
    {"traffic", {{TRAVELS, "shuttle", 0.5}, {IS_DRAWN, "path", 1}, {TRAVELS, "first", 0.2}}},
    {"tree", {{IS_DRAWN, "radar", 1}}},
    {"window", {{TRAVELS, "L", 0.5}, {TURNS, "L", 20}, {IS_DRAWN, "path", 1}}},
};

// ---------------------------------------------------------------------------------------------------------------
// Numbers

// What was when the scene opened, of one check.
typedef struct begin_of {
    bool is_known;
    fr_pose pose;
    fr_vec3 bones[256];
    uint32_t bone_count;
} begin_of;

static begin_of begins[CHECKS_MAX];

static double turned_deg(const fr_pose *a, const fr_pose *b) {
    const fr_quat q = a->rotation, r = b->rotation;
    double dot = fabs(q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z);
    return 2.0 * acos(dot < 1.0 ? dot : 1.0) * 180.0 / 3.14159265358979323846;
}

static double bent(const begin_of *begin, const fr_mirror_object *object) {
    double farthest = 0.0;
    for (uint32_t i = 0; i < begin->bone_count && i < object->bone_count; i++) {
        double travel = fr_vec3_length(fr_vec3_sub(object->bones[i].position, begin->bones[i]));
        farthest = travel > farthest ? travel : farthest;
    }
    return farthest;
}

static bool is_in_pair(const fr_mirror_view *view, fr_ref object) {
    for (uint32_t i = 0; i < view->pairs.pair_count; i++) {
        if (view->pairs.pairs[i].a == object.index1 || view->pairs.pairs[i].b == object.index1) { return true; }
    }
    return false;
}

static double drawn(const fr_mirror_view *view, const char *layer) {
    uint32_t items = 0;
    for (uint32_t i = 0; i < view->layer_count; i++) {
        const fr_message_draw *l = view->layers[i];
        if (strstr(l->name, layer) == NULL) { continue; }
        items += l->line_count + l->triangle_count + l->point_count + l->box_count + l->label_count + l->image_count +
                 l->face_color_count;
    }
    return items;
}

static void begin_check(begin_of *begin, const fr_mirror_object *object) {
    *begin = (begin_of){.is_known = true, .pose = object->pose, .bone_count = object->bone_count};
    if (begin->bone_count > 256) { begin->bone_count = 256; }
    for (uint32_t i = 0; i < begin->bone_count; i++) {
        begin->bones[i] = object->bones[i].position;
    }
}

// The number of a check in the newest state.
static double number_of(test_client *c, const check *k, begin_of *begin) {
    const fr_mirror_view *view = fr_mirror_get(c->mirror);
    if (k->subject == IS_DRAWN) { return drawn(view, k->object); }
    const fr_mirror_object *object = fr_mirror_find(c->mirror, k->object);
    if (object == NULL) { return 0.0; }
    bool has_bones = k->subject != BENDS || object->bone_count > 0;
    if (!begin->is_known && has_bones) { begin_check(begin, object); }
    switch (k->subject) {
    case COLLIDES: return is_in_pair(view, object->ref) ? 1.0 : 0.0;
    case TURNS: return turned_deg(&begin->pose, &object->pose);
    case BENDS: return bent(begin, object);
    default: return fr_vec3_length(fr_vec3_sub(object->pose.position, begin->pose.position));
    }
}

// A hand takes the object and lifts it.
static void handle(test_client *c, const check *k) {
    fr_ref ref = client_ref(c, k->object);
    fr_vec3 place = fr_mirror_find(c->mirror, k->object)->pose.position;
    assert_int_equal(client_grab(c, ref), FR_OK);
    for (int i = 1; i <= 20; i++) {
        client_move(c, ref, fr_vec3_make(place.x, place.y + 0.005 * i, place.z));
        client_follow_states(c, 1);
    }
}

// ---------------------------------------------------------------------------------------------------------------

static bool play(test_client *c, const demo *d) {
    double best[CHECKS_MAX] = {0};
    bool is_done = false;
    memset(begins, 0, sizeof begins);
    assert_int_equal(client_open_scene(c, d->name), FR_OK);
    client_follow_states(c, 2);
    uint64_t first = fr_mirror_get(c->mirror)->tick, begin_ns = fr_clock_ns();
    assert_true(fr_mirror_get(c->mirror)->object_count > 0);
    while (!is_done && fr_clock_ms_since(begin_ns) < 1e3 * PATIENCE_SECONDS) {
        is_done = fr_mirror_get(c->mirror)->tick > first; // it plays
        for (int i = 0; i < CHECKS_MAX && d->checks[i].subject != NOTHING; i++) {
            const check *k = &d->checks[i];
            double number = number_of(c, k, &begins[i]);
            if (k->subject == COLLIDES) { number += best[i]; }
            if (number > best[i]) { best[i] = number; }
            if (k->subject == IS_HANDLED && best[i] < k->goal) { handle(c, k); }
            is_done = is_done && best[i] >= k->goal;
        }
        client_follow_states(c, 1);
    }
    for (int i = 0; i < CHECKS_MAX && d->checks[i].subject != NOTHING; i++) {
        print_message("%s, %s: %.3g (%.3g)\n", d->name, d->checks[i].object, best[i], d->checks[i].goal);
    }
    return is_done;
}

// What is thought of each demo here: none is missing, and none is left over.
static void every_demo_has_its_numbers(void **state) {
    (void)state;
    size_t files = 0, count = sizeof demos / sizeof demos[0];
    DIR *list = opendir(DEMO_FOLDER);
    assert_non_null(list);
    for (const struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".json") != 0) { continue; }
        bool is_found = false;
        for (size_t i = 0; i < count; i++) {
            size_t length = strlen(demos[i].name);
            is_found = is_found ||
                       ((size_t)(dot - entry->d_name) == length && strncmp(demos[i].name, entry->d_name, length) == 0);
        }
        if (!is_found) { fail_msg("%s has no numbers here", entry->d_name); }
        files++;
    }
    closedir(list);
    assert_int_equal(files, count);
}

static void every_demo_opens_and_does_what_it_is_about(void **state) {
    (void)state;
    test_client c;
    int failed = 0;
    uint16_t port = SERVE(DEMO_FOLDER, "--speed", "4");
    raw_open(&c, port);
    client_hello(&c, "visitor", CLIENT_WANTS | FR_WANTS_DRAW);
    // A scene of ten people takes its time to open where the machine does other things too.
    const struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
    assert_int_equal(setsockopt(c.socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    client_follow_states(&c, 1);
    assert_int_equal(fr_mirror_get(c.mirror)->gallery.demo_count, sizeof demos / sizeof demos[0]);
    for (size_t i = 0; i < sizeof demos / sizeof demos[0]; i++) {
        if (!test_is_long() && i % SHORT_STRIDE != 0) { continue; }
        if (!play(&c, &demos[i])) {
            print_message("%s does not do what it is about\n", demos[i].name);
            failed++;
        }
        wait_ms(500); // scenes a second have a limit
    }
    client_close(&c);
    end(SIGINT);
    assert_int_equal(failed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_demo_has_its_numbers),
        cmocka_unit_test(every_demo_opens_and_does_what_it_is_about),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
