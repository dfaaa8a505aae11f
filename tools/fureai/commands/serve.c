// The command serve: a world server with its viewer.
#include "commands.h"
#include "device_run.h"
#include "folder.h"
#include "gallery.h"
#include "scene_file.h"
#include "tool.h"

#include "fureai/server.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 4096, ORIGINS_MAX = 32 };

// ---------------------------------------------------------------------------------------------------------------
// What is served

// The origins of --origin, divided at commas.
typedef struct origin_list {
    char text[PATH_BYTES];
    const char *origins[ORIGINS_MAX];
    uint32_t count;
} origin_list;

static bool read_origins(const char *text, origin_list *out) {
    *out = (origin_list){0};
    if (text == NULL) { return true; }
    if (strlen(text) >= sizeof out->text) { return false; }
    strcpy(out->text, text);
    char *at = out->text;
    while (at != NULL && out->count < ORIGINS_MAX) {
        char *comma = strchr(at, ',');
        if (comma != NULL) { *comma = '\0'; }
        out->origins[out->count++] = at;
        at = comma != NULL ? comma + 1 : NULL;
    }
    return at == NULL;
}

static bool is_loopback(const char *address) {
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 || strcmp(address, "localhost") == 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The report

static void write_url(const tool *t, const fr_server *server, char *text, size_t size) {
    const char *address = options_string(&t->options, "address");
    bool is_six = strchr(address, ':') != NULL;
    snprintf(text, size, "http://%s%s%s:%u", is_six ? "[" : "", address, is_six ? "]" : "",
             (unsigned)fr_server_port(server));
}

static void print_begin(tool *t, const gallery *g, const fr_server *server, const char *url) {
    if (!is_loopback(options_string(&t->options, "address"))) {
        tool_note(t, "%s can be reached from other machines; whoever reaches it may handle everything", url);
    }
    if (fr_server_viewer_folder(server) == NULL) { tool_note(t, "there is no viewer to show: see --viewer"); }
    if (t->json) {
        tool_note(t, "%s", url);
        return;
    }
    tool_print(t, "%s\n", url);
    tool_print(t, "%zu scene%s; Ctrl-C ends it\n", g->scenes.count, g->scenes.count == 1 ? "" : "s");
    // Whoever started it waits for the address.
    (void)fr_output_file_flush(&t->out);
}

// An object may stand in another scene of the gallery.
static void print_missing(tool *t, const gallery *g) {
    for (uint32_t i = 0; i < g->octrees.count; i++) {
        if (!g->octrees.list[i].is_found) {
            tool_note(t, "there is no object '%s' here to draw the octree of", g->octrees.list[i].name);
        }
    }
}

static void note_left_out(tool *t, const char *name, const fr_udp_counts *counts) {
    char text[FR_UDP_COUNTS_TEXT_BYTES];
    fr_udp_counts_text(counts, text);
    if (text[0] != '\0') { tool_note(t, "%s: packets left out: %s", name, text); }
}

static void print_end(tool *t, const gallery *g, const fr_server *server, const char *url) {
    fr_station_report station = {0};
    if (g->station != NULL) { station = fr_station_stop(g->station); }
    note_left_out(t, "--device", &station.device);
    note_left_out(t, "--sensors", &station.tracker);
    fr_json_writer *j = tool_json(t);
    if (j == NULL) { return; }
    fr_server_stats stats = fr_server_get_stats(server);
    fr_json_write_object(j);
    json_fields(j, "url", url, "port", fr_server_port(server), "clients", stats.clients_ever, "ticks", stats.ticks,
                "late", stats.late, "messages_sent", stats.frames_sent, "bytes_sent", stats.bytes_sent, "skipped",
                stats.skipped);
    json_fields(j, "refused", stats.refused, "bad_messages", stats.bad_messages);
    if (station.loop != NULL) { device_write_counts(j, "device", &station.device); }
    if (options_given(&t->options, "sensors")) { device_write_counts(j, "sensors", &station.tracker); }
    fr_json_write_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// The command

static exit_status serve(tool *t, gallery *g, fr_server_def *def) {
    fr_error error = {0};
    fr_tasks tasks;
    fr_server *server = NULL;
    if (tool_tasks(t, &tasks, &error) != FR_OK) { return tool_failed(t, &error); }
    def->provider = g->provider;
    def->tasks = &tasks;
    def->control = &t->control;
    fr_status status = fr_server_create(def, &server, &error);
    bool is_store = def->store_path != NULL && strcmp(error.path, def->store_path) == 0;
    bool is_output = is_store && (status == FR_ERROR_FILE || status == FR_ERROR_BUSY);
    if (status == FR_ERROR_SYSTEM || is_output) { return tool_failed(t, &error); }
    if (status == FR_ERROR_ARGUMENT && error.path[0] == '\0') { return tool_wrong_usage(t, "%s", error.message); }
    if (status != FR_OK) { return tool_bad_input(t, &error); }
    char url[256];
    write_url(t, server, url, sizeof url);
    // Before the address: whoever waits for that has heard the rest.
    print_missing(t, g);
    print_begin(t, g, server, url);
    status = fr_server_run(server, &t->control, &error);
    print_end(t, g, server, url);
    fr_server_destroy(server);
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

// The device of --device and the tracker of --sensors; none without them.
static exit_status open_station(tool *t, fr_station **out) {
    const options *o = &t->options;
    double place[3] = {0.0, 0.0, 0.0};
    fr_station_def def = fr_default_station_def();
    *out = NULL;
    def.device = options_string(o, "device");
    if (options_given(o, "sensors")) { def.sensor_port = (uint16_t)options_int(o, "sensors"); }
    if (def.device == NULL && def.sensor_port == 0) { return EXIT_STATUS_DONE; }
    options_vector(o, "place", place, 3);
    def.place = fr_vec3_make(place[0], place[1], place[2]);
    fr_error error = {0};
    fr_status status = fr_station_create(&def, out, &error);
    if (status == FR_ERROR_ARGUMENT) { return tool_wrong_usage(t, "--device: %s", error.message); }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

// What people are to do, where the option says it.
static exit_status read_script(tool *t, gallery *g) {
    const char *path = options_string(&t->options, "script");
    if (path == NULL) { return EXIT_STATUS_DONE; }
    fr_error error = {0};
    return script_file_read(t, path, &g->script, &error) == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(t, &error);
}

static exit_status run(tool *t) {
    const options *o = &t->options;
    char demos[FOLDER_PATH_BYTES];
    origin_list origins;
    gallery_octrees octrees;
    fr_server_def def = fr_default_server_def();
    def.address = options_string(o, "address");
    def.port = (uint16_t)options_int(o, "port");
    def.store_path = options_string(o, "store");
    def.speed = options_number(o, "speed");
    def.is_paused = options_flag(o, "paused");
    def.is_always_ticking = options_flag(o, "always");
    def.viewer_folder = options_string(o, "viewer");
    if (!read_origins(options_string(o, "origin"), &origins)) {
        return tool_wrong_usage(t, "--origin: more than %d origins, or too long", ORIGINS_MAX);
    }
    if (!gallery_read_octrees(options_string(o, "octree"), &octrees)) {
        return tool_wrong_usage(t, "--octree takes up to %d of NAME:DEPTH with commas between, depths from %d to %d",
                                GALLERY_OCTREES_MAX, FR_OCTREE_LAYER_MIN_DEPTH, FR_OCTREE_LAYER_MAX_DEPTH);
    }
    def.origins = origins.origins;
    def.origin_count = origins.count;

    const char *path = t->argument_count > 0 ? t->arguments[0] : NULL;
    if (path == NULL && folder_beside_program("demos", demos)) { path = demos; }
    if (path == NULL) { return tool_wrong_usage(t, "there are no demos beside this program: name a SCENE"); }
    gallery g;
    exit_status status = gallery_read(t, path, options_string(o, "first"), &g);
    if (status != EXIT_STATUS_DONE) { return status; }
    g.ahead = options_number(o, "ahead");
    g.octrees = octrees;
    status = read_script(t, &g);
    if (status == EXIT_STATUS_DONE) { status = open_station(t, &g.station); }
    if (status == EXIT_STATUS_DONE) { status = serve(t, &g, &def); }
    fr_station_destroy(g.station);
    gallery_release(&g);
    return status;
}

static const argument arguments[] = {{.name = "SCENE",
                                      .help = "A scene file (docs/scene.md), or a folder of them to choose from; the "
                                              "demos unless given.",
                                      .optional = true}};

static const option options_table[] = {
    INT_OPTION("port", "N", "8420", 0, 65535, "Listen on this port; 0: any that is free."),
    STRING_OPTION("address", "ADDRESS", "127.0.0.1",
                  "Listen on this numeric address. Other than 127.0.0.1 and ::1 it can be reached by other machines."),
    STRING_OPTION("origin", "URL", NULL,
                  "Let pages of this origin connect, too, such as https://example.org; several with commas between."),
    STRING_OPTION("first", "NAME", NULL,
                  "Begin with this scene of the folder: the name of its file without the ending."),
    OUTPUT_OPTION(
        "store", "FILE",
        "Keep where objects are, and their states, over a restart in this file, which one server at a time may have."),
    NUMBER_OPTION("speed", "X", "1", 1e-6, 1e6, "Let time run X times as fast."),
    NUMBER_OPTION("ahead", "SECONDS", "0", 0.0, 60.0,
                  "Draw what turning objects will sweep within this time, and announce what they will hit."),
    STRING_OPTION("script", "FILE", NULL, "Let the people of the scenes carry out this script (docs/act.md)."),
    STRING_OPTION("octree", "NAME:DEPTH", NULL,
                  "Draw the octree of this object over it, 1 to 7 deep; several with commas between."),
    CHOICE_OPTION(
        "sense", "SENSE", "continuous,static", "continuous",
        "What is sensed: all that touches during each step, with its times, or only what touches at its end."),
    STRING_OPTION("device", "NAME", NULL,
                  "Let a haptic device take part as a pen: udp:ADDRESS:PORT, with ,string or ,arm behind it where no "
                  "other kind will do."),
    VECTOR_OPTION("place", "X,Y,Z", 3, "0,0,0", -1e6, 1e6, "Where the device is in the world, in metres."),
    INT_OPTION("sensors", "PORT", NULL, 1, 65535,
               "Take the poses of a tracker that sends to this port: sensor 0 places the device, and objects follow "
               "those that the scene names as `tracked`."),
    FLAG_OPTION("paused", "Begin with time standing still."),
    FLAG_OPTION("always", "Go on while no viewer is connected."),
    STRING_OPTION(
        "viewer", "FOLDER", NULL,
        "Serve the viewer's files from this folder; from share/fureai/viewer beside the program unless given."),
};

static const example examples[] = {
    {.line = "fureai serve", .does = "The demos, at http://127.0.0.1:8420."},
    {.line = "fureai serve room.json --port 9000 --store room.state.json",
     .does = "One scene, whose objects stay where people put them."},
    {.line = "fureai serve demos/piston.json --device udp:127.0.0.1:8430 --place 0,0.2,0",
     .does = "A force pen takes part: fureai device simulate stands in for one."},
};

const command command_serve = {
    .name = "serve",
    .summary = "shows scenes in the browser, for many people at once",
    .description =
        "Serves scenes over WebSocket, and the viewer that shows them, until Ctrl-C. Everybody sees the same "
        "world and may handle it; an object is handled by one at a time. Pages of other sites are refused.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
