// Writes PLY, text or binary little endian: all parts in one list of vertices and one of polygons, with their colours.
#include "bytes.h"
#include "sink.h"

typedef struct ply_out {
    fr__sink *sink;
    fr__totals totals;
    bool is_text;
    bool long_lists; // some polygon has more than 255 corners
} ply_out;

static void put_line(fr__sink *sink, const char *before, uint64_t number) {
    fr__sink_text(sink, before);
    fr__sink_integer(sink, number);
    fr__sink_text(sink, "\n");
}

static void put_header(const ply_out *out) {
    fr__sink *sink = out->sink;
    fr__sink_text(sink, out->is_text ? "ply\nformat ascii 1.0\n" : "ply\nformat binary_little_endian 1.0\n");
    fr__sink_frame(sink, "comment ");
    put_line(sink, "element vertex ", out->totals.vertices);
    fr__sink_text(sink, out->totals.is_double ? "property double x\nproperty double y\nproperty double z\n"
                                              : "property float x\nproperty float y\nproperty float z\n");
    put_line(sink, "element face ", out->totals.faces);
    fr__sink_text(sink, out->long_lists ? "property list uint " : "property list uchar ");
    // Most programs know int alone; uint is needed from 2^31 vertices on.
    fr__sink_text(sink, out->totals.vertices > INT32_MAX ? "uint vertex_indices\n" : "int vertex_indices\n");
    if (out->totals.is_colored) {
        fr__sink_text(sink, "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n");
    }
    fr__sink_text(sink, "end_header\n");
}

static void put_vertex(const ply_out *out, const fr__placed *placed, uint32_t vertex) {
    if (out->is_text) {
        fr__sink_position(out->sink, placed, vertex);
        fr__sink_text(out->sink, "\n");
        return;
    }
    fr_vec3 p = fr__written_position(out->sink, placed, vertex);
    const double numbers[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) {
        if (out->totals.is_double) {
            fr__store_double(fr__sink_room(out->sink, 8), numbers[i]);
        } else {
            fr__store_float(fr__sink_room(out->sink, 4), (float)numbers[i]);
        }
    }
}

// A whole number, after a blank in text, of `bytes` bytes in binary.
static void put_number(const ply_out *out, uint32_t value, int bytes) {
    if (out->is_text) {
        fr__sink_integer(out->sink, value);
        fr__sink_text(out->sink, " ");
    } else if (bytes == 4) {
        fr__store_u32(fr__sink_room(out->sink, 4), value);
    } else {
        *fr__sink_room(out->sink, 1) = (char)value;
    }
}

static void put_face(const ply_out *out, const fr__placed *placed, uint32_t face, uint32_t first_vertex,
                     fr_color color) {
    uint32_t count = fr_model_face_end(placed->mesh, face) - fr_model_face_begin(placed->mesh, face);
    put_number(out, count, out->long_lists ? 4 : 1);
    for (uint32_t i = 0; i < count; i++) {
        put_number(out, first_vertex + fr__written_corner(placed, face, i), 4);
    }
    if (out->totals.is_colored) {
        put_number(out, color.r, 1);
        put_number(out, color.g, 1);
        put_number(out, color.b, 1);
        put_number(out, color.a, 1);
    }
    if (out->is_text) {
        // The blank after the last number becomes the end of the line.
        out->sink->bytes[out->sink->used - 1] = '\n';
    }
}

static void write_ply(fr__sink *sink, const fr_model *model, bool is_text) {
    ply_out out = {.sink = sink, .totals = sink->totals, .is_text = is_text};
    out.long_lists = out.totals.longest > 255;
    if (out.totals.vertices > UINT32_MAX || out.totals.faces > UINT32_MAX) {
        fr__sink_fail(sink, FR_ERROR_LIMIT, "more vertices or polygons than PLY can count");
        return;
    }
    put_header(&out);
    for (uint32_t node = 0; node < model->view.node_count && sink->status == FR_OK; node++) {
        fr__placed placed = fr__written_node(sink, model, node);
        for (uint32_t v = 0; placed.mesh != NULL && v < placed.mesh->vertex_count; v++) {
            put_vertex(&out, &placed, v);
        }
    }
    uint32_t first_vertex = 0;
    for (uint32_t node = 0; node < model->view.node_count; node++) {
        fr__placed placed = fr__written_node(sink, model, node);
        if (placed.mesh == NULL) { continue; }
        for (uint32_t f = 0; f < placed.mesh->face_count; f++) {
            put_face(&out, &placed, f, first_vertex, fr__written_color(model, node, f));
            if (!fr__sink_face_done(sink)) { return; }
        }
        first_vertex += placed.mesh->vertex_count;
    }
}

void fr__write_ply(fr__sink *sink, const fr_model *model) { write_ply(sink, model, false); }
void fr__write_ply_ascii(fr__sink *sink, const fr_model *model) { write_ply(sink, model, true); }
