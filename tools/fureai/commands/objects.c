// The command objects: lists, shows, adds, removes and checks the classes of a library.
#include "commands.h"
#include "folder.h"
#include "tool.h"

#include "fureai/library.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The report

static void write_fields(fr_json_writer *j, uint32_t fields) {
    const char *name;
    fr_json_write_key(j, "fields");
    fr_json_write_array(j);
    for (uint32_t i = 0; (name = fr_class_field_name(i)) != NULL; i++) {
        if ((fields >> i & 1) != 0) { fr_json_write_string(j, name); }
    }
    fr_json_write_array_end(j);
}

// The names of the states, whose motions stand together; an entry without motions has none to name.
static void write_states(fr_json_writer *j, const fr_library_entry *entry) {
    fr_json_write_key(j, "states");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < entry->motion_count; i++) {
        bool is_again = i > 0 && strcmp(entry->motions[i - 1].state, entry->motions[i].state) == 0;
        if (!is_again) { fr_json_write_string(j, entry->motions[i].state); }
    }
    fr_json_write_array_end(j);
}

static void write_entry(fr_json_writer *j, const fr_library_entry *entry) {
    fr_json_write_object(j);
    json_fields(j, "class", entry->place.name, "kind", entry->place.kind == FR_CLASS_PERSON ? "person" : "object",
                "title", entry->title, "shapes", entry->shapes);
    write_states(j, entry);
    fr_json_write_key(j, "affords");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < entry->motion_count; i++) {
        const fr_library_motion *m = &entry->motions[i];
        fr_json_write_object(j);
        json_fields(j, "motion", m->name, "state", m->state, "human", m->human, "object", m->object, "data", m->data,
                    "parameters", m->parameters);
        write_fields(j, m->fields);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

static void print_entry(tool *t, const fr_library_entry *entry) {
    tool_print_name(t, entry->place.name);
    for (uint32_t i = 0; i < entry->motion_count; i++) {
        bool is_again = false; // in another state
        for (uint32_t k = 0; k < i && !is_again; k++) {
            is_again = strcmp(entry->motions[k].name, entry->motions[i].name) == 0;
        }
        if (is_again) { continue; }
        tool_print(t, i > 0 ? ", " : ": ");
        tool_print_name(t, entry->motions[i].name);
    }
    tool_print(t, "\n");
}

static void print_motions(tool *t, const fr_library_entry *entry) {
    tool_print_name(t, entry->title[0] != '\0' ? entry->title : entry->place.name);
    tool_print(t, "\nmodels: ");
    tool_print_name(t, entry->shapes);
    tool_print(t, "\n");
    for (uint32_t i = 0; i < entry->motion_count; i++) {
        const fr_library_motion *m = &entry->motions[i];
        const char *const words[] = {m->name,      " by ",
                                     m->human,     m->object[0] != '\0' ? "; the object by " : "",
                                     m->object,    m->parameters[0] != '\0' ? "; " : "",
                                     m->parameters};
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            tool_print_name(t, words[k]);
        }
        tool_print(t, "\n");
    }
}

