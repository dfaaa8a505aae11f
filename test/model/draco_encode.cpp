// Compresses meshes by the library Draco, for tests of what reads them.
#include "draco_encode.h"

#include <draco/compression/encode.h>

#include <cstring>

namespace {

template <class type>
void add(draco::Mesh *mesh, draco::GeometryAttribute::Type kind, draco::DataType data, int width, const type *values) {
    draco::GeometryAttribute attribute;
    bool is_normalized = kind == draco::GeometryAttribute::COLOR;
    attribute.Init(kind, nullptr, static_cast<int8_t>(width), data, is_normalized,
                   static_cast<int64_t>(sizeof(type)) * width, 0);
    int id = mesh->AddAttribute(attribute, true, mesh->num_points());
    for (uint32_t i = 0; i < mesh->num_points(); i++) {
        mesh->attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i), values + static_cast<size_t>(width) * i);
    }
}

} // namespace

extern "C" size_t draco_encode(const draco_input *input, unsigned char *out, size_t capacity) {
    draco::Mesh mesh;
    mesh.set_num_points(input->vertex_count);
    add(&mesh, draco::GeometryAttribute::POSITION, draco::DT_FLOAT32, 3, input->positions);
    if (input->normals != nullptr) {
        add(&mesh, draco::GeometryAttribute::NORMAL, draco::DT_FLOAT32, 3, input->normals);
    }
    if (input->colors != nullptr) { add(&mesh, draco::GeometryAttribute::COLOR, draco::DT_UINT8, 4, input->colors); }
    for (uint32_t f = 0; f < input->face_count; f++) {
        draco::Mesh::Face face;
        for (uint32_t k = 0; k < 3; k++) {
            face[k] = draco::PointIndex(input->indices[3 * f + k]);
        }
        mesh.AddFace(face);
    }
    draco::Encoder encoder;
    encoder.SetEncodingMethod(input->is_edgebreaker != 0 ? draco::MESH_EDGEBREAKER_ENCODING
                                                         : draco::MESH_SEQUENTIAL_ENCODING);
    if (input->bits > 0) {
        encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, input->bits);
        encoder.SetAttributeQuantization(draco::GeometryAttribute::NORMAL, input->bits);
    }
    draco::EncoderBuffer buffer;
    if (!encoder.EncodeMeshToBuffer(mesh, &buffer).ok() || buffer.size() > capacity) { return 0; }
    memcpy(out, buffer.data(), buffer.size());
    return buffer.size();
}
