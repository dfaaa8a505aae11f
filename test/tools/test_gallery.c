// The demos of the gallery, served by the tool as one folder: each opens, plays, and shows by numbers that what it is
// about happens. Every file of the folder has its lines in the table below. The short form plays every fifth one.
#include "frame.h"
#include "served.h"

#include "fureai/actor.h"

#include <dirent.h>

enum { PATIENCE_SECONDS = 60, CHECKS_MAX = 4, SHORT_STRIDE = 5 };

typedef enum subject {
    NOTHING,
    COLLIDES,   // states in which faces of an object collide with another's
    TRAVELS,    // metres that an object goes
    TURNS,      // degrees that it turns by
    BENDS,      // metres that a bone of a person goes, in the person's frame
    IS_DRAWN,   // items of a layer
    PIXELS,     // of the image of a radar that meet something
    IS_COVERED, // percent of an object's vertices that are by the cells of the octree that goes with it
    BRANCHES,   // objects named so that keep apart from all that they do not grow from, by their axes
    FORETELLS,  // touches of an object that were announced before, to 0.02 s
    FINDS,      // objects that its search touched: its surface is within a millimetre of the other's
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
    {"meeting", {{BENDS, "Hana", 0.2}, {TRAVELS, "Ken", 0.2}}},
    {"octree",
     {{IS_COVERED, "chair", 100}, {IS_COVERED, "ring", 90}, {IS_COVERED, "shuttle", 99}, {TURNS, "chair", 5}}},
    {"people", {{TRAVELS, "Hana", 1.0}, {BENDS, "Ken", 0.2}, {BENDS, "a child", 0.05}}},
    {"piston", {{IS_HANDLED, "rod", 0.05}}},
    {"room", {{TRAVELS, "Mai", 1.0}, {TURNS, "door", 20}}},
    {"search", {{TRAVELS, "probe", 0.5}, {IS_DRAWN, "radar", 1}}},
    {"seek", {{TRAVELS, "probe", 1.0}, {FINDS, "probe", 1}, {IS_DRAWN, "search tree", 2}}},
    {"spheres", {{COLLIDES, "A", 1}}},
    {"swing", {{TURNS, "bat", 30}, {FORETELLS, "bat", 3}, {IS_DRAWN, "ahead", 3}}},
    {"ten_people", {{TRAVELS, "Ken", 0.3}, {BENDS, "Mai", 0.1}, {TRAVELS, "Ito", 0.3}}},
    {"touch", {{TRAVELS, "pen", 0.05}, {IS_DRAWN, "", 1}}},
    {"traffic", {{TRAVELS, "shuttle", 0.5}, {IS_DRAWN, "path", 1}, {TRAVELS, "first", 0.2}}},
    {"tree", {{BRANCHES, "branch", 111}, {IS_DRAWN, "radar", 4}, {PIXELS, "radar", 10}}},
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

// ---------------------------------------------------------------------------------------------------------------
// Numbers of single demos

// A vertex of a part in the frame of the object.
static fr_vec3 vertex_of(const fr_wire_part *part, const fr_mirror_mesh *mesh, uint32_t vertex) {
    const float *v = mesh->positions + 3 * (size_t)vertex;
    return fr_pose_apply(&part->pose, fr_vec3_make((double)v[0], (double)v[1], (double)v[2]));
}

// The sides of cells that are drawn with an object, each as two triangles.
static bool next_side(const fr_message_draw *layer, uint32_t *list, uint32_t *at, fr_bounds *out) {
    while (*list<layer->triangle_count && * at + 9> layer->triangles[*list].point_count) {
        ++*list;
        *at = 0;
    }
    if (*list == layer->triangle_count) { return false; }
    const double *t = layer->triangles[*list].points + *at;
    out->min = fr_vec3_make(fmin(t[0], fmin(t[3], t[6])), fmin(t[1], fmin(t[4], t[7])), fmin(t[2], fmin(t[5], t[8])));
    out->max = fr_vec3_make(fmax(t[0], fmax(t[3], t[6])), fmax(t[1], fmax(t[4], t[7])), fmax(t[2], fmax(t[5], t[8])));
    *at += 9;
    return true;
}

static double largest_of(fr_vec3 v) { return fmax(v.x, fmax(v.y, v.z)); }

// The edge of the smallest cell.
static double smallest_cell(const fr_message_draw *layer) {
    double least = INFINITY;
    fr_bounds side;
    for (uint32_t list = 0, at = 0; next_side(layer, &list, &at, &side);) {
        least = fmin(least, largest_of(fr_vec3_sub(side.max, side.min)));
    }
    return least;
}

// A point of a surface is in a cell: a side of one is no farther than the edge of the smallest, but where the cells all
// round are filled too, and no side is drawn.
static bool is_by_a_cell(const fr_message_draw *layer, fr_vec3 v, double edge) {
    fr_bounds side;
    for (uint32_t list = 0, at = 0; next_side(layer, &list, &at, &side);) {
        fr_vec3 low = fr_vec3_sub(side.min, v), high = fr_vec3_sub(v, side.max);
        double x = fmax(0.0, fmax(low.x, high.x)), y = fmax(0.0, fmax(low.y, high.y)),
               z = fmax(0.0, fmax(low.z, high.z));
        if (sqrt(x * x + y * y + z * z) <= edge) { return true; }
    }
    return false;
}

static double covered(const test_client *c, const fr_mirror_object *object) {
    const fr_mirror_view *view = fr_mirror_get(c->mirror);
    uint32_t inside = 0, all = 0;
    for (uint32_t i = 0; i < view->layer_count; i++) {
        const fr_message_draw *layer = view->layers[i];
        if (layer->object.index1 != object->ref.index1) { continue; }
        double edge = smallest_cell(layer);
        for (uint32_t k = 0; k < object->part_count; k++) {
            const fr_mirror_mesh *mesh = fr_mirror_mesh_of(c->mirror, object->parts[k].mesh);
            if (mesh == NULL || !mesh->is_whole) { return 0.0; }
            for (uint32_t v = 0; v < mesh->vertex_count; v++) {
                all++;
                inside += is_by_a_cell(layer, vertex_of(&object->parts[k], mesh, v), edge);
            }
        }
    }
    return all > 0 ? 100.0 * inside / all : 0.0;
}

// The ends of a branch's axis, of a length of its scale along y.
static void ends_of(const fr_mirror_object *branch, fr_vec3 ends[2]) {
    for (int k = 0; k < 2; k++) {
        ends[k] = fr_pose_apply(&branch->pose, fr_vec3_make(0, k - 0.5, 0));
    }
}

static double distance_to_segment(fr_vec3 place, const fr_vec3 s[2]) {
    fr_vec3 u = fr_vec3_sub(s[1], s[0]);
    double t = fr_vec3_dot(fr_vec3_sub(place, s[0]), u) / fr_vec3_dot(u, u);
    return fr_vec3_distance(place, fr_vec3_add_scaled(s[0], t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t, u));
}

// Whether the bodies of two branches keep apart: rods of a radius of a twentieth of their scale. Those that grow from
// one place meet there.
static bool keep_apart(const fr_mirror_object *a, const fr_mirror_object *b) {
    fr_vec3 s[2], t[2];
    ends_of(a, s);
    ends_of(b, t);
    for (int k = 0; k < 4; k++) {
        if (fr_vec3_distance(s[k / 2], t[k % 2]) < 1e-6) { return true; }
    }
    for (int k = 0; k <= 100; k++) {
        fr_vec3 place = fr_vec3_lerp(s[0], s[1], 0.01 * k);
        if (distance_to_segment(place, t) <= 0.05 * (a->pose.scale + b->pose.scale)) { return false; }
    }
    return true;
}

static double branches(const fr_mirror_view *view, const char *name) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->object_count; i++) {
        bool is_apart = strncmp(view->objects[i]->name, name, strlen(name)) == 0;
        for (uint32_t k = 0; k < view->object_count && is_apart; k++) {
            is_apart = k == i || keep_apart(view->objects[i], view->objects[k]);
        }
        count += is_apart;
    }
    return count;
}

