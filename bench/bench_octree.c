// Octrees that move: the source's own methods, the fast path by each rule, what a plain loop over bytes takes for the
// same motion, many objects, meshes each frame. One sample is the source's 39 cycles (fewer for what is slow);
// "updates" says how many, so that ms / updates is the time of one. Ratios of cases in one run are the result.
#include "bench.h"

#include "octree/faithful/cube_motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLES = 39 };

// The shuttle of 1,828 voxels at depth 5, by voxel centres of a world of 32 units.
static bool in_ellipsoid(double x, double y, double z, double a, double b) {
    return x * x / (a * a) + (y * y + z * z) / (b * b) <= 1.0;
}

static bool in_shuttle(double px, double py, double pz) {
    double x = (px - 17.5) / 1.08, y = (py - 16.0) / 1.08, z = (pz - 16.0) / 1.08;
    if (in_ellipsoid(x, y, z, 11.5, 4.35)) { return true; }
    if (y * y + z * z <= 4.5 * 4.5 && x > -9.5 && x < 0.0) { return true; }
    double wing = 0.72 * (4.5 - x) < 9.2 ? 0.72 * (4.5 - x) : 9.2;
    if (x >= -10.0 && x <= 4.5 && z >= -4.35 && z <= -1.2 && fabs(y) <= wing) { return true; }
    if (x >= -11.2 && x <= -6.5 && fabs(y) <= 1.2 && z >= 0.0 && z <= 2.0 + 1.6 * (-6.5 - x)) { return true; }
    return in_ellipsoid(x + 9.5, y - 2.2, z - 2.2, 3.0, 2.25) || in_ellipsoid(x + 9.5, y + 2.2, z - 2.2, 3.0, 2.25);
}

// The rivals' solid: a torus and a ball.
static bool in_torus(double px, double py, double pz) {
    double x = px / 16.0 - 1.0, y = py / 16.0 - 1.0, z = pz / 16.0 - 1.0, r = sqrt(x * x + y * y) - 0.6;
    return r * r + z * z < 0.09 || x * x + y * y + z * z < 0.35 * 0.35;
}

typedef bool solid_fn(double x, double y, double z);

typedef struct object {
    uint32_t depth;
    fr_octree *tree, *moved;
    fr_octree_reference *reference;
    fr_cube_list leaves, compact;
    fr_cube_motion *mover;
    fr_octree_motion motions[CYCLES];
} object;

// A row at a time, so that depth 9 takes seconds, not minutes.
static void fill_solid(fr_octree *tree, solid_fn *solid) {
    int64_t n = (int64_t)1 << fr_octree_get_def(tree).depth;
    double unit = 32.0 / (double)n;
    for (int64_t z = 0; z < n; z++) {
        for (int64_t y = 0; y < n; y++) {
            int64_t begin = -1;
            for (int64_t x = 0; x <= n; x++) {
                bool is_in =
                    x < n && solid(((double)x + 0.5) * unit, ((double)y + 0.5) * unit, ((double)z + 0.5) * unit);
                if (is_in && begin < 0) { begin = x; }
                if (is_in || begin < 0) { continue; }
                const int64_t low[3] = {begin, y, z}, high[3] = {x, y + 1, z + 1};
                fr_octree_fill(tree, low, high, FR_CELL_BLACK);
                begin = -1;
            }
        }
    }
}

static bool make_object(uint32_t depth, solid_fn *solid, bool has_cubes, object *o) {
    memset(o, 0, sizeof *o);
    fr_octree_def def = fr_default_octree_def();
    def.depth = o->depth = depth;
    if (fr_octree_create(&def, &o->tree, NULL) != FR_OK || fr_octree_create(&def, &o->moved, NULL) != FR_OK) {
        return false;
    }
    fill_solid(o->tree, solid);
    fr_octree_motion all = fr_octree_motion_identity();
    fr_octree_motion step = fr_octree_motion_step(fr_vec3_make(-0.1, 0.0, 0.0), fr_vec3_make(1.5, -1.5, 1.5));
    for (int i = 0; i < CYCLES; i++) {
        fr_octree_motion_compose(&all, &step);
        o->motions[i] = all;
    }
    if (fr_octree_reference_create(o->tree, NULL, &o->reference, NULL) != FR_OK) { return false; }
    return !has_cubes || (fr_cube_list_leaves(o->tree, NULL, &o->leaves) == FR_OK &&
                          fr_cube_list_compact(o->tree, NULL, &o->compact) == FR_OK &&
                          fr_cube_motion_create(NULL, &o->mover, NULL) == FR_OK);
}

static void free_object(object *o) {
    fr_octree_destroy(o->tree);
    fr_octree_destroy(o->moved);
    fr_octree_reference_destroy(o->reference);
    fr_cube_array_destroy(&o->leaves.array);
    fr_cube_array_destroy(&o->compact.array);
    fr_cube_motion_destroy(o->mover);
}

