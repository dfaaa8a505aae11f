// The cage of a body's skin: rings of polygons along trunk, head, leg, arm and fingers, and how they are sewn together.
// A half ring of the trunk goes from the middle of the front over the left side to the middle of the back; a ring of a
// limb goes round its bone in the same sense, which is counter-clockwise for one who looks from the limb's end to its
// root.
#include "human/body_cage.h"

#include "fureai/shape.h"

enum {
    COLUMNS = 7,     // of a half ring of the trunk, both middles included
    AROUND = 8,      // of a ring of an arm or a leg
    KNUCKLES = 10,   // of the ring that the fingers grow from: five on the back of the hand, five on its inside
    FINGER_RING = 4, // of a finger's
    TRUNK_ROWS = 10,
    HEAD_ROWS = 8,
    SHOULDER_ROW = 5 // the lowest of three rows that the arm grows from, at columns 2 .. 4
};

static uint32_t add_vertex(fr__body_cage *cage, fr_vec3 point, uint32_t parts, double limb) {
    FR_ASSERT(cage->vertex_count < FR__CAGE_MAX_VERTICES);
    cage->vertices[cage->vertex_count] = (fr__cage_vertex){point, parts, limb};
    return cage->vertex_count++;
}

static void add_face(fr__body_cage *cage, uint32_t a, uint32_t b, uint32_t c, uint32_t d, fr__cloth cloth) {
    FR_ASSERT(cage->face_count < FR__CAGE_MAX_FACES);
    cage->faces[cage->face_count++] = (fr__cage_face){{a, b, c, d}, cloth};
}

// The polygons between a lower (farther) and an upper (nearer) closed ring.
static void add_strip(fr__body_cage *cage, const uint32_t *low, const uint32_t *high, uint32_t count, fr__cloth cloth) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = (i + 1) % count;
        add_face(cage, low[i], low[next], high[next], high[i], cloth);
    }
}

// The direction of the i-th vertex of a ring of `count`, the first at `first_deg` from the front towards the outside.
static void ring_direction(uint32_t i, uint32_t count, double first_deg, double *front, double *outer) {
    fr_sincos(fr_radians(first_deg + 360.0 * (double)i / (double)count), outer, front);
}

// ---------------------------------------------------------------------------------------------------------------
// Trunk, neck and head

typedef struct trunk_point {
    double x, y, z;
} trunk_point;

// From the hips to the neck, row by row; the rows of the shoulder are bent around the arm.
static const trunk_point trunk_points[TRUNK_ROWS][COLUMNS] = {
    {{0, .842, .088},
     {.070, .852, .096},
     {.132, .880, .072},
     {.172, .885, .000},
     {.140, .840, -.085},
     {.075, .806, -.112},
     {0, .815, -.085}},
    {{0, .915, .105},
     {.080, .918, .100},
     {.140, .925, .065},
     {.166, .925, -.005},
     {.145, .920, -.080},
     {.075, .915, -.120},
     {0, .920, -.105}},
    {{0, .985, .108},
     {.072, .985, .098},
     {.126, .985, .058},
     {.152, .985, -.005},
     {.128, .985, -.062},
     {.068, .985, -.092},
     {0, .985, -.088}},
    {{0, 1.060, .104},
     {.068, 1.06, .092},
     {.116, 1.06, .054},
     {.138, 1.06, -.002},
     {.116, 1.06, -.052},
     {.062, 1.06, -.078},
     {0, 1.06, -.078}},
    {{0, 1.165, .108},
     {.074, 1.16, .098},
     {.126, 1.16, .056},
     {.150, 1.16, -.004},
     {.128, 1.16, -.066},
     {.070, 1.16, -.098},
     {0, 1.16, -.092}},
    {{0, 1.265, .113},
     {.078, 1.255, .112},
     {.146, 1.292, .060},
     {.164, 1.265, -.004},
     {.150, 1.285, -.076},
     {.078, 1.26, -.116},
     {0, 1.265, -.104}},
    {{0, 1.345, .098},
     {.080, 1.345, .098},
     {.158, 1.352, .062},
     {0, 0, 0},
     {.158, 1.352, -.078},
     {.085, 1.35, -.114},
     {0, 1.35, -.104}},
    {{0, 1.412, .066},
     {.070, 1.418, .062},
     {.150, 1.414, .040},
     {.180, 1.428, -.006},
     {.154, 1.418, -.055},
     {.080, 1.432, -.080},
     {0, 1.430, -.086}},
    {{0, 1.428, .056},
     {.038, 1.436, .050},
     {.066, 1.448, .022},
     {.076, 1.456, -.010},
     {.068, 1.460, -.040},
     {.036, 1.464, -.062},
     {0, 1.465, -.068}},
    {{0, 1.462, .046},
     {.030, 1.466, .042},
     {.050, 1.478, .024},
     {.057, 1.492, -.006},
     {.052, 1.500, -.034},
     {.030, 1.502, -.056},
     {0, 1.502, -.062}},
};

