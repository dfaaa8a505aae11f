// Motions between places off the lattice, proven free by halving them.
#include "plan/connect.h"

#define MIN_TRAVEL (1.0 / 64.0) // cells of a motion that is not cut in two any more
#define FAR (1 << 29)

// ---------------------------------------------------------------------------------------------------------------
// Places

// The bits of a word of a bitmap, whose first cell is (x, y, z), that are black or outside the world.
static uint64_t bad_bits(const fr__plan_bits *b, uint64_t bits, int32_t x, int32_t y, int32_t z) {
    int32_t n = (int32_t)b->size;
    if (x < 0 || x >= n || y < 0 || y >= n || z < 0 || z >= (int32_t)b->layers) { return bits; }
    uint64_t outside = n - x < 64 ? ~(uint64_t)0 << (n - x) : 0;
    return bits & (b->words[((size_t)z * b->size + (size_t)y) * b->row_words + (size_t)x / 64] | outside);
}

static bool find_bad(const fr__plan_bits *b, const fr__plan_bitmap *map, int32_t cell[3]) {
    for (int32_t z = map->low[2]; z < map->high[2]; z++) {
        for (int32_t y = map->low[1]; y < map->high[1]; y++) {
            const uint64_t *row = fr__plan_bitmap_row(map, y, z);
            for (uint32_t w = 0; w < map->row_words; w++) {
                int32_t x = map->low[0] + 64 * (int32_t)w;
                uint64_t bad = bad_bits(b, row[w], x, y, z);
                if (bad == 0) { continue; }
                if (cell != NULL) {
                    cell[0] = x + __builtin_ctzll(bad);
                    cell[1] = y;
                    cell[2] = z;
                }
                return true;
            }
        }
    }
    return false;
}

fr__plan_proof fr__plan_prove_place(const fr__plan_bits *bits, const fr_plan_robot *r, const fr_plan_place *place,
                                    double grow, int32_t cell[3]) {
    fr__plan_motion motion = fr__plan_robot_motion(r->dimension, &r->shape, place);
    int32_t low[3], high[3];
    fr__plan_raster_bounds(r->dimension, &r->shape, &motion, grow, -FAR, FAR, low, high);
    fr__plan_bitmap map;
    if (!fr__plan_bitmap_make(low, high, &r->allocator, &map)) { return FR__PLAN_PROOF_NO_MEMORY; }
    fr__plan_raster(r->dimension, &r->shape, &motion, FR_OCTREE_OVERLAP, grow, &map);
    bool is_bad = find_bad(bits, &map, cell);
    fr__plan_bitmap_free(&map, &r->allocator);
    return is_bad ? FR__PLAN_NOT_FREE : FR__PLAN_FREE;
}

// ---------------------------------------------------------------------------------------------------------------
// Motions

static double turn_between(double from, double to) {
    double d = fmod(to - from, 360.0);
    return d > 180.0 ? d - 360.0 : d < -180.0 ? d + 360.0 : d;
}

static fr_vec3 turns_between(const fr_plan_robot *r, fr_vec3 from, fr_vec3 to) {
    fr_vec3 d = {turn_between(from.x, to.x), turn_between(from.y, to.y), turn_between(from.z, to.z)};
    if (r->dimension == 2) { d.x = d.y = 0.0; }
    return d;
}

// A motion from a place: it is free where the robot, put in its middle and grown by half of what a point of it may go,
// is free; else its halves are tested.
static fr__plan_proof prove_part(const fr__plan_bits *bits, const fr_plan_robot *r, const fr_plan_place *from,
                                 fr_vec3 travel, fr_vec3 turn) {
    double travelled = fr_vec3_length(travel) + r->reach * fr_radians((fabs(turn.x) + fabs(turn.y)) + fabs(turn.z));
    fr_plan_place middle = {fr_vec3_add_scaled(from->position, 0.5, travel),
                            fr_vec3_add_scaled(from->turn_deg, 0.5, turn)};
    fr__plan_proof proof = fr__plan_prove_place(bits, r, &middle, 0.5 * travelled + 1e-9, NULL);
    if (proof != FR__PLAN_NOT_FREE || travelled < MIN_TRAVEL) { return proof; }
    proof = fr__plan_prove_place(bits, r, &middle, 0.0, NULL);
    if (proof != FR__PLAN_FREE) { return proof; }
    fr_vec3 half_travel = fr_vec3_scale(0.5, travel), half_turn = fr_vec3_scale(0.5, turn);
    proof = prove_part(bits, r, from, half_travel, half_turn);
    return proof != FR__PLAN_FREE ? proof : prove_part(bits, r, &middle, half_travel, half_turn);
}

