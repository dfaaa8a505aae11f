// The checker of paths of cells. It knows nothing of masks and searches: at every sample each box of the robot is put
// where it is and compared with each black cell about it, by the separating axes of two boxes.
#include "plan/world.h"

#define CHECK_COOKIE 0x506c4368u
#define TOLERANCE 1e-6 // of the world's size
#define STOP_SAMPLES 64

typedef struct checker {
    const fr_plan_world *world;
    const fr_plan_shape *shape;
    int dimension;
    int32_t size;
    double tolerance; // cells
} checker;

// A box of the robot where it is: centre, axes, half its edges.
typedef struct placed_box {
    double center[3], axis[3][3], half[3];
} placed_box;

fr_plan_check_input fr_default_plan_check_input(void) {
    return (fr_plan_check_input){.spacing = 0.25, .cookie = CHECK_COOKIE};
}

static double dot(const double a[3], const double b[3]) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }

static placed_box place_box(const checker *c, const fr_plan_box *box, const fr_plan_place *place) {
    fr_vec3 turn = place->turn_deg, position = place->position, pivot = c->shape->pivot;
    if (c->dimension == 2) {
        turn.x = turn.y = 0.0;
        pivot.z = position.z = 0.5;
    }
    fr_mat3 m = fr__plan_rotation(turn);
    const double at[3] = {position.x, position.y, position.z}, about[3] = {pivot.x, pivot.y, pivot.z};
    double middle[3];
    placed_box b;
    for (int a = 0; a < 3; a++) {
        bool is_flat = c->dimension == 2 && a == 2;
        double low = is_flat ? 0.0 : (double)box->low[a], high = is_flat ? 1.0 : (double)box->high[a];
        middle[a] = 0.5 * (low + high) - about[a];
        b.half[a] = 0.5 * (high - low);
    }
    for (int a = 0; a < 3; a++) {
        const double row[3] = {m.row[a].x, m.row[a].y, m.row[a].z};
        b.center[a] = at[a] + dot(row, middle);
        for (int k = 0; k < 3; k++) {
            b.axis[k][a] = row[k];
        }
    }
    return b;
}

// How far box and cell are one in the other along an axis of any length; infinite where it is too short to decide.
static double depth_along(const placed_box *b, const double to_cell[3], const double axis[3]) {
    double length = sqrt(dot(axis, axis));
    if (length < 1e-9) { return INFINITY; }
    double reach = 0.5 * ((fabs(axis[0]) + fabs(axis[1])) + fabs(axis[2]));
    for (int k = 0; k < 3; k++) {
        reach += b->half[k] * fabs(dot(axis, b->axis[k]));
    }
    return (reach - fabs(dot(axis, to_cell))) / length;
}

static double depth_in_cell(const placed_box *b, const int32_t cell[3]) {
    static const double unit[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double to_cell[3], min = INFINITY;
    for (int a = 0; a < 3; a++) {
        to_cell[a] = (double)cell[a] + 0.5 - b->center[a];
    }
    for (int k = 0; k < 15 && min > 0.0; k++) {
        double cross[3];
        const double *axis = k < 3 ? unit[k] : k < 6 ? b->axis[k - 3] : cross;
        if (k >= 6) {
            const double *u = unit[(k - 6) / 3], *v = b->axis[(k - 6) % 3];
            cross[0] = u[1] * v[2] - u[2] * v[1];
            cross[1] = u[2] * v[0] - u[0] * v[2];
            cross[2] = u[0] * v[1] - u[1] * v[0];
        }
        double depth = depth_along(b, to_cell, axis);
        min = depth < min ? depth : min;
    }
    return min;
}

// How far a box reaches on each axis, and whether that is out of the world; then the cell outside it.
static bool leaves_world(const checker *c, const placed_box *b, double reach[3], fr_plan_check_output *out) {
    for (int a = 0; a < 3; a++) {
        reach[a] =
            (b->half[0] * fabs(b->axis[0][a]) + b->half[1] * fabs(b->axis[1][a])) + b->half[2] * fabs(b->axis[2][a]);
    }
    for (int a = 0; a < c->dimension; a++) {
        double below = reach[a] - b->center[a], above = b->center[a] + reach[a] - (double)c->size;
        if (below <= c->tolerance && above <= c->tolerance) { continue; }
        for (int k = 0; k < 3; k++) {
            out->cell[k] = (int32_t)floor(b->center[k]);
        }
        out->cell[a] = below > above ? -1 : c->size;
        out->depth = below > above ? below : above;
        return true;
    }
    return false;
}

// Whether a box is in no black cell, or the first it is in.
static bool is_box_free(const checker *c, const placed_box *b, fr_plan_check_output *out) {
    double reach[3];
    if (leaves_world(c, b, reach, out)) { return false; }
    int32_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int a = 0; a < c->dimension; a++) {
        int32_t from = (int32_t)floor(b->center[a] - reach[a]), to = (int32_t)floor(b->center[a] + reach[a]);
        low[a] = from > 0 ? from : 0;
        high[a] = to < c->size ? to : c->size - 1;
    }
    for (int32_t z = low[2]; z <= high[2]; z++) {
        for (int32_t y = low[1]; y <= high[1]; y++) {
            for (int32_t x = low[0]; x <= high[0]; x++) {
                if (!fr_plan_world_is_black(c->world, x, y, z)) { continue; }
                const int32_t cell[3] = {x, y, z};
                double depth = depth_in_cell(b, cell);
                if (depth <= c->tolerance) { continue; }
                for (int a = 0; a < 3; a++) {
                    out->cell[a] = cell[a];
                }
                out->depth = depth;
                return false;
            }
        }
    }
    return true;
}