// Of the head, from the jaw up: heights in front and at the back, and the directions of the columns from the front.
static const double head_front_heights[HEAD_ROWS] = {1.479, 1.503, 1.526, 1.545, 1.577, 1.599, 1.632, 1.674};
static const double head_back_heights[HEAD_ROWS] = {1.528, 1.540, 1.552, 1.564, 1.580, 1.600, 1.635, 1.674};
static const double head_columns[COLUMNS] = {0.0, 0.022, 0.046, 0.069, 0.073, 0.050, 0.0};

static fr__cloth trunk_cloth(int row) {
    return row < 2 ? FR__CLOTH_TROUSERS : row < 8 ? FR__CLOTH_SHIRT : FR__CLOTH_SKIN;
}

// The hairline goes over the forehead, in front of and behind the ear, and round the nape.
static fr__cloth head_cloth(int row, int column) {
    static const int hair_rows[COLUMNS - 1] = {8, 8, 7, 6, 3, 2};
    if (row >= hair_rows[column]) { return FR__CLOTH_HAIR; }
    if (row == 7) { return FR__CLOTH_FOREHEAD; }
    if (row == 6 && column == 2) { return FR__CLOTH_TEMPLE; }
    if (row == 6 && column == 1) { return FR__CLOTH_BROW; }
    if (row == 5 && column == 1) { return FR__CLOTH_EYE; }
    return row == 2 && column == 0 ? FR__CLOTH_MOUTH : FR__CLOTH_SKIN;
}

// The polygons between two half rings, of a row of the trunk or of the head; the other is -1. The arm's stay open.
static void add_half_strip(fr__body_cage *cage, const uint32_t *low, const uint32_t *high, int trunk_row,
                           int head_row) {
    for (int c = 0; c + 1 < COLUMNS; c++) {
        bool is_arm = (trunk_row == SHOULDER_ROW || trunk_row == SHOULDER_ROW + 1) && (c == 2 || c == 3);
        if (is_arm) { continue; }
        fr__cloth cloth = head_row >= 0 ? head_cloth(head_row, c) : trunk_cloth(trunk_row);
        add_face(cage, low[c], low[c + 1], high[c + 1], high[c], cloth);
    }
}

static void add_head(fr__body_cage *cage, const uint32_t neck[COLUMNS]) {
    uint32_t low[COLUMNS], high[COLUMNS];
    for (int c = 0; c < COLUMNS; c++) {
        low[c] = neck[c];
    }
    for (int row = 0; row < HEAD_ROWS; row++) {
        double size = row == 0 ? 0.80 : row == 1 ? 0.88 : row == 6 ? 0.92 : row == 7 ? 0.66 : 1.0;
        for (int c = 0; c < COLUMNS; c++) {
            double back = c < 3 ? 0.05 * (double)c : c == 3 ? 0.35 : c == 4 ? 0.65 : 1.0;
            double y = head_front_heights[row] + back * (head_back_heights[row] - head_front_heights[row]);
            if (row == 5) { y += c == 1 ? 0.0012 : c == 2 ? -0.001 : 0.0; } // the brow is an arch
            double x = size * head_columns[c], side = 1.0 - x * x / (0.0056 * size * size);
            double depth = sqrt(side > 0.0 ? side : 0.0) * size;
            double z = c < 3 || c > 4 ? 0.088 * (c < 3 ? depth : -depth) : c == 3 ? 0.014 : -0.024;
            if (c < 3) { z += 0.012; }
            high[c] = add_vertex(cage, fr_vec3_make(x, y, z), FR__PART_HEAD, 1.0);
        }
        add_half_strip(cage, low, high, -1, row);
        for (int c = 0; c < COLUMNS; c++) {
            low[c] = high[c];
        }
    }
    uint32_t crown = add_vertex(cage, fr_vec3_make(0.0, 1.705, -0.005), FR__PART_HEAD, 1.0);
    for (int c = 0; c + 2 < COLUMNS; c += 2) {
        add_face(cage, low[c], low[c + 1], low[c + 2], crown, FR__CLOTH_HAIR);
    }
}

