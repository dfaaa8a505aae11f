// CGAL: the scenes of bench_collide.c, one thread. Boxes by box_intersection_d, triangles by its own test on plain
// doubles, which is its fastest.
#include "collide_cases.h"

#include <CGAL/Simple_cartesian.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/intersections.h>

#include <vector>

namespace {

using Kernel = CGAL::Simple_cartesian<double>;
using Triangle = Kernel::Triangle_3;
using Box = CGAL::Box_intersection_d::Box_with_info_d<double, 3, uint32_t>;

struct Body {
    std::vector<Kernel::Point_3> points;
    std::vector<Triangle> triangles;
    std::vector<Box> boxes, near; // near: those that reach into the other body's box
    CGAL::Bbox_3 box;
};

// At x = m v + t.
void place(const scene_mesh &mesh, const double m[9], const double t[3], Body &body) {
    std::vector<Kernel::Point_3> &points = body.points;
    points.resize(mesh.vertex_count);
    body.box = CGAL::Bbox_3();
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        const double *v = mesh.positions + 3 * (size_t)i;
        points[i] = Kernel::Point_3(m[0] * v[0] + m[1] * v[1] + m[2] * v[2] + t[0],
                                    m[3] * v[0] + m[4] * v[1] + m[5] * v[2] + t[1],
                                    m[6] * v[0] + m[7] * v[1] + m[8] * v[2] + t[2]);
    }
    body.triangles.clear();
    body.boxes.clear();
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        const uint32_t *c = mesh.triangles + 3 * (size_t)i;
        body.triangles.emplace_back(points[c[0]], points[c[1]], points[c[2]]);
        body.boxes.emplace_back(body.triangles.back().bbox(), i);
        body.box += body.boxes.back().bbox();
    }
}

void place(const scene_mesh &mesh, const scene_pose &pose, Body &body) {
    double m[9];
    scene_matrix(pose.rotation, m);
    place(mesh, m, pose.position, body);
}

void keep_near(Body &body, const CGAL::Bbox_3 &other) {
    body.near.clear();
    for (const Box &box : body.boxes) {
        if (CGAL::do_overlap(box.bbox(), other)) body.near.push_back(box);
    }
}

long collide(Body &a, Body &b) {
    long found = 0;
    keep_near(a, b.box);
    keep_near(b, a.box);
    CGAL::box_intersection_d(a.near.begin(), a.near.end(), b.near.begin(), b.near.end(),
                             [&](const Box &x, const Box &y) {
                                 found += CGAL::do_intersect(a.triangles[x.info()], b.triangles[y.info()]) ? 1 : 0;
                             });
    return found;
}

void run_pair(bench *b, const scene_pair_case &c) {
    if (bench_size(b, 0, 1) == 0 && c.n > 100) return bench_skip(b, "too large to only show that it runs");
    scene_mesh mesh = scene_sphere(c.n, c.m, c.bumpy);
    std::vector<scene_pose_pair> poses(c.poses);
    scene_pose_pairs(c.distance, c.poses, c.seed, poses.data());
    Body first, second;
    const scene_pose at_home = {{1, 0, 0, 0}, {0, 0, 0}};
    place(mesh, at_home, first);
    while (bench_repeat(b)) {
        long found = 0;
        for (const scene_pose_pair &p : poses) {
            double m[9], t[3];
            scene_relative(&p, m, t);
            place(mesh, m, t, second);
            found += collide(first, second);
        }
        bench_pause(b);
        bench_count(b, "pairs", (double)found);
    }
    bench_items(b, c.poses);
    scene_free_mesh(&mesh);
}

void run_bodies(bench *b, int count) {
    scene_mesh mesh = scene_sphere(SCENE_W4_MERIDIANS, SCENE_W4_STACKS, false);
    scene_flight flight = scene_make_flight(count);
    std::vector<Box> boxes;
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    Body first, second;
    while (bench_repeat(b)) {
        long found = 0;
        for (int f = 0; f < flight.frame_count; f++) {
            const scene_pose *poses = scene_frame(&flight, f);
            boxes.clear();
            for (int i = 0; i < count; i++) {
                const double *p = poses[i].position;
                boxes.emplace_back(CGAL::Bbox_3(p[0] - 1, p[1] - 1, p[2] - 1, p[0] + 1, p[1] + 1, p[2] + 1),
                                   (uint32_t)i);
            }
            pairs.clear();
            CGAL::box_self_intersection_d(boxes.begin(), boxes.end(),
                                          [&](const Box &x, const Box &y) { pairs.emplace_back(x.info(), y.info()); });
            for (const auto &pair : pairs) {
                place(mesh, poses[pair.first], first);
                place(mesh, poses[pair.second], second);
                found += collide(first, second);
            }
        }
        bench_pause(b);
        bench_count(b, "pairs", (double)found);
    }
    bench_items(b, flight.frame_count);
    scene_free_flight(&flight);
    scene_free_mesh(&mesh);
}

} // namespace

int main(int argc, char **argv) {
    static const bench_case cases[] = {W1_CASES, W2_CASES, W4_CASES};
    return bench_main(argc, argv, "cgal", "collide", cases, sizeof cases / sizeof cases[0]);
}