enum { TOLD_MAX = 64 };

// What was announced of touches, and what a search touched.
static struct {
    struct foretold {
        fr_ref a, b;
        double time; // at which they will touch
    } list[TOLD_MAX];
    uint32_t count;
    uint32_t right; // that came as announced
    uint32_t found; // that a search touched
    fr_ref target;  // the last of them
} foretold;

static void hear_event(const fr_wire_event *event) {
    if (event->kind == FR_EVENT_NAMED && strcmp(event->name, FR_FORECAST_HIT) == 0) {
        struct foretold *place = &foretold.list[foretold.count++ % TOLD_MAX];
        *place = (struct foretold){event->a, event->b, event->time + event->value};
    }
    if (event->kind == FR_EVENT_NAMED && strcmp(event->name, FR_SEEKER_TOUCHED) == 0) {
        foretold.found++;
        foretold.target = event->b;
    }
    if (event->kind != FR_EVENT_TOUCH_BEGIN) { return; }
    for (uint32_t i = 0; i < foretold.count && i < TOLD_MAX; i++) {
        struct foretold *t = &foretold.list[i];
        bool is_same = (t->a.index1 == event->a.index1 && t->b.index1 == event->b.index1) ||
                       (t->a.index1 == event->b.index1 && t->b.index1 == event->a.index1);
        if (!is_same || fabs(event->time - t->time) > 0.02) { continue; }
        foretold.right++;
        t->a.index1 = 0;
    }
}