// Leaves the lowest row in `hips` and the ring around the shoulder in `shoulder`, the front first.
static void add_trunk(fr__body_cage *cage, uint32_t hips[COLUMNS], uint32_t shoulder[AROUND]) {
    uint32_t rows[TRUNK_ROWS][COLUMNS];
    for (int r = 0; r < TRUNK_ROWS; r++) {
        for (int c = 0; c < COLUMNS; c++) {
            const trunk_point *p = &trunk_points[r][c];
            bool is_arm = r == SHOULDER_ROW + 1 && c == 3;
            uint32_t parts = FR__PART_TRUNK | (r == TRUNK_ROWS - 1 ? (uint32_t)FR__PART_HEAD : 0u);
            double limb = r == TRUNK_ROWS - 1 ? 0.5 : 0.0;
            rows[r][c] = is_arm ? FR_NONE : add_vertex(cage, fr_vec3_make(p->x, p->y, p->z), parts, limb);
        }
        if (r > 0) { add_half_strip(cage, rows[r - 1], rows[r], r - 1, -1); }
    }
    const int ring[AROUND][2] = {{1, 2}, {2, 2}, {2, 3}, {2, 4}, {1, 4}, {0, 4}, {0, 3}, {0, 2}};
    for (int i = 0; i < AROUND; i++) {
        shoulder[i] = rows[SHOULDER_ROW + ring[i][0]][ring[i][1]];
    }
    for (int c = 0; c < COLUMNS; c++) {
        hips[c] = rows[0][c];
    }
    add_head(cage, rows[TRUNK_ROWS - 1]);
}

// ---------------------------------------------------------------------------------------------------------------
// Limbs

typedef struct limb_ring {
    double at; // along the bone, a fraction
    double front, outer;
    fr__cloth cloth; // of the polygons above it
} limb_ring;

// A ring about the line between two joints.
static void add_ring(fr__body_cage *cage, fr_vec3 from, fr_vec3 to, const limb_ring *ring, double first_deg,
                     uint32_t parts, uint32_t out[AROUND]) {
    fr_vec3 axis = fr_vec3_unit(fr_vec3_sub(to, from), fr_vec3_make(0.0, -1.0, 0.0));
    fr_vec3 z = fr_vec3_make(0.0, 0.0, 1.0), outer = fr_vec3_cross(z, axis), center = fr_vec3_lerp(from, to, ring->at);
    for (uint32_t i = 0; i < AROUND; i++) {
        double along_front, along_outer;
        ring_direction(i, AROUND, first_deg, &along_front, &along_outer);
        fr_vec3 point = fr_vec3_add_scaled(center, ring->front * along_front, z);
        out[i] = add_vertex(cage, fr_vec3_add_scaled(point, ring->outer * along_outer, outer), parts, 1.0);
    }
}

static const limb_ring thigh_rings[] = {
    {0.40, 0.079, 0.074, FR__CLOTH_TROUSERS},
    {0.87, 0.056, 0.052, FR__CLOTH_TROUSERS},
};
static const limb_ring shin_rings[] = {
    {0.00, 0.053, 0.051, FR__CLOTH_TROUSERS},
    {0.13, 0.053, 0.050, FR__CLOTH_LONG_TROUSERS},
    {0.38, 0.053, 0.049, FR__CLOTH_LONG_TROUSERS},
    {0.91, 0.041, 0.039, FR__CLOTH_LONG_TROUSERS},
};

