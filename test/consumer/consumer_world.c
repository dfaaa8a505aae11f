// Reads a scene from memory through libfureai-world, as a foreign program would.
#include "fureai/scene.h"

#include <stdio.h>

int main(void) {
    static const char text[] = "{ \"fureai\": 1, \"objects\": [ { \"name\": \"a\", \"shape\": \"box\" } ] }";
    fr_scene *scene;
    fr_error error;
    if (fr_scene_read(text, sizeof text - 1, NULL, &scene, &error) != FR_OK) {
        printf("consumer: %s\n", error.message);
        return 1;
    }
    unsigned object_count = fr_scene_get(scene)->object_count;
    printf("consumer: a scene of %u object\n", object_count);
    fr_scene_destroy(scene);
    return object_count == 1 ? 0 : 1;
}
