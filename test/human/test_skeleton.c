// Skeletons: what is refused with the link named, the partners of links, references, memory that runs short.
#include "failing.h"
#include "frame.h"
#include "fureai/human.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

static void expect_refusal(const fr_skeleton_def *def, fr_status status, const char *part_of_message) {
    fr_skeleton *skeleton = NULL;
    fr_error error = {0};
    assert_int_equal(fr_skeleton_create(def, &skeleton, &error), status);
    assert_null(skeleton);
    if (strstr(error.message, part_of_message) == NULL) {
        fail_msg("'%s' is not in '%s'", part_of_message, error.message);
    }
}

static void names_the_first_defect(void **state) {
    (void)state;
    static random_tree tree;
    fr_random random = fr_random_seed(1);
    const fr_skeleton_def good = random_skeleton_def(&random, 8, &tree);
    fr_skeleton_def def = good;
    def.cookie = 0;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "fr_default_skeleton_def");
    def = good;
    def.link_count = 257;
    expect_refusal(&def, FR_ERROR_LIMIT, "257");
    def.link_count = 0;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "links");
    def = good;
    def.offsets = NULL;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "offsets");

    tree.parents[0] = 0;
    expect_refusal(&good, FR_ERROR_ARGUMENT, "link 0");
    tree.parents[0] = FR_NO_LINK;
    tree.parents[5] = 5;
    expect_refusal(&good, FR_ERROR_ARGUMENT, "link 5");
    tree.parents[5] = FR_NO_LINK;
    expect_refusal(&good, FR_ERROR_ARGUMENT, "link 5");
    tree.parents[5] = 4;

    tree.names[3] = "link_1";
    expect_refusal(&good, FR_ERROR_ARGUMENT, "links 1 and 3");
    tree.names[3] = "";
    expect_refusal(&good, FR_ERROR_ARGUMENT, "link 3");
    tree.names[3] = "a name of sixty-four bytes, which is one more than the names of links may have: 64";
    expect_refusal(&good, FR_ERROR_LIMIT, "link 3");
    tree.names[3] = tree.texts[3];

    tree.offsets[2].y = NAN;
    expect_refusal(&good, FR_ERROR_NOT_FINITE, "link 2");
    tree.offsets[2].y = 1e301;
    expect_refusal(&good, FR_ERROR_NOT_FINITE, "link 2");
    tree.offsets[2].y = 0.0;
    fr_quat rest = tree.rests[4];
    tree.rests[4] = (fr_quat){0.0, 0.0, 0.0, 0.0};
    expect_refusal(&good, FR_ERROR_ARGUMENT, "link 4");
    tree.rests[4] = rest;

    const double masses[8] = {1, 1, 1, -1, 1, 1, 1, 1};
    def = good;
    def.masses = masses;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "link 3");
}

static void refuses_roles_limits_and_partners_that_do_not_fit(void **state) {
    (void)state;
    static random_tree tree;
    fr_random random = fr_random_seed(2);
    fr_skeleton_def def = random_skeleton_def(&random, 4, &tree);
    tree.parents[1] = tree.parents[2] = 0;
    tree.parents[3] = 1;
    uint32_t roles[FR_LINK_COUNT];
    memset(roles, 0xff, sizeof roles);
    def.roles = roles;
    roles[7] = 4;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "role 7");
    roles[7] = roles[9] = 2;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "link 2 has two roles");
    def.roles = NULL;

    uint32_t partners[4] = {0, 2, 1, 9};
    def.partners = partners;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "link 3 has the partner 9");
    partners[3] = 2;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "link 3");
    partners[3] = 3;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "no partners");
    partners[3] = FR_NO_LINK;
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create(&def, &skeleton, NULL), FR_OK);
    fr_skeleton_release(skeleton);
    def.partners = NULL;

    fr_link_point points[FR_POINT_COUNT];
    memset(points, 0xff, sizeof points);
    def.points = points;
    points[2] = (fr_link_point){4, {0, 0, 0}};
    expect_refusal(&def, FR_ERROR_ARGUMENT, "point 2");
    points[2] = (fr_link_point){3, {0, NAN, 0}};
    expect_refusal(&def, FR_ERROR_NOT_FINITE, "point 2");
    def.points = NULL;

    fr_limit limits[4];
    memset(limits, 0, sizeof limits);
    def.limits = limits;
    limits[1].kind = (fr_limit_kind)9;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "link 1");
    limits[1].kind = FR_LIMIT_HINGE;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "link 1: axis 0");
    limits[1].axes[0] = fr_vec3_make(0, 1, 0);
    limits[1].min[0] = 0.5;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "range");
    limits[1].max[0] = NAN;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "range");
    limits[1] = (fr_limit){.kind = FR_LIMIT_AXES, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}}};
    expect_refusal(&def, FR_ERROR_ARGUMENT, "perpendicular");
    limits[1] = (fr_limit){.kind = FR_LIMIT_SWING, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .elevations = {4.0}};
    expect_refusal(&def, FR_ERROR_ARGUMENT, "elevation");
}