static void hear(const fr_message *message, void *user) {
    (void)user;
    for (uint32_t i = 0; message->type == FR_MESSAGE_EVENTS && i < message->as.events.event_count; i++) {
        hear_event(&message->as.events.events[i]);
    }
}

// The distance of two objects that stand, from the vertices of the one to the faces of the other.
static double gap(const test_client *c, const fr_mirror_object *a, const fr_mirror_object *b) {
    double least = INFINITY;
    for (uint32_t i = 0; i < b->part_count; i++) {
        const fr_mirror_mesh *faces = fr_mirror_mesh_of(c->mirror, b->parts[i].mesh);
        for (uint32_t k = 0; k < a->part_count; k++) {
            const fr_mirror_mesh *mesh = fr_mirror_mesh_of(c->mirror, a->parts[k].mesh);
            if (faces == NULL || mesh == NULL || !faces->is_whole || !mesh->is_whole) { return INFINITY; }
            for (uint32_t v = 0; v < 3 * faces->triangle_count; v += 3) {
                fr_vec3 t[3], u[3];
                for (int n = 0; n < 3; n++) {
                    t[n] = fr_pose_apply(&b->pose, vertex_of(&b->parts[i], faces, faces->triangles[v + (uint32_t)n]));
                }
                for (uint32_t w = 0; w < 3 * mesh->triangle_count; w += 3) {
                    for (int n = 0; n < 3; n++) {
                        u[n] = fr_pose_apply(&a->pose, vertex_of(&a->parts[k], mesh, mesh->triangles[w + (uint32_t)n]));
                    }
                    double distance = fr_triangle_distance(t, u, NULL, NULL);
                    least = distance < least ? distance : least;
                }
            }
        }
    }
    return least;
}

static double finds(const test_client *c, const fr_mirror_object *seeker) {
    const fr_mirror_object *target = foretold.found > 0 ? fr_mirror_object_of(c->mirror, foretold.target.index1) : NULL;
    return target != NULL && gap(c, seeker, target) < 1e-3 ? foretold.found : 0.0;
}

static double pixels(const fr_mirror_view *view, const char *layer) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->layer_count; i++) {
        const fr_message_draw *l = view->layers[i];
        for (uint32_t k = 0; k < l->triangle_count && strstr(l->name, layer) != NULL; k++) {
            count += l->triangles[k].point_count / 18;
        }
    }
    return count;
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
    if (k->subject == PIXELS) { return pixels(view, k->object); }
    if (k->subject == BRANCHES) { return branches(view, k->object); }
    if (k->subject == FORETELLS) { return foretold.right; }
    const fr_mirror_object *object = fr_mirror_find(c->mirror, k->object);
    if (object == NULL) { return 0.0; }
    bool has_bones = k->subject != BENDS || object->bone_count > 0;
    if (!begin->is_known && has_bones) { begin_check(begin, object); }
    switch (k->subject) {
    case COLLIDES: return is_in_pair(view, object->ref) ? 1.0 : 0.0;
    case TURNS: return turned_deg(&begin->pose, &object->pose);
    case BENDS: return bent(begin, object);
    case IS_COVERED: return covered(c, object);
    case FINDS: return finds(c, object);
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
    memset(&foretold, 0, sizeof foretold);
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
    c.look = hear;
    client_hello(&c, "visitor", CLIENT_WANTS | FR_WANTS_DRAW);
    // A scene of ten people takes its time to open where the machine does other things too.
    const struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
    assert_int_equal(setsockopt(c.socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    client_follow_states(&c, 1);
    assert_int_equal(fr_mirror_get(c.mirror)->gallery.demo_count, sizeof demos / sizeof demos[0]);
    for (size_t i = 0; i < sizeof demos / sizeof demos[0]; i++) {
        const char *only = getenv("FUREAI_DEMO"); // one alone, to look at it
        bool is_played = only != NULL ? strcmp(only, demos[i].name) == 0 : test_is_long() || i % SHORT_STRIDE == 0;
        if (!is_played) { continue; }
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