// A robot at right angles is made of boxes at least one cell long along each axis: going up to one cell along one axis
// it sweeps the cells of both ends and no others.
static bool is_along_cells(const fr_plan_robot *r, const fr_plan_place *from, fr_vec3 travel, fr_vec3 turn) {
    const double distance[3] = {fabs(travel.x), fabs(travel.y), fabs(travel.z)};
    int axes = (distance[0] > 0.0) + (distance[1] > 0.0) + (distance[2] > 0.0);
    bool is_square = fmod(from->turn_deg.z, 90.0) == 0.0;
    if (r->dimension == 3) {
        is_square = is_square && fmod(from->turn_deg.x, 90.0) == 0.0 && fmod(from->turn_deg.y, 90.0) == 0.0;
    }
    return is_square && axes <= 1 && fr_vec3_largest(travel) <= 1.0 && fr_vec3_largest(turn) == 0.0;
}

fr__plan_proof fr__plan_prove_motion(const fr__plan_bits *bits, const fr_plan_robot *r, const fr_plan_place *from,
                                     const fr_plan_place *to) {
    fr_vec3 travel = fr_vec3_sub(to->position, from->position), turn = turns_between(r, from->turn_deg, to->turn_deg);
    if (r->dimension == 2) { travel.z = 0.0; }
    fr__plan_proof proof = fr__plan_prove_place(bits, r, from, 0.0, NULL);
    if (proof == FR__PLAN_FREE) { proof = fr__plan_prove_place(bits, r, to, 0.0, NULL); }
    if (proof != FR__PLAN_FREE || is_along_cells(r, from, travel, turn)) { return proof; }
    return prove_part(bits, r, from, travel, turn);
}

// ---------------------------------------------------------------------------------------------------------------
// Paths

static fr__plan_proof add_motion(const fr__plan_bits *bits, const fr_plan_robot *r, fr_plan_place *at,
                                 const fr_plan_place *to, fr__plan_place_array *places) {
    bool is_same = fr_vec3_equal(at->position, to->position) && fr_vec3_equal(at->turn_deg, to->turn_deg);
    if (is_same) { return FR__PLAN_FREE; }
    fr__plan_proof proof = fr__plan_prove_motion(bits, r, at, to);
    if (proof != FR__PLAN_FREE) { return proof; }
    fr_plan_place *place = fr__plan_place_array_push(places, 1);
    if (place == NULL) { return FR__PLAN_PROOF_NO_MEMORY; }
    *place = *to;
    *at = *to;
    return FR__PLAN_FREE;
}

// Goes to a position one axis after the other.
static fr__plan_proof add_moves(const fr__plan_bits *bits, const fr_plan_robot *r, fr_plan_place *at, fr_vec3 position,
                                fr__plan_place_array *places) {
    fr_plan_place next = *at;
    next.position.x = position.x;
    fr__plan_proof proof = add_motion(bits, r, at, &next, places);
    next.position.y = position.y;
    if (proof == FR__PLAN_FREE) { proof = add_motion(bits, r, at, &next, places); }
    next.position.z = position.z;
    if (proof == FR__PLAN_FREE) { proof = add_motion(bits, r, at, &next, places); }
    return proof;
}

fr__plan_proof fr__plan_connect(const fr__plan_bits *bits, const fr_plan_robot *r, const fr_plan_place *from,
                                const fr_plan_place *to, fr__plan_place_array *places) {
    size_t before = places->count;
    fr__plan_proof proof = FR__PLAN_NOT_FREE;
    for (int order = 0; order < 3 && proof == FR__PLAN_NOT_FREE; order++) {
        places->count = before;
        fr_plan_place at = *from, turned = *from;
        turned.turn_deg = to->turn_deg;
        proof = FR__PLAN_FREE;
        if (order == 1) { proof = add_motion(bits, r, &at, &turned, places); }
        if (order < 2 && proof == FR__PLAN_FREE) { proof = add_moves(bits, r, &at, to->position, places); }
        if (proof == FR__PLAN_FREE) { proof = add_motion(bits, r, &at, to, places); }
    }
    if (proof != FR__PLAN_FREE) { places->count = before; }
    return proof;
}
