// ODE: the scenes of bench_collide.c, one thread. Meshes against meshes by dCollide, which gives contacts: what is
// counted are the different pairs of faces among them. ODE merges contacts that lie close together: the count is too
// low.
#include "collide_cases.h"
#include "true_pairs.h"

#include <ode/ode.h>

#include <algorithm>
#include <cstdarg>
#include <vector>

namespace {

const int MOST_CONTACTS = 65535; // dCollide takes 16 bits

struct Body {
    std::vector<float> vertices;
    std::vector<dTriIndex> corners;
    dTriMeshDataID data;
};

void make_body(const scene_mesh &mesh, Body &body) {
    body.vertices.assign(mesh.positions, mesh.positions + 3 * (size_t)mesh.vertex_count);
    body.corners.assign(mesh.triangles, mesh.triangles + 3 * (size_t)mesh.triangle_count);
    body.data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(body.data, body.vertices.data(), 3 * sizeof(float), (int)mesh.vertex_count,
                                body.corners.data(), (int)body.corners.size(), 3 * sizeof(dTriIndex));
}

void place(dGeomID geometry, const scene_pose &pose) {
    double m[9];
    scene_matrix(pose.rotation, m);
    const dMatrix3 rotation = {m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0};
    dGeomSetPosition(geometry, pose.position[0], pose.position[1], pose.position[2]);
    dGeomSetRotation(geometry, rotation);
}

struct Contacts {
    std::vector<dContactGeom> all = std::vector<dContactGeom>(MOST_CONTACTS);
    std::vector<uint64_t> pairs;
    long found = 0;

    void collide(dGeomID a, dGeomID b) {
        int count = dCollide(a, b, MOST_CONTACTS, all.data(), sizeof(dContactGeom));
        pairs.clear();
        for (int i = 0; i < count; i++)
            pairs.push_back((uint64_t)(uint32_t)all[i].side1 << 32 | (uint32_t)all[i].side2);
        std::sort(pairs.begin(), pairs.end());
        found += std::unique(pairs.begin(), pairs.end()) - pairs.begin();
    }
};

void meet(void *context, dGeomID a, dGeomID b) { static_cast<Contacts *>(context)->collide(a, b); }

void run_pair(bench *b, const scene_pair_case &c) {
    if (bench_size(b, 0, 1) == 0 && c.n > 100) return bench_skip(b, "too large to only show that it runs");
    scene_mesh mesh = scene_sphere(c.n, c.m, c.bumpy);
    Body body;
    make_body(mesh, body);
    scene_free_mesh(&mesh);
    dGeomID first = dCreateTriMesh(nullptr, body.data, nullptr, nullptr, nullptr);
    dGeomID second = dCreateTriMesh(nullptr, body.data, nullptr, nullptr, nullptr);
    std::vector<scene_pose_pair> poses(c.poses);
    scene_pose_pairs(c.distance, c.poses, c.seed, poses.data());
    Contacts contacts;
    while (bench_repeat(b)) {
        contacts.found = 0;
        for (const scene_pose_pair &p : poses) {
            place(first, p.a);
            place(second, p.b);
            contacts.collide(first, second);
        }
        bench_pause(b);
        true_pairs::count(b, contacts.found, c.pairs);
    }
    bench_items(b, c.poses);
    dGeomDestroy(first);
    dGeomDestroy(second);
    dGeomTriMeshDataDestroy(body.data);
}

void w3(bench *b) {
    scene_mesh mesh = scene_sphere(scene_w2_100k.n, scene_w2_100k.m, true);
    Body bodies[2];
    dGeomID geometries[2];
    scene_pose_pair poses;
    scene_pose_pairs(1.9, 1, SCENE_W3_SEED, &poses);
    std::vector<double> wobbled[2];
    for (int k = 0; k < 2; k++) {
        make_body(mesh, bodies[k]);
        geometries[k] = dCreateTriMesh(nullptr, bodies[k].data, nullptr, nullptr, nullptr);
        place(geometries[k], k == 0 ? poses.a : poses.b);
        wobbled[k].resize(3 * (size_t)mesh.vertex_count);
        scene_wobble(&mesh, k, wobbled[k].data());
    }
    Contacts contacts;
    int frame = 0;
    while (bench_repeat(b)) {
        for (int k = 0; k < 2; k++) {
            bodies[k].vertices.assign(wobbled[k].begin(), wobbled[k].end());
            dGeomTriMeshDataUpdate(bodies[k].data);
        }
        contacts.collide(geometries[0], geometries[1]);
        bench_pause(b);
        if (++frame == SCENE_W3_FRAMES) {
            bench_count(b, "pairs in 8 frames", (double)contacts.found);
            bench_count(b, "true pairs", SCENE_W3_PAIRS);
            contacts.found = frame = 0;
        }
        for (int k = 0; k < 2; k++)
            scene_wobble(&mesh, 0.3 * frame + k, wobbled[k].data());
    }
    for (int k = 0; k < 2; k++) {
        dGeomDestroy(geometries[k]);
        dGeomTriMeshDataDestroy(bodies[k].data);
    }
    scene_free_mesh(&mesh);
}

void run_bodies(bench *b, int count) {
    scene_mesh mesh = scene_sphere(SCENE_W4_MERIDIANS, SCENE_W4_STACKS, false);
    Body body;
    make_body(mesh, body);
    scene_flight flight = scene_make_flight(count);
    dSpaceID space = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    std::vector<dGeomID> geometries;
    for (int i = 0; i < count; i++) {
        geometries.push_back(dCreateTriMesh(space, body.data, nullptr, nullptr, nullptr));
        place(geometries[i], flight.poses[i]);
    }
    Contacts contacts;
    while (bench_repeat(b)) {
        contacts.found = 0;
        for (int f = 0; f < flight.frame_count; f++) {
            const scene_pose *poses = scene_frame(&flight, f);
            for (int i = 0; i < count; i++)
                place(geometries[i], poses[i]);
            dSpaceCollide(space, &contacts, meet);
        }
        bench_pause(b);
        true_pairs::count(b, contacts.found, flight.pairs);
    }
    bench_items(b, flight.frame_count);
    dSpaceDestroy(space);
    dGeomTriMeshDataDestroy(body.data);
    scene_free_flight(&flight);
    scene_free_mesh(&mesh);
}

// ODE merges contacts that lie close together and warns where its table for that is full. The counts tell it all.
void keep_quiet(int, const char *, va_list) {}

} // namespace

int main(int argc, char **argv) {
    static const bench_case cases[] = {W1_CASES, W1_APART_CASES, W2_CASES, bench_case{"W3 100k deforming a frame", w3},
                                       W4_CASES};
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    dSetMessageHandler(keep_quiet);
    int status = bench_main(argc, argv, "ode", "collide", cases, sizeof cases / sizeof cases[0]);
    dCloseODE();
    return status;
}
