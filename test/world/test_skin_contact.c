// A hand pushes a block against a walking body with bones: the faces of the deformed skin that collide over a step,
// against all instants of a dense sample, triangle by triangle, by arithmetic of its own.
#include "frame.h"
#include "worlds.h"

#include <math.h>
#include <stdlib.h>

enum { BONES = 5, MAX_VERTICES = 256, MAX_TRIANGLES = 256, INSTANTS = 512 };

// An edge goes through a face, for the sample, where it does so by this much; what only touches is not asked for.
#define CLEAR 1e-9

// ---------------------------------------------------------------------------------------------------------------
// A body and a block

typedef struct stage {
    fr_world *world;
    fr_mesh *body_mesh, *block_mesh;
    fr_skin *skin;
    fr_object_id body, block;
    fr_pose next_body;
    fr_pose bones[2][BONES]; // at the beginning and at the end of the step
} stage;

static uint32_t low_bone(double y, double *share) {
    double along = (y + 1.0) * 0.5 * (BONES - 1);
    uint32_t low = along < BONES - 2 ? (uint32_t)along : BONES - 2;
    *share = along - low;
    return low;
}

// A chain of bones along y in a sphere of radius 1: a vertex follows the two that are nearest.
static fr_skin *make_skin(const fr_mesh *mesh) {
    static const uint32_t parents[BONES] = {FR_NONE, 0, 1, 2, 3};
    uint32_t bones[2 * MAX_VERTICES];
    float weights[2 * MAX_VERTICES];
    double binds[12 * BONES] = {0.0};
    const fr_mesh_view *view = fr_mesh_get(mesh);
    assert_true(view->vertex_count <= MAX_VERTICES && view->triangle_count <= MAX_TRIANGLES);
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        double share;
        bones[2 * v] = low_bone((double)view->positions_float[3 * v + 1], &share);
        bones[2 * v + 1] = bones[2 * v] + 1;
        weights[2 * v] = 1.0f - (float)share;
        weights[2 * v + 1] = (float)share;
    }
    for (uint32_t b = 0; b < BONES; b++) {
        binds[12 * b] = binds[12 * b + 5] = binds[12 * b + 10] = 1.0;
        binds[12 * b + 7] = 1.0 - 0.5 * b;
    }
    fr_skin_def def = fr_default_skin_def();
    def.mesh = mesh;
    def.vertex_count = view->vertex_count;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = 2;
    def.bone_count = BONES;
    def.inverse_binds = binds;
    def.parents = parents;
    fr_skin *skin = NULL;
    assert_int_equal(fr_skin_create(&def, &skin, NULL), FR_OK);
    return skin;
}

static fr_status walk(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal;
    stage *s = user;
    fr_wish wish = {.object = s->body, .kind = FR_WISH_NEXT, .pose = s->next_body};
    fr_status status = fr_wishes_add(wishes, &wish, error);
    return status == FR_OK ? fr_wishes_bones(wishes, s->body, s->bones[1], BONES, error) : status;
}

static void open_stage(stage *s) {
    fr_world_def def = fr_default_world_def();
    def.sense = FR_SENSE_CONTINUOUS;
    def.want = FR_WANT_INTERVALS | FR_WANT_CONTACTS;
    assert_int_equal(fr_world_create(&def, &s->world, NULL), FR_OK);
    s->body_mesh = world_mesh("sphere_168");
    s->block_mesh = world_mesh("box");
    s->skin = make_skin(s->body_mesh);
    s->body = world_add(s->world, s->body_mesh, 0, 0, 0);
    s->block = world_add(s->world, s->block_mesh, 9, 0, 0);
    fr_space *space = fr_world_space(s->world);
    assert_int_equal(fr_object_set_skin(space, s->body, 0, s->skin, FR_SKIN_LINEAR, NULL), FR_OK);
    fr_corrector mover = {"walk", walk, s};
    assert_int_equal(fr_world_add_mover(s->world, &mover, NULL), FR_OK);
}

static void close_stage(stage *s) {
    fr_world_destroy(s->world);
    fr_skin_release(s->skin);
    fr_mesh_release(s->body_mesh);
    fr_mesh_release(s->block_mesh);
}

static fr_vec3 random_vector(fr_random *random, double size) {
    double x = fr_random_between(random, -size, size), y = fr_random_between(random, -size, size);
    return fr_vec3_make(x, y, fr_random_between(random, -size, size));
}