// ---------------------------------------------------------------------------------------------------------------
// Methods

// The source's tree is one of linked cells; with `is_linked` it is left as that, not made into ours.
static void run_cubes(bench *b, uint32_t depth, fr_cube_method method, fr_octree_rule rule, bool is_compact,
                      bool is_linked) {
    object o;
    depth = (uint32_t)bench_size(b, 4, depth);
    int cycles = depth <= 5 ? CYCLES : depth == 6 ? 13 : 3;
    if (!make_object(depth, in_shuttle, true, &o)) {
        bench_skip(b, "out of memory");
    } else {
        const fr_cube_list *list = is_compact ? &o.compact : &o.leaves;
        fr_cube_motion_input input = {.cubes = fr_cubes_of(list),
                                      .cube_count = list->array.count,
                                      .depth = depth,
                                      .rule = rule,
                                      .method = method};
        uint64_t tests = 0;
        while (bench_repeat(b)) {
            tests = 0;
            for (int i = 0; i < cycles; i++) {
                input.motion = o.motions[i * CYCLES / cycles];
                fr_cube_motion_output output;
                fr_cube_motion_run(o.mover, &input, is_linked ? NULL : o.moved, &output, NULL);
                tests += output.tests;
            }
        }
        bench_count(b, "updates", cycles);
        bench_count(b, "tests", (double)tests / cycles);
        bench_count(b, "cubes", (double)list->array.count);
    }
    free_object(&o);
}

// Moves an object through all its motions; `bricks` and `surface` name what is counted.
static void run_cycles(bench *b, const object *o, fr_octree_rule rule, bool turns, const char *bricks,
                       const char *surface) {
    uint64_t mixed = 0;
    fr_octree_move_input input = fr_default_octree_move_input();
    input.rule = rule;
    while (bench_repeat(b)) {
        mixed = 0;
        for (int i = 0; i < CYCLES; i++) {
            input.motion = o->motions[i];
            if (!turns) { input.motion.rotation = fr_mat3_identity(); }
            fr_octree_move_output output;
            fr_octree_move(o->reference, &input, o->moved, &output, NULL);
            mixed += output.mixed_blocks;
        }
    }
    bench_count(b, "updates", CYCLES);
    bench_count(b, bricks, (double)mixed / CYCLES);
    bench_count(b, surface, (double)fr_octree_count(o->moved).black);
}

static void run_fast(bench *b, uint32_t depth, fr_octree_rule rule, solid_fn *solid, bool turns) {
    object o;
    if (!make_object((uint32_t)bench_size(b, 4, depth), solid, false, &o)) {
        bench_skip(b, "out of memory");
    } else {
        run_cycles(b, &o, rule, turns, "mixed_bricks", "surface");
    }
    free_object(&o);
}

// The honest rival: bytes, the same motion pulled back voxel by voxel in floating point.
static void run_bytes(bench *b, uint32_t depth) {
    depth = (uint32_t)bench_size(b, 4, depth);
    int n = 1 << depth;
    size_t count = (size_t)n * (size_t)n * (size_t)n;
    uint8_t *from = malloc(count), *to = malloc(count);
    object o;
    if (from == NULL || to == NULL || !make_object(depth, in_torus, false, &o)) {
        bench_skip(b, "out of memory");
        free(from);
        free(to);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        int64_t x = (int64_t)(i % (size_t)n), y = (int64_t)(i / (size_t)n % (size_t)n),
                z = (int64_t)(i / (size_t)n / (size_t)n);
        from[i] = fr_octree_color(o.tree, 0, x, y, z) == FR_CELL_BLACK;
    }
    fr_mat3 r = fr_mat3_transpose(o.motions[20].rotation);
    double h = 0.5 * n;
    while (bench_repeat(b)) {
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < n; j++) {
                double z0 = k - h + 0.5, y0 = j - h + 0.5;
                for (int i = 0; i < n; i++) {
                    double x0 = i - h + 0.5;
                    int x = (int)floor(r.row[0].x * x0 + r.row[0].y * y0 + r.row[0].z * z0 + h);
                    int y = (int)floor(r.row[1].x * x0 + r.row[1].y * y0 + r.row[1].z * z0 + h);
                    int z = (int)floor(r.row[2].x * x0 + r.row[2].y * y0 + r.row[2].z * z0 + h);
                    bool in = (unsigned)x < (unsigned)n && (unsigned)y < (unsigned)n && (unsigned)z < (unsigned)n;
                    to[((size_t)k * (size_t)n + (size_t)j) * (size_t)n + (size_t)i] =
                        in ? from[((size_t)z * (size_t)n + (size_t)y) * (size_t)n + (size_t)x] : 0;
                }
            }
        }
        bench_keep(to);
    }
    bench_count(b, "updates", 1);
    free(from);
    free(to);
    free_object(&o);
}

