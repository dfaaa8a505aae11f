// Bullet: the scenes of bench_collide.c, one thread, single precision as Debian builds it. Its trees of quantised boxes
// (GImpact) give pairs of boxes. The cases of our names judge those by our own exact triangle test, as Embree's do; the
// cases "own test" by Bullet's clipping, whose count is not the true one.
#include "bench.h"
#include "collide_scenes.h"
#include "true_pairs.h"

#include "fureai/shape.h"

#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

namespace {

enum class Judge { OURS, BULLET };

struct Body {
    std::vector<double> positions; // what our test reads
    std::vector<float> vertices;   // what Bullet reads
    std::vector<int> corners;
    std::unique_ptr<btTriangleIndexVertexArray> array;
    std::unique_ptr<btGImpactMeshShape> shape;
    const btGImpactMeshShapePart *part = nullptr;
};

void make_body(const scene_mesh &mesh, Body &body) {
    body.positions.assign(mesh.positions, mesh.positions + 3 * (size_t)mesh.vertex_count);
    body.vertices.assign(body.positions.begin(), body.positions.end());
    body.corners.assign(mesh.triangles, mesh.triangles + 3 * (size_t)mesh.triangle_count);
    body.array.reset(new btTriangleIndexVertexArray((int)mesh.triangle_count, body.corners.data(), 3 * sizeof(int),
                                                    (int)mesh.vertex_count, body.vertices.data(), 3 * sizeof(float)));
    body.shape.reset(new btGImpactMeshShape(body.array.get()));
    body.shape->setMargin(0);
    body.shape->updateBound();
    body.part = body.shape->getMeshPart(0);
    body.shape->lockChildShapes();
    body.part->lockChildShapes();
}

void deform(Body &body, const std::vector<double> &positions) {
    body.positions = positions;
    body.vertices.assign(positions.begin(), positions.end());
    body.shape->postUpdate();
    body.shape->updateBound();
}

btTransform transform_of(const scene_pose &pose) {
    double m[9];
    scene_matrix(pose.rotation, m);
    const double *p = pose.position;
    auto f = [](double x) { return (btScalar)x; };
    return btTransform(btMatrix3x3(f(m[0]), f(m[1]), f(m[2]), f(m[3]), f(m[4]), f(m[5]), f(m[6]), f(m[7]), f(m[8])),
                       btVector3(f(p[0]), f(p[1]), f(p[2])));
}

long judge_by_bullet(const Body &a, const btTransform &at_a, const Body &b, const btTransform &at_b,
                     const btPairSet &pairs) {
    long found = 0;
    btPrimitiveTriangle p, q;
    GIM_TRIANGLE_CONTACT contact;
    for (int i = 0; i < pairs.size(); i++) {
        a.part->getPrimitiveTriangle(pairs[i].m_index1, p);
        b.part->getPrimitiveTriangle(pairs[i].m_index2, q);
        p.m_margin = q.m_margin = 0;
        p.applyTransform(at_a);
        q.applyTransform(at_b);
        p.buildTriPlane();
        q.buildTriPlane();
        found += p.overlap_test_conservative(q) && p.find_triangle_collision_clip_method(q, contact) ? 1 : 0;
    }
    return found;
}

// In the frame of a.
long judge_by_ours(const Body &a, const Body &b, const scene_pose_pair &poses, const btPairSet &pairs) {
    long found = 0;
    double m[9], t[3];
    scene_relative(&poses, m, t);
    for (int i = 0; i < pairs.size(); i++) {
        fr_vec3 p[3], q[3];
        for (int k = 0; k < 3; k++) {
            const double *u = &a.positions[3 * (size_t)a.corners[3 * (size_t)pairs[i].m_index1 + k]];
            const double *v = &b.positions[3 * (size_t)b.corners[3 * (size_t)pairs[i].m_index2 + k]];
            p[k] = fr_vec3{u[0], u[1], u[2]};
            q[k] =
                fr_vec3{m[0] * v[0] + m[1] * v[1] + m[2] * v[2] + t[0], m[3] * v[0] + m[4] * v[1] + m[5] * v[2] + t[1],
                        m[6] * v[0] + m[7] * v[1] + m[8] * v[2] + t[2]};
        }
        found += fr_triangle_overlap(p, q) ? 1 : 0;
    }
    return found;
}

long collide(const Body &a, const Body &b, const scene_pose_pair &poses, Judge judge, btPairSet &pairs) {
    btTransform at_a = transform_of(poses.a), at_b = transform_of(poses.b);
    pairs.resize(0);
    btGImpactBoxSet::find_collision(a.part->getBoxSet(), at_a, b.part->getBoxSet(), at_b, pairs);
    return judge == Judge::OURS ? judge_by_ours(a, b, poses, pairs) : judge_by_bullet(a, at_a, b, at_b, pairs);
}

template <Judge judge> void run_pair(bench *b, const scene_pair_case &c) {
    if (bench_size(b, 0, 1) == 0 && c.n > 100) return bench_skip(b, "too large to only show that it runs");
    scene_mesh mesh = scene_sphere(c.n, c.m, c.bumpy);
    Body body;
    make_body(mesh, body);
    scene_free_mesh(&mesh);
    std::vector<scene_pose_pair> poses(c.poses);
    scene_pose_pairs(c.distance, c.poses, c.seed, poses.data());
    btPairSet pairs;
    while (bench_repeat(b)) {
        long found = 0;
        for (const scene_pose_pair &p : poses)
            found += collide(body, body, p, judge, pairs);
        bench_pause(b);
        true_pairs::count(b, found, c.pairs);
    }
    bench_items(b, c.poses);
}

template <Judge judge> void w3(bench *b) {
    scene_mesh mesh = scene_sphere(scene_w2_100k.n, scene_w2_100k.m, true);
    Body first, second;
    make_body(mesh, first);
    make_body(mesh, second);
    scene_pose_pair poses;
    scene_pose_pairs(1.9, 1, SCENE_W3_SEED, &poses);
    std::vector<double> wobbled[2];
    for (int k = 0; k < 2; k++) {
        wobbled[k].resize(3 * (size_t)mesh.vertex_count);
        scene_wobble(&mesh, k, wobbled[k].data());
    }
    btPairSet pairs;
    int frame = 0;
    long found = 0;
    while (bench_repeat(b)) {
        deform(first, wobbled[0]);
        deform(second, wobbled[1]);
        found += collide(first, second, poses, judge, pairs);
        bench_pause(b);
        if (++frame == SCENE_W3_FRAMES) {
            bench_count(b, "pairs in 8 frames", (double)found);
            bench_count(b, "true pairs", SCENE_W3_PAIRS);
            found = frame = 0;
        }
        for (int k = 0; k < 2; k++)
            scene_wobble(&mesh, 0.3 * frame + k, wobbled[k].data());
    }
    scene_free_mesh(&mesh);
}

// Bullet's own broad phase, a world without a solver.
struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad_phase;
    btCollisionWorld world{&dispatcher, &broad_phase, &configuration};
    std::vector<std::unique_ptr<btCollisionObject>> objects;
};