static void bend(fr_random *random, fr_pose bones[BONES], double size) {
    for (int b = 0; b < BONES; b++) {
        fr_pose local = fr_pose_make(fr_vec3_make(0.0, b == 0 ? -1.0 : 0.5, 0.0), fr_quat_identity());
        local.rotation = fr_quat_from_vector(random_vector(random, size));
        bones[b] = b == 0 ? local : fr_pose_compose(&bones[b - 1], &local);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The sample

// Where the vertices of the body are in the world, from its bones and the pose, by their definition.
static void place_skin(const stage *s, const fr_pose *pose, const fr_pose bones[BONES], fr_vec3 *out) {
    const fr_skin_view *skin = fr_skin_get(s->skin);
    const float *positions = fr_mesh_get(s->body_mesh)->positions_float;
    for (uint32_t v = 0; v < skin->vertex_count; v++) {
        fr_vec3 sum = {0.0, 0.0, 0.0};
        fr_vec3 p = {(double)positions[3 * v], (double)positions[3 * v + 1], (double)positions[3 * v + 2]};
        for (uint32_t k = 0; k < skin->influence_count; k++) {
            uint32_t bone = skin->bones[v * skin->influence_count + k];
            fr_vec3 own = {p.x, p.y + 1.0 - 0.5 * bone, p.z};
            fr_vec3 moved = fr_pose_apply(&bones[bone], own);
            sum = fr_vec3_add_scaled(sum, (double)skin->weights[v * skin->influence_count + k], moved);
        }
        out[v] = fr_pose_apply(pose, sum);
    }
}

// Whether the edge from p to q goes through a triangle, clear of rounding.
static bool goes_through(fr_vec3 p, fr_vec3 q, const fr_vec3 t[3]) {
    fr_vec3 normal = fr_vec3_cross(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0]));
    double below = fr_vec3_dot(normal, fr_vec3_sub(p, t[0])), above = fr_vec3_dot(normal, fr_vec3_sub(q, t[0]));
    if (!(below < -CLEAR && above > CLEAR) && !(below > CLEAR && above < -CLEAR)) { return false; }
    fr_vec3 at = fr_vec3_add_scaled(p, below / (below - above), fr_vec3_sub(q, p));
    for (int i = 0; i < 3; i++) {
        fr_vec3 edge = fr_vec3_sub(t[(i + 1) % 3], t[i]);
        if (!(fr_vec3_dot(normal, fr_vec3_cross(edge, fr_vec3_sub(at, t[i]))) > CLEAR)) { return false; }
    }
    return true;
}

static bool cross(const fr_vec3 a[3], const fr_vec3 b[3]) {
    fr_bounds box_a = fr_bounds_of_points(a, 3), box_b = fr_bounds_of_points(b, 3);
    if (!fr_bounds_overlap(&box_a, &box_b)) { return false; }
    for (int i = 0; i < 3; i++) {
        if (goes_through(a[i], a[(i + 1) % 3], b) || goes_through(b[i], b[(i + 1) % 3], a)) { return true; }
    }
    return false;
}

static void corners(const fr_mesh_view *mesh, uint32_t triangle, const fr_vec3 *vertices, fr_vec3 out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = vertices[mesh->triangles[3 * triangle + (uint32_t)i]];
    }
}

typedef struct sampled_step {
    bool met[MAX_TRIANGLES][12]; // triangles of the body and of the block
    uint32_t count;
} sampled_step;