// The names of a capture's skeleton and of others, and who is whose partner.
static void finds_partners_by_names(void **state) {
    (void)state;
    const char *const names[] = {"Hips",  "LHipJoint", "LeftUpLeg", "RHipJoint", "RightUpLeg", "LowerBack", "l_hip",
                                 "r_hip", "Hand.L",    "Hand.R",    "LeftEnd",   "Tail",       "arm_l",     "arm_r"};
    const uint32_t parents[] = {FR_NO_LINK, 0, 1, 0, 3, 0, 5, 5, 6, 7, 2, 2, 0, 5};
    const uint32_t expected[] = {0, 3, 4, 1, 2, 5, 7, 6, 9, 8, FR_NO_LINK, FR_NO_LINK, FR_NO_LINK, FR_NO_LINK};
    fr_vec3 offsets[14];
    memset(offsets, 0, sizeof offsets);
    fr_skeleton_def def = fr_default_skeleton_def();
    def.link_count = 14;
    def.names = names;
    def.parents = parents;
    def.offsets = offsets;
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create(&def, &skeleton, NULL), FR_OK);
    for (uint32_t i = 0; i < 14; i++) {
        assert_int_equal(fr_skeleton_get(skeleton)->partners[i], expected[i]);
    }
    fr_skeleton_release(skeleton);
}

static void shares_by_references(void **state) {
    (void)state;
    static random_tree tree;
    fr_random random = fr_random_seed(3);
    fr_skeleton_def def = random_skeleton_def(&random, 5, &tree);
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create(&def, &skeleton, NULL), FR_OK);
    memset(tree.texts, 'x', sizeof tree.texts); // the names are copies
    assert_ptr_equal(fr_skeleton_retain(skeleton), skeleton);
    fr_skeleton_release(skeleton);
    assert_string_equal(fr_skeleton_get(skeleton)->names[4], "link_4");
    assert_int_equal(fr_skeleton_get(skeleton)->roles[0], FR_NO_LINK);
    fr_skeleton_release(skeleton);
    fr_skeleton_release(NULL);
}

static fr_status make_skeleton(const fr_allocator *allocator, void *context) {
    fr_skeleton_def def = *(const fr_skeleton_def *)context;
    def.allocator = *allocator;
    fr_skeleton *skeleton = NULL;
    fr_status status = fr_skeleton_create(&def, &skeleton, NULL);
    if (status == FR_OK) { test_note(fr_skeleton_get(skeleton)->uprights, def.link_count * sizeof(fr_quat)); }
    fr_skeleton_release(skeleton);
    return status;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    static random_tree tree;
    fr_random random = fr_random_seed(4);
    fr_skeleton_def def = random_skeleton_def(&random, FR_MAX_LINKS, &tree);
    assert_true(test_every_failure(make_skeleton, &def) >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_first_defect),
        cmocka_unit_test(refuses_roles_limits_and_partners_that_do_not_fit),
        cmocka_unit_test(finds_partners_by_names),
        cmocka_unit_test(shares_by_references),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
