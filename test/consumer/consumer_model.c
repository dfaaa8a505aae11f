// Reads a model from memory through libfureai-model, as a foreign program would.
#include "fureai/model.h"

#include <stdio.h>

int main(void) {
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    fr_model *model;
    fr_error error;
    if (fr_model_read(text, sizeof text - 1, NULL, &model, &error) != FR_OK) {
        printf("consumer: %s\n", error.message);
        return 1;
    }
    uint64_t triangle_count = fr_model_get(model)->triangle_count;
    printf("consumer: a model of %d triangle\n", (int)triangle_count);
    fr_model_destroy(model);
    return triangle_count == 1 ? 0 : 1;
}