#define CUBES(name, depth, method, rule, compact)                                                                      \
    static void name(bench *b) { run_cubes(b, depth, method, rule, compact, false); }
#define LINKED(name, method, compact)                                                                                  \
    static void name(bench *b) { run_cubes(b, 5, method, FR_OCTREE_CENTER, compact, true); }
#define FAST(name, depth, rule, solid, turns)                                                                          \
    static void name(bench *b) { run_fast(b, depth, rule, solid, turns); }
#define BYTES(name, depth)                                                                                             \
    static void name(bench *b) { run_bytes(b, depth); }

CUBES(printed_5, 5, FR_CUBE_PRINTED, FR_OCTREE_CENTER, false)
CUBES(printed_6, 6, FR_CUBE_PRINTED, FR_OCTREE_CENTER, false)
CUBES(printed_7, 7, FR_CUBE_PRINTED, FR_OCTREE_CENTER, false)
CUBES(staged_5, 5, FR_CUBE_STAGED, FR_OCTREE_CENTER, false)
CUBES(proposed_5, 5, FR_CUBE_STAGED, FR_OCTREE_CENTER, true)
LINKED(linked_printed, FR_CUBE_PRINTED, false)
LINKED(linked_exact, FR_CUBE_STAGED, false)
LINKED(linked_proposed, FR_CUBE_STAGED, true)
CUBES(overlap_axes_5, 5, FR_CUBE_AXES, FR_OCTREE_OVERLAP, true)
CUBES(overlap_axes_6, 6, FR_CUBE_AXES, FR_OCTREE_OVERLAP, true)
FAST(fast_5, 5, FR_OCTREE_CENTER, in_shuttle, true)
FAST(fast_6, 6, FR_OCTREE_CENTER, in_shuttle, true)
FAST(fast_7, 7, FR_OCTREE_CENTER, in_shuttle, true)
FAST(fast_8, 8, FR_OCTREE_CENTER, in_shuttle, true)
FAST(fast_9, 9, FR_OCTREE_CENTER, in_shuttle, true)
FAST(fast_overlap_5, 5, FR_OCTREE_OVERLAP, in_shuttle, true)
FAST(fast_overlap_6, 6, FR_OCTREE_OVERLAP, in_shuttle, true)
FAST(fast_shift_5, 5, FR_OCTREE_OVERLAP, in_shuttle, false)
FAST(torus_5, 5, FR_OCTREE_CENTER, in_torus, true)
FAST(torus_6, 6, FR_OCTREE_CENTER, in_torus, true)
FAST(torus_7, 7, FR_OCTREE_CENTER, in_torus, true)
FAST(torus_8, 8, FR_OCTREE_CENTER, in_torus, true)
BYTES(bytes_5, 5)
BYTES(bytes_6, 6)
BYTES(bytes_7, 7)
BYTES(bytes_8, 8)

// A quadtree: the torus and ball cut at an angle, so that its ring is not round.
static bool make_flat(uint32_t depth, object *o) {
    memset(o, 0, sizeof *o);
    fr_octree_def def = fr_default_octree_def();
    def.dimension = 2;
    def.depth = depth;
    if (fr_octree_create(&def, &o->tree, NULL) != FR_OK || fr_octree_create(&def, &o->moved, NULL) != FR_OK) {
        return false;
    }
    int64_t n = (int64_t)1 << depth;
    double unit = 32.0 / (double)n;
    for (int64_t i = 0; i < n * n; i++) {
        int64_t x = i % n, y = i / n;
        double px = ((double)x + 0.5) * unit, py = ((double)y + 0.5) * unit;
        const int64_t low[3] = {x, y, 0}, high[3] = {x + 1, y + 1, 1};
        if (in_torus(px, py, 16.0 + 0.2 * (px - 16.0))) { fr_octree_fill(o->tree, low, high, FR_CELL_BLACK); }
    }
    fr_octree_motion all = fr_octree_motion_identity();
    fr_octree_motion step = fr_octree_motion_step(fr_vec3_make(-0.1, 0.0, 0.0), fr_vec3_make(0.0, 0.0, 1.5));
    for (int i = 0; i < CYCLES; i++) {
        fr_octree_motion_compose(&all, &step);
        o->motions[i] = all;
    }
    return fr_octree_reference_create(o->tree, NULL, &o->reference, NULL) == FR_OK;
}

