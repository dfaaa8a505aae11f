// A library of 10,000 classes: its index made from nothing, its list in a new process and again, a new folder that is
// seen, and what a class takes in memory.
#define _XOPEN_SOURCE 700 // mkdtemp

#include "bench.h"

#include "fureai/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char model[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// What a control room's button has: about as much as most classes.
static const char text[] =
    "{ \"fureai\": 1, \"title\": \"Push button\", \"about\": \"The cap goes 8 mm into the panel.\",\n"
    "  \"shapes\": [\"m.obj\"], \"size\": [0.03, 0.03, 0.022], \"mass\": 0.02,\n"
    "  \"joint\": { \"kind\": \"slider\", \"axis\": [0, 0, -1], \"limits\": [0, 0.008] },\n"
    "  \"frames\": [{ \"name\": \"cap\", \"position\": [0, 0, 0.012] }],\n"
    "  \"affords\": [\n"
    "    { \"motion\": \"press\", \"words\": [\"push\"], \"human\": [{ \"skill\": \"press\" }],\n"
    "      \"object\": { \"skill\": \"button\" }, \"asks\": [\"frames\", \"start\"], \"parameters\": { \"frame\": "
    "\"cap\" } },\n"
    "    { \"motion\": \"look\", \"human\": [{ \"skill\": \"look_at\" }], \"asks\": [\"frames\"] },\n"
    "    { \"motion\": \"point\", \"human\": [{ \"skill\": \"point\" }, { \"skill\": \"look_at\" }], \"asks\": "
    "[\"frames\"] } ] }\n";

static void put(const char *path, const char *bytes) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) { return; }
    fputs(bytes, file);
    fclose(file);
}

static void put_class(const char *folder, size_t number) {
    char path[256];
    snprintf(path, sizeof path, "%s/class_%05zu", folder, number);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/class_%05zu/object.json", folder, number);
    put(path, text);
    snprintf(path, sizeof path, "%s/class_%05zu/m.obj", folder, number);
    put(path, model);
}

// A folder of classes, made once for all cases.
static char folder[] = "/tmp/fureai-bench-XXXXXX";
static size_t folder_count;

static bool make_folder(bench *b) {
    size_t wanted = bench_size(b, 50, 10000);
    if (folder_count == 0 && mkdtemp(folder) == NULL) {
        bench_skip(b, "no folder can be made");
        return false;
    }
    while (folder_count < wanted) {
        put_class(folder, folder_count++);
    }
    return true;
}

static void remove_index(void) {
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s%s", folder, FR_LIBRARY_INDEX_NAME, endings[i]);
        unlink(path);
    }
}

static fr_library *open_library(bench *b, const fr_allocator *allocator, bool is_listed) {
    fr_library *library = NULL;
    if (fr_library_open(folder, allocator, &library, NULL) != FR_OK ||
        (is_listed && fr_library_refresh(library, NULL, NULL) != FR_OK)) {
        bench_skip(b, "the library cannot be opened");
        fr_library_destroy(library);
        return NULL;
    }
    return library;
}

// Opens and lists, as a new process does.
static void list_new(bench *b, bool has_index) {
    if (!make_folder(b)) { return; }
    if (has_index) { fr_library_destroy(open_library(b, NULL, true)); }
    if (!has_index) { remove_index(); }
    while (bench_repeat(b)) {
        fr_library *library = open_library(b, NULL, true);
        bench_pause(b);
        if (library == NULL) { return; }
        bench_count(b, "classes", fr_library_count(library));
        fr_library_destroy(library);
        if (!has_index) { remove_index(); }
    }
}

static void from_nothing(bench *b) { list_new(b, false); }
static void with_index(bench *b) { list_new(b, true); }

static void list_again(bench *b) {
    fr_library *library = make_folder(b) ? open_library(b, NULL, true) : NULL;
    if (library == NULL) { return; }
    while (bench_repeat(b)) {
        (void)fr_library_refresh(library, NULL, NULL);
    }
    bench_count(b, "classes", fr_library_count(library));
    fr_library_destroy(library);
}

// A folder is copied in, and the next poll has it in the list.
static void see_new(bench *b) {
    fr_library *library = make_folder(b) ? open_library(b, NULL, true) : NULL;
    if (library == NULL) { return; }
    uint32_t seen = 0, added = 0;
    put_class(folder, folder_count++);
    while (bench_repeat(b)) {
        bool is_changed = false;
        (void)fr_library_poll(library, &is_changed, NULL);
        bench_pause(b);
        seen += is_changed;
        added++;
        put_class(folder, folder_count++);
    }
    bench_count(b, "seen_at_once", added > 0 ? (double)seen / added : 0.0);
    fr_library_destroy(library);
}

static void poll_unchanged(bench *b) {
    fr_library *library = make_folder(b) ? open_library(b, NULL, true) : NULL;
    if (library == NULL) { return; }
    while (bench_repeat(b)) {
        (void)fr_library_poll(library, NULL, NULL);
    }
    fr_library_destroy(library);
}

// All classes are listed, then all are read as well.
static void memory(bench *b) {
    fr_probe *probe = make_folder(b) ? fr_probe_create() : NULL;
    if (probe == NULL) { return; }
    fr_allocator allocator = fr_probe_allocator(probe);
    while (bench_repeat(b)) {
        fr_library *library = open_library(b, &allocator, true);
        if (library == NULL) { break; }
        uint32_t count = fr_library_count(library);
        double listed = (double)fr_probe_get(probe).live_bytes / count;
        for (uint32_t i = 0; i < count; i++) {
            fr_class *c;
            if (fr_library_find(library, fr_library_get(library, i)->place.name, &c, NULL) == FR_OK) {
                fr_class_release(c);
            }
        }
        bench_count(b, "listed_bytes_a_class", listed);
        bench_count(b, "read_bytes_a_class", (double)fr_probe_get(probe).live_bytes / count);
        fr_library_destroy(library);
    }
    fr_probe_destroy(probe);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"10,000 classes, index from nothing", from_nothing}, {"10,000 classes, list by the index", with_index},
        {"10,000 classes, list again", list_again},           {"10,000 classes, poll", poll_unchanged},
        {"10,000 classes, see a new folder", see_new},        {"10,000 classes, all read", memory},
    };
    int status = bench_main(argc, argv, "fureai", "library", cases, sizeof cases / sizeof cases[0]);
    if (folder_count > 0) {
        char command[64];
        snprintf(command, sizeof command, "rm -rf %s", folder);
        if (system(command) != 0) { return 1; }
    }
    return status;
}
