// Assimp reading the same bytes, without any step after the reading.
#include "bench.h"
#include "model_files.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>

static const size_t side_full = 708;

static void read_file(bench *b, model_file file, const char *ending) {
    while (bench_repeat(b)) {
        const aiScene *scene = aiImportFileFromMemory(file.bytes, static_cast<unsigned>(file.size), 0, ending);
        bench_pause(b);
        if (scene == nullptr) {
            bench_skip(b, aiGetErrorString());
            break;
        }
        double triangles = 0.0;
        for (unsigned i = 0; i < scene->mNumMeshes; i++) {
            triangles += scene->mMeshes[i]->mNumFaces;
        }
        bench_count(b, "triangles", triangles);
        aiReleaseImport(scene);
    }
    bench_items(b, static_cast<double>(file.size));
    bench_count(b, "bytes", static_cast<double>(file.size));
    free(file.bytes);
}

static void read_obj(bench *b) { read_file(b, model_file_obj(bench_size(b, 10, side_full)), "obj"); }
static void read_stl_ascii(bench *b) { read_file(b, model_file_stl_ascii(bench_size(b, 10, side_full)), "stl"); }
static void read_stl(bench *b) { read_file(b, model_file_stl(bench_size(b, 10, side_full)), "stl"); }
static void read_ply_ascii(bench *b) { read_file(b, model_file_ply(bench_size(b, 10, side_full), 1), "ply"); }
static void read_ply(bench *b) { read_file(b, model_file_ply(bench_size(b, 10, side_full), 0), "ply"); }
static void read_off(bench *b) { read_file(b, model_file_off(bench_size(b, 10, side_full)), "off"); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"read_obj", read_obj}, {"read_stl_ascii", read_stl_ascii}, {"read_stl", read_stl},
        {"read_ply", read_ply}, {"read_ply_ascii", read_ply_ascii}, {"read_off", read_off},
    };
    return bench_main(argc, argv, "assimp", "model", cases, sizeof cases / sizeof cases[0]);
}