static void sample_step(const stage *s, const fr_pose *body, const fr_motion *block, sampled_step *out) {
    static fr_vec3 begin[MAX_VERTICES], end[MAX_VERTICES], now[MAX_VERTICES];
    const fr_mesh_view *skin = fr_mesh_get(s->body_mesh), *box = fr_mesh_get(s->block_mesh);
    memset(out, 0, sizeof *out);
    place_skin(s, body, s->bones[0], begin);
    place_skin(s, &s->next_body, s->bones[1], end);
    for (int n = 0; n <= INSTANTS; n++) {
        double t = (double)n / INSTANTS;
        fr_vec3 held[8];
        assert_true(box->vertex_count == 8 && box->triangle_count == 12);
        for (uint32_t v = 0; v < skin->vertex_count; v++) {
            now[v] = fr_vec3_add_scaled(begin[v], t, fr_vec3_sub(end[v], begin[v]));
        }
        for (uint32_t v = 0; v < 8; v++) {
            const float *p = box->positions_float + (size_t)3 * v;
            held[v] = fr_motion_point(block, fr_vec3_make((double)p[0], (double)p[1], (double)p[2]), t);
        }
        for (uint32_t i = 0; i < skin->triangle_count; i++) {
            fr_vec3 a[3], b[3];
            corners(skin, i, now, a);
            for (uint32_t k = 0; k < 12; k++) {
                if (out->met[i][k]) { continue; }
                corners(box, k, held, b);
                out->met[i][k] = cross(a, b);
                out->count += out->met[i][k] ? 1 : 0;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

// Whether the faces of a pair blink: the list of touches of faces, which viewers are sent, has them in this tick.
static bool blinks(const fr_snapshot *snapshot, uint32_t body, uint32_t block) {
    for (size_t i = 0; i < snapshot->face_touch_count; i++) {
        const fr_face_touch *touch = &snapshot->face_touches[i];
        if (touch->triangle_a == body && touch->triangle_b == block && touch->pair != FR_NONE) { return true; }
    }
    return false;
}

static void compare_step(const stage *s, const fr_snapshot *snapshot, const sampled_step *sampled, uint64_t *found) {
    const fr_snapshot_step *step = &snapshot->step_result;
    static bool said[MAX_TRIANGLES][12];
    memset(said, 0, sizeof said);
    assert_true(s->body.index1 < s->block.index1 && (step->contacts != NULL || step->pair_count == 0));
    for (size_t i = 0; i < step->pair_count; i++) {
        const fr_face_pair *pair = &step->pairs[i];
        said[pair->triangle_a][pair->triangle_b] = true;
        assert_int_equal(step->contacts[i].triangle_a, pair->triangle_a);
        assert_int_equal(step->contacts[i].triangle_b, pair->triangle_b);
        assert_true(blinks(snapshot, pair->triangle_a, pair->triangle_b));
    }
    for (uint32_t i = 0; i < MAX_TRIANGLES; i++) {
        for (uint32_t k = 0; k < 12; k++) {
            if (sampled->met[i][k] && !said[i][k]) { fail_msg("faces %u and %u meet, and are not reported", i, k); }
        }
    }
    *found += step->pair_count;
}

// One step: the body walks and bends, the hand carries the block from beside it towards it.
static void take_step(stage *s, fr_random *random, sampled_step *sampled, uint64_t *found) {
    fr_space *space = fr_world_space(s->world);
    fr_pose body = fr_pose_make(random_vector(random, 3.0), fr_quat_from_vector(random_vector(random, 1.0)));
    s->next_body = body;
    s->next_body.position = fr_vec3_add(body.position, random_vector(random, 0.1));
    s->next_body.rotation = fr_quat_multiply(fr_quat_from_vector(random_vector(random, 0.1)), body.rotation);
    bend(random, s->bones[0], 0.4);
    bend(random, s->bones[1], 0.4);
    fr_vec3 aside = fr_vec3_unit(random_vector(random, 1.0), fr_vec3_make(1, 0, 0));
    fr_pose from = fr_pose_make(fr_vec3_add_scaled(body.position, fr_random_between(random, 1.2, 2.2), aside),
                                fr_quat_from_vector(random_vector(random, 2.0)));
    from.scale = fr_random_between(random, 0.2, 0.6);
    fr_pose to = from;
    to.position = fr_vec3_add_scaled(body.position, fr_random_between(random, 0.6, 1.4), aside);
    to.rotation = fr_quat_multiply(fr_quat_from_vector(random_vector(random, 0.5)), from.rotation);
    assert_int_equal(fr_object_set_pose(space, s->body, &body, NULL), FR_OK);
    assert_int_equal(fr_object_set_bones(space, s->body, s->bones[0], BONES, NULL), FR_OK);
    assert_int_equal(fr_object_set_pose(space, s->block, &from, NULL), FR_OK);
    assert_int_equal(fr_world_drag(s->world, s->block, &to, NULL), FR_OK);
    world_tick(s->world);
    const fr_object_view *block = fr_object_get(space, s->block), *skin = fr_object_get(space, s->body);
    assert_int_equal(fr_world_hold(s->world, s->block), FR_HOLD_HELD);
    assert_true(fr_vec3_equal(block->pose.position, to.position) &&
                fr_vec3_equal(skin->pose.position, s->next_body.position));
    fr_motion motion = fr_motion_between(&from, &to, fr_vec3_make(0, 0, 0));
    sample_step(s, &body, &motion, sampled);
    const fr_snapshot *snapshot = fr_world_snapshot(s->world);
    compare_step(s, snapshot, sampled, found);
    fr_snapshot_release(snapshot);
}

static void no_face_of_a_deformed_skin_is_missed(void **state) {
    (void)state;
    static stage s;
    static sampled_step sampled;
    open_stage(&s);
    fr_random random = fr_random_seed(24);
    uint64_t steps = test_count(30, 1000), found = 0, sampled_count = 0, met = 0;
    for (uint64_t i = 0; i < steps; i++) {
        take_step(&s, &random, &sampled, &found);
        sampled_count += sampled.count;
        met += sampled.count > 0 ? 1 : 0;
    }
    print_message(
        "%llu steps, %llu with contact: %llu pairs of faces, of which %llu cross in a sample of %d instants\n",
        (unsigned long long)steps, (unsigned long long)met, (unsigned long long)found,
        (unsigned long long)sampled_count, INSTANTS + 1);
    assert_true(met > steps / 2 && sampled_count > 20 * steps);
    // What is reported is not everything: at most a fifth more than the sample finds.
    assert_true(found < sampled_count + sampled_count / 5);
    close_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_face_of_a_deformed_skin_is_missed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
