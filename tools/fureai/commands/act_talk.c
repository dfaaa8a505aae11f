// The dialogs of the command act: in words for a person at a terminal, in lines of JSON for a program.
#include "act_talk.h"

#include "folder.h"
#include "interrupt.h"
#include "scene_file.h"

#include "fureai/act.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct talk {
    tool *tool;
    scene_world scene;
    fr_cast *cast;
    fr_additions *additions;
    fr_additions_def adding;
    fr_tasks tasks;
    fr_tick_input tick;
    char bytes[FR_COMMANDER_LINE_MAX_BYTES + 1]; // of the line at hand, and what was read behind it
    size_t size;
    bool is_over; // there is nothing more to read
} talk;

static fr_status talk_open(talk *k, const char *path, fr_error *error) {
    tool *t = k->tool;
    fr_status status = scene_world_open(t, path, FR_SENSE_STATIC, FR_WANT_CONTACTS, &k->scene, error);
    if (status == FR_OK) { status = fr_scene_cast(k->scene.scene, k->scene.world, NULL, &k->cast, error); }
    if (status == FR_OK) { status = tool_tasks(t, &k->tasks, error); }
    if (status != FR_OK) { return status; }
    (void)fr_library_finder_open(k->scene.finder, fr_scene_get(k->scene.scene)->library, NULL); // else nothing is added
    k->tick = fr_default_tick_input();
    k->tick.tasks = &k->tasks;
    k->tick.control = &t->control;
    k->adding = fr_default_additions_def();
    fr_director_def directing = fr_default_director_def();
    k->adding.cast = directing.cast = k->cast;
    directing.has_surfaces = true;
    k->adding.library = directing.library = fr_library_finder_library(k->scene.finder);
    k->adding.memory = t->memory;
    status = fr_director_create_for_scene(&directing, k->scene.scene, &k->adding.director, error);
    return status == FR_OK ? fr_additions_create(&k->adding, &k->additions, error) : status;
}

static void talk_close(talk *k) {
    fr_cast_destroy(k->cast);
    fr_library_finder *finder = k->scene.finder;
    k->scene.finder = NULL;
    scene_world_close(&k->scene);
    fr_additions_destroy(k->additions);
    fr_library_finder_destroy(finder);
}

// ---------------------------------------------------------------------------------------------------------------
// Lines

// Reads on until there is a line break, the line is longer than any may be, or nothing more comes. Ctrl-C ends it.
static size_t read_line(talk *k, size_t max_bytes) {
    const char *end;
    while ((end = memchr(k->bytes, '\n', k->size)) == NULL && k->size <= max_bytes && !k->is_over) {
        ssize_t part = read(STDIN_FILENO, k->bytes + k->size, max_bytes + 1 - k->size);
        bool is_interrupted = part < 0 && errno == EINTR && !interrupt_requested();
        if (part <= 0 && !is_interrupted) { k->is_over = true; }
        if (part > 0) { k->size += (size_t)part; }
    }
    return end != NULL ? (size_t)(end - k->bytes) : k->size;
}

// Drops a line with its break, and of one that is too long all that belongs to it.
static void drop_line(talk *k, size_t length, size_t max_bytes) {
    while (length == k->size && k->size > max_bytes && !k->is_over) {
        k->size = 0;
        length = read_line(k, max_bytes);
    }
    size_t taken = length < k->size ? length + 1 : length;
    memmove(k->bytes, k->bytes + taken, k->size - taken);
    k->size -= taken;
}

static bool is_blank(const char *bytes, size_t size) {
    size_t i = 0;
    while (i < size && strchr(" \t\r", bytes[i]) != NULL && bytes[i] != '\0') {
        i++;
    }
    return i == size;
}

static bool write_bytes(const void *bytes, size_t size, void *user) {
    tool *t = user;
    return fr_output_file_write(&t->out, bytes, size) && fr_output_file_flush(&t->out);
}

static bool write_text(const char *text, size_t size, void *user) { return write_bytes(text, size, user); }

static fr_status obey_lines(talk *k, fr_error *error) {
    fr_commander_def def = fr_default_commander_def();
    def.cast = k->cast;
    def.stock = fr_additions_stock(k->additions);
    def.tick = &k->tick;
    def.max_ticks = (uint64_t)options_int(&k->tool->options, "ticks");
    def.write = write_bytes;
    def.user = k->tool;
    fr_commander *commander;
    fr_status status = fr_commander_create(&def, &commander, error);
    for (uint64_t number = 1; status == FR_OK && !(k->is_over && k->size == 0); number++) {
        size_t length = read_line(k, FR_COMMANDER_LINE_MAX_BYTES);
        if (!is_blank(k->bytes, length)) { status = fr_commander_line(commander, k->bytes, length, number, error); }
        drop_line(k, length, FR_COMMANDER_LINE_MAX_BYTES);
    }
    fr_commander_destroy(commander);
    return status;
}

static fr_status hold_dialog(talk *k, fr_error *error) {
    fr_dialog_def def = fr_default_dialog_def();
    def.cast = k->cast;
    def.stock = fr_additions_stock(k->additions);
    def.folder = fr_library_finder_folder(k->scene.finder);
    def.tick = &k->tick;
    def.max_ticks = (uint64_t)options_int(&k->tool->options, "ticks");
    def.write = write_text;
    def.user = k->tool;
    fr_dialog *dialog;
    fr_status status = fr_dialog_create(&def, &dialog, error);
    while (status == FR_OK) {
        const char *prompt = fr_dialog_prompt(dialog);
        (void)write_text(prompt, strlen(prompt), k->tool);
        size_t length = read_line(k, FR_DIALOG_LINE_MAX_BYTES);
        if (k->is_over && length == 0) {
            (void)write_text("\n", 1, k->tool);
            break;
        }
        status = fr_dialog_enter(dialog, k->bytes, length, error);
        drop_line(k, length, FR_DIALOG_LINE_MAX_BYTES);
    }
    fr_dialog_destroy(dialog);
    return status == FR_ERROR_STOPPED && !interrupt_requested() ? FR_OK : status;
}

exit_status act_talk(tool *t, bool is_lines) {
    static talk k; // holds a line
    k = (talk){.tool = t};
    char demos[FOLDER_PATH_BYTES], room[FOLDER_PATH_BYTES + 16];
    const char *path = options_string(&t->options, "scene");
    if (path == NULL && folder_beside_program("demos", demos)) {
        snprintf(room, sizeof room, "%s/room.json", demos);
        path = room;
    }
    if (path == NULL) { return tool_wrong_usage(t, "there are no demos beside this program: name a scene by --scene"); }
    fr_error error = {0};
    exit_status result = EXIT_STATUS_DONE;
    if (talk_open(&k, path, &error) != FR_OK) {
        result = tool_bad_input(t, &error);
    } else if ((is_lines ? obey_lines(&k, &error) : hold_dialog(&k, &error)) != FR_OK) {
        result = tool_failed(t, &error);
    }
    talk_close(&k);
    return result;
}
