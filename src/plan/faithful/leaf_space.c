// The states that Kitamura's planner searches: a white leaf and an orientation.
#include "plan/faithful/leaf_space.h"

#include <string.h>

fr_leaf_input fr_default_leaf_input(void) {
    fr_leaf_input in;
    memset(&in, 0, sizeof in);
    in.alpha_deg = 30.0;
    in.threshold = (double)INFINITY;
    in.pmax = 100.0;
    in.attraction = 1.0;
    return in;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status make_field(fr_leaf_space *s, fr_error *error) {
    fr_plan_field_def def = fr_default_plan_field_def();
    def.pmax = s->input.pmax;
    def.attraction = s->input.attraction;
    def.allocator = s->input.allocator;
    fr_status status = fr_plan_field_create(&def, s->input.world, &s->field, error);
    if (status == FR_OK && fr_plan_field_set_goal(s->field, s->input.goal.position, NULL) != FR_OK) {
        status = fr_error_set(error, FR_ERROR_NOT_FINITE, "the goal has a number that is not finite");
    }
    return status;
}

fr_status fr_leaf_space_make(const fr_leaf_input *input, fr_leaf_space *s, fr_error *error) {
    memset(s, 0, sizeof *s);
    s->input = *input;
    s->input.allocator = fr_allocator_or_default(&input->allocator);
    s->graph = fr_white_graph_empty(&s->input.allocator);
    s->states = fr_leaf_state_array_make(&s->input.allocator);
    s->buckets = fr_uint32_array_make(&s->input.allocator);
    double steps = 360.0 / input->alpha_deg;
    if (!(steps >= 1.0 && steps <= 360.0) || steps != floor(steps)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a turn of %g degrees does not divide 360", input->alpha_deg);
    }
    s->steps = (uint32_t)steps;
    fr_status status = make_field(s, error);
    if (status == FR_OK) {
        status = fr_leaf_robot_make(input->world, &input->robot, &s->input.allocator, &s->robot, error);
    }
    if (status == FR_OK) { status = fr_leaf_space_update(s, error); }
    if (status != FR_OK) { fr_leaf_space_free(s); }
    return status;
}

void fr_leaf_space_free(fr_leaf_space *s) {
    fr_plan_field_destroy(s->field);
    s->field = NULL;
    fr_leaf_robot_free(&s->robot);
    fr_white_graph_free(&s->graph);
    fr_leaf_state_array_destroy(&s->states);
    fr_uint32_array_destroy(&s->buckets);
}

fr_status fr_leaf_space_update(fr_leaf_space *s, fr_error *error) {
    fr_status status = fr_plan_field_update(s->field, s->input.world, false, error);
    if (status == FR_OK) { status = fr_plan_field_sum_up(s->field, error); }
    if (status == FR_OK) { status = fr_white_graph_make(&s->graph, fr_plan_world_octree(s->input.world), error); }
    if (status != FR_OK) { return status; }
    s->states.count = s->buckets.count = 0;
    size_t count = 64;
    while (count < 4 * s->graph.leaves.count) {
        count *= 2;
    }
    uint32_t *buckets = fr_uint32_array_push(&s->buckets, count);
    if (buckets == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the states of a search"); }
    memset(buckets, 0xff, count * sizeof *buckets);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// States

uint32_t fr_leaf_space_find(fr_leaf_space *s, uint32_t leaf, uint32_t orientation) {
    uint64_t mixed = ((uint64_t)orientation << 32 | leaf) * 0x9e3779b97f4a7c15u;
    uint32_t *bucket = s->buckets.data + (mixed >> 32 & (s->buckets.count - 1));
    for (uint32_t i = *bucket; i != FR_WHITE_NONE; i = fr_leaf_state_at(s, i)->next) {
        if (fr_leaf_state_at(s, i)->leaf == leaf && fr_leaf_state_at(s, i)->orientation == orientation) { return i; }
    }
    fr_leaf_state *state = fr_leaf_state_array_push(&s->states, 1);
    if (state == NULL) { return FR_WHITE_NONE; }
    *state = (fr_leaf_state){leaf, orientation, 0, *bucket, 0.0, 0.0};
    *bucket = (uint32_t)s->states.count - 1;
    return *bucket;
}

fr_vec3 fr_leaf_space_turn(const fr_leaf_space *s, uint32_t orientation) {
    uint32_t n = s->steps;
    fr_vec3 turn = s->input.start.turn_deg;
    turn.z = fmod(turn.z + s->input.alpha_deg * (double)(orientation % n), 360.0);
    turn.y = fmod(turn.y + s->input.alpha_deg * (double)(orientation / n % n), 360.0);
    turn.x = fmod(turn.x + s->input.alpha_deg * (double)(orientation / n / n), 360.0);
    return turn;
}

uint32_t fr_leaf_space_turned(const fr_leaf_space *s, uint32_t orientation, int axis, uint32_t steps) {
    uint32_t n = s->steps, place = axis == 2 ? 1 : axis == 1 ? n : n * n, digit = orientation / place % n;
    return orientation - digit * place + (digit + steps) % n * place;
}

fr_plan_place fr_leaf_space_place(const fr_leaf_space *s, uint32_t leaf, uint32_t orientation) {
    return (fr_plan_place){fr_white_center(&s->graph, leaf), fr_leaf_space_turn(s, orientation)};
}

fr_status fr_leaf_space_try(fr_leaf_space *s, uint32_t state, bool *is_free, fr_error *error) {
    fr_leaf_state *at = fr_leaf_state_at(s, state);
    if ((at->flags & (FR_LEAF_FREE | FR_LEAF_HIT)) == 0) {
        fr_plan_place place = fr_leaf_space_place(s, at->leaf, at->orientation);
        fr_status status = fr_leaf_robot_try(&s->robot, s->input.world, &place, is_free, error);
        if (status != FR_OK) { return status; }
        at->flags |= *is_free ? FR_LEAF_FREE : FR_LEAF_HIT;
        if (*is_free) { fr_leaf_robot_evaluate(&s->robot, s->field, &at->evaluation, &at->mean); }
    }
    *is_free = (at->flags & FR_LEAF_FREE) != 0;
    return FR_OK;
}

double fr_leaf_space_key(const fr_leaf_space *s, uint32_t state) {
    const fr_leaf_state *at = fr_leaf_state_at(s, state);
    if (s->input.key == FR_LEAF_EVALUATION) { return at->mean; }
    fr_plan_box box = fr_white_box(&s->graph, at->leaf);
    double sum;
    fr_status status = fr_plan_field_box(s->field, &box, &sum, NULL);
    FR_ASSERT(status == FR_OK);
    (void)status;
    double edge = box.high[0] - box.low[0];
    return sum / (s->graph.dimension == 3 ? edge * edge * edge : edge * edge);
}

// ---------------------------------------------------------------------------------------------------------------
// Paths

fr_status fr_leaf_space_go(fr_leaf_space *s, const fr_plan_place *from, const fr_plan_place *to, bool *is_free,
                           fr_error *error) {
    *is_free = true;
    if (!s->input.is_swept) { return FR_OK; }
    s->sweeps++;
    return fr_leaf_robot_sweep(&s->robot, s->input.world, from, to, is_free, error);
}

fr_status fr_leaf_space_cross(fr_leaf_space *s, const fr_plan_place *from, uint32_t leaf, uint32_t to_leaf,
                              bool *is_free, fr_error *error) {
    fr_plan_place face = {fr_white_shared_face(&s->graph, leaf, to_leaf), from->turn_deg};
    fr_plan_place to = {fr_white_center(&s->graph, to_leaf), from->turn_deg};
    fr_status status = fr_leaf_space_go(s, from, &face, is_free, error);
    if (status == FR_OK && *is_free) { status = fr_leaf_space_go(s, &face, &to, is_free, error); }
    return status;
}

// Looks at one orientation; *best becomes it where it is better and may be turned to.
static fr_status look_at_turn(fr_leaf_space *s, uint32_t state, const fr_plan_place *from, uint32_t orientation,
                              uint32_t *best, fr_error *error) {
    uint32_t other = fr_leaf_space_find(s, fr_leaf_state_at(s, state)->leaf, orientation);
    if (other == FR_WHITE_NONE) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a search"); }
    if ((fr_leaf_state_at(s, other)->flags & FR_LEAF_VISITED) != 0) { return FR_OK; }
    bool is_free;
    fr_status status = fr_leaf_space_try(s, other, &is_free, error);
    if (status != FR_OK || !is_free) { return status; }
    double e = fr_leaf_state_at(s, other)->evaluation;
    bool is_better = *best == FR_WHITE_NONE || e < fr_leaf_state_at(s, *best)->evaluation;
    if (!is_better || e > s->input.threshold) { return FR_OK; }
    fr_plan_place to = fr_leaf_space_place(s, fr_leaf_state_at(s, other)->leaf, orientation);
    status = fr_leaf_space_go(s, from, &to, &is_free, error);
    if (status == FR_OK && is_free) { *best = other; }
    return status;
}

fr_status fr_leaf_space_best_turn(fr_leaf_space *s, uint32_t state, const fr_plan_place *from, uint32_t *best,
                                  fr_error *error) {
    *best = FR_WHITE_NONE;
    fr_status status = FR_OK;
    for (int axis = s->graph.dimension == 3 ? 0 : 2; axis < 3; axis++) {
        for (uint32_t k = 1; k < s->steps && status == FR_OK; k++) {
            uint32_t orientation = fr_leaf_space_turned(s, fr_leaf_state_at(s, state)->orientation, axis, k);
            status = look_at_turn(s, state, from, orientation, best, error);
        }
    }
    return status;
}