typedef struct foot_point {
    double x, y, z; // from the ankle outwards, above the ground, forwards
} foot_point;

enum { FOOT_ROWS = 4 };

static const foot_point foot_points[FOOT_ROWS][AROUND] = {
    {{-.028, .070, .035},
     {0, .088, .052},
     {.028, .070, .035},
     {.037, .050, -.004},
     {.026, .042, -.046},
     {0, .040, -.064},
     {-.026, .042, -.046},
     {-.037, .050, -.004}},
    {{-.030, .056, .070},
     {0, .070, .082},
     {.030, .052, .070},
     {.038, .004, .030},
     {.027, .001, -.034},
     {0, .001, -.056},
     {-.027, .001, -.034},
     {-.036, .004, .030}},
    {{-.032, .040, .130},
     {0, .046, .132},
     {.036, .036, .124},
     {.049, .008, .112},
     {.034, .000, .100},
     {0, .000, .095},
     {-.030, .000, .105},
     {-.043, .008, .118}},
    {{-.022, .026, .182},
     {0, .029, .184},
     {.022, .024, .176},
     {.036, .010, .168},
     {.026, .000, .162},
     {0, .000, .165},
     {-.026, .000, .168},
     {-.036, .010, .175}},
};

static void add_foot(fr__body_cage *cage, fr_vec3 ankle, uint32_t ring[AROUND]) {
    double ground = ankle.y - 0.066;
    for (int r = 0; r < FOOT_ROWS; r++) {
        uint32_t next[AROUND];
        for (int i = 0; i < AROUND; i++) {
            const foot_point *p = &foot_points[r][i];
            next[i] = add_vertex(cage, fr_vec3_make(ankle.x + p->x, ground + p->y, p->z), FR__PART_FOOT, 1.0);
        }
        for (int i = 0; i < AROUND; i++) {
            int after = (i + 1) % AROUND;
            bool is_sole = r >= 2 && (i == 4 || i == 5);
            add_face(cage, next[i], next[after], ring[after], ring[i], is_sole ? FR__CLOTH_SOLE : FR__CLOTH_SHOE);
        }
        for (int i = 0; i < AROUND; i++) {
            ring[i] = next[i];
        }
    }
    fr_vec3 tip = fr_vec3_make(ankle.x, ground + 0.014, 0.204);
    uint32_t toe = add_vertex(cage, tip, FR__PART_FOOT, 1.0);
    for (int i = 1; i < AROUND; i += 2) {
        add_face(cage, ring[(i + 2) % AROUND], ring[(i + 1) % AROUND], ring[i], toe, FR__CLOTH_SHOE);
    }
}

static void add_leg(fr__body_cage *cage, const fr__body_joints *joints, const uint32_t hips[COLUMNS]) {
    // The leg's first ring is the hips' half ring, closed between the legs.
    uint32_t ring[AROUND], next[AROUND];
    for (int c = 0; c < COLUMNS; c++) {
        ring[c] = hips[c];
    }
    ring[COLUMNS] = add_vertex(cage, fr_vec3_make(0.0, 0.800, -0.005), FR__PART_TRUNK, 0.0);
    const uint32_t parts = FR__PART_LEG;
    for (size_t i = 0; i < sizeof thigh_rings / sizeof *thigh_rings; i++) {
        add_ring(cage, joints->thigh, joints->knee, &thigh_rings[i], -45.0, parts, next);
        add_strip(cage, next, ring, AROUND, thigh_rings[i].cloth);
        for (int k = 0; k < AROUND; k++) {
            ring[k] = next[k];
        }
    }
    for (size_t i = 0; i < sizeof shin_rings / sizeof *shin_rings; i++) {
        add_ring(cage, joints->knee, joints->ankle, &shin_rings[i], -45.0, parts, next);
        add_strip(cage, next, ring, AROUND, shin_rings[i].cloth);
        for (int k = 0; k < AROUND; k++) {
            ring[k] = next[k];
        }
    }
    add_foot(cage, joints->ankle, ring);
}