template <Judge judge> void run_bodies(bench *b, int count) {
    scene_mesh mesh = scene_sphere(SCENE_W4_MERIDIANS, SCENE_W4_STACKS, false);
    Body body;
    make_body(mesh, body);
    scene_flight flight = scene_make_flight(count);
    World w;
    for (int i = 0; i < count; i++) {
        w.objects.emplace_back(new btCollisionObject);
        w.objects[i]->setCollisionShape(body.shape.get());
        w.objects[i]->setUserIndex(i);
        w.objects[i]->setWorldTransform(transform_of(flight.poses[i]));
        w.world.addCollisionObject(w.objects[i].get());
    }
    btPairSet pairs;
    while (bench_repeat(b)) {
        long found = 0;
        for (int f = 0; f < flight.frame_count; f++) {
            const scene_pose *at = scene_frame(&flight, f);
            for (int i = 0; i < count; i++)
                w.objects[i]->setWorldTransform(transform_of(at[i]));
            w.world.updateAabbs();
            w.world.computeOverlappingPairs();
            const btBroadphasePairArray &near = w.broad_phase.getOverlappingPairCache()->getOverlappingPairArray();
            for (int i = 0; i < near.size(); i++) {
                auto *x = static_cast<btCollisionObject *>(near[i].m_pProxy0->m_clientObject);
                auto *y = static_cast<btCollisionObject *>(near[i].m_pProxy1->m_clientObject);
                scene_pose_pair poses = {at[x->getUserIndex()], at[y->getUserIndex()]};
                found += collide(body, body, poses, judge, pairs);
            }
        }
        bench_pause(b);
        true_pairs::count(b, found, flight.pairs);
    }
    bench_items(b, flight.frame_count);
    for (auto &object : w.objects)
        w.world.removeCollisionObject(object.get());
    scene_free_flight(&flight);
    scene_free_mesh(&mesh);
}

template <Judge judge> struct Cases {
    static void w1_960(bench *b) { run_pair<judge>(b, scene_w1_960); }
    static void w1_3968(bench *b) { run_pair<judge>(b, scene_w1_3968); }
    static void w1_960_apart(bench *b) { run_pair<judge>(b, scene_w1_960_apart); }
    static void w1_3968_apart(bench *b) { run_pair<judge>(b, scene_w1_3968_apart); }
    static void w2_100k(bench *b) { run_pair<judge>(b, scene_w2_100k); }
    static void w2_1m(bench *b) { run_pair<judge>(b, scene_w2_1m); }
    static void w4_1000(bench *b) { run_bodies<judge>(b, (int)bench_size(b, 100, 1000)); }
    static void w4_10000(bench *b) { run_bodies<judge>(b, (int)bench_size(b, 100, 10000)); }
};

} // namespace

int main(int argc, char **argv) {
    using Ours = Cases<Judge::OURS>;
    using Own = Cases<Judge::BULLET>;
    static const bench_case cases[] = {
        {"W1 960 @1.9 64 poses", Ours::w1_960},
        {"W1 3968 @1.9 64 poses", Ours::w1_3968},
        {"W1 960 @2.5 64 poses", Ours::w1_960_apart},
        {"W1 3968 @2.5 64 poses", Ours::w1_3968_apart},
        {"W2 100k @1.9 8 poses", Ours::w2_100k},
        {"W2 1M @1.9 4 poses", Ours::w2_1m},
        {"W3 100k deforming a frame", w3<Judge::OURS>},
        {"W4 1000 bodies 20 frames", Ours::w4_1000},
        {"W4 10000 bodies 20 frames", Ours::w4_10000},
        {"W1 960 @1.9 own test", Own::w1_960},
        {"W1 3968 @1.9 own test", Own::w1_3968},
        {"W2 100k @1.9 own test", Own::w2_100k},
        {"W2 1M @1.9 own test", Own::w2_1m},
        {"W3 100k deforming own test", w3<Judge::BULLET>},
        {"W4 1000 bodies own test", Own::w4_1000},
        {"W4 10000 bodies own test", Own::w4_10000},
    };
    return bench_main(argc, argv, "bullet", "collide", cases, sizeof cases / sizeof cases[0]);
}
