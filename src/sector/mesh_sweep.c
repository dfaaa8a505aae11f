// The sector that holds the sweep of a mesh, face by face: a ring about the axis keeps its hole, and an angle that no
// face is in stays free.
#include "sector/enclose.h"

#include <string.h>

#define BINS 1024

static const double bin_width = 2.0 * FR_PI / BINS;

// What is known of all faces so far.
typedef struct sweep_extent {
    const fr_mesh *mesh;
    const fr_pose *pose;
    fr__axis_frame frame;
    fr__sweep_extent whole;
    uint8_t is_taken[BINS]; // of a full turn, from `first` of the frame
} sweep_extent;

static fr__sweep_extent measure_face(const sweep_extent *g, uint32_t triangle) {
    fr_vec3 corners[3];
    fr_mesh_corners(g->mesh, triangle, corners);
    for (int i = 0; i < 3; i++) {
        corners[i] = fr_pose_apply(g->pose, corners[i]);
    }
    fr__shadow shadow = {&g->frame, corners, 3};
    fr__sweep_extent extent = {.error = g->whole.error};
    fr__measure(&shadow, 0.0, 0.0, &extent);
    return extent;
}

// An angle brought into 0 .. 2 pi.
static double wrap(double angle) {
    angle -= 2.0 * FR_PI * floor(angle / (2.0 * FR_PI));
    return angle < 0.0 ? 0.0 : angle;
}

static void take_bins(sweep_extent *g, const fr__sweep_extent *face) {
    double from = wrap(face->middle + face->from), span = face->to - face->from;
    int first = (int)(from / bin_width), last = (int)((from + span) / bin_width);
    for (int i = first; i <= last; i++) {
        g->is_taken[i % BINS] = 1;
    }
}

// The middle of the widest run of free bins, as an angle; NaN when none is free.
static double free_direction(const sweep_extent *g) {
    int best = 0, best_end = 0, run = 0;
    for (int i = 0; i < 2 * BINS; i++) {
        run = g->is_taken[i % BINS] ? 0 : run + 1;
        if (run > best && run <= BINS) {
            best = run;
            best_end = i + 1;
        }
    }
    return best > 0 ? bin_width * (best_end - 0.5 * best) : (double)NAN;
}

static void gather(sweep_extent *g, uint32_t count) {
    g->whole = (fr__sweep_extent){.inner = INFINITY, .low = INFINITY, .high = -INFINITY, .error = g->whole.error};
    for (uint32_t i = 0; i < count; i++) {
        fr__sweep_extent face = measure_face(g, i);
        g->whole.inner = fr__least(g->whole.inner, face.inner);
        g->whole.outer = fr__most(g->whole.outer, face.outer);
        g->whole.low = fr__least(g->whole.low, face.low);
        g->whole.high = fr__most(g->whole.high, face.high);
        if (face.inner > face.error) { take_bins(g, &face); }
    }
}

// The angles of all faces, measured from the middle of what is taken, which none of them reaches around.
static void gather_angles(sweep_extent *g, uint32_t count, double gap) {
    g->whole.middle = gap + FR_PI;
    g->whole.from = INFINITY;
    g->whole.to = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        fr__sweep_extent face = measure_face(g, i);
        double from = wrap(face.middle + face.from - gap) - FR_PI;
        g->whole.from = fr__least(g->whole.from, from);
        g->whole.to = fr__most(g->whole.to, from + (face.to - face.from));
    }
}

fr_status fr_sector_of_mesh(const fr_mesh *mesh, const fr_pose *pose, const fr_screw *screw, fr_sector *out,
                            fr_error *error) {
    fr_screw checked = *screw;
    fr_pose place = *pose;
    fr_status status = fr_screw_check(&checked, error);
    if (status == FR_OK) { status = fr_pose_check(&place, error); }
    if (status != FR_OK) { return status; }
    const fr_mesh_view *view = fr_mesh_get(mesh);
    sweep_extent g = {.mesh = mesh, .pose = &place, .frame = fr__axis_frame_of(&checked)};
    memset(g.is_taken, 0, sizeof g.is_taken);
    double reach = 2.0 * place.scale * view->largest + fr_vec3_largest(place.position);
    g.whole.error = 0x1p-47 * (reach + fr_vec3_largest(checked.point) + fabs(checked.slide));
    gather(&g, view->triangle_count);
    double gap = free_direction(&g);
    if (isnan(gap) || !(g.whole.inner > g.whole.error)) {
        g.whole.from = -FR_PI;
        g.whole.to = FR_PI;
    } else {
        gather_angles(&g, view->triangle_count, gap);
    }
    fr__enclose(&g.frame, &g.whole, checked.angle, checked.slide, out);
    return FR_OK;
}
