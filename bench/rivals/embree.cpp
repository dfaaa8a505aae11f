// Embree: the same mesh, rays and places as bench_tree.c, one thread.
#include "bench.h"
#include "bumpy_sphere.h"

#include <embree3/rtcore.h>

#include <cmath>

namespace {

const int QUERIES = 20000;

struct Scene {
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;
    bumpy_sphere sphere{};

    Scene(bench *b, bool large) {
        uint32_t slices = (uint32_t)bench_size(b, 24, large ? 1000 : 250);
        uint32_t stacks = (uint32_t)bench_size(b, 21, large ? 501 : 201);
        bumpy_sphere_make(slices, stacks, &sphere);
        device = rtcNewDevice("threads=1");
    }
    ~Scene() {
        drop();
        rtcReleaseDevice(device);
        bumpy_sphere_free(&sphere);
    }
    void drop() {
        if (geometry) rtcReleaseGeometry(geometry);
        if (scene) rtcReleaseScene(scene);
        geometry = nullptr;
        scene = nullptr;
    }
    void prepare(RTCBuildQuality quality) {
        drop();
        scene = rtcNewScene(device);
        rtcSetSceneBuildQuality(scene, quality == RTC_BUILD_QUALITY_REFIT ? RTC_BUILD_QUALITY_LOW : quality);
        if (quality == RTC_BUILD_QUALITY_REFIT) rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
        geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        rtcSetGeometryBuildQuality(geometry, quality);
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sphere.positions, 0, 12,
                                   sphere.vertex_count);
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sphere.triangles, 0, 12,
                                   sphere.triangle_count);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene, geometry);
    }
};

void build(bench *b, bool large) {
    Scene s(b, large);
    s.prepare(RTC_BUILD_QUALITY_MEDIUM);
    while (bench_repeat(b)) {
        rtcCommitScene(s.scene);
        bench_pause(b);
        s.prepare(RTC_BUILD_QUALITY_MEDIUM);
    }
    bench_items(b, s.sphere.triangle_count);
}

void build_1m(bench *b) { build(b, true); }
void build_100k(bench *b) { build(b, false); }

void refit_100k(bench *b) {
    Scene s(b, false);
    s.prepare(RTC_BUILD_QUALITY_REFIT);
    rtcCommitScene(s.scene);
    while (bench_repeat(b)) {
        rtcUpdateGeometryBuffer(s.geometry, RTC_BUFFER_TYPE_VERTEX, 0);
        rtcCommitGeometry(s.geometry);
        rtcCommitScene(s.scene);
    }
    bench_items(b, s.sphere.triangle_count);
}

void ray_1m(bench *b) {
    Scene s(b, true);
    s.prepare(RTC_BUILD_QUALITY_MEDIUM);
    rtcSetSceneFlags(s.scene, RTC_SCENE_FLAG_ROBUST);
    rtcCommitScene(s.scene);
    while (bench_repeat(b)) {
        uint64_t state = 88172645463325252u;
        double hits = 0.0;
        for (int i = 0; i < QUERIES; i++) {
            double from[3], to[3];
            bench_place(&state, 3.0, from);
            bench_place(&state, 0.9, to);
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            RTCRayHit ray = {};
            ray.ray.org_x = (float)from[0];
            ray.ray.org_y = (float)from[1];
            ray.ray.org_z = (float)from[2];
            ray.ray.dir_x = (float)(to[0] - from[0]);
            ray.ray.dir_y = (float)(to[1] - from[1]);
            ray.ray.dir_z = (float)(to[2] - from[2]);
            ray.ray.tfar = INFINITY;
            ray.ray.mask = ~0u;
            ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(s.scene, &context, &ray);
            hits += ray.hit.geomID != RTC_INVALID_GEOMETRY_ID;
        }
        bench_count(b, "hits", hits);
    }
    bench_items(b, QUERIES);
}

struct V {
    float x, y, z;
};
V sub(V a, V b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
V along(V a, float t, V d) { return {a.x + t * d.x, a.y + t * d.y, a.z + t * d.z}; }
float dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// The closest point by regions of corners, edges and the inside.
V closest(V p, V a, V b, V c) {
    V ab = sub(b, a), ac = sub(c, a), ap = sub(p, a), bp = sub(p, b), cp = sub(p, c);
    float d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d1 <= 0 && d2 <= 0) return a;
    if (d3 >= 0 && d4 <= d3) return b;
    if (d6 >= 0 && d5 <= d6) return c;
    float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return along(a, d1 / (d1 - d3), ab);
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return along(a, d2 / (d2 - d6), ac);
    if (va <= 0 && d4 >= d3 && d5 >= d6) return along(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), sub(c, b));
    float f = 1 / (va + vb + vc);
    return along(along(a, vb * f, ab), vc * f, ac);
}

struct Nearest {
    const bumpy_sphere *sphere;
    float distance;
};

bool visit(RTCPointQueryFunctionArguments *args) {
    Nearest *n = (Nearest *)args->userPtr;
    const uint32_t *t = n->sphere->triangles + 3 * (size_t)args->primID;
    const V *v = (const V *)(const void *)n->sphere->positions;
    V p = {args->query->x, args->query->y, args->query->z};
    V d = sub(p, closest(p, v[t[0]], v[t[1]], v[t[2]]));
    float distance = std::sqrt(dot(d, d));
    if (distance >= n->distance) return false;
    n->distance = args->query->radius = distance;
    return true;
}

void closest_1m(bench *b) {
    Scene s(b, true);
    s.prepare(RTC_BUILD_QUALITY_MEDIUM);
    rtcCommitScene(s.scene);
    while (bench_repeat(b)) {
        uint64_t state = 88172645463325252u;
        double sum = 0.0;
        for (int i = 0; i < QUERIES; i++) {
            double at[3];
            bench_place(&state, 1.5, at);
            RTCPointQuery query = {(float)at[0], (float)at[1], (float)at[2], 0, INFINITY};
            RTCPointQueryContext context;
            rtcInitPointQueryContext(&context);
            Nearest nearest = {&s.sphere, INFINITY};
            rtcPointQuery(s.scene, &query, &context, visit, &nearest);
            sum += nearest.distance;
        }
        bench_count(b, "sum of distances", sum);
    }
    bench_items(b, QUERIES);
}

} // namespace

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"build_100k", build_100k}, {"build_1m", build_1m},     {"closest_1m", closest_1m},
        {"ray_1m", ray_1m},         {"refit_100k", refit_100k},
    };
    return bench_main(argc, argv, "embree", "tree", cases, sizeof cases / sizeof cases[0]);
}