static void run_flat(bench *b, uint32_t depth, fr_octree_rule rule) {
    object o;
    if (!make_flat((uint32_t)bench_size(b, 4, depth), &o)) {
        bench_skip(b, "out of memory");
    } else {
        run_cycles(b, &o, rule, true, "mixed_blocks", "border");
    }
    free_object(&o);
}

static void flat_8(bench *b) { run_flat(b, 8, FR_OCTREE_CENTER); }
static void flat_10(bench *b) { run_flat(b, 10, FR_OCTREE_CENTER); }
static void flat_overlap_10(bench *b) { run_flat(b, 10, FR_OCTREE_OVERLAP); }

// ---------------------------------------------------------------------------------------------------------------
// Many objects, and meshes

static void hundred_objects(bench *b) {
    object o;
    if (!make_object(5, in_shuttle, false, &o)) {
        bench_skip(b, "out of memory");
    } else {
        fr_octree_move_input input = fr_default_octree_move_input();
        size_t count = bench_size(b, 2, 100);
        while (bench_repeat(b)) {
            for (size_t i = 0; i < count; i++) {
                input.motion = o.motions[i % CYCLES];
                fr_octree_move(o.reference, &input, o.moved, NULL, NULL);
            }
        }
        bench_count(b, "updates", (double)count);
    }
    free_object(&o);
}

static void mesh_frame(bench *b, fr_voxel_rule rule) {
    fr_mesh *mesh = NULL;
    fr_octree_builder *builder = NULL;
    fr_octree *tree = NULL;
    fr_octree_def def = fr_default_octree_def();
    if (fr_mesh_create_named("shuttle_528", NULL, &mesh, NULL) == FR_OK) {
        fr_octree_root_about(&fr_mesh_get(mesh)->bounds, &def);
    }
    if (mesh == NULL || fr_octree_builder_create(NULL, &builder, NULL) != FR_OK ||
        fr_octree_create(&def, &tree, NULL) != FR_OK) {
        bench_skip(b, "out of memory");
    } else {
        fr_octree_build_input input = fr_default_octree_build_input();
        fr_vec3 middle = fr_bounds_center(&fr_mesh_get(mesh)->bounds);
        input.mesh = mesh;
        input.rule = rule;
        size_t count = bench_size(b, 1, CYCLES);
        while (bench_repeat(b)) {
            for (size_t i = 0; i < count; i++) {
                fr_quat turn = fr_quat_from_axis_angle(fr_vec3_make(1.0, -1.0, 1.0), 0.05 * (double)i);
                fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), turn);
                pose.position = fr_vec3_sub(middle, fr_pose_apply(&pose, middle));
                input.pose = &pose;
                fr_octree_build(builder, &input, tree, NULL);
            }
        }
        bench_count(b, "updates", (double)count);
        bench_count(b, "voxels", (double)fr_octree_count(tree).black_voxels);
    }
    fr_octree_destroy(tree);
    fr_octree_builder_destroy(builder);
    fr_mesh_release(mesh);
}

static void mesh_center(bench *b) { mesh_frame(b, FR_VOXEL_CENTER); }
static void mesh_touch(bench *b) { mesh_frame(b, FR_VOXEL_TOUCH); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"printed depth 5", printed_5},
        {"exact depth 5", staged_5},
        {"proposed depth 5", proposed_5},
        {"linked cells: printed depth 5", linked_printed},
        {"linked cells: exact depth 5", linked_exact},
        {"linked cells: proposed depth 5", linked_proposed},
        {"fast depth 5", fast_5},
        {"printed depth 6", printed_6},
        {"fast depth 6", fast_6},
        {"printed depth 7", printed_7},
        {"fast depth 7", fast_7},
        {"fast depth 8", fast_8},
        {"fast depth 9", fast_9},
        {"overlap: compaction and 15 axes depth 5", overlap_axes_5},
        {"overlap: fast depth 5", fast_overlap_5},
        {"overlap: compaction and 15 axes depth 6", overlap_axes_6},
        {"overlap: fast depth 6", fast_overlap_6},
        {"shift: fast depth 5", fast_shift_5},
        {"quadtree: fast 256^2", flat_8},
        {"quadtree: fast 1024^2", flat_10},
        {"quadtree: overlap: fast 1024^2", flat_overlap_10},
        {"100 objects depth 5", hundred_objects},
        {"mesh: centres depth 5", mesh_center},
        {"mesh: touch depth 5", mesh_touch},
        {"torus 32^3", torus_5},
        {"bytes 32^3", bytes_5},
        {"torus 64^3", torus_6},
        {"bytes 64^3", bytes_6},
        {"torus 128^3", torus_7},
        {"bytes 128^3", bytes_7},
        {"torus 256^3", torus_8},
        {"bytes 256^3", bytes_8},
    };
    return bench_main(argc, argv, "fureai", "octree", cases, sizeof cases / sizeof cases[0]);
}