// Prints the entries from `first` on, by `print`; wrong ones are noted, or written beside the others.
static void print_list(tool *t, const fr_library *library, const char *folder, uint32_t first, uint32_t end,
                       void (*print)(tool *t, const fr_library_entry *entry)) {
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        json_fields(j, "folder", folder);
        fr_json_write_key(j, "objects");
        fr_json_write_array(j);
    }
    for (uint32_t i = first; i < end; i++) {
        const fr_library_entry *entry = fr_library_get(library, i);
        if (entry->message[0] != '\0') {
            tool_note(t, "left out: %s", entry->message);
        } else if (j != NULL) {
            write_entry(j, entry);
        } else {
            print(t, entry);
        }
    }
    if (j == NULL) { return; }
    fr_json_write_array_end(j);
    fr_json_write_key(j, "wrong");
    fr_json_write_array(j);
    for (uint32_t i = first; i < end; i++) {
        const fr_library_entry *entry = fr_library_get(library, i);
        if (entry->message[0] != '\0') { fr_json_write_string(j, entry->message); }
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// The actions

static exit_status show(tool *t, fr_library *library, const char *folder, const char *name) {
    fr_class *found;
    fr_error error = {0};
    if (fr_library_find(library, name, &found, &error) != FR_OK) { return tool_bad_input(t, &error); }
    fr_class_release(found);
    uint32_t i = 0;
    while (i < fr_library_count(library) && strcmp(fr_library_get(library, i)->place.name, name) != 0) {
        i++;
    }
    print_list(t, library, folder, i, i < fr_library_count(library) ? i + 1 : i, print_motions);
    return EXIT_STATUS_DONE;
}

// Checks every class; the first that is wrong is the result, the others are noted.
static exit_status check(tool *t, fr_library *library, const char *folder) {
    fr_error first = {0};
    for (uint32_t i = 0; i < fr_library_count(library); i++) {
        fr_error error = {0};
        const char *name = fr_library_get(library, i)->place.name;
        fr_status status = fr_library_check(library, name, &t->control, &error);
        if (status == FR_ERROR_STOPPED || status == FR_ERROR_MEMORY) { return tool_failed(t, &error); }
        if (status == FR_OK) { continue; }
        if (error.path[0] == '\0') { fr_error_locate(&error, name, 0, 0); }
        if (first.status != FR_OK) {
            (void)tool_bad_input(t, &error);
        } else {
            first = error;
        }
    }
    if (first.status != FR_OK) { return tool_bad_input(t, &first); }
    tool_print(t, "%u classes, all right\n", fr_library_count(library));
    if (t->json) { print_list(t, library, folder, 0, fr_library_count(library), print_entry); }
    return EXIT_STATUS_DONE;
}

static exit_status look(tool *t, const char *action, const char *folder, const char *name) {
    fr_library *library;
    fr_library_report report;
    fr_error error = {0};
    if (fr_library_open(folder, NULL, &library, &error) != FR_OK) { return tool_bad_input(t, &error); }
    exit_status status = EXIT_STATUS_DONE;
    if (fr_library_refresh(library, &report, &error) != FR_OK) {
        status = tool_bad_input(t, &error);
    } else {
        if (report.index_status != FR_OK) { tool_note(t, "without index: %s", report.index_message); }
        if (strcmp(action, "show") == 0) { status = show(t, library, folder, name); }
        if (strcmp(action, "check") == 0) { status = check(t, library, folder); }
        if (strcmp(action, "list") == 0) { print_list(t, library, folder, 0, fr_library_count(library), print_entry); }
    }
    fr_library_destroy(library);
    return status;
}

static exit_status run(tool *t) {
    static const char *const names[] = {"list", "check", "show", "add", "remove"}; // the last three need a name
    const char *action = t->arguments[0], *name = t->argument_count > 1 ? t->arguments[1] : NULL;
    char beside[FOLDER_PATH_BYTES];
    const char *folder = t->objects;
    size_t i = 0;
    while (i < 5 && strcmp(action, names[i]) != 0) {
        i++;
    }
    if (i == 5) { return tool_wrong_usage(t, "objects: there are list, show, add, remove and check, no '%s'", action); }
    if (i >= 2 && name == NULL) { return tool_wrong_usage(t, "objects %s: which?", action); }
    if (i < 2 && name != NULL) { folder = name; }
    if (folder == NULL && folder_beside_program("objects", beside)) { folder = beside; }
    if (folder == NULL) { return tool_wrong_usage(t, "there are no objects beside this program: see --objects"); }
    if (i < 3) { return look(t, action, folder, name); }
    fr_error error = {0};
    fr_status status = i == 3 ? fr_library_add(folder, name, NULL, &error) : fr_library_remove(folder, name, &error);
    if (status != FR_OK) { return tool_bad_input(t, &error); }
    return look(t, "list", folder, NULL);
}

static const argument arguments[] = {
    {.name = "ACTION", .help = "list, show, add, remove or check."},
    {.name = "NAME",
     .help = "The class to show or remove; the folder of a class to add; the library to list or check.",
     .optional = true},
};

static const example examples[] = {
    {.line = "fureai objects list", .does = "Lists the classes and what people can do with them."},
    {.line = "fureai objects add teapot --objects my_objects", .does = "Copies the folder teapot into a library."},
    {.line = "fureai objects check my_objects", .does = "Reads every file of every class, models and clips too."},
};

const command command_objects = {
    .name = "objects",
    .summary = "lists, adds and checks classes of objects",
    .description = "A class is a folder with object.json, models and clips; a library is a folder of them (--objects). "
                   "An object says what people can do with it: docs/library.md.",
    .arguments = COMMAND_LIST(arguments),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
