// Embree's rtcCollide on the scenes of bench_collide.c, one thread. It has no transforms: the second mesh is moved into
// the first one's frame and its tree refitted for each pose. Pairs of boxes are judged by our own exact triangle test.
#include "collide_cases.h"

#include "fureai/shape.h"

#include <embree3/rtcore.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

struct Body {
    const scene_mesh *mesh = nullptr;
    std::vector<fr_vec3> vertices;
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;
};

void bounds_of(const RTCBoundsFunctionArguments *args) {
    const Body *body = static_cast<const Body *>(args->geometryUserPtr);
    const uint32_t *t = body->mesh->triangles + 3 * (size_t)args->primID;
    const fr_vec3 &a = body->vertices[t[0]], &b = body->vertices[t[1]], &c = body->vertices[t[2]];
    auto down = [](double x, double y, double z) {
        float f = (float)std::fmin(std::fmin(x, y), z);
        return f - std::fabs(f) * 1.2e-7f - 1e-30f;
    };
    auto up = [](double x, double y, double z) {
        float f = (float)std::fmax(std::fmax(x, y), z);
        return f + std::fabs(f) * 1.2e-7f + 1e-30f;
    };
    RTCBounds *out = args->bounds_o;
    out->lower_x = down(a.x, b.x, c.x);
    out->lower_y = down(a.y, b.y, c.y);
    out->lower_z = down(a.z, b.z, c.z);
    out->upper_x = up(a.x, b.x, c.x);
    out->upper_y = up(a.y, b.y, c.y);
    out->upper_z = up(a.z, b.z, c.z);
}

void no_intersection(const RTCIntersectFunctionNArguments *) {}
void no_occlusion(const RTCOccludedFunctionNArguments *) {}

void make_body(RTCDevice device, const scene_mesh &mesh, bool refits, Body &body) {
    body.mesh = &mesh;
    body.vertices.resize(mesh.vertex_count);
    memcpy(body.vertices.data(), mesh.positions, mesh.vertex_count * sizeof(fr_vec3));
    body.scene = rtcNewScene(device);
    rtcSetSceneBuildQuality(body.scene, refits ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_MEDIUM);
    rtcSetSceneFlags(body.scene, refits ? RTC_SCENE_FLAG_DYNAMIC : RTC_SCENE_FLAG_NONE);
    body.geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryBuildQuality(body.geometry, refits ? RTC_BUILD_QUALITY_REFIT : RTC_BUILD_QUALITY_MEDIUM);
    rtcSetGeometryUserPrimitiveCount(body.geometry, mesh.triangle_count);
    rtcSetGeometryUserData(body.geometry, &body);
    rtcSetGeometryBoundsFunction(body.geometry, bounds_of, nullptr);
    rtcSetGeometryIntersectFunction(body.geometry, no_intersection);
    rtcSetGeometryOccludedFunction(body.geometry, no_occlusion);
    rtcCommitGeometry(body.geometry);
    rtcAttachGeometry(body.scene, body.geometry);
    rtcCommitScene(body.scene);
}

void free_body(Body &body) {
    rtcReleaseGeometry(body.geometry);
    rtcReleaseScene(body.scene);
}

struct Question {
    const Body *a, *b;
    long found;
};

void judge(void *context, RTCCollision *pairs, unsigned count) {
    Question *q = static_cast<Question *>(context);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t *s = q->a->mesh->triangles + 3 * (size_t)pairs[i].primID0;
        const uint32_t *t = q->b->mesh->triangles + 3 * (size_t)pairs[i].primID1;
        const std::vector<fr_vec3> &p = q->a->vertices, &r = q->b->vertices;
        const fr_vec3 a[3] = {p[s[0]], p[s[1]], p[s[2]]}, b[3] = {r[t[0]], r[t[1]], r[t[2]]};
        q->found += fr_triangle_overlap(a, b) ? 1 : 0;
    }
}

// b's points in a's frame.
void place(const scene_pose_pair &poses, const double *positions, Body &body) {
    double m[9], t[3];
    scene_relative(&poses, m, t);
    for (size_t i = 0; i < body.vertices.size(); i++) {
        const double *v = positions + 3 * i;
        body.vertices[i] =
            fr_vec3{m[0] * v[0] + m[1] * v[1] + m[2] * v[2] + t[0], m[3] * v[0] + m[4] * v[1] + m[5] * v[2] + t[1],
                    m[6] * v[0] + m[7] * v[1] + m[8] * v[2] + t[2]};
    }
}

void refit(Body &body) {
    rtcCommitGeometry(body.geometry);
    rtcCommitScene(body.scene);
}

long collide(const Body &a, const Body &b) {
    Question q{&a, &b, 0};
    rtcCollide(a.scene, b.scene, judge, &q);
    return q.found;
}

void run_pair(bench *b, const scene_pair_case &c) {
    if (bench_size(b, 0, 1) == 0 && c.n > 100) return bench_skip(b, "too large to only show that it runs");
    RTCDevice device = rtcNewDevice("threads=1");
    scene_mesh mesh = scene_sphere(c.n, c.m, c.bumpy);
    Body first, second;
    make_body(device, mesh, false, first);
    make_body(device, mesh, true, second);
    std::vector<scene_pose_pair> poses(c.poses);
    scene_pose_pairs(c.distance, c.poses, c.seed, poses.data());
    while (bench_repeat(b)) {
        long found = 0;
        for (const scene_pose_pair &p : poses) {
            place(p, mesh.positions, second);
            refit(second);
            found += collide(first, second);
        }
        bench_pause(b);
        bench_count(b, "pairs", (double)found);
    }
    bench_items(b, c.poses);
    free_body(first);
    free_body(second);
    scene_free_mesh(&mesh);
    rtcReleaseDevice(device);
}

void w3(bench *b) {
    RTCDevice device = rtcNewDevice("threads=1");
    scene_mesh mesh = scene_sphere(scene_w2_100k.n, scene_w2_100k.m, true);
    Body first, second;
    make_body(device, mesh, true, first);
    make_body(device, mesh, true, second);
    scene_pose_pair poses;
    scene_pose_pairs(1.9, 1, SCENE_W3_SEED, &poses);
    std::vector<double> wobbled[2];
    for (int k = 0; k < 2; k++) {
        wobbled[k].resize(3 * (size_t)mesh.vertex_count);
        scene_wobble(&mesh, k, wobbled[k].data());
    }
    int frame = 0;
    while (bench_repeat(b)) {
        memcpy(first.vertices.data(), wobbled[0].data(), wobbled[0].size() * sizeof(double));
        place(poses, wobbled[1].data(), second);
        refit(first);
        refit(second);
        long found = collide(first, second);
        bench_pause(b);
        bench_count(b, "pairs", (double)found);
        frame = (frame + 1) % SCENE_W3_FRAMES;
        for (int k = 0; k < 2; k++)
            scene_wobble(&mesh, 0.3 * frame + k, wobbled[k].data());
    }
    free_body(first);
    free_body(second);
    scene_free_mesh(&mesh);
    rtcReleaseDevice(device);
}

} // namespace

int main(int argc, char **argv) {
    static const bench_case cases[] = {W1_CASES, W1_APART_CASES, W2_CASES, bench_case{"W3 100k deforming a frame", w3}};
    return bench_main(argc, argv, "embree", "collide", cases, sizeof cases / sizeof cases[0]);
}
