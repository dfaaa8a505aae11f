// Reading and writing model files of a million triangles. Bytes are the items, so that a million items a second is a
// megabyte a second.
#include "bench.h"
#include "model_files.h"

#include "fureai/model.h"

#include <string.h>

#define SIDE 708

// Reads or maps bytes again and again, and frees them.
static void read_again(bench *b, void *bytes, size_t size, bool is_mapped, bool is_verified) {
    fr_model_read_input options = fr_default_model_read_input();
    options.is_verified = is_verified;
    while (bytes != NULL && bench_repeat(b)) {
        fr_model *model;
        fr_error error;
        fr_status status = is_mapped ? fr_model_map(bytes, size, &options, &model, &error)
                                     : fr_model_read(bytes, size, &options, &model, &error);
        bench_pause(b);
        if (status != FR_OK) {
            bench_skip(b, error.message);
            break;
        }
        bench_count(b, "triangles", (double)fr_model_get(model)->triangle_count);
        fr_model_destroy(model);
    }
    bench_items(b, (double)size);
    bench_count(b, "bytes", (double)size);
    free(bytes);
}

static void read_file(bench *b, model_file file) { read_again(b, file.bytes, file.size, false, false); }

static void read_obj(bench *b) { read_file(b, model_file_obj(bench_size(b, 10, SIDE))); }
static void read_stl_ascii(bench *b) { read_file(b, model_file_stl_ascii(bench_size(b, 10, SIDE))); }
static void read_stl(bench *b) { read_file(b, model_file_stl(bench_size(b, 10, SIDE))); }
static void read_ply_ascii(bench *b) { read_file(b, model_file_ply(bench_size(b, 10, SIDE), 1)); }
static void read_ply(bench *b) { read_file(b, model_file_ply(bench_size(b, 10, SIDE), 0)); }
static void read_vrml(bench *b) { read_file(b, model_file_vrml(bench_size(b, 10, SIDE))); }
static void read_vrml_1(bench *b) { read_file(b, model_file_vrml_1(bench_size(b, 10, SIDE))); }
static void read_off(bench *b) { read_file(b, model_file_off(bench_size(b, 10, SIDE))); }

// A triangle a Shape: the memory that the model and its making take beside the file.
static void read_vrml_shapes(bench *b) {
    model_file file = model_file_shapes(bench_size(b, 10, SIDE));
    while (bench_repeat(b)) {
        fr_probe *probe = fr_probe_create();
        fr_model_read_input options = fr_default_model_read_input();
        options.allocator = fr_probe_allocator(probe);
        fr_model *model;
        fr_error error;
        fr_status status = fr_model_read(file.bytes, file.size, &options, &model, &error);
        bench_pause(b);
        if (status != FR_OK) {
            bench_skip(b, error.message);
        } else {
            bench_count(b, "shapes", (double)fr_model_get(model)->mesh_count);
            bench_count(b, "peak_bytes", (double)fr_probe_get(probe).peak_bytes);
        }
        fr_model_destroy(model);
        fr_probe_destroy(probe);
        if (status != FR_OK) { break; }
    }
    bench_items(b, (double)file.size);
    bench_count(b, "bytes", (double)file.size);
    free(file.bytes);
}

// Takes the bytes that are written.
static bool push_bytes(const void *bytes, size_t size, void *context) {
    void *place = fr_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

// The intermediate file of what read_vrml reads, where mmap would put it; `file` has its size.
static void *make_frm(bench *b, model_file *file, bool no_cooked) {
    model_file text = model_file_vrml(bench_size(b, 10, SIDE));
    fr_model *model = NULL;
    fr_error error;
    fr_array bytes = fr_array_make(1, NULL);
    fr_model_write_input options = fr_default_model_write_input();
    options.is_uncooked = no_cooked;
    if (fr_model_read(text.bytes, text.size, NULL, &model, &error) != FR_OK ||
        fr_model_write(model, FR_MODEL_FRM, &options, push_bytes, &bytes, &error) != FR_OK) {
        bench_skip(b, error.message);
    }
    fr_model_destroy(model);
    free(text.bytes);
    void *copy = aligned_alloc(64, (bytes.count + 64) / 64 * 64);
    if (copy != NULL && bytes.count > 0) { memcpy(copy, bytes.data, bytes.count); }
    file->size = bytes.count;
    fr_array_destroy(&bytes);
    return copy;
}

static void read_or_map(bench *b, bool is_mapped, bool is_verified) {
    model_file file = {0};
    void *bytes = make_frm(b, &file, !is_mapped);
    read_again(b, bytes, file.size, is_mapped, is_verified);
}

static void read_frm(bench *b) { read_or_map(b, false, false); }
static void map_frm(bench *b) { read_or_map(b, true, false); }
static void verify_frm(bench *b) { read_or_map(b, true, true); }

// Counts what is written.
static bool count_bytes(const void *bytes, size_t size, void *context) {
    (void)bytes;
    *(size_t *)context += size;
    return true;
}

static void write_file(bench *b, fr_model_format format) {
    model_file file = model_file_ply(bench_size(b, 10, SIDE), 0);
    fr_model *model = NULL;
    fr_error error;
    if (fr_model_read(file.bytes, file.size, NULL, &model, &error) != FR_OK) {
        bench_skip(b, error.message);
        free(file.bytes);
        return;
    }
    size_t bytes = 0;
    while (bench_repeat(b)) {
        bytes = 0;
        fr_model_write(model, format, NULL, count_bytes, &bytes, &error);
    }
    bench_items(b, (double)bytes);
    bench_count(b, "bytes", (double)bytes);
    fr_model_destroy(model);
    free(file.bytes);
}

static void write_obj(bench *b) { write_file(b, FR_MODEL_OBJ); }
static void write_stl(bench *b) { write_file(b, FR_MODEL_STL); }
static void write_frm(bench *b) { write_file(b, FR_MODEL_FRM); }
static void write_glb(bench *b) { write_file(b, FR_MODEL_GLB); }
static void write_vrml(bench *b) { write_file(b, FR_MODEL_VRML); }
static void write_ply(bench *b) { write_file(b, FR_MODEL_PLY); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"read_obj", read_obj},
        {"read_stl_ascii", read_stl_ascii},
        {"read_stl", read_stl},
        {"read_ply", read_ply},
        {"read_ply_ascii", read_ply_ascii},
        {"read_off", read_off},
        {"read_vrml", read_vrml},
        {"read_vrml_1", read_vrml_1},
        {"read_vrml_shapes", read_vrml_shapes},
        {"read_frm", read_frm},
        {"map_frm", map_frm},
        {"verify_frm", verify_frm},
        {"write_obj", write_obj},
        {"write_stl", write_stl},
        {"write_ply", write_ply},
        {"write_vrml", write_vrml},
        {"write_glb", write_glb},
        {"write_frm", write_frm},
    };
    return bench_main(argc, argv, "fureai", "model", cases, sizeof cases / sizeof cases[0]);
}
