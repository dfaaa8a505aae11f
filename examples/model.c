// Reads a small OBJ file from memory, makes a mesh of each part, and writes the model as PLY.
#include "fureai/model.h"

#include <stdio.h>
#include <string.h>

static const char text[] = "# a roof on a square floor\n"
                           "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nv 2 3 2\n"
                           "o floor\nf 1 2 3 4\n"
                           "o roof\nf 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n";

// Takes the bytes of the written file; here they are only counted.
static bool count_bytes(const void *bytes, size_t size, void *context) {
    (void)bytes;
    *(size_t *)context += size;
    return true;
}

static void print_error(const fr_error *error) {
    char line[512];
    fr_error_format(error, line, sizeof line);
    fprintf(stderr, "%s\n", line);
}

int main(void) {
    fr_model_read_input options = fr_default_model_read_input();
    options.name = "house.obj";
    fr_model *model;
    fr_error error;
    if (fr_model_read(text, strlen(text), &options, &model, &error) != FR_OK) {
        print_error(&error);
        return 1;
    }

    const fr_model_view *view = fr_model_get(model);
    for (uint32_t node = 0; node < view->node_count; node++) {
        fr_mesh *mesh;
        if (fr_model_part_mesh(model, node, NULL, &mesh, &error) != FR_OK) {
            print_error(&error);
            fr_model_destroy(model);
            return 1;
        }
        printf("%s: %u vertices, %u triangles, area %.3f\n", view->nodes[node].name, fr_mesh_get(mesh)->vertex_count,
               fr_mesh_get(mesh)->triangle_count, fr_mesh_mass(mesh).area);
        fr_mesh_release(mesh);
    }

    size_t bytes = 0;
    fr_status status = fr_model_write(model, FR_MODEL_PLY, NULL, count_bytes, &bytes, &error);
    fr_model_destroy(model);
    if (status != FR_OK) {
        print_error(&error);
        return 1;
    }
    printf("as PLY: %zu bytes\n", bytes);
    return 0;
}
