// The adapter around the library Draco: meshes of bitstream 2.2, decoded within a bound of memory, and their
// attributes in the types that glTF asks for.
#include "draco.h"

#include <draco/compression/config/decoder_options.h>
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>

#include <cstring>
#include <memory>
#include <new>

struct fr__draco_mesh {
    draco::Mesh mesh;
};

namespace {

constexpr uint64_t face_bytes = 12; // three indices

// A decoder of the library that looks at counts before it takes memory for them.
template <class decoder> class bounded : public decoder {
  public:
    explicit bounded(uint64_t max_bytes) : max_bytes_(max_bytes) {}

    fr_status run(draco::DecoderBuffer *buffer, draco::Mesh *mesh, fr__draco_size *size) {
        draco::DecoderOptions options;
        bool is_whole = this->Decode(options, buffer, mesh).ok();
        if (is_over_) { return FR_ERROR_LIMIT; }
        if (!is_whole) { return FR_ERROR_CORRUPT; }
        *size = {mesh->num_points(), mesh->num_faces(), bytes_};
        return FR_OK;
    }

  protected:
    // Two numbers come first: faces and points, or vertices and faces, by the method. Each is bounded as faces are.
    bool DecodeConnectivity() override {
        draco::DecoderBuffer ahead = *this->buffer();
        uint32_t first = 0, second = 0;
        if (this->bitstream_version() != DRACO_BITSTREAM_VERSION(2, 2) || !draco::DecodeVarint(&first, &ahead) ||
            !draco::DecodeVarint(&second, &ahead)) {
            return false;
        }
        is_over_ = face_bytes * (first > second ? first : second) > max_bytes_;
        return !is_over_ && decoder::DecodeConnectivity();
    }

    // All attributes are known here, none of them has memory yet.
    bool DecodeAllAttributes() override {
        const draco::PointCloud *cloud = this->point_cloud();
        bytes_ = face_bytes * this->mesh()->num_faces();
        for (int i = 0; i < cloud->num_attributes() && bytes_ <= max_bytes_; i++) {
            bytes_ += static_cast<uint64_t>(cloud->attribute(i)->byte_stride()) * cloud->num_points();
        }
        is_over_ = bytes_ > max_bytes_;
        return !is_over_ && decoder::DecodeAllAttributes();
    }

  private:
    uint64_t max_bytes_, bytes_ = 0;
    bool is_over_ = false;
};

fr_status decode(const void *bytes, size_t size, uint64_t max_bytes, draco::Mesh *mesh, fr__draco_size *out_size) {
    draco::DecoderBuffer buffer;
    draco::DracoHeader header;
    buffer.Init(static_cast<const char *>(bytes), size);
    draco::DecoderBuffer ahead = buffer;
    if (!draco::PointCloudDecoder::DecodeHeader(&ahead, &header).ok() ||
        header.encoder_type != draco::TRIANGULAR_MESH) {
        return FR_ERROR_CORRUPT;
    }
    if (header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING) {
        return bounded<draco::MeshEdgebreakerDecoder>(max_bytes).run(&buffer, mesh, out_size);
    }
    return bounded<draco::MeshSequentialDecoder>(max_bytes).run(&buffer, mesh, out_size);
}

fr_status open(const void *bytes, size_t size, uint64_t max_bytes, fr__draco_mesh **out, fr__draco_size *out_size) {
    *out = nullptr;
    try {
        auto mesh = std::make_unique<fr__draco_mesh>();
        fr_status status = decode(bytes, size, max_bytes, &mesh->mesh, out_size);
        if (status == FR_OK) { *out = mesh.release(); }
        return status;
    } catch (const std::bad_alloc &) { return FR_ERROR_MEMORY; } catch (...) {
        return FR_ERROR_CORRUPT;
    }
}

void close(fr__draco_mesh *mesh) { delete mesh; }

void indices(const fr__draco_mesh *mesh, uint32_t *out) {
    for (uint32_t i = 0; i < mesh->mesh.num_faces(); i++) {
        const draco::Mesh::Face &face = mesh->mesh.face(draco::FaceIndex(i));
        for (int k = 0; k < 3; k++) {
            *out++ = face[static_cast<size_t>(k)].value();
        }
    }
}

template <class type> bool copy(const draco::PointAttribute *attribute, uint32_t count, uint32_t width, char *out) {
    type value[4];
    for (uint32_t i = 0; i < count; i++, out += width * sizeof(type)) {
        draco::AttributeValueIndex at = attribute->mapped_index(draco::PointIndex(i));
        if (at.value() >= attribute->size() || !attribute->ConvertValue<type>(at, static_cast<int8_t>(width), value)) {
            return false;
        }
        memcpy(out, value, width * sizeof(type));
    }
    return true;
}

bool attribute(const fr__draco_mesh *mesh, uint32_t id, uint64_t type, uint32_t width, char *out) {
    const draco::PointAttribute *found = mesh->mesh.GetAttributeByUniqueId(id);
    uint32_t count = mesh->mesh.num_points();
    if (found == nullptr || width > 4 || static_cast<uint32_t>(found->num_components()) != width) { return false; }
    switch (type) {
    case 5120: return copy<int8_t>(found, count, width, out);
    case 5121: return copy<uint8_t>(found, count, width, out);
    case 5122: return copy<int16_t>(found, count, width, out);
    case 5123: return copy<uint16_t>(found, count, width, out);
    case 5125: return copy<uint32_t>(found, count, width, out);
    case 5126: return copy<float>(found, count, width, out);
    default: return false;
    }
}

} // namespace

extern "C" const fr__draco_codec *fr__draco(void) {
    static const fr__draco_codec codec = {open, close, indices, attribute};
    return &codec;
}
