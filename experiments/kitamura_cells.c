// Kitamura 1996, chapter 2: table 2.1's objects, A and B of which collide, in a root of edge 16. How the source made
// its reference octrees is not printed; ours hold all voxels that the objects touch or fill, and are moved by overlap.
#include "kitamura_cells.h"

#include "cell_cycle.h"
#include "cycle_figures.h"

#include <stdio.h>

static const char source_of_spheres[] = "Kitamura 1996, section 2.4.1";
static const char source_of_shuttles[] = "Kitamura 1996, section 2.4.2";
static const char source_of_depths[] = "Kitamura 1996, section 2.5";

#define ROOT 16.0
#define DIAMETER 3.8

enum { LAST_CYCLE = 200 };

static int repeats_of(const experiment_run *run) { return (const int[]){1, 5, 30}[run->size]; }
static int phases_of(const experiment_run *run) { return (const int[]){1, 6, 60}[run->size]; }

// ---------------------------------------------------------------------------------------------------------------
// Table 2.1: voxels of depth 4, and degrees, a cycle

typedef struct table_object {
    fr_vec3 start, travel, turn_deg;
} table_object;

static const table_object table[CELL_CYCLE_OBJECTS] = {
    {{2.5, 2.5, 2.5}, {0.015, 0.0075, 0.01}, {0.0, 0.25, 0.0}},
    {{8.5, 6.5, 6.5}, {-0.015, -0.0075, -0.01}, {0.0, 0.25, 0.0}},
    {{13.5, 13.5, 6.0}, {-0.0005, -0.0005, -0.0005}, {0.05, 0.1, 0.15}},
    {{6.0, 2.5, 13.5}, {-0.0005, -0.0005, -0.0005}, {0.1, 0.15, 0.05}},
    {{2.5, 13.5, 2.5}, {0.0005, -0.0005, -0.0005}, {0.15, 0.05, 0.1}},
    {{13.5, 8.0, 13.5}, {0.0005, -0.0005, -0.0005}, {-0.05, -0.1, -0.15}},
    {{13.5, 2.5, 2.5}, {0.0005, -0.0005, -0.0005}, {-0.1, -0.15, -0.05}},
    {{6.0, 13.5, 13.5}, {0.0005, -0.0005, -0.0005}, {-0.15, -0.05, -0.1}},
};

// A scene of the first so many objects of the table, all of one shape.
typedef struct scene {
    cell_cycle cycle;
    uint32_t count;
    double scale;
    fr_vec3 offset; // of A and B
    double phase;   // in cycles
} scene;

static void poses_at(const scene *s, double cycle, fr_pose *out) {
    double at = cycle + s->phase;
    for (uint32_t i = 0; i < s->count; i++) {
        const table_object *o = &table[i];
        fr_vec3 turn = fr_vec3_scale(fr_radians(1.0) * at, o->turn_deg);
        out[i] = fr_pose_make(fr_vec3_add_scaled(o->start, at, o->travel), fr_quat_from_vector(turn));
        if (i < 2) { out[i].position = fr_vec3_add(out[i].position, s->offset); }
        out[i].scale = s->scale;
    }
}

static fr_status make_scene(experiment_run *run, const char *shape, double scale, uint32_t depth, scene *s) {
    fr_mesh *mesh = NULL;
    fr_status status = fr_mesh_create_named(shape, NULL, &mesh, run->error);
    if (status != FR_OK) { return status; }
    const fr_mesh *meshes[CELL_CYCLE_OBJECTS];
    fr_pose first[CELL_CYCLE_OBJECTS];
    s->scale = scale;
    for (uint32_t i = 0; i < s->count; i++) {
        meshes[i] = mesh;
    }
    poses_at(s, 0.0, first);
    status = cell_cycle_create(meshes, first, s->count, ROOT, depth, &s->cycle, run->error);
    fr_mesh_release(mesh);
    return status;
}

static fr_status make_spheres(experiment_run *run, unsigned faces, uint32_t count, uint32_t depth, scene *s) {
    char name[32];
    snprintf(name, sizeof name, "sphere_%u", faces);
    *s = (scene){.count = count};
    return make_scene(run, name, 0.5 * DIAMETER, depth, s);
}

