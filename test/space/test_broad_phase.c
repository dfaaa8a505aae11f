// Pairs of parts that may meet: never one fewer than the boxes say, and boxes that hold the whole step.
#include "frame.h"
#include "scene_sets.h"
#include "space/broad_phase.h"
#include "space/part.h"

typedef struct pair_list {
    fr_part_pair pairs[20000];
    uint32_t count, stop_after;
} pair_list;

static bool collect(const fr_part_pair *pair, void *context) {
    pair_list *list = context;
    assert_true(list->count < 20000);
    list->pairs[list->count++] = *pair;
    return list->count != list->stop_after;
}

static int order_pairs(const void *a, const void *b) { return memcmp(a, b, sizeof(fr_part_pair)); }

static void get_pairs(const scene *s, const fr_space_pairs_input *query, pair_list *list) {
    list->count = 0;
    list->stop_after = 0;
    assert_int_equal(fr_space_pairs(s->space, query, collect, list, NULL), FR_OK);
    qsort(list->pairs, list->count, sizeof list->pairs[0], order_pairs);
    for (uint32_t i = 1; i < list->count; i++) {
        assert_true(memcmp(&list->pairs[i - 1], &list->pairs[i], sizeof list->pairs[0]) != 0);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Validity and simple truths

static void a_stale_space_gives_no_results(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    static pair_list list;
    fr_space_pairs_input query = {0, NULL, NULL};
    fr_error error = {0};
    list.count = 0;
    fr_object_id id = scene_add(&s, true);
    assert_int_equal(fr_space_pairs(s.space, &query, collect, &list, &error), FR_ERROR_STALE_DATA);
    assert_true(error.message[0] != '\0');
    scene_update(&s);
    assert_int_equal(fr_space_pairs(s.space, &query, collect, &list, NULL), FR_OK);
    query.margin = -1;
    assert_int_equal(fr_space_pairs(s.space, &query, collect, &list, NULL), FR_ERROR_ARGUMENT);
    query.margin = NAN;
    assert_int_equal(fr_space_pairs(s.space, &query, collect, &list, NULL), FR_ERROR_ARGUMENT);
    query.margin = 0;
    assert_int_equal(fr_object_set_filter(s.space, id, (fr_filter){1, 1, 1}, NULL), FR_OK);
    assert_int_equal(fr_space_pairs(s.space, &query, collect, &list, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(list.count, 0);
    scene_close(&s);
}

static fr_object_id add_at(scene *s, double x, uint32_t flags, fr_filter filter) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(s->meshes[1], &part);
    def.pose.position.x = x;
    def.flags = flags;
    def.filter = filter;
    fr_object_id id;
    assert_int_equal(fr_object_add(s->space, &def, &id, NULL), FR_OK);
    return id;
}

static uint32_t pairs_of_two(uint32_t flags_a, fr_filter a, uint32_t flags_b, fr_filter b) {
    scene s;
    static pair_list list;
    scene_open(&s, 1, 1, 0, NULL);
    (void)add_at(&s, 0, flags_a, a);
    (void)add_at(&s, 0.5, flags_b, b);
    scene_update(&s);
    fr_space_pairs_input query = {0, NULL, NULL};
    get_pairs(&s, &query, &list);
    scene_close(&s);
    return list.count;
}

static void layers_masks_and_groups_decide(void **state) {
    (void)state;
    const fr_filter plain = {1, UINT32_MAX, 0}, second = {2, UINT32_MAX, 0}, blind = {1, 1, 0};
    const fr_filter friends = {1, 0, 3}, foes = {1, UINT32_MAX, -3}, others = {1, UINT32_MAX, -4};
    assert_int_equal(pairs_of_two(0, plain, 0, plain), 1);
    assert_int_equal(pairs_of_two(0, plain, 0, second), 1);
    assert_int_equal(pairs_of_two(0, blind, 0, second), 0);
    assert_int_equal(pairs_of_two(0, second, 0, blind), 0);
    assert_int_equal(pairs_of_two(0, friends, 0, friends), 1);
    assert_int_equal(pairs_of_two(0, friends, 0, plain), 0);
    assert_int_equal(pairs_of_two(0, foes, 0, foes), 0);
    assert_int_equal(pairs_of_two(0, foes, 0, others), 1);
    assert_int_equal(pairs_of_two(FR_OBJECT_STATIC, plain, 0, plain), 1);
    assert_int_equal(pairs_of_two(FR_OBJECT_STATIC, plain, FR_OBJECT_STATIC, plain), 0);
    assert_int_equal(pairs_of_two(FR_OBJECT_STATIC | FR_OBJECT_SELF, plain, FR_OBJECT_STATIC, plain), 1);
    assert_int_equal(pairs_of_two(FR_OBJECT_SELF, plain, FR_OBJECT_SELF, plain), 3);
    assert_int_equal(pairs_of_two(FR_OBJECT_SENSOR | FR_OBJECT_REAL, plain, 0, plain), 1);
    assert_int_equal(pairs_of_two(FR_OBJECT_PROXY, plain, 0, plain), 1);
    assert_int_equal(pairs_of_two(FR_OBJECT_GHOST, plain, 0, plain), 0);
    assert_int_equal(pairs_of_two(FR_OBJECT_GHOST | FR_OBJECT_SELF, plain, FR_OBJECT_STATIC, plain), 0);
}

static void a_margin_reaches_farther(void **state) {
    (void)state;
    scene s;
    static pair_list list;
    scene_open(&s, 1, 1, 0, NULL);
    fr_filter plain = {1, UINT32_MAX, 0};
    (void)add_at(&s, 0, 0, plain);
    fr_object_id id = add_at(&s, 4, 0, plain);
    scene_update(&s);
    fr_space_pairs_input query = {0, NULL, NULL};
    get_pairs(&s, &query, &list);
    assert_int_equal(list.count, 0);
    query.margin = 3.5;
    get_pairs(&s, &query, &list);
    assert_int_equal(list.count, 1);
    query.margin = INFINITY;
    get_pairs(&s, &query, &list);
    assert_int_equal(list.count, 1);
    const double wrong[] = {-1, NAN};
    for (int i = 0; i < 2; i++) {
        query.margin = wrong[i];
        assert_int_equal(fr_space_pairs(s.space, &query, collect, &list, NULL), FR_ERROR_ARGUMENT);
    }

    // A motion through the other is seen although both ends are apart.
    fr_pose next = fr_pose_make(fr_vec3_make(-4, 0, 0), fr_quat_identity());
    assert_int_equal(fr_object_set_next(s.space, id, &next, NULL), FR_OK);
    scene_update(&s);
    query.margin = 0;
    get_pairs(&s, &query, &list);
    assert_int_equal(list.count, 1);
    assert_int_equal(fr_space_commit(s.space, NULL), FR_OK);
    scene_update(&s);
    get_pairs(&s, &query, &list);
    assert_int_equal(list.count, 0);
    scene_close(&s);
}

typedef struct meddler {
    fr_space *space;
    fr_object_id victim;
    uint32_t calls;
} meddler;

// Tries everything that would change the space.
static void meddle(meddler *m) {
    fr_object_id id = m->victim, out;
    fr_pose pose = fr_pose_identity();
    fr_motion motion = fr_motion_still(&pose);
    fr_vec3 vertex = {0, 0, 0};
    fr_joint joint;
    fr_joint_id joint_id = {1, 0, id.space};
    uint32_t slot;
    memset(&joint, 0, sizeof joint);
    fr_attachment_type type = {"type", NULL, NULL};
    fr_object_def def = fr_default_object_def();
    assert_int_equal(fr_object_remove(m->space, id, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_object_add(m->space, &def, &out, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_object_set_pose(m->space, id, &pose, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_object_set_next(m->space, id, &pose, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_object_set_motion(m->space, id, &motion, &pose, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_object_set_filter(m->space, id, (fr_filter){1, 1, 1}, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_object_set_flags(m->space, id, 0, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_object_set_vertices(m->space, id, &vertex, 1, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_object_set_next_vertices(m->space, id, &vertex, 1, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_object_attach(m->space, id, 0, NULL, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_space_attach(m->space, &type, &slot, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_joint_add(m->space, &joint, &joint_id, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_joint_set(m->space, joint_id, &joint, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_joint_remove(m->space, joint_id, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_space_commit(m->space, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_space_update(m->space, NULL, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_space_record(m->space, NULL, NULL, NULL), FR_ERROR_BUSY);
    assert_int_equal(fr_space_replay(m->space, NULL, 0, NULL, NULL), FR_ERROR_BUSY);
    assert_true(fr_space_is_current(m->space));
    m->calls++;
}

static bool meddle_pair(const fr_part_pair *pair, void *context) {
    (void)pair;
    meddle(context);
    return true;
}

static bool meddle_filter(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space;
    (void)a;
    (void)b;
    meddle(context);
    return true;
}

// An object cannot be removed in a callback, nor anything be changed; afterwards it can.
static void callbacks_change_nothing(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_filter plain = {1, UINT32_MAX, 0};
    meddler m = {s.space, add_at(&s, 0, 0, plain), 0};
    (void)add_at(&s, 0.5, 0, plain);
    scene_update(&s);
    fr_space_pairs_input query = {0, meddle_filter, &m};
    assert_int_equal(fr_space_pairs(s.space, &query, meddle_pair, &m, NULL), FR_OK);
    assert_int_equal(m.calls, 2);
    fr_query_filter filter = {.mask = UINT32_MAX, .accept = meddle_filter, .context = &m};
    fr_ray ray = {{-5, 0, 0}, {1, 0, 0}, INFINITY};
    fr_space_hit hit;
    assert_int_equal(fr_space_ray(s.space, &ray, &filter, &hit, NULL), FR_OK);
    assert_int_equal(m.calls, 3); // the other box lies behind what was met
    assert_int_equal(fr_object_remove(s.space, m.victim, NULL), FR_OK);
    scene_close(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Against brute force

typedef struct part_name {
    uint32_t object, part;
} part_name;

static const fr_box *box_of(const scene *s, part_name name) {
    const fr__object *object = fr__space_object(s->space, name.object);
    return &fr__set_boxes(&s->space->sets[fr__set_of(object->view.flags)])[object->parts[name.part].proxy];
}

static bool boxes_are_near(const fr_box *a, const fr_box *b, double margin) {
    const float low_a[3] = {a->min.x, a->min.y, a->min.z}, high_a[3] = {a->max.x, a->max.y, a->max.z};
    const float low_b[3] = {b->min.x, b->min.y, b->min.z}, high_b[3] = {b->max.x, b->max.y, b->max.z};
    for (int i = 0; i < 3; i++) {
        if ((double)low_a[i] - (double)high_b[i] > margin || (double)low_b[i] - (double)high_a[i] > margin) {
            return false;
        }
    }
    return true;
}

static bool refuse_some(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space;
    (void)context;
    return (a.index1 + b.index1) % 3 != 0;
}

static bool objects_may_meet(const fr_object_view *a, const fr_object_view *b) {
    if (((a->flags | b->flags) & FR_OBJECT_GHOST) != 0) { return false; }
    if ((a->flags & b->flags & FR_OBJECT_STATIC) != 0) { return false; }
    if (a->filter.group != 0 && a->filter.group == b->filter.group) { return a->filter.group > 0; }
    return (a->filter.layers & b->filter.mask) != 0 && (b->filter.layers & a->filter.mask) != 0;
}

static void brute_pairs(const scene *s, const fr_space_pairs_input *query, pair_list *list) {
    static part_name names[4096];
    uint32_t count = 0;
    for (uint32_t i = 0; i < fr_space_object_places(s->space); i++) {
        fr_object_id id = fr_space_object_at(s->space, i);
        if (id.index1 == 0) { continue; }
        for (uint32_t k = 0; k < fr_object_get(s->space, id)->part_count; k++) {
            names[count++] = (part_name){i, k};
        }
    }
    list->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i; j < count; j++) {
            fr_object_id a = fr_space_object_at(s->space, names[i].object);
            fr_object_id b = fr_space_object_at(s->space, names[j].object);
            const fr_object_view *view_a = fr_object_get(s->space, a), *view_b = fr_object_get(s->space, b);
            bool is_self = names[i].object == names[j].object;
            uint32_t kind = view_a->flags & (uint32_t)(FR_OBJECT_SELF | FR_OBJECT_GHOST);
            if (is_self ? kind != FR_OBJECT_SELF : !objects_may_meet(view_a, view_b)) { continue; }
            if (!is_self && query->filter != NULL && !query->filter(s->space, a, b, NULL)) { continue; }
            if (!boxes_are_near(box_of(s, names[i]), box_of(s, names[j]), query->margin)) { continue; }
            fr_part_pair pair = {names[i].object, names[j].object, names[i].part, names[j].part};
            list->pairs[list->count++] = pair;
        }
    }
    qsort(list->pairs, list->count, sizeof list->pairs[0], order_pairs);
}

static void move_some(scene *s) {
    for (int k = 0; k < 6; k++) {
        fr_object_id id = scene_any(s);
        fr_pose pose = fr_object_get(s->space, id)->pose, end = scene_pose(s);
        if (k % 2 == 0) {
            assert_int_equal(fr_object_set_next(s->space, id, &end, NULL), FR_OK);
            continue;
        }
        fr_vec3 turn = fr_vec3_scale(scene_below(s, 2) == 0 ? 0.3 : 20.0, scene_direction(s));
        fr_motion motion = fr_motion_from_velocity(&pose, scene_direction(s), scene_direction(s), turn, 1.0);
        assert_int_equal(fr_object_set_motion(s->space, id, &motion, &end, NULL), FR_OK);
    }
}

// Every vertex, at many times of the step and at the end pose, is in its object's bounds.
static void check_bounds_of_step(scene *s) {
    fr_object_id id = scene_any(s);
    const fr_object_view *view = fr_object_get(s->space, id);
    fr_bounds bounds;
    assert_int_equal(fr_object_bounds(s->space, id, &bounds, NULL), FR_OK);
    fr_bounds grown = fr_bounds_grow(&bounds, 1e-14 * (10.0 + s->offset)); // what fr_motion_point itself rounds
    for (uint32_t part = 0; part < view->part_count; part++) {
        fr_part_view p = fr_object_part(s->space, id, part);
        for (uint32_t t = 0; t < fr_mesh_get(p.mesh)->triangle_count; t++) {
            fr_vec3 local[3];
            fr__part_corners_local(&fr__space_object(s->space, id.index1 - 1)->parts[part], t, local);
            fr_vec3 v = fr_pose_apply(&p.pose, local[0]);
            assert_true(fr_bounds_contain_point(&bounds, fr_pose_apply(&view->pose, v)));
            assert_true(fr_bounds_contain_point(&bounds, fr_pose_apply(&view->next, v)));
            for (int k = 0; k <= 16; k++) {
                assert_true(fr_bounds_contain_point(&grown, fr_motion_point(&view->motion, v, k / 16.0)));
            }
        }
    }
}

static void pairs_are_those_of_brute_force(void **state) {
    (void)state;
    static pair_list found, expected;
    const double offsets[] = {0, 1e6, 0}, margins[] = {0, 0.3, 0, 2};
    uint64_t scenes = test_count(60, 1000);
    for (uint64_t i = 0; i < scenes; i++) {
        scene s;
        scene_open(&s, 500 + i, i % 2 == 0 ? 3 : 9, offsets[i % 3], NULL);
        scene_fill(&s, (uint32_t)(i % 5) * 12, i % 7 == 0);
        for (int step = 0; step < 4; step++) {
            if (fr_space_object_count(s.space) > 0) {
                if (step > 0) { move_some(&s); }
                if (step > 1) { scene_deform(&s, scene_any(&s)); }
                if (step == 2) {
                    assert_int_equal(fr_object_set_flags(s.space, scene_any(&s), scene_flags(&s), NULL), FR_OK);
                }
            }
            scene_update(&s);
            scene_validate(&s);
            fr_space_pairs_input query = {margins[(i + (uint64_t)step) % 4], i % 3 == 0 ? refuse_some : NULL, NULL};
            get_pairs(&s, &query, &found);
            brute_pairs(&s, &query, &expected);
            assert_int_equal(found.count, expected.count);
            assert_memory_equal(found.pairs, expected.pairs, found.count * sizeof found.pairs[0]);
            if (fr_space_object_count(s.space) > 0) { check_bounds_of_step(&s); }
            if (step == 1) { assert_int_equal(fr_space_commit(s.space, NULL), FR_OK); }
        }
        scene_close(&s);
    }
}

// The callback may end the search.
static void the_callback_ends_the_search(void **state) {
    (void)state;
    static pair_list list;
    scene s;
    scene_open(&s, 3, 1, 0, NULL);
    scene_fill(&s, 20, true);
    scene_update(&s);
    fr_space_pairs_input query = {0, NULL, NULL};
    get_pairs(&s, &query, &list);
    uint32_t all = list.count;
    assert_true(all > 10);
    for (uint32_t stop = 1; stop <= all; stop++) {
        list.count = 0;
        list.stop_after = stop;
        assert_int_equal(fr_space_pairs(s.space, &query, collect, &list, NULL), FR_OK);
        assert_int_equal(list.count, stop);
    }
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stale_space_gives_no_results), cmocka_unit_test(layers_masks_and_groups_decide),
        cmocka_unit_test(a_margin_reaches_farther),       cmocka_unit_test(callbacks_change_nothing),
        cmocka_unit_test(pairs_are_those_of_brute_force), cmocka_unit_test(the_callback_ends_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
