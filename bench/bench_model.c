// Reading and writing model files of a million triangles. Bytes are the items, so that a million items a second is a
// megabyte a second.
#include "bench.h"
#include "model_files.h"

#include "fureai/model.h"

#define SIDE 708

static void read_file(bench *b, model_file file) {
    fr_model_read_options options = fr_default_model_read_options();
    while (bench_repeat(b)) {
        fr_model *model;
        fr_error error;
        fr_status status = fr_model_read(file.bytes, file.size, &options, &model, &error);
        bench_pause(b);
        if (status != FR_OK) {
            bench_skip(b, error.message);
            break;
        }
        bench_count(b, "triangles", (double)fr_model_get(model)->triangle_count);
        fr_model_destroy(model);
    }
    bench_items(b, (double)file.size);
    bench_count(b, "bytes", (double)file.size);
    free(file.bytes);
}

static void read_obj(bench *b) { read_file(b, model_file_obj(bench_size(b, 10, SIDE))); }
static void read_stl_ascii(bench *b) { read_file(b, model_file_stl_ascii(bench_size(b, 10, SIDE))); }
static void read_stl(bench *b) { read_file(b, model_file_stl(bench_size(b, 10, SIDE))); }
static void read_ply_ascii(bench *b) { read_file(b, model_file_ply(bench_size(b, 10, SIDE), 1)); }
static void read_ply(bench *b) { read_file(b, model_file_ply(bench_size(b, 10, SIDE), 0)); }
static void read_off(bench *b) { read_file(b, model_file_off(bench_size(b, 10, SIDE))); }

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
static void write_ply(bench *b) { write_file(b, FR_MODEL_PLY); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"read_obj", read_obj},   {"read_stl_ascii", read_stl_ascii}, {"read_stl", read_stl},
        {"read_ply", read_ply},   {"read_ply_ascii", read_ply_ascii}, {"read_off", read_off},
        {"write_obj", write_obj}, {"write_stl", write_stl},           {"write_ply", write_ply},
    };
    return bench_main(argc, argv, "fureai", "model", cases, sizeof cases / sizeof cases[0]);
}
