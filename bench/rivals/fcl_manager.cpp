// FCL's manager (a dynamic tree of boxes over objects) on the block of bench_clash.c: all pairs of triangles that meet,
// one thread. It finds no kinds, depths and regions.
#include "bench.h"
#include "clash_block.h"
#include "fcl_model.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <vector>

namespace {

struct Ball {
    std::vector<double> points;
    std::vector<uint32_t> corners;
    uint32_t vertex_count = BLOCK_VERTICES, triangle_count = BLOCK_TRIANGLES;
    const double *positions;
    const uint32_t *triangles;
    explicit Ball(uint32_t shape) : points(3 * BLOCK_VERTICES), corners(3 * BLOCK_TRIANGLES) {
        block_ball(shape, points.data(), corners.data());
        positions = points.data();
        triangles = corners.data();
    }
};

struct Found {
    double pairs = 0;
    double clashes = 0;
};

bool take(fcl::CollisionObject<double> *a, fcl::CollisionObject<double> *b, void *context) {
    fcl::CollisionRequest<double> request(100000000, false);
    fcl::CollisionResult<double> result;
    fcl::collide(a, b, request, result);
    Found *found = (Found *)context;
    found->pairs += (double)result.numContacts();
    found->clashes += result.isCollision() ? 1 : 0;
    return false;
}

double processor_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void run(bench *b, size_t full) {
    double seconds = 1e30;
    uint32_t count = (uint32_t)bench_size(b, 8, full);
    Found found;
    while (bench_repeat(b)) {
        found = Found();
        double begin = processor_seconds();
        std::vector<std::unique_ptr<fcl::CollisionObject<double>>> objects;
        std::shared_ptr<Model> model;
        fcl::DynamicAABBTreeCollisionManager<double> manager;
        for (uint32_t i = 0; i < count; i++) {
            if (i % 2 == 0) model = make_model(Ball(i / 2));
            double place[3];
            block_place(i, count, place);
            fcl::Transform3<double> at = fcl::Transform3<double>::Identity();
            at.translation() = fcl::Vector3<double>(place[0], place[1], place[2]);
            objects.push_back(std::make_unique<fcl::CollisionObject<double>>(model, at));
            manager.registerObject(objects.back().get());
        }
        manager.setup();
        manager.collide(&found, take);
        seconds = std::min(seconds, processor_seconds() - begin);
    }
    bench_count(b, "parts", count);
    bench_count(b, "clashes", found.clashes);
    bench_count(b, "pairs", found.pairs);
    bench_count(b, "processor_seconds", seconds);
    bench_items(b, count);
}

void at_once_100(bench *b) { run(b, 100); }
void at_once_1000(bench *b) { run(b, 1000); }

} // namespace

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"at_once/100", at_once_100}, {"at_once/1000", at_once_1000}};
    return bench_main(argc, argv, "fcl", "clash", cases, sizeof cases / sizeof cases[0]);
}
