// A library of objects: a folder with two classes is made, listed, placed in a space, and one of them is changed while
// the program runs.
#define _XOPEN_SOURCE 700 // mkdtemp

#include "fureai/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char box[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char cup[] = "{ \"fureai\": 1, \"shapes\": [\"m.obj\"], \"affords\": [\n"
                          "  { \"motion\": \"take\", \"human\": [{ \"skill\": \"grasp\" }], "
                          "\"object\": { \"skill\": \"follow_hand\" } } ] }\n";
static const char gate[] = "{ \"fureai\": 1, \"shapes\": [\"m.obj\"], \"joint\": { \"kind\": \"hinge\", "
                           "\"position\": [0, 0, 0], \"axis\": [0, 1, 0], \"limits_deg\": [0, 90] } }\n";
static const char scene_text[] = "{ \"fureai\": 1, \"objects\": ["
                                 "{ \"name\": \"a\", \"class\": \"cup\" },"
                                 "{ \"name\": \"b\", \"class\": \"cup\", \"position\": [2, 0, 0] },"
                                 "{ \"name\": \"c\", \"class\": \"gate\", \"position\": [4, 0, 0], "
                                 "\"value_deg\": 30 } ] }";

static void put(const char *folder, const char *name, const char *file, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", folder, name, file);
    FILE *out = fopen(path, "wb");
    if (out == NULL) { exit(1); }
    fputs(text, out);
    fclose(out);
}

static void list(const fr_library *library) {
    for (uint32_t i = 0; i < fr_library_count(library); i++) {
        const fr_library_entry *entry = fr_library_get(library, i);
        printf("%s affords %u motions%s%s\n", entry->place.name, entry->motion_count,
               entry->message[0] != '\0' ? ": " : "", entry->message);
    }
}

// Reads a scene whose objects are of the library's classes, and puts them into a space.
static fr_status place(fr_library *library, fr_error *error) {
    fr_scene_read_input reading = fr_default_scene_read_input();
    fr_scene_build_input building = fr_default_scene_build_input();
    fr_space_def def = fr_default_space_def();
    reading.classes = building.classes = fr_library_classes(library);
    fr_scene *scene = NULL;
    fr_space *space = NULL;
    fr_object_id ids[3];
    fr_status status = fr_scene_read(scene_text, strlen(scene_text), &reading, &scene, error);
    if (status == FR_OK) { status = fr_space_create(&def, &space, error); }
    if (status == FR_OK) { status = fr_scene_build(scene, &building, space, ids, error); }
    if (status == FR_OK) {
        printf("%u objects, %u joint\n", fr_space_object_count(space), fr_scene_get(scene)->joint_count);
    }
    fr_space_destroy(space);
    fr_scene_destroy(scene);
    return status;
}

int main(void) {
    char folder[] = "/tmp/fureai-example-XXXXXX", command[64];
    if (mkdtemp(folder) == NULL) { return 1; }
    put(folder, "cup", "object.json", cup);
    put(folder, "cup", "m.obj", box);
    put(folder, "gate", "object.json", gate);
    put(folder, "gate", "m.obj", box);

    fr_library *library = NULL;
    fr_error error = {0};
    fr_status status = fr_library_open(folder, NULL, &library, &error);
    if (status == FR_OK) { status = fr_library_refresh(library, NULL, &error); }
    if (status == FR_OK) {
        list(library);
        status = place(library, &error);
    }

    // A class is changed in its file: the next poll sees it.
    put(folder, "gate", "object.json", "{ \"fureai\": 1,\n  \"shapes\": 7 }\n");
    bool is_changed = false;
    if (status == FR_OK) { status = fr_library_poll(library, &is_changed, &error); }
    if (status == FR_OK) { list(library); }
    if (status != FR_OK) { printf("%s\n", error.message); }
    fr_library_destroy(library);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && status == FR_OK && is_changed ? 0 : 1;
}
