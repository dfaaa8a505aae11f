// ozz-animation: the body of bench_human.c in floats, one thread. Matrices of all joints by LocalToModelJob, the mean
// of two postures with weights of joints by BlendingJob, an arm brought to a point by IKTwoBoneJob (shoulder and elbow
// alone; ours turns the wrist too).
#include "bench.h"

#include "fureai/human_reach.h"

#include <ozz/animation/offline/raw_skeleton.h>
#include <ozz/animation/offline/skeleton_builder.h>
#include <ozz/animation/runtime/blending_job.h>
#include <ozz/animation/runtime/ik_two_bone_job.h>
#include <ozz/animation/runtime/local_to_model_job.h>
#include <ozz/animation/runtime/skeleton.h>
#include <ozz/base/maths/simd_quaternion.h>
#include <ozz/base/maths/soa_transform.h>

#include <vector>

namespace {

using ozz::animation::Skeleton;
using ozz::math::SimdFloat4;
using ozz::math::SoaTransform;
namespace simd = ozz::math::simd_float4;

const size_t ROUNDS = 256;

// A joint of the body with all below it.
void fill_joint(const fr_skeleton_view *view, uint32_t link, ozz::animation::offline::RawSkeleton::Joint &joint) {
    const fr_quat &q = view->rests[link];
    const fr_vec3 &p = view->offsets[link];
    joint.name = view->names[link];
    joint.transform.translation = ozz::math::Float3((float)p.x, (float)p.y, (float)p.z);
    joint.transform.rotation = ozz::math::Quaternion((float)q.x, (float)q.y, (float)q.z, (float)q.w);
    joint.transform.scale = ozz::math::Float3::one();
    for (uint32_t i = link + 1; i < view->link_count; i++)
        if (view->parents[i] == link) {
            joint.children.emplace_back();
            fill_joint(view, i, joint.children.back());
        }
}

ozz::unique_ptr<Skeleton> make_skeleton() {
    fr_body_def def = fr_default_body_def();
    fr_skeleton *body = nullptr;
    if (fr_skeleton_create_body(&def, &body, nullptr) != FR_OK) return nullptr;
    ozz::animation::offline::RawSkeleton raw;
    raw.roots.resize(1);
    fill_joint(fr_skeleton_get(body), 0, raw.roots[0]);
    fr_skeleton_release(body);
    return ozz::animation::offline::SkeletonBuilder()(raw);
}

// Postures of people, four joints side by side: turns of up to about half a radian away from rest.
std::vector<SoaTransform> make_posture(const Skeleton &skeleton, fr_random &random) {
    std::vector<SoaTransform> posture(skeleton.joint_rest_poses().begin(), skeleton.joint_rest_poses().end());
    for (SoaTransform &joints : posture) {
        float numbers[4][4];
        for (auto &q : numbers) {
            double x = fr_random_between(&random, -0.5, 0.5), y = fr_random_between(&random, -0.5, 0.5);
            fr_quat turn = fr_quat_from_vector(fr_vec3_make(x, y, fr_random_between(&random, -0.5, 0.5)));
            q[0] = (float)turn.x, q[1] = (float)turn.y, q[2] = (float)turn.z, q[3] = (float)turn.w;
        }
        SimdFloat4 *parts[4] = {&joints.rotation.x, &joints.rotation.y, &joints.rotation.z, &joints.rotation.w};
        for (int k = 0; k < 4; k++)
            *parts[k] = simd::Load(numbers[0][k], numbers[1][k], numbers[2][k], numbers[3][k]);
    }
    return posture;
}

struct Crowd {
    ozz::unique_ptr<Skeleton> skeleton = make_skeleton();
    std::vector<std::vector<SoaTransform>> postures, others, results;
    std::vector<std::vector<ozz::math::Float4x4>> matrices;
    std::vector<SimdFloat4> weights[2];

