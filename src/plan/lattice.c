// Mode C: from the start to the lattice, over it, and to the goal. Where nothing is found and finer steps are allowed,
// the same again with half the angle, half the cells, and both.
#include "plan/lattice.h"

#include <string.h>

#define CELLS_COOKIE 0x506c4365u

fr_plan_cells_input fr_default_plan_cells_input(void) {
    return (fr_plan_cells_input){.is_goal_turn_any = true, .weight = 2.0, .turn_cost = 3.0, .cookie = CELLS_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// Places and states

fr_plan_place fr__plan_tidy_place(int dimension, fr_plan_place p) {
    if (dimension == 2) {
        p.position.z = p.turn_deg.x = p.turn_deg.y = 0.0;
        return p;
    }
    double y = fmod(p.turn_deg.y, 360.0);
    y = y > 180.0 ? y - 360.0 : y < -180.0 ? y + 360.0 : y;
    if (fabs(y) > 90.0) {
        p.turn_deg.x += 180.0;
        p.turn_deg.z += 180.0;
        y = y > 0.0 ? 180.0 - y : -180.0 - y;
    }
    p.turn_deg.y = y;
    return p;
}

fr_plan_place fr__plan_step_place(const fr__plan_bits *bits, const fr_plan_robot *robot, fr__plan_step step) {
    int32_t at[3];
    fr__plan_cell_at(bits, step.cell, at);
    fr_plan_place place = {{(double)at[0] + 0.5, (double)at[1] + 0.5, (double)at[2] + 0.5},
                           fr__plan_orientation_turn(robot, step.orientation)};
    if (robot->dimension == 2) { place.position.z = 0.0; }
    return place;
}

// The cell of a position, and for i = 1 .. 7 those beside it on the sides it is nearer to. False where it is outside,
// or where an axis has no nearer side.
static bool cell_near(const fr__plan_bits *bits, int dimension, fr_vec3 position, int i, int32_t at[3]) {
    const double p[3] = {position.x, position.y, position.z};
    at[2] = 0;
    for (int a = 0; a < dimension; a++) {
        double cell = floor(p[a]), from_middle = p[a] - cell - 0.5;
        if ((i >> a & 1) != 0) {
            if (from_middle == 0.0) { return false; }
            cell += from_middle > 0.0 ? 1.0 : -1.0;
        }
        if (!(cell >= 0.0 && cell < (double)bits->size)) { return false; }
        at[a] = (int32_t)cell;
    }
    return (i >> dimension) == 0;
}

fr__plan_proof fr__plan_enter(const fr__plan_bits *bits, const fr_plan_robot *robot, const fr_plan_place *start,
                              fr__plan_step *out, fr__plan_place_array *places) {
    bool is_exact;
    uint32_t nearest = fr__plan_orientation_near(robot, start->turn_deg, &is_exact);
    for (int turn = -1; turn < 6; turn++) {
        uint32_t orientation = turn < 0 ? nearest : robot->next[nearest][turn];
        if (orientation == FR__PLAN_NONE || (is_exact && turn >= 0)) { continue; }
        for (int i = 0; i < 8; i++) {
            int32_t at[3];
            if (!cell_near(bits, robot->dimension, start->position, i, at)) { continue; }
            *out = (fr__plan_step){fr__plan_cell_number(bits, at), orientation};
            fr_plan_place place = fr__plan_step_place(bits, robot, *out);
            if (is_exact) { place.turn_deg = start->turn_deg; }
            fr__plan_proof proof = fr__plan_connect(bits, robot, start, &place, places);
            if (proof != FR__PLAN_NOT_FREE) { return proof; }
        }
    }
    return FR__PLAN_NOT_FREE;
}

// ---------------------------------------------------------------------------------------------------------------
// One level: cells and steps of one size

typedef struct level {
    const fr_plan_cells_input *input;
    fr_allocator allocator;
    fr__plan_bits bits;
    uint64_t *words; // of bits of our own; NULL: the world's
    size_t word_count;
    const fr_plan_robot *robot;
    double scale; // cells of the level in one of the world
    fr_plan_place start, goal;
    uint32_t goal_orientation; // nearest to the goal's turn
    bool is_goal_exact;        // the goal's turn is that one
    fr__plan_step entry;       // the state of the lattice that is entered
    int32_t goal_at[3];
    fr__plan_place_array head, tail; // fr_plan_place: from the start to the lattice, and from the lattice to the goal
    bool has_failed;                 // no memory for a proof
} level;

// Whether a state in the goal's cell leads to the goal.
static bool reaches_goal(uint32_t orientation, void *context) {
    level *l = context;
    fr_plan_place goal = l->goal;
    fr__plan_step step = {fr__plan_cell_number(&l->bits, l->goal_at), orientation};
    fr_plan_place place = fr__plan_step_place(&l->bits, l->robot, step);
    if (l->input->is_goal_turn_any) {
        goal.turn_deg = place.turn_deg;
    } else if (l->is_goal_exact) {
        if (!fr__plan_orientation_equal(l->robot, orientation, l->goal_orientation)) { return false; }
        goal.turn_deg = place.turn_deg;
    } else {
        bool is_near = orientation == l->goal_orientation;
        for (int k = 0; k < 6; k++) {
            is_near = is_near || l->robot->next[l->goal_orientation][k] == orientation;
        }
        if (!is_near) { return false; }
    }
    l->tail.count = 0;
    fr__plan_proof proof = fr__plan_connect(&l->bits, l->robot, &place, &goal, &l->tail);
    l->has_failed = l->has_failed || proof == FR__PLAN_PROOF_NO_MEMORY;
    return proof == FR__PLAN_FREE;
}

// Every cell of the world as eight, in the plane four.
static bool halve_cells(level *l) {
    fr__plan_bits from = l->bits, to = {NULL, 2 * from.size, from.layers == 1 ? 1 : 2 * from.layers, 0};
    to.row_words = (to.size + 63) / 64;
    l->word_count = (size_t)to.layers * to.size * to.row_words;
    l->words = fr_allocate(&l->allocator, l->word_count, sizeof *l->words, 64);
    if (l->words == NULL) { return false; }
    memset(l->words, 0, l->word_count * sizeof *l->words);
    uint32_t thick = from.layers == 1 ? 1 : 2;
    for (uint32_t row = 0; row < from.layers * from.size; row++) {
        uint32_t y = row % from.size, z = row / from.size;
        uint64_t *wide = l->words + ((size_t)(z * thick) * to.size + 2 * (size_t)y) * to.row_words;
        for (uint32_t x = 0; x < from.size; x++) {
            if ((from.words[(size_t)row * from.row_words + x / 64] >> (x % 64) & 1) != 0) {
                wide[2 * x / 64] |= (uint64_t)3 << 2 * x % 64;
            }
        }
        size_t bytes = to.row_words * sizeof *wide, layer = (size_t)to.size * to.row_words;
        memcpy(wide + to.row_words, wide, bytes);
        if (thick == 2) { memcpy(wide + layer, wide, 2 * bytes); }
    }
    to.words = l->words;
    l->bits = to;
    return true;
}

fr__plan_outcome fr__plan_distances(fr__plan_poses *poses, const int32_t goal[3], uint32_t *out) {
    const fr__plan_mask *core = poses->robot->core;
    uint64_t *grown = fr_allocate(&poses->allocator, poses->word_count, sizeof *grown, 64);
    if (grown == NULL) { return FR__PLAN_NO_MEMORY; }
    fr__plan_bits bits = poses->bits;
    bits.words = grown;
    bool is_made = true;
    if (core->row_count == 0) {
        memset(grown, 0, poses->word_count * sizeof *grown);
    } else {
        is_made = fr__plan_slice_make(poses, core, grown);
    }
    is_made = is_made && fr__plan_wavefront_over(bits, goal, &poses->allocator, out);
    fr_deallocate(&poses->allocator, grown, poses->word_count, sizeof *grown);
    return is_made ? FR__PLAN_FOUND : FR__PLAN_NO_MEMORY;
}

// field_cost times the potential (Kitamura eqs. 4.2 to 4.4) at the middle of the world's cell that each cell is in;
// NULL without memory.
static float *make_field(const level *l) {
    fr_plan_field_def def = fr_default_plan_field_def();
    def.allocator = l->allocator;
    uint32_t size = l->bits.size, layers = l->bits.layers, by = (uint32_t)l->scale;
    float *out = fr_allocate(&l->allocator, (size_t)size * size * layers, sizeof *out, 64);
    fr_plan_field *field = NULL;
    if (out == NULL || fr_plan_field_create(&def, l->input->world, &field, NULL) != FR_OK) {
        fr_deallocate(&l->allocator, out, (size_t)size * size * layers, sizeof *out);
        return NULL;
    }
    for (uint32_t row = 0; row < size * layers; row++) {
        const uint16_t *g = fr_plan_field_row(field, row % size / by, row / size / (layers == 1 ? 1 : by));
        for (uint32_t x = 0; x < size; x++) {
            double p = g[x / by] == FR_PLAN_G_NONE ? 0.0 : def.pmax / (1.0 + (double)g[x / by]);
            out[(size_t)row * size + x] = (float)(l->input->field_cost * p);
        }
    }
    fr_plan_field_destroy(field);
    return out;
}

// Searches for each cell by the goal in turn, its own first.
static fr__plan_outcome search_level(level *l, fr__plan_search *s, fr_cell_path *out) {
    fr__plan_outcome outcome = FR__PLAN_NO_PATH;
    int32_t start[3];
    fr__plan_cell_at(&l->bits, l->entry.cell, start);
    for (int i = 0; i < 8 && outcome == FR__PLAN_NO_PATH; i++) {
        if (!cell_near(&l->bits, l->robot->dimension, l->goal.position, i, l->goal_at)) { continue; }
        fr__plan_wave wave;
        if (!fr__plan_wave_make(s->poses, l->goal_at, start, s->weight < FR__PLAN_WHOLE_WEIGHT, &wave)) {
            return FR__PLAN_NO_MEMORY;
        }
        s->wave = &wave;
        outcome = fr__plan_search_run(s, l->entry);
        if (l->has_failed) { outcome = FR__PLAN_NO_MEMORY; }
        out->expanded += s->expanded;
        if (s->budget != 0) { s->budget = s->expanded < s->budget ? s->budget - s->expanded : 1; }
        uint64_t bytes = fr__plan_search_bytes(s) + s->poses->slice_bytes + wave.block_words * sizeof(uint64_t);
        out->best_bytes = bytes > out->best_bytes ? bytes : out->best_bytes;
        fr__plan_wave_free(&wave, &l->allocator);
    }
    return outcome;
}

// ---------------------------------------------------------------------------------------------------------------
// The path

static void add_state(fr_cell_path *path, fr_plan_place place, double scale) {
    place.position = fr_vec3_scale(1.0 / scale, place.position);
    if (path->state_count > 0) {
        const fr_plan_place *last = &path->states[path->state_count - 1].place;
        path->length += fr_vec3_distance(last->position, place.position);
        path->turns += !fr_vec3_equal(last->turn_deg, place.turn_deg);
    }
    path->states[path->state_count] = (fr_plan_state){place, path->state_count};
    path->state_count++;
}

// All places of a path: start, head, steps and tail. The first step is the start itself or the last place of the head.
static bool list_places(const level *l, const fr__plan_search *s, bool has_tail, fr__plan_place_array *out) {
    const fr__plan_step *steps = s->steps.data;
    size_t count = l->head.count + s->steps.count + (has_tail ? l->tail.count : 0);
    fr_plan_place *places = fr__plan_place_array_push(out, count);
    if (places == NULL) { return false; }
    *places++ = l->start;
    for (size_t i = 0; i < l->head.count; i++) {
        *places++ = l->head.data[i];
    }
    for (size_t i = 1; i < s->steps.count; i++) {
        *places++ = fr__plan_step_place(&l->bits, l->robot, steps[i]);
    }
    for (size_t i = 0; has_tail && i < l->tail.count; i++) {
        *places++ = l->tail.data[i];
    }
    return true;
}

static bool write_path(const level *l, fr__plan_search *s, bool has_tail, fr_cell_path *out) {
    fr__plan_place_array list = fr__plan_place_array_make(&l->allocator);
    if (l->input->is_shortened) { fr__plan_search_shorten(s); }
    bool is_made = !s->poses->has_failed && list_places(l, s, has_tail, &list);
    if (is_made) {
        out->states = fr_allocate(&l->allocator, list.count, sizeof *out->states, _Alignof(fr_plan_state));
        is_made = out->states != NULL;
    }
    for (size_t i = 0; is_made && i < list.count; i++) {
        add_state(out, list.data[i], l->scale);
    }
    fr__plan_place_array_destroy(&list);
    return is_made;
}

static fr__plan_outcome run_level(level *l, fr_cell_path *out) {
    fr__plan_outcome outcome = FR__PLAN_NO_MEMORY;
    fr__plan_search s = fr__plan_search_make(&l->allocator);
    fr__plan_poses poses;
    size_t cells = (size_t)l->bits.size * l->bits.size * l->bits.layers;
    float *field = NULL;
    bool is_ready = fr__plan_poses_make(&l->bits, l->robot, &l->allocator, &poses);
    if (is_ready && l->input->field_cost > 0.0) {
        field = make_field(l);
        is_ready = field != NULL;
        if (!is_ready) { fr__plan_poses_free(&poses); }
    }
    if (is_ready) {
        s.poses = &poses;
        s.field = field;
        s.weight = l->input->weight;
        s.turn_cost = l->input->turn_cost;
        s.budget = l->input->budget;
        s.control = l->input->control;
        s.is_goal = reaches_goal;
        s.goal_context = l;
        outcome = search_level(l, &s, out);
        bool is_kept = outcome == FR__PLAN_FOUND || outcome == FR__PLAN_STOPPED;
        if (is_kept && !write_path(l, &s, outcome == FR__PLAN_FOUND, out)) { outcome = FR__PLAN_NO_MEMORY; }
        out->tested += poses.tested;
        fr__plan_poses_free(&poses);
    }
    fr_deallocate(&l->allocator, field, cells, sizeof *field);
    fr__plan_search_free(&s);
    return outcome;
}

// Start and goal are known to be free. NO_PATH also where the lattice cannot be entered.
static fr__plan_outcome try_level(const fr_plan_cells_input *input, uint32_t finer, fr_cell_path *out) {
    level l = {.input = input,
               .allocator = fr_allocator_or_default(&input->allocator),
               .bits = fr__plan_world_bits(input->world),
               .robot = fr__plan_robot_finer(input->robot, finer),
               .scale = (finer & FR__PLAN_FINER_CELLS) != 0 ? 2.0 : 1.0};
    if (l.robot == NULL || (l.scale > 1.0 && !halve_cells(&l))) { return FR__PLAN_NO_MEMORY; }
    l.head = fr__plan_place_array_make(&l.allocator);
    l.tail = fr__plan_place_array_make(&l.allocator);
    l.start = fr__plan_tidy_place(l.robot->dimension, input->start);
    l.goal = fr__plan_tidy_place(l.robot->dimension, input->goal);
    l.start.position = fr_vec3_scale(l.scale, l.start.position);
    l.goal.position = fr_vec3_scale(l.scale, l.goal.position);
    if (!input->is_goal_turn_any) {
        l.goal_orientation = fr__plan_orientation_near(l.robot, l.goal.turn_deg, &l.is_goal_exact);
    }
    fr__plan_outcome outcome = FR__PLAN_NO_PATH;
    fr__plan_proof proof = fr__plan_enter(&l.bits, l.robot, &l.start, &l.entry, &l.head);
    if (proof == FR__PLAN_PROOF_NO_MEMORY) { outcome = FR__PLAN_NO_MEMORY; }
    if (proof == FR__PLAN_FREE) { outcome = run_level(&l, out); }
    fr__plan_place_array_destroy(&l.head);
    fr__plan_place_array_destroy(&l.tail);
    fr_deallocate(&l.allocator, l.words, l.word_count, sizeof *l.words);
    return outcome;
}

fr_status fr_plan_cells(const fr_plan_cells_input *input, fr_cell_path *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    if (input->cookie != CELLS_COOKIE) { return fr_error_set_cookie(error, "fr_default_plan_cells_input"); }
    fr_status status = fr__plan_check_query(input, error);
    if (status != FR_OK) { return status; }
    out->allocator = fr_allocator_or_default(&input->allocator);
    fr__plan_outcome outcome = FR__PLAN_NO_PATH;
    for (uint32_t finer = 0; finer < 4 && outcome == FR__PLAN_NO_PATH; finer++) {
        bool is_wanted = ((finer & FR__PLAN_FINER_TURN) == 0 || input->is_finer_turn) &&
                         ((finer & FR__PLAN_FINER_CELLS) == 0 || input->is_finer_cells);
        if (is_wanted) { outcome = try_level(input, finer, out); }
    }
    if (outcome == FR__PLAN_NO_MEMORY) {
        fr_cell_path_destroy(out);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a search of cells");
    }
    out->is_found = outcome == FR__PLAN_FOUND;
    out->is_checked = out->state_count > 0;
    out->is_exhausted = outcome == FR__PLAN_NO_PATH;
    return FR_OK;
}
