// FCL: the motions of bench_step.c, one thread. It has no test over a step between meshes that turn and finds all, so
// the step is sampled at 1/256, first to last, until something collides: what happens between two samples is not seen.
#include "bench.h"
#include "fcl_model.h"
#include "step_scenes.h"

#include <memory>
#include <vector>

namespace {

const int SAMPLES = 256;

std::shared_ptr<Model> make_sphere(int n, int m) {
    scene_mesh mesh = scene_sphere(n, m, false);
    auto model = make_model(mesh);
    scene_free_mesh(&mesh);
    return model;
}

fcl::Transform3<double> transform_of(const fcl::Quaternion<double> &turn, const fcl::Vector3<double> &position) {
    fcl::Transform3<double> out = fcl::Transform3<double>::Identity();
    out.linear() = turn.toRotationMatrix();
    out.translation() = position;
    return out;
}

struct Moved {
    fcl::Transform3<double> still;
    fcl::Quaternion<double> turn_from, turn_to;
    fcl::Vector3<double> from, to;
};

fcl::Quaternion<double> turn_of(const scene_pose &p) {
    return {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z};
}

fcl::Vector3<double> position_of(const scene_pose &p) { return {p.position[0], p.position[1], p.position[2]}; }

double first_time(const Model *model, const Moved &m) {
    fcl::CollisionRequest<double> request(1, false);
    for (int k = 0; k <= SAMPLES; k++) {
        double t = (double)k / SAMPLES;
        fcl::CollisionResult<double> result;
        fcl::Vector3<double> position = (1 - t) * m.from + t * m.to;
        fcl::collide(model, m.still, model, transform_of(m.turn_from.slerp(t, m.turn_to), position), request, result);
        if (result.isCollision()) return t;
    }
    return 1.0;
}

void run_motions(bench *b, int n, int m) {
    auto model = make_sphere(n, m);
    scene_motion motions[SCENE_W5_MOTIONS];
    int count = (int)bench_size(b, 2, SCENE_W5_MOTIONS);
    scene_motions(SCENE_W5_MOTIONS, SCENE_W5_SEED, motions);
    std::vector<Moved> moved;
    for (int k = 0; k < count; k++) {
        const scene_motion &from = motions[k];
        moved.push_back({transform_of(turn_of(from.still), position_of(from.still)), turn_of(from.from),
                         turn_of(from.to), position_of(from.from), position_of(from.to)});
    }
    while (bench_repeat(b)) {
        double times = 0;
        for (const Moved &one : moved)
            times += first_time(model.get(), one);
        bench_pause(b);
        bench_count(b, "mean time", times / count);
    }
    bench_items(b, count);
}

void w5_960(bench *b) { run_motions(b, 24, 21); }
void w5_3968(bench *b) { run_motions(b, 64, 32); }

} // namespace

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"W5 960 first 32 motions", w5_960}, {"W5 3968 first 32 motions", w5_3968}};
    return bench_main(argc, argv, "fcl", "step", cases, sizeof cases / sizeof cases[0]);
}