    explicit Crowd(size_t count) {
        fr_random random = fr_random_seed(25);
        for (size_t i = 0; i < count; i++) {
            postures.push_back(make_posture(*skeleton, random));
            others.push_back(make_posture(*skeleton, random));
            results.push_back(postures.back());
            matrices.emplace_back(skeleton->num_joints());
        }
        for (auto &w : weights)
            for (int i = 0; i < skeleton->num_soa_joints(); i++)
                w.push_back(simd::Load1((float)fr_random_between(&random, 0.1, 1.0)));
    }
};

void run_links(bench *b) {
    Crowd crowd(bench_size(b, 16, ROUNDS));
    while (bench_repeat(b))
        for (size_t i = 0; i < crowd.postures.size(); i++) {
            ozz::animation::LocalToModelJob job;
            job.skeleton = crowd.skeleton.get();
            job.input = ozz::make_span(crowd.postures[i]);
            job.output = ozz::make_span(crowd.matrices[i]);
            job.Run();
        }
    bench_items(b, (double)crowd.postures.size());
    bench_keep(crowd.matrices[0].data());
}

void run_mean(bench *b) {
    Crowd crowd(bench_size(b, 16, ROUNDS));
    while (bench_repeat(b))
        for (size_t i = 0; i < crowd.postures.size(); i++) {
            ozz::animation::BlendingJob::Layer layers[2];
            for (int k = 0; k < 2; k++) {
                layers[k].weight = 1.0f;
                layers[k].transform = ozz::make_span(k == 0 ? crowd.postures[i] : crowd.others[i]);
                layers[k].joint_weights = ozz::make_span(crowd.weights[k]);
            }
            ozz::animation::BlendingJob job;
            job.threshold = 0.01f;
            job.layers = ozz::span<const ozz::animation::BlendingJob::Layer>(layers);
            job.rest_pose = crowd.skeleton->joint_rest_poses();
            job.output = ozz::make_span(crowd.results[i]);
            job.Run();
        }
    bench_items(b, (double)crowd.postures.size());
    bench_keep(crowd.results[0].data());
}

// The goals of bench_human.c: where the wrist is at random angles of an arm that hangs, in the frame of its shoulder.
void run_arm(bench *b) {
    const int GOALS = 64;
    const fr_arm_input arm = fr_default_arm_input();
    fr_random random = fr_random_seed(25);
    std::vector<SimdFloat4> targets;
    for (int i = 0; i < GOALS; i++) {
        double goal[FR_ARM_ANGLES];
        for (int k = 0; k < (int)FR_ARM_ANGLES; k++) {
            goal[k] = k == 3 ? fr_random_between(&random, 0.3, 2.3) : fr_random_between(&random, -1.0, 1.0);
            (void)fr_random_between(&random, -0.05, 0.05);
        }
        fr_vec3 wrist = fr_arm_wrist(arm.upper, arm.lower, goal).position;
        targets.push_back(simd::Load((float)wrist.x, (float)wrist.y, (float)wrist.z, 0.0f));
    }
    // Along z, the elbow bent about y.
    const ozz::math::Float4x4 start = ozz::math::Float4x4::identity();
    const ozz::math::Float4x4 middle =
        ozz::math::Float4x4::Translation(simd::Load(0.0f, 0.0f, (float)arm.upper, 0.0f)) *
        ozz::math::Float4x4::FromAxisAngle(simd::y_axis(), simd::Load1(0.5f));
    const ozz::math::Float4x4 end =
        middle * ozz::math::Float4x4::Translation(simd::Load(0.0f, 0.0f, (float)arm.lower, 0.0f));
    std::vector<ozz::math::SimdQuaternion> results(2 * GOALS);
    int reached = 0;
    while (bench_repeat(b)) {
        reached = 0;
        for (int i = 0; i < GOALS; i++) {
            bool is_reached = false;
            ozz::animation::IKTwoBoneJob job;
            job.target = targets[i];
            job.mid_axis = simd::y_axis();
            job.pole_vector = simd::x_axis();
            job.start_joint = &start;
            job.mid_joint = &middle;
            job.end_joint = &end;
            job.start_joint_correction = &results[2 * i];
            job.mid_joint_correction = &results[2 * i + 1];
            job.reached = &is_reached;
            job.Run();
            reached += is_reached;
        }
    }
    if (reached != GOALS) bench_skip(b, "a goal was not reached");
    bench_items(b, GOALS);
    bench_keep(results.data());
}

const bench_case cases[] = {
    {"links/batch", run_links}, {"links/alone", run_links}, {"mean/two", run_mean}, {"arm/swivel", run_arm}};

} // namespace

int main(int argc, char **argv) {
    return bench_main(argc, argv, "ozz", "human", cases, sizeof cases / sizeof cases[0]);
}