static const limb_ring upper_arm_rings[] = {
    {0.18, 0.052, 0.050, FR__CLOTH_SLEEVE},
    {0.52, 0.047, 0.044, FR__CLOTH_SLEEVE},
    {0.86, 0.041, 0.039, FR__CLOTH_LONG_SLEEVE},
};
static const limb_ring forearm_rings[] = {
    {0.00, 0.040, 0.039, FR__CLOTH_LONG_SLEEVE},
    {0.16, 0.041, 0.040, FR__CLOTH_LONG_SLEEVE},
    {0.52, 0.036, 0.033, FR__CLOTH_LONG_SLEEVE},
    {0.95, 0.029, 0.022, FR__CLOTH_LONG_SLEEVE},
};
static const limb_ring palm_rings[] = {
    {0.28, 0.035, 0.020, FR__CLOTH_SKIN},
    {0.66, 0.042, 0.018, FR__CLOTH_SKIN},
};

// ---------------------------------------------------------------------------------------------------------------
// Hand

// A finger from a ring of four polygon corners, whose first is at the front of the back of the hand.
static void add_finger(fr__body_cage *cage, const fr_vec3 *joints, const double *places, const double *sizes,
                       int ring_count, const uint32_t root[FINGER_RING], uint32_t parts) {
    uint32_t ring[FINGER_RING], next[FINGER_RING];
    for (int i = 0; i < FINGER_RING; i++) {
        ring[i] = root[i];
    }
    fr_vec3 z = fr_vec3_make(0.0, 0.0, 1.0);
    fr_vec3 end = joints[parts == FR__PART_THUMB ? 2 : 3], axis = fr_vec3_unit(fr_vec3_sub(end, joints[0]), z);
    fr_vec3 front = fr_vec3_unit(fr_vec3_add_scaled(z, -fr_vec3_dot(z, axis), axis), z);
    fr_vec3 outer = fr_vec3_cross(front, axis);
    for (int r = 0; r < ring_count; r++) {
        fr_vec3 center = fr_vec3_lerp(joints[0], end, places[r]);
        for (int i = 0; i < FINGER_RING; i++) {
            double along_front = i == 0 || i == 3 ? sizes[r] : -sizes[r], along_outer = i < 2 ? sizes[r] : -sizes[r];
            fr_vec3 point = fr_vec3_add_scaled(center, along_front, front);
            next[i] = add_vertex(cage, fr_vec3_add_scaled(point, along_outer, outer), parts, 1.0);
        }
        add_strip(cage, next, ring, FINGER_RING, FR__CLOTH_SKIN);
        for (int i = 0; i < FINGER_RING; i++) {
            ring[i] = next[i];
        }
    }
    add_face(cage, ring[3], ring[2], ring[1], ring[0], FR__CLOTH_SKIN);
}

// The ring of ten around the fingers' roots, at the webs: between neighbours, and beside the outermost ones.
static void add_knuckles(fr__body_cage *cage, const fr__body_joints *joints, uint32_t out[KNUCKLES]) {
    fr_vec3 z = fr_vec3_make(0.0, 0.0, 1.0);
    fr_vec3 axis = fr_vec3_unit(fr_vec3_sub(joints->wrist, joints->elbow), z), outer = fr_vec3_cross(z, axis);
    fr_vec3 webs[FR__FINGER_COUNT], roots[FR__FINGER_COUNT];
    for (int i = 1; i < FR__FINGER_COUNT; i++) {
        roots[i] = fr_vec3_lerp(joints->fingers[i][0], joints->fingers[i][1], 0.42);
    }
    webs[0] = fr_vec3_add_scaled(fr_vec3_lerp(roots[1], roots[2], -0.5), -0.008, axis);
    webs[4] = fr_vec3_add_scaled(fr_vec3_lerp(roots[4], roots[3], -0.5), -0.008, axis);
    for (int i = 1; i < 4; i++) {
        webs[i] = fr_vec3_lerp(roots[i], roots[i + 1], 0.5);
    }
    for (int i = 0; i < KNUCKLES; i++) {
        bool is_back = i < KNUCKLES / 2;
        fr_vec3 web = webs[is_back ? i : KNUCKLES - 1 - i];
        out[i] = add_vertex(cage, fr_vec3_add_scaled(web, is_back ? 0.010 : -0.010, outer), FR__PART_PALM, 1.0);
    }
}

