// FCL: the scenes of bench_collide.c, one thread. Trees of oriented boxes, every contact asked for.
#include "collide_cases.h"
#include "fcl_model.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace {

const size_t ALL_CONTACTS = 1000000;

fcl::Transform3<double> transform_of(const scene_pose &pose) {
    double m[9];
    scene_matrix(pose.rotation, m);
    fcl::Transform3<double> out = fcl::Transform3<double>::Identity();
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            out.linear()(i, k) = m[3 * i + k];
        out.translation()[i] = pose.position[i];
    }
    return out;
}

void check(long found, long expected) {
    if (expected >= 0 && found != expected) std::fprintf(stderr, "fcl: %ld pairs, %ld expected\n", found, expected);
}

void run_pair(bench *b, const scene_pair_case &c) {
    if (bench_size(b, 0, 1) == 0 && c.n > 100) return bench_skip(b, "too large to only show that it runs");
    scene_mesh mesh = scene_sphere(c.n, c.m, c.bumpy);
    auto model = make_model(mesh);
    scene_free_mesh(&mesh);
    std::vector<scene_pose_pair> poses(c.poses);
    scene_pose_pairs(c.distance, c.poses, c.seed, poses.data());
    fcl::CollisionRequest<double> request(ALL_CONTACTS, false);
    while (bench_repeat(b)) {
        long found = 0;
        for (const scene_pose_pair &p : poses) {
            fcl::CollisionResult<double> result;
            fcl::collide(model.get(), transform_of(p.a), model.get(), transform_of(p.b), request, result);
            found += (long)result.numContacts();
        }
        bench_pause(b);
        check(found, c.pairs);
        bench_count(b, "pairs", (double)found);
    }
    bench_items(b, c.poses);
}

struct Narrow {
    fcl::CollisionRequest<double> request{ALL_CONTACTS, false};
    long found = 0;
};

bool meet(fcl::CollisionObject<double> *a, fcl::CollisionObject<double> *b, void *context) {
    Narrow *narrow = static_cast<Narrow *>(context);
    fcl::CollisionResult<double> result;
    fcl::collide(a, b, narrow->request, result);
    narrow->found += (long)result.numContacts();
    return false;
}

void run_bodies(bench *b, int count) {
    scene_mesh mesh = scene_sphere(SCENE_W4_MERIDIANS, SCENE_W4_STACKS, false);
    auto model = make_model(mesh);
    scene_free_mesh(&mesh);
    scene_flight flight = scene_make_flight(count);
    std::vector<std::unique_ptr<fcl::CollisionObject<double>>> objects;
    fcl::DynamicAABBTreeCollisionManager<double> manager;
    for (int i = 0; i < count; i++) {
        objects.emplace_back(new fcl::CollisionObject<double>(model, transform_of(flight.poses[i])));
        manager.registerObject(objects.back().get());
    }
    manager.setup();
    while (bench_repeat(b)) {
        Narrow narrow;
        for (int f = 0; f < flight.frame_count; f++) {
            const scene_pose *poses = scene_frame(&flight, f);
            for (int i = 0; i < count; i++) {
                objects[i]->setTransform(transform_of(poses[i]));
                objects[i]->computeAABB();
            }
            manager.update();
            manager.collide(&narrow, meet);
        }
        bench_pause(b);
        check(narrow.found, flight.pairs);
        bench_count(b, "pairs", (double)narrow.found);
    }
    bench_items(b, flight.frame_count);
    scene_free_flight(&flight);
}

} // namespace

int main(int argc, char **argv) {
    static const bench_case cases[] = {W1_CASES, W1_APART_CASES, W2_CASES, W4_CASES};
    return bench_main(argc, argv, "fcl", "collide", cases, sizeof cases / sizeof cases[0]);
}
