// A mesh as FCL has it: a tree of oriented boxes.
#ifndef FUREAI_BENCH_RIVALS_FCL_MODEL_H
#define FUREAI_BENCH_RIVALS_FCL_MODEL_H

#include <fcl/narrowphase/collision.h>

#include <memory>
#include <vector>

using Model = fcl::BVHModel<fcl::OBB<double>>;

// Of any mesh with positions, triangles and their counts.
template <class Mesh> std::shared_ptr<Model> make_model(const Mesh &mesh) {
    std::vector<fcl::Vector3<double>> vertices(mesh.vertex_count);
    std::vector<fcl::Triangle> triangles(mesh.triangle_count);
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        const double *p = mesh.positions + 3 * (size_t)i;
        vertices[i] = {p[0], p[1], p[2]};
    }
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        const uint32_t *c = mesh.triangles + 3 * (size_t)t;
        triangles[t].set(c[0], c[1], c[2]);
    }
    auto model = std::make_shared<Model>();
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

#endif
