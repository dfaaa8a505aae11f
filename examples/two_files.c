// Which faces of two model files collide: two_files A B. Without arguments it writes two files of its own first.
#include "fureai/fureai.h"
#include "fureai/model.h"

#include <stdio.h>
#include <stdlib.h>

static const char wedge[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char plate[] = "v -1 -1 0.4\nv 2 -1 0.4\nv 2 2 0.4\nv -1 2 0.4\nf 1 2 3 4\n";

static void stop_at(const fr_error *error) {
    char line[512];
    fr_error_format(error, line, sizeof line);
    fprintf(stderr, "%s\n", line);
    exit(1);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) { exit(1); }
}

// The model in a file, as one object.
static void add_file(fr_space *space, const char *path) {
    fr_model *model;
    fr_mesh *mesh;
    fr_object_id id;
    fr_error error;
    if (fr_model_read_file(path, NULL, &model, &error) != FR_OK ||
        fr_model_whole_mesh(model, NULL, &mesh, &error) != FR_OK ||
        fr_object_add_mesh(space, mesh, NULL, &id, &error) != FR_OK) {
        stop_at(&error);
    }
    fr_mesh_release(mesh); // the space keeps it
    fr_model_destroy(model);
}

int main(int count, char **arguments) {
    bool has_own = count != 3;
    const char *paths[2] = {has_own ? "two_files_a.obj" : arguments[1], has_own ? "two_files_b.obj" : arguments[2]};
    if (has_own) {
        write_file(paths[0], wedge);
        write_file(paths[1], plate);
    }
    fr_space *space;
    fr_collide *collide;
    fr_space_def def = fr_default_space_def();
    if (fr_space_create(&def, &space, NULL) != FR_OK || fr_collide_create(NULL, &collide, NULL) != FR_OK) { return 1; }
    add_file(space, paths[0]);
    add_file(space, paths[1]);
    fr_space_update(space, NULL, NULL);

    fr_collide_input input = fr_default_collide_input();
    input.space = space;
    fr_collide_output output;
    fr_error error;
    if (fr_collide_static(collide, &input, &output, &error) != FR_OK) { stop_at(&error); }
    for (size_t i = 0; i < output.pair_count; i++) {
        printf("face %u of %s meets face %u of %s\n", output.pairs[i].triangle_a, paths[0], output.pairs[i].triangle_b,
               paths[1]);
    }
    bool is_right = !has_own || output.pair_count == 6;
    fr_collide_destroy(collide);
    fr_space_destroy(space);
    if (has_own) { remove(paths[0]), remove(paths[1]); }
    return is_right ? 0 : 1;
}
