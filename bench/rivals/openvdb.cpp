// OpenVDB: the torus and ball of bench_octree.c under its 39 motions (fewer where they take long; "updates" says how
// many), one thread. The solid lies in one child of the root, where OpenVDB is at its best, as a grid of bools that is
// sampled at the nearest point: what our rule of centres does. "voxels" of the last motion are beside "of_ours", the
// count of our own tree: both should be the same but for ties and for what leaves our root.
#include "bench.h"
#include "fureai/octree.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/GridTransformer.h>
#include <tbb/global_control.h>

#include <vector>

namespace {

const int CYCLES = 39, AWAY = 2048; // the middle of a child of the root

bool in_torus(double px, double py, double pz) {
    double x = px / 16.0 - 1.0, y = py / 16.0 - 1.0, z = pz / 16.0 - 1.0, r = std::sqrt(x * x + y * y) - 0.6;
    return r * r + z * z < 0.09 || x * x + y * y + z * z < 0.35 * 0.35;
}

// The same solid for both. False without memory.
bool fill(int depth, openvdb::BoolGrid &grid, fr_octree **tree) {
    fr_octree_def def = fr_default_octree_def();
    def.depth = (uint32_t)depth;
    if (fr_octree_create(&def, tree, nullptr) != FR_OK) return false;
    openvdb::BoolGrid::Accessor cells = grid.getAccessor();
    int n = 1 << depth;
    double unit = 32.0 / n;
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                if (!in_torus((x + 0.5) * unit, (y + 0.5) * unit, (z + 0.5) * unit)) continue;
                cells.setValue(openvdb::Coord(x + AWAY, y + AWAY, z + AWAY), true);
                const int64_t low[3] = {x, y, z}, high[3] = {x + 1, y + 1, z + 1};
                fr_octree_fill(*tree, low, high, FR_CELL_BLACK);
            }
    grid.pruneGrid();
    return true;
}

// About the middle of the root, from the points that samples stand for; OpenVDB multiplies rows.
openvdb::math::Mat4d matrix_of(const fr_octree_motion &motion, int depth) {
    const fr_vec3 *row = motion.rotation.row;
    openvdb::math::Mat4d m = openvdb::math::Mat4d::identity();
    for (int i = 0; i < 3; i++) {
        m[0][i] = row[i].x;
        m[1][i] = row[i].y;
        m[2][i] = row[i].z;
    }
    double c = AWAY + 0.5 * (1 << depth) - 0.5;
    fr_vec3 turned = fr_mat3_apply(motion.rotation, fr_vec3_make(c, c, c));
    m.setTranslation(
        openvdb::Vec3d(c - turned.x + motion.travel.x, c - turned.y + motion.travel.y, c - turned.z + motion.travel.z));
    return m;
}

double voxels_of_ours(const fr_octree *tree, const fr_octree_motion &motion) {
    fr_octree_def def = fr_octree_get_def(tree);
    fr_octree *moved = nullptr;
    fr_octree_reference *reference = nullptr;
    fr_octree_move_input input = fr_default_octree_move_input();
    input.motion = motion;
    double voxels = -1.0;
    if (fr_octree_create(&def, &moved, nullptr) == FR_OK &&
        fr_octree_reference_create(tree, nullptr, &reference, nullptr) == FR_OK &&
        fr_octree_move(reference, &input, moved, nullptr, NULL) == FR_OK)
        voxels = (double)fr_octree_count(moved).black_voxels;
    fr_octree_reference_destroy(reference);
    fr_octree_destroy(moved);
    return voxels;
}

void run(bench *b, int depth, int updates) {
    depth = (int)bench_size(b, 4, (size_t)depth);
    tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
    openvdb::BoolGrid::Ptr grid = openvdb::BoolGrid::create(false);
    fr_octree *tree = nullptr;
    if (!fill(depth, *grid, &tree)) return bench_skip(b, "out of memory");
    fr_octree_motion all = fr_octree_motion_identity();
    fr_octree_motion step = fr_octree_motion_step(fr_vec3_make(-0.1, 0.0, 0.0), fr_vec3_make(1.5, -1.5, 1.5));
    std::vector<fr_octree_motion> motions;
    for (int i = 0; i < CYCLES; i++) {
        fr_octree_motion_compose(&all, &step);
        if (i % (CYCLES / updates) == 0) motions.push_back(all);
    }
    openvdb::BoolGrid::Ptr moved;
    while (bench_repeat(b))
        for (const fr_octree_motion &motion : motions) {
            moved = openvdb::BoolGrid::create(false);
            openvdb::tools::GridTransformer transformer(matrix_of(motion, depth));
            transformer.transformGrid<openvdb::tools::PointSampler, openvdb::BoolGrid>(*grid, *moved);
        }
    bench_count(b, "updates", (double)motions.size());
    bench_count(b, "voxels", (double)moved->activeVoxelCount());
    bench_count(b, "of_ours", voxels_of_ours(tree, motions.back()));
    fr_octree_destroy(tree);
}

void torus_5(bench *b) { run(b, 5, 39); }
void torus_6(bench *b) { run(b, 6, 13); }
void torus_7(bench *b) { run(b, 7, 3); }
void torus_8(bench *b) { run(b, 8, 1); }

} // namespace

int main(int argc, char **argv) {
    openvdb::initialize();
    const bench_case cases[] = {
        {"torus 32^3", torus_5},
        {"torus 64^3", torus_6},
        {"torus 128^3", torus_7},
        {"torus 256^3", torus_8},
    };
    return bench_main(argc, argv, "openvdb", "octree", cases, sizeof cases / sizeof cases[0]);
}
