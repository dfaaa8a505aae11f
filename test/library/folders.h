// Folders of classes that tests make and remove.
#ifndef FUREAI_TEST_LIBRARY_FOLDERS_H
#define FUREAI_TEST_LIBRARY_FOLDERS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline void make_folder(char path[256]) {
    snprintf(path, 256, "/tmp/fureai-library-XXXXXX");
    if (mkdtemp(path) == NULL) { abort(); }
}

// Writes a file of a folder, and the folders on the path to it.
static inline void put_file(const char *folder, const char *name, const char *text) {
    char path[600];
    (void)mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        (void)mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(text, 1, strlen(text), file) != strlen(text) || fclose(file) != 0) { abort(); }
}

static inline void remove_folder(const char *path) {
    char command[700];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    if (system(command) != 0) { abort(); }
}

static const char box_model[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// A class with one motion.
static inline void put_class(const char *folder, const char *name, const char *motion) {
    char path[300], text[600];
    snprintf(text, sizeof text,
             "{\"fureai\":1,\"title\":\"%s\",\"shapes\":[\"m.obj\"],\"affords\":[{\"motion\":\"%s\",\"human\":"
             "[{\"skill\":\"walk\"},{\"skill\":\"slerp\"}],\"object\":{\"skill\":\"follow_hand\"},"
             "\"asks\":[\"frames\"],\"parameters\":{\"hand\":\"right\",\"threshold\":0.15}}]}",
             name, motion);
    snprintf(path, sizeof path, "%s/object.json", name);
    put_file(folder, path, text);
    snprintf(path, sizeof path, "%s/m.obj", name);
    put_file(folder, path, box_model);
}

#endif
