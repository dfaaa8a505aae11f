// Concave parts that others designed in a hand: whatever it does, what is shown shares no point with anything.
#include "hands.h"

#include "fureai/model.h"

static const char *const files[] = {"angle_block.STL", "featuretype.STL", "idler_riser.STL", "octagonal_pocket.stl",
                                    "plate_holes.STL", "round.stl",       "torus.STL",       "tube.obj",
                                    "wallhole.obj"};

#define FILE_COUNT (sizeof files / sizeof files[0])
#define SIZE 0.15 // metres: the diagonal of each part

// The file's whole mesh about the middle of its bounds, as large as all others.
static fr_mesh *read_part(const char *name) {
    char below[200], path[1200];
    snprintf(below, sizeof below, "data/mesh-trimesh/%s", name);
    FILE *file = fopen(test_shared_path(below, path, sizeof path), "rb");
    if (file == NULL) { fail_msg("%s cannot be opened", path); }
    static char bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 0 && size < sizeof bytes);
    fr_model_read_input options = fr_default_model_read_input();
    options.name = name;
    fr_model *model;
    fr_mesh *mesh, *small;
    assert_int_equal(fr_model_read(bytes, size, &options, &model, NULL), FR_OK);
    assert_int_equal(fr_model_whole_mesh(model, NULL, &mesh, NULL), FR_OK);
    fr_model_destroy(model);

    const fr_mesh_view *view = fr_mesh_get(mesh);
    fr_vec3 middle = fr_vec3_lerp(view->bounds.min, view->bounds.max, 0.5);
    double scale = SIZE / fr_vec3_distance(view->bounds.min, view->bounds.max);
    float *positions = malloc(3 * sizeof(float) * view->vertex_count);
    assert_non_null(positions);
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        const float *p = view->positions_float + 3 * (size_t)i;
        positions[3 * (size_t)i] = (float)(scale * ((double)p[0] - middle.x));
        positions[3 * (size_t)i + 1] = (float)(scale * ((double)p[1] - middle.y));
        positions[3 * (size_t)i + 2] = (float)(scale * ((double)p[2] - middle.z));
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = positions;
    def.vertex_count = view->vertex_count;
    def.triangles = view->triangles;
    def.triangle_count = view->triangle_count;
    assert_int_equal(fr_mesh_create(&def, &small, NULL), FR_OK);
    free(positions);
    fr_mesh_release(mesh);
    return small;
}

typedef struct tally {
    uint64_t snaps, releases, blocked, frames;
} tally;

// One part among three others, the first of them upright.
static void drag_one(fr_mesh *const *parts, fr_random *random, tally *t) {
    scene s;
    open_scene(&s, fr_vec3_make(0.0, 0.5, 0.0));
    assert_int_equal(fr_object_remove(s.space, s.held, NULL), FR_OK);
    const fr_mesh *held = parts[fr_random_below(random, FILE_COUNT)];
    s.held = add_mesh(&s, held, &s.raw);
    for (int k = 0; k < 3; k++) {
        fr_pose pose = random_pose(random, 0.15, 3.0);
        if (k == 0) { pose.rotation = fr_quat_identity(); }
        s.others[s.other_count++] = add_mesh(&s, parts[fr_random_below(random, FILE_COUNT)], &pose);
    }
    fr_aid_def def = random_def(random);
    grasp(&s, &def);
    for (int k = 0; k < 40; k++) {
        wander(&s, random, 0.25);
        frame(&s);
        assert_int_equal(crossings(&s, held), 0);
        t->blocked += s.out.is_blocked;
        t->frames++;
    }
    t->snaps += s.snaps;
    t->releases += s.releases;
    close_scene(&s);
}

static void test_random_drags_of_designed_parts_go_into_nothing(void **state) {
    (void)state;
    fr_mesh *parts[FILE_COUNT];
    for (size_t i = 0; i < FILE_COUNT; i++) {
        parts[i] = read_part(files[i]);
    }
    tally t = {0};
    uint64_t drags = test_count(12, 20000);
    for (uint64_t i = 0; i < drags; i++) {
        fr_random random = fr_random_seed(1000 + i);
        drag_one(parts, &random, &t);
    }
    printf("%llu frames, %llu snaps, %llu releases, %llu blocked\n", (unsigned long long)t.frames,
           (unsigned long long)t.snaps, (unsigned long long)t.releases, (unsigned long long)t.blocked);
    assert_true(t.snaps > 0 && t.releases > 0 && t.blocked > 0);
    for (size_t i = 0; i < FILE_COUNT; i++) {
        fr_mesh_release(parts[i]);
    }
}

int main(void) {
    test_shared_folder();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_drags_of_designed_parts_go_into_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