static fr_status run_cycle(experiment_run *run, scene *s, int cycle, cell_cycle_output *output) {
    fr_pose start[CELL_CYCLE_OBJECTS], end[CELL_CYCLE_OBJECTS];
    poses_at(s, cycle, start);
    poses_at(s, cycle + 1.0, end);
    if (fr_control_is_stopped(run->control)) { return fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
    return cell_cycle_run(&s->cycle, start, end, output, run->error);
}

// When cells, faces in them and collisions are first found; the output is that of the collision.
typedef struct first_cycles {
    int cells, faces, collision;
    cell_cycle_output last;
} first_cycles;

static fr_status find_collision(experiment_run *run, scene *s, int first, first_cycles *out) {
    *out = (first_cycles){-1, -1, -1, {0}};
    for (int cycle = first; cycle < LAST_CYCLE && out->collision < 0; cycle++) {
        fr_status status = run_cycle(run, s, cycle, &out->last);
        if (status != FR_OK) { return status; }
        if (out->cells < 0 && out->last.nodes > 0) { out->cells = cycle; }
        if (out->faces < 0 && out->last.faces > 0) { out->faces = cycle; }
        if (out->last.pairs > 0) { out->collision = cycle; }
    }
    return out->collision >= 0 ? FR_OK : fr_error_set(run->error, FR_ERROR_CORRUPT, "the objects never collide");
}

// The least time of the collision's cycle.
static fr_status time_cycle(experiment_run *run, scene *s, int cycle, cell_cycle_output *best) {
    cell_cycle_output output;
    for (int i = 0; i < repeats_of(run); i++) {
        fr_status status = run_cycle(run, s, cycle, &output);
        if (status != FR_OK) { return status; }
        if (i == 0) { *best = output; }
        best->ms_octree = fmin(best->ms_octree, output.ms_octree);
        best->ms_total = fmin(best->ms_total, output.ms_total);
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Two spheres

static fr_status measure_spheres(experiment_run *run, unsigned faces, double *ms, bool has_polyhedra) {
    scene s;
    first_cycles first;
    cell_cycle_output last;
    fr_status status = make_spheres(run, faces, 2, 4, &s);
    if (status != FR_OK) { return status; }
    status = find_collision(run, &s, 60, &first);
    if (status == FR_OK) { status = time_cycle(run, &s, first.collision, &last); }
    if (status == FR_OK) {
        char label[4][64];
        snprintf(label[0], sizeof label[0], "octree %u: collision found at", faces);
        snprintf(label[1], sizeof label[1], "octree %u: interfering cells", faces);
        snprintf(label[2], sizeof label[2], "octree %u: colliding pairs", faces);
        snprintf(label[3], sizeof label[3], "polyhedra %u: time of octree's", faces);
        bool is_168 = faces == 168;
        *ms = last.ms_total;
        bool is_added = experiment_put(run, "cycle", label[0], is_168 ? 116.0 : NAN, first.collision) &&
                        experiment_put(run, "cells", label[1], is_168 ? 32.0 : NAN, (double)last.nodes) &&
                        experiment_put(run, "pairs", label[2], is_168 ? 15.0 : NAN, (double)last.pairs);
        if (is_added && has_polyhedra) {
            double without;
            cell_cycle_polyhedra_only(&s.cycle, &without);
            is_added = experiment_put(run, "times", label[3], 30000.0 / 251.0, without / *ms);
        }
        if (!is_added) { status = FR_ERROR_MEMORY; }
    }
    cell_cycle_destroy(&s.cycle);
    return status;
}

static fr_status run_faces(experiment_run *run) {
    static const unsigned faces[] = {168, 24, 48, 80, 528, 728};
    double ms[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    snprintf(run->sample, sizeof run->sample, "spheres A and B of table 2.1, depth 4, the least of %d runs",
             repeats_of(run));
    for (int i = 0; i < (run->size == EXPERIMENT_BRIEF ? 2 : 6); i++) {
        fr_status status = measure_spheres(run, faces[i], &ms[i], i == 0);
        if (status != FR_OK) { return status; }
        fr_control_progress(run->control, (i + 1) / 6.0, "spheres");
    }
    for (int i = 1; i < 6; i++) {
        char label[64];
        snprintf(label, sizeof label, "octree %u: time of 168's", faces[i]);
        if (!isnan(ms[i]) &&
            !experiment_put(run, "times", label, faces[i] == 728 ? 589.0 / 251.0 : NAN, ms[i] / ms[0])) {
            return FR_ERROR_MEMORY;
        }
    }
    return FR_OK;
}

static fr_status run_first_cycles(experiment_run *run) {
    static const char *const names[2] = {"octree", "octree, rule (b) as printed"};
    snprintf(run->sample, sizeof run->sample, "spheres A and B of table 2.1, 168 faces, depth 4, every cycle");
    for (int reading = 0; reading < 2; reading++) {
        scene s;
        first_cycles first;
        fr_status status = make_spheres(run, 168, 2, 4, &s);
        if (status != FR_OK) { return status; }
        s.cycle.reading = (fr_octree_reading)reading;
        status = find_collision(run, &s, 0, &first);
        if (status == FR_OK) {
            const struct {
                const char *quantity, *unit;
                double printed, measured;
            } rows[] = {{"cells from", "cycle", 6.0, first.cells},
                        {"faces from", "cycle", 50.0, first.faces},
                        {"collision found at", "cycle", 116.0, first.collision},
                        {"interfering cells", "cells", 32.0, (double)first.last.nodes},
                        {"faces in them", "faces", NAN, (double)first.last.faces},
                        {"pairs tested", "pairs", NAN, (double)first.last.tested},
                        {"colliding pairs", "pairs", 15.0, (double)first.last.pairs}};
            for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == FR_OK; i++) {
                char label[96];
                snprintf(label, sizeof label, "%s: %s", names[reading], rows[i].quantity);
                if (!experiment_put(run, rows[i].unit, label, rows[i].printed, rows[i].measured)) {
                    status = FR_ERROR_MEMORY;
                }
            }
        }
        cell_cycle_destroy(&s.cycle);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// More objects, other depths, shuttles

static fr_status run_objects(experiment_run *run) {
    double two = NAN;
    snprintf(run->sample, sizeof run->sample, "2 to 8 spheres of table 2.1, 168 faces, cycle 116, the least of %d runs",
             repeats_of(run));
    for (uint32_t n = 2; n <= CELL_CYCLE_OBJECTS; n++) {
        scene s;
        cell_cycle_output output = {0};
        fr_status status = make_spheres(run, 168, n, 4, &s);
        if (status != FR_OK) { return status; }
        status = time_cycle(run, &s, 116, &output);
        cell_cycle_destroy(&s.cycle);
        if (status != FR_OK) { return status; }
        if (n == 2) { two = output.ms_octree; }
        char label[2][64];
        snprintf(label[0], sizeof label[0], "octree, %u objects: time of moving, of two's", (unsigned)n);
        snprintf(label[1], sizeof label[1], "octree, %u objects: colliding pairs", (unsigned)n);
        if (!experiment_put(run, "times", label[0], NAN, output.ms_octree / two) ||
            !experiment_put(run, "pairs", label[1], 15.0, (double)output.pairs)) {
            return FR_ERROR_MEMORY;
        }
    }
    return FR_OK;
}

// Spheres of one number of faces over the depths of the octree.
enum { MIN_DEPTH = 3, MAX_DEPTH = 6, DEPTHS = MAX_DEPTH + 1 };

typedef struct depth_study {
    unsigned faces;
    double printed_best; // NAN: not printed
    uint32_t edge_depth; // of the voxels by which the source measures an edge
    double printed_edge; // mean longest edge of a face
    sample_mean total[DEPTHS], moving[DEPTHS];
} depth_study;

// One collision, at every depth: the same motion, begun anywhere in a voxel and at any part of a cycle.
static fr_status measure_depths(experiment_run *run, fr_random *random, depth_study *study) {
    char name[32];
    snprintf(name, sizeof name, "sphere_%u", study->faces);
    fr_vec3 offset = {fr_random_unit(random), fr_random_unit(random), fr_random_unit(random)};
    double phase = fr_random_unit(random);
    int from = 100;
    for (uint32_t depth = MAX_DEPTH; depth >= MIN_DEPTH; depth--) {
        scene s = {.count = 2, .offset = offset, .phase = phase};
        first_cycles first;
        cell_cycle_output output;
        fr_status status = make_scene(run, name, 0.5 * DIAMETER, depth, &s);
        if (status != FR_OK) { return status; }
        status = find_collision(run, &s, from, &first);
        if (status == FR_OK) { status = time_cycle(run, &s, first.collision, &output); }
        cell_cycle_destroy(&s.cycle);
        if (status != FR_OK) { return status; }
        sample_mean_add(&study->total[depth], output.ms_total);
        sample_mean_add(&study->moving[depth], output.ms_octree);
        // Faces collide in the same cycle at every depth, or one earlier where larger cells miss fewer of them.
        from = first.collision - 1;
    }
    return FR_OK;
}

static fr_status mean_longest_edge(experiment_run *run, unsigned faces, double *out) {
    char name[32];
    snprintf(name, sizeof name, "sphere_%u", faces);
    fr_mesh *mesh = NULL;
    fr_status status = fr_mesh_create_named(name, NULL, &mesh, run->error);
    if (status != FR_OK) { return status; }
    sample_mean mean = {0};
    for (uint32_t t = 0; t < fr_mesh_get(mesh)->triangle_count; t++) {
        fr_vec3 c[3];
        fr_mesh_corners(mesh, t, c);
        double longest = fmax(fr_vec3_distance(c[0], c[1]), fr_vec3_distance(c[1], c[2]));
        sample_mean_add(&mean, fmax(longest, fr_vec3_distance(c[2], c[0])));
    }
    fr_mesh_release(mesh);
    *out = 0.5 * DIAMETER * mean.mean;
    return FR_OK;
}

static fr_status put_depths(experiment_run *run, const depth_study *study) {
    uint32_t best = MIN_DEPTH;
    for (uint32_t depth = MIN_DEPTH; depth <= MAX_DEPTH; depth++) {
        if (study->total[depth].mean < study->total[best].mean) { best = depth; }
    }
    double edge;
    fr_status status = mean_longest_edge(run, study->faces, &edge);
    if (status != FR_OK) { return status; }
    double voxel = ROOT / (double)(1u << study->edge_depth);
    bool ok = put(experiment_add(run, "level", "octree %u: best depth", study->faces), study->printed_best, best) &&
              put(experiment_add(run, "voxels", "octree %u, depth %u: mean longest edge of a face", study->faces,
                                 (unsigned)study->edge_depth),
                  study->printed_edge, edge / voxel);
    for (uint32_t depth = MIN_DEPTH; depth <= MAX_DEPTH && ok; depth++) {
        double best_ms = study->total[best].mean;
        experiment_row *row =
            experiment_add(run, "times", "octree %u, depth %u: time of the best's", study->faces, (unsigned)depth);
        ok = put(row, NAN, study->total[depth].mean / best_ms);
        if (ok) { row->error = sample_mean_error(&study->total[depth]) / best_ms; }
        ok = ok && put(experiment_add(run, "%", "octree %u, depth %u: share of moving the octrees", study->faces,
                                      (unsigned)depth),
                       NAN, 100.0 * study->moving[depth].mean / study->total[depth].mean);
    }
    return ok ? FR_OK : run->error->status;
}

static fr_status run_depths(experiment_run *run) {
    depth_study studies[] = {{.faces = 48, .printed_best = NAN, .edge_depth = 3, .printed_edge = 0.88},
                             {.faces = 360, .printed_best = 4.0, .edge_depth = 4, .printed_edge = 0.73},
                             {.faces = 960, .printed_best = 5.0, .edge_depth = 5, .printed_edge = 0.91}};
    snprintf(run->sample, sizeof run->sample, "spheres A and B, mean of %d collisions, the least of %d runs each",
             phases_of(run), repeats_of(run));
    for (int k = 0; k < 3; k++) {
        fr_random random = fr_random_seed(27);
        for (int i = 0, n = phases_of(run); i < n; i++) {
            fr_status status = measure_depths(run, &random, &studies[k]);
            if (status != FR_OK) { return status; }
            fr_control_progress(run->control, (k + (i + 1.0) / n) / 3.0, "depths");
        }
        fr_status status = put_depths(run, &studies[k]);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

// The rows of the collision of so many shuttles.
static bool put_shuttles(experiment_run *run, const scene *s, const first_cycles *first, const cell_cycle_output *last,
                         double two_ms) {
    unsigned n = (unsigned)s->count;
    bool ok = true;
    if (n == 2) {
        ok = experiment_put(run, "cycle", "octree: cells from", 71.0, first->cells) &&
             experiment_put(run, "cycle", "octree: collision found at", 123.0, first->collision) &&
             experiment_put(run, "cells", "octree: interfering cells", 62.0, (double)last->nodes) &&
             experiment_put(run, "pairs", "octree: colliding pairs", 14.0, (double)last->pairs);
    }
    if (ok && (n == 2 || n == 5)) {
        double without = NAN;
        if (run->size != EXPERIMENT_BRIEF) { cell_cycle_polyhedra_only(&s->cycle, &without); }
        ok = put(experiment_add(run, "times", "polyhedra, %u objects: time of octree's", n),
                 n == 2 ? 269000.0 / 461.0 : 2684000.0 / 577.0, without / last->ms_total);
    }
    return ok && put(experiment_add(run, "times", "octree, %u objects: time of two's", n), n == 5 ? 577.0 / 461.0 : NAN,
                     last->ms_total / two_ms);
}

// The source's shuttle and its places are not printed: ours, as long as the spheres are wide.
static fr_status make_shuttles(experiment_run *run, uint32_t count, scene *s) {
    *s = (scene){.count = count};
    fr_mesh *mesh = NULL;
    fr_status status = fr_mesh_create_named("shuttle_528", NULL, &mesh, run->error);
    if (status != FR_OK) { return status; }
    fr_vec3 size = fr_vec3_sub(fr_mesh_get(mesh)->bounds.max, fr_mesh_get(mesh)->bounds.min);
    fr_mesh_release(mesh);
    return make_scene(run, "shuttle_528", DIAMETER / fr_vec3_largest(size), 5, s);
}

static fr_status run_shuttles(experiment_run *run) {
    double two_ms = NAN;
    snprintf(run->sample, sizeof run->sample,
             "2 to 5 shuttles of 528 faces in the places of table 2.1, depth 5, the least of %d runs", repeats_of(run));
    for (uint32_t n = 2; n <= 5; n += run->size == EXPERIMENT_BRIEF ? 3 : 1) {
        scene s;
        first_cycles first;
        cell_cycle_output last;
        fr_status status = make_shuttles(run, n, &s);
        if (status != FR_OK) { return status; }
        status = find_collision(run, &s, 0, &first);
        if (status == FR_OK) { status = time_cycle(run, &s, first.collision, &last); }
        if (status == FR_OK) {
            if (n == 2) { two_ms = last.ms_total; }
            if (!put_shuttles(run, &s, &first, &last, two_ms)) { status = run->error->status; }
        }
        cell_cycle_destroy(&s.cycle);
        if (status != FR_OK) { return status; }
        fr_control_progress(run->control, (n - 1) / 4.0, "shuttles");
    }
    return FR_OK;
}

const experiment experiment_kitamura_2_7 = {"kitamura-2.7", source_of_spheres,
                                            "two spheres by octrees, by the number of faces", run_faces};
const experiment experiment_kitamura_2_9 = {"kitamura-2.9", source_of_spheres, "interfering cells and faces, 168 faces",
                                            run_first_cycles};
const experiment experiment_kitamura_2_11 = {"kitamura-2.11", source_of_spheres, "2 to 8 spheres by octrees",
                                             run_objects};
const experiment experiment_kitamura_2_13 = {"kitamura-2.13", source_of_shuttles, "2 to 5 shuttles by octrees",
                                             run_shuttles};
const experiment experiment_kitamura_2_15 = {"kitamura-2.15", source_of_depths,
                                             "the depth of the octree, 48, 360 and 960 faces", run_depths};