static void add_hand(fr__body_cage *cage, const fr__body_joints *joints, const uint32_t wrist[AROUND]) {
    fr_vec3 knuckle = fr_vec3_lerp(joints->fingers[2][0], joints->fingers[3][0], 0.5);
    uint32_t near[AROUND], far[AROUND], k[KNUCKLES];
    add_ring(cage, joints->wrist, knuckle, &palm_rings[0], 0.0, FR__PART_PALM, near);
    add_ring(cage, joints->wrist, knuckle, &palm_rings[1], 0.0, FR__PART_PALM, far);
    add_strip(cage, near, wrist, AROUND, FR__CLOTH_SKIN);

    // The thumb grows from the polygon between the palm's last two vertices and its first ones.
    for (uint32_t i = 0; i + 1 < AROUND; i++) {
        add_face(cage, far[i], far[i + 1], near[i + 1], near[i], FR__CLOTH_SKIN);
    }
    const uint32_t thumb[FINGER_RING] = {near[0], far[0], far[AROUND - 1], near[AROUND - 1]};
    const double thumb_places[] = {0.22, 0.56, 0.96}, thumb_sizes[] = {0.0100, 0.0082, 0.0055};
    add_finger(cage, joints->fingers[0], thumb_places, thumb_sizes, 3, thumb, FR__PART_THUMB);

    // Eight become ten by a triangle at either side.
    add_knuckles(cage, joints, k);
    for (uint32_t i = 0; i < 4; i++) {
        add_face(cage, k[i], k[i + 1], far[i + 1], far[i], FR__CLOTH_SKIN);
        add_face(cage, k[i + 5], k[i + 6], far[(i + 5) % AROUND], far[i + 4], FR__CLOTH_SKIN);
    }
    add_face(cage, k[4], k[5], far[4], FR_NONE, FR__CLOTH_SKIN);
    add_face(cage, k[9], k[0], far[0], FR_NONE, FR__CLOTH_SKIN);
    const double places[] = {0.48, 0.78, 0.975}, sizes[] = {0.0066, 0.0058, 0.0040};
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t root[FINGER_RING] = {k[i], k[i + 1], k[8 - i], k[9 - i]};
        add_finger(cage, joints->fingers[i + 1], places, sizes, 3, root, (uint32_t)FR__PART_INDEX << i);
    }
}

static void add_arm(fr__body_cage *cage, const fr__body_joints *joints, const uint32_t shoulder[AROUND]) {
    uint32_t ring[AROUND], next[AROUND];
    for (int i = 0; i < AROUND; i++) {
        ring[i] = shoulder[i];
    }
    for (size_t i = 0; i < sizeof upper_arm_rings / sizeof *upper_arm_rings; i++) {
        add_ring(cage, joints->shoulder, joints->elbow, &upper_arm_rings[i], 0.0, FR__PART_ARM, next);
        add_strip(cage, next, ring, AROUND, upper_arm_rings[i].cloth);
        for (int k = 0; k < AROUND; k++) {
            ring[k] = next[k];
        }
    }
    for (size_t i = 0; i < sizeof forearm_rings / sizeof *forearm_rings; i++) {
        add_ring(cage, joints->elbow, joints->wrist, &forearm_rings[i], 0.0, FR__PART_ARM, next);
        add_strip(cage, next, ring, AROUND, forearm_rings[i].cloth);
        for (int k = 0; k < AROUND; k++) {
            ring[k] = next[k];
        }
    }
    add_hand(cage, joints, ring);
}

void fr__body_cage_make(const fr__body_joints *joints, fr__body_cage *cage) {
    cage->vertex_count = 0;
    cage->face_count = 0;
    uint32_t hips[COLUMNS], shoulder[AROUND];
    add_trunk(cage, hips, shoulder);
    add_leg(cage, joints, hips);
    add_arm(cage, joints, shoulder);
}