static bool is_place_free(const checker *c, const fr_plan_place *place, fr_plan_check_output *out) {
    for (uint32_t i = 0; i < c->shape->box_count; i++) {
        const fr_plan_box *box = &c->shape->boxes[i];
        bool is_empty = box->low[0] >= box->high[0] || box->low[1] >= box->high[1] ||
                        (c->dimension == 3 && box->low[2] >= box->high[2]);
        if (is_empty) { continue; }
        placed_box b = place_box(c, box, place);
        if (!is_box_free(c, &b, out)) { return false; }
    }
    return true;
}

// The turn from one angle to another, by 180 degrees or less.
static double turn_between(double from, double to) {
    double d = fmod(to - from, 360.0);
    return d > 180.0 ? d - 360.0 : d < -180.0 ? d + 360.0 : d;
}

// From the pivot to the farthest corner.
static double reach_of(const checker *c) {
    double max = 0.0;
    const double pivot[3] = {c->shape->pivot.x, c->shape->pivot.y, c->shape->pivot.z};
    for (uint32_t i = 0; i < c->shape->box_count; i++) {
        double sum = 0.0;
        for (int a = 0; a < c->dimension; a++) {
            double below = fabs((double)c->shape->boxes[i].low[a] - pivot[a]);
            double above = fabs((double)c->shape->boxes[i].high[a] - pivot[a]);
            double d = below > above ? below : above;
            sum += d * d;
        }
        max = sum > max ? sum : max;
    }
    return sqrt(max);
}

static fr_status check_input(const fr_plan_check_input *input, fr_error *error) {
    if (!(input->spacing >= 0.001 && input->spacing <= 1.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a spacing of %g cells; 0.001 .. 1 are known", input->spacing);
    }
    fr_status status = fr__plan_check_shape(input->shape, error);
    for (uint32_t i = 0; i < input->state_count && status == FR_OK; i++) {
        status = fr__plan_check_place(&input->states[i].place, error);
    }
    return status;
}

fr_status fr_plan_check_cells(const fr_plan_check_input *input, fr_plan_check_output *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    *out = (fr_plan_check_output){.is_free = true};
    if (input->cookie != CHECK_COOKIE) { return fr_error_set_cookie(error, "fr_default_plan_check_input"); }
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    fr_plan_world_def def = fr_plan_world_get_def(input->world);
    checker c = {input->world, input->shape, def.dimension, (int32_t)1 << def.depth, 0.0};
    c.tolerance = TOLERANCE * (double)c.size;
    double reach = reach_of(&c);

    for (uint32_t i = 0; i < input->state_count; i++) {
        const fr_plan_place *a = &input->states[i].place;
        const fr_plan_place *b = i + 1 < input->state_count ? &input->states[i + 1].place : a;
        fr_vec3 travel = fr_vec3_sub(b->position, a->position);
        if (c.dimension == 2) { travel.z = 0.0; }
        fr_vec3 turn = {turn_between(a->turn_deg.x, b->turn_deg.x), turn_between(a->turn_deg.y, b->turn_deg.y),
                        turn_between(a->turn_deg.z, b->turn_deg.z)};
        if (c.dimension == 2) { turn.x = turn.y = 0.0; }
        double travelled = fr_vec3_length(travel) + reach * fr_radians((fabs(turn.x) + fabs(turn.y)) + fabs(turn.z));
        double steps = ceil(travelled / input->spacing);
        steps = steps < 1.0 ? 1.0 : steps;
        // The end of a segment is the beginning of the next.
        for (double k = 0.0; k < steps; k += 1.0) {
            if (out->samples % STOP_SAMPLES == 0 && fr_control_is_stopped(input->control)) {
                return fr_error_set(error, FR_ERROR_STOPPED, "stopped while checking a path");
            }
            double t = k / steps;
            fr_plan_place place = {fr_vec3_add_scaled(a->position, t, travel),
                                   fr_vec3_add_scaled(a->turn_deg, t, turn)};
            out->samples++;
            if (is_place_free(&c, &place, out)) { continue; }
            out->is_free = false;
            out->state = i;
            out->fraction = t;
            return FR_OK;
        }
    }
    return FR_OK;
}
