// The command serve: a world server with its viewer.
#include "commands.h"
#include "device_run.h"
#include "folder.h"
#include "gallery.h"
#include "scene_file.h"
#include "serve_address.h"
#include "tool.h"

#include "fureai/server.h"
#include "fureai/server_redis.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES = 4096, ORIGINS_MAX = 32 };

static const char *scheme_of(const tool *t) { return options_given(&t->options, "certificate") ? "https" : "http"; }

static void print_begin(tool *t, const gallery *g, const fr_server *server, const char *url) {
    if (fr_server_viewer_folder(server) == NULL) { tool_note(t, "there is no viewer to show: see --viewer"); }
    if (t->json) {
        tool_note(t, "%s", url);
        return;
    }
    tool_print(t, "%s\n", url);
    if (options_given(&t->options, "edge")) {
        tool_print(t, "the world of %s; Ctrl-C ends it\n", options_string(&t->options, "edge"));
    } else if (g->clashes != NULL) {
        size_t open, count = fr_served_clashes_count(g->clashes, &open), parts = g->parts.parts.count;
        tool_print(t, "%zu clash%s of %zu part%s, %zu open; Ctrl-C ends it\n", count, count == 1 ? "" : "es", parts,
                   parts == 1 ? "" : "s", open);
    } else {
        tool_print(t, "%zu scene%s; Ctrl-C ends it\n", g->scenes.count, g->scenes.count == 1 ? "" : "s");
    }
    serve_print_code(t, scheme_of(t), options_string(&t->options, "address"), fr_server_port(server));
    // Whoever started it waits for the address.
    (void)fr_output_file_flush(&t->out);
}

// An object may stand in another scene of the gallery.
static void print_missing(tool *t, const gallery *g) {
    for (uint32_t i = 0; i < g->octree_count; i++) {
        if (!g->octrees[i].is_found) {
            tool_note(t, "there is no object '%s' here to draw the octree of", g->octrees[i].name);
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

// The journal of --store, with the thread that writes it; none without the option, or in a build without SQLite, whose
// server has a store.
typedef struct serve_journal {
    fr_task_pool *pool;
    fr_journal_file *file;
    fr_journal table;
} serve_journal;

static fr_status open_journal(const char *path, serve_journal *out, fr_error *error) {
    *out = (serve_journal){0};
    if (path == NULL || !fr_journal_file_is_built()) { return FR_OK; }
    fr_task_pool_def pool = fr_default_task_pool_def();
    pool.worker_count = 2; // one thread beside the server's
    fr_status status = fr_task_pool_create(&pool, &out->pool, error);
    if (status != FR_OK) { return status; }
    fr_tasks tasks = fr_task_pool_tasks(out->pool);
    fr_journal_file_def def = fr_default_journal_file_def();
    def.path = path;
    def.tasks = &tasks;
    status = fr_journal_file_create(&def, &out->file, error);
    if (status == FR_OK) { out->table = fr_journal_file_table(out->file); }
    return status;
}

static void close_journal(serve_journal *journal) {
    fr_journal_file_destroy(journal->file);
    fr_task_pool_destroy(journal->pool);
}

// The Redis of --broadcast or --edge; none without them.
static fr_status open_redis(const tool *t, fr_redis **out, fr_error *error) {
    const options *o = &t->options;
    fr_redis_def def = fr_default_redis_def();
    *out = NULL;
    def.url = options_string(o, options_given(o, "edge") ? "edge" : "broadcast");
    def.password_path = options_string(o, "redis-password");
    return def.url != NULL ? fr_redis_create(&def, out, error) : FR_OK;
}

// Why nothing is served.
static exit_status refuse(tool *t, const char *store, fr_status status, const fr_error *error) {
    bool is_store = store != NULL && strncmp(error->path, store, strlen(store)) == 0;
    bool is_output = is_store && (status == FR_ERROR_FILE || status == FR_ERROR_BUSY);
    if (status == FR_ERROR_SYSTEM || is_output) { return tool_failed(t, error); }
    if (status == FR_ERROR_ARGUMENT && error->path[0] == '\0') { return tool_wrong_usage(t, "%s", error->message); }
    return tool_bad_input(t, error);
}

static exit_status serve(tool *t, gallery *g, fr_server_def *def) {
    fr_error error = {0};
    fr_tasks tasks;
    fr_server *server = NULL;
    if (tool_tasks(t, &tasks, &error) != FR_OK) { return tool_failed(t, &error); }
    def->provider = g->provider;
    def->tasks = &tasks;
    def->control = &t->control;
    serve_journal journal;
    const char *path = def->store_path;
    fr_redis *redis = NULL;
    fr_broadcast broadcast;
    fr_status status = open_journal(path, &journal, &error);
    if (status == FR_OK) { status = open_redis(t, &redis, &error); }
    if (redis != NULL) {
        broadcast = fr_redis_table(redis);
        def->broadcast = &broadcast;
    }
    if (journal.file != NULL) {
        def->journal = &journal.table;
        def->store_path = NULL;
    }
    if (status == FR_OK) { status = fr_server_create(def, &server, &error); }
    if (status != FR_OK) {
        fr_redis_destroy(redis);
        close_journal(&journal);
        return refuse(t, path, status, &error);
    }
    char url[SERVE_URL_BYTES];
    serve_url(scheme_of(t), options_string(&t->options, "address"), fr_server_port(server), url, sizeof url);
    // Before the address: whoever waits for that has heard the rest.
    print_missing(t, g);
    print_begin(t, g, server, url);
    status = fr_server_run(server, &t->control, &error);
    print_end(t, g, server, url);
    fr_server_destroy(server);
    fr_redis_destroy(redis);
    close_journal(&journal);
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

// What people are to do, where the option says it, and the programs that do it.
static exit_status read_script(tool *t, gallery *g) {
    const char *path = options_string(&t->options, "script");
    fr_error error = {0};
    if (plug_ins_open(t, &g->plug_ins, &error) != FR_OK) { return tool_bad_input(t, &error); }
    if (path == NULL) { return EXIT_STATUS_DONE; }
    return script_file_read(t, path, &g->script, &error) == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(t, &error);
}

// Whether an argument is a scene or a folder of them, and no model.
static bool is_scene(const char *path) {
    struct stat about;
    size_t size = strlen(path);
    return (size > 5 && strcmp(path + size - 5, ".json") == 0) || (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
}

// The argument that is a scene, which goes behind the models; NULL: none is.
static const char *take_scene(tool *t) {
    for (int i = 0; i < t->argument_count; i++) {
        char *path = t->arguments[i];
        if (!is_scene(path)) { continue; }
        memmove(t->arguments + i, t->arguments + i + 1, (size_t)(t->argument_count - i - 1) * sizeof path);
        t->arguments[--t->argument_count] = path;
        return path;
    }
    return t->argument_count > 0 ? "" : NULL;
}

static fr_model_up up_of(const char *axis) {
    return axis == NULL ? FR_MODEL_UP_AS_FILE : FR_MODEL_UP_X + (fr_model_up)(axis[0] - 'x');
}

static exit_status refuse_unit(tool *t, const char *unit) {
    return tool_wrong_usage(t, "--unit: '%s' is neither mm, cm, m, km, in, ft nor a number of metres", unit);
}

// The records among the arguments, which are all of them then; others are no scenes of the gallery.
static exit_status read_records(tool *t, gallery *g) {
    for (int i = 0; i < t->argument_count; i++) {
        if (!gallery_is_record(t->arguments[i])) {
            return tool_wrong_usage(t, "records are shown without models and scenes: '%s' is none", t->arguments[i]);
        }
    }
    exit_status status =
        gallery_read_records(t, t->arguments, t->argument_count, options_string(&t->options, "first"), g);
    t->argument_count = 0;
    return status;
}

// The models of --clash, with the frame that the options give them.
static exit_status read_clash(tool *t, gallery *g) {
    const options *o = &t->options;
    const char *unit = options_string(o, "unit"), *up = options_string(o, "up");
    static const char *const others[] = {"store", "keep", "script", "octree", "device", "sensors", "first"};
    if (t->argument_count == 0) { return tool_wrong_usage(t, "--clash: name the models of an assembly"); }
    for (int i = 0; i < t->argument_count; i++) {
        if (is_scene(t->arguments[i])) {
            return tool_wrong_usage(t, "--clash takes models alone: '%s' is a scene", t->arguments[i]);
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (options_given(o, others[i])) {
            return tool_wrong_usage(t, "--%s is about scenes: leave it out with --clash", others[i]);
        }
    }
    assembly_frame frame = {.unit = unit != NULL ? fr_model_unit_of_text(unit) : 0.0, .up = up_of(up)};
    if (unit != NULL && frame.unit == 0.0) { return refuse_unit(t, unit); }
    exit_status status = gallery_read_clash(t, t->arguments, t->argument_count, frame, g);
    t->argument_count = 0;
    return status;
}

static bool has_record(const tool *t) {
    for (int i = 0; i < t->argument_count; i++) {
        if (gallery_is_record(t->arguments[i])) { return true; }
    }
    return false;
}

// Which models are read, and how, and which octrees are drawn.
static exit_status read_models_options(tool *t, uint32_t count, gallery *g) {
    const options *o = &t->options;
    const char *unit = options_string(o, "unit"), *up = options_string(o, "up");
    for (uint32_t i = 0; i < count; i++) {
        if (is_scene(t->arguments[i])) { return tool_wrong_usage(t, "one scene or folder, and models beside it"); }
    }
    g->models = fr_default_import_files_input();
    g->models.paths = (const char *const *)t->arguments;
    g->models.path_count = count;
    g->models.unit = unit != NULL ? fr_model_unit_of_text(unit) : 0.0;
    g->models.up = up_of(up);
    g->models.is_in_place = options_flag(o, "in-place");
    g->models.memory = t->memory;
    g->models.control = &t->control;
    if (unit != NULL && g->models.unit == 0.0) { return refuse_unit(t, unit); }
    if (!fr_served_octrees_read(options_string(o, "octree"), g->octrees, GALLERY_OCTREES_MAX, &g->octree_count)) {
        return tool_wrong_usage(t, "--octree takes up to %d of NAME:DEPTH with commas between, depths from %d to %d",
                                GALLERY_OCTREES_MAX, FR_OCTREE_LAYER_MIN_DEPTH, FR_OCTREE_LAYER_MAX_DEPTH);
    }
    return EXIT_STATUS_DONE;
}

// An edge shows what its home has: what is about scenes is said there.
static exit_status check_edge(tool *t) {
    const options *o = &t->options;
    static const char *const others[] = {"broadcast", "store", "keep",   "script",   "octree",     "device", "sensors",
                                         "first",     "clash", "paused", "always",   "no-upload",  "ahead",  "speed",
                                         "unit",      "up",    "notes",  "in-place", "algorithms", "sense"};
    if (t->argument_count > 0) {
        return tool_wrong_usage(t, "--edge shows the scene of its home: leave '%s' out", t->arguments[0]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (options_given(o, others[i])) {
            return tool_wrong_usage(t, "--%s is about the world: with --edge say it to the home", others[i]);
        }
    }
    return EXIT_STATUS_DONE;
}

// What is shown: an assembly, records, or scenes.
static exit_status read_gallery(tool *t, gallery *g) {
    const options *o = &t->options;
    char demos[FOLDER_PATH_BYTES];
    if (options_flag(o, "clash")) { return read_clash(t, g); }
    if (options_given(o, "notes") || options_given(o, "tolerance")) {
        return tool_wrong_usage(t, "--notes and --tolerance are about clashes: add --clash");
    }
    if (has_record(t)) { return read_records(t, g); }
    const char *path = take_scene(t); // "": models alone
    if (path == NULL && folder_beside_program("demos", demos)) { path = demos; }
    if (path == NULL) { return tool_wrong_usage(t, "there are no demos beside this program: name a SCENE"); }
    return gallery_read(t, path, options_string(o, "first"), g);
}

static exit_status run(tool *t) {
    const options *o = &t->options;
    char origins_text[PATH_BYTES] = "";
    const char *origins[ORIGINS_MAX], *given = options_string(o, "origin");
    fr_server_def def = fr_default_server_def();
    def.address = options_string(o, "address");
    def.port = (uint16_t)options_int(o, "port");
    def.store_path = options_string(o, "store");
    def.speed = options_number(o, "speed");
    def.is_paused = options_flag(o, "paused") || options_flag(o, "clash"); // parts of an assembly stand still
    def.is_always_ticking = options_flag(o, "always");
    def.viewer_folder = options_string(o, "viewer");
    def.may_upload = !options_flag(o, "no-upload") && !options_flag(o, "clash");
    def.max_upload_bytes = (uint64_t)(options_number(o, "upload-limit") * 1e6);
    def.keep_folder = options_string(o, "keep");
    def.token_path = options_string(o, "token");
    def.certificate_path = options_string(o, "certificate");
    def.key_path = options_string(o, "key");
    def.audit_path = options_string(o, "audit");
    def.is_locked = options_flag(o, "locked");
    def.max_clients = (uint32_t)options_int(o, "clients");
    if (options_given(o, "clients-per-address")) {
        def.max_clients_per_address = (uint32_t)options_int(o, "clients-per-address");
    }
    int length = given != NULL ? snprintf(origins_text, sizeof origins_text, "%s", given) : 0;
    if (length > 0) { def.origin_count = fr_origins_divide(origins_text, origins, ORIGINS_MAX); }
    if (length >= PATH_BYTES || (length > 0 && def.origin_count == 0)) {
        return tool_wrong_usage(t, "--origin: more than %d origins, or too long", ORIGINS_MAX);
    }
    def.origins = origins;

    gallery g = {0};
    def.is_edge = options_given(o, "edge");
    if (options_given(o, "redis-password") && !def.is_edge && !options_given(o, "broadcast")) {
        return tool_wrong_usage(t, "--redis-password is about Redis: add --broadcast or --edge");
    }
    if (def.is_edge) {
        exit_status checked = check_edge(t);
        def.may_upload = false;
        return checked == EXIT_STATUS_DONE ? serve(t, &g, &def) : checked;
    }
    exit_status status = read_gallery(t, &g);
    if (status != EXIT_STATUS_DONE) { return status; }
    g.ahead = options_number(o, "ahead");
    status = read_models_options(t, (uint32_t)t->argument_count, &g);
    if (status == EXIT_STATUS_DONE) { status = read_script(t, &g); }
    if (status == EXIT_STATUS_DONE) { status = open_station(t, &g.station); }
    fr_task_pool_def pool = fr_default_task_pool_def();
    pool.worker_count = 1 + fr_processor_count();
    fr_task_pool *beside = NULL; // reads models beside the ticks; without it the ticks wait for them
    fr_tasks background = {0};
    if (fr_task_pool_create(&pool, &beside, NULL) == FR_OK) { background = fr_task_pool_tasks(beside); }
    def.background = &background;
    if (status == EXIT_STATUS_DONE) { status = serve(t, &g, &def); }
    fr_task_pool_destroy(beside);
    fr_station_destroy(g.station);
    gallery_release(&g);
    return status;
}

static const argument arguments[] = {
    {.name = "FILE",
     .help =
         "Model files (docs/model.md), laid out side by side, and a scene file (docs/scene.md) or a folder of them to "
         "choose from. Models alone are a scene of their own; the demos unless anything is given. Or records that "
         "fureai "
         "sweep --record wrote, to go through in time: forwards, backwards, from contact to contact.",
     .optional = true,
     .repeated = true}};

static const option options_table[] = {
    INT_OPTION("port", "N", "8420", 0, 65535, "Listen on this port; 0: any that is free."),
    STRING_OPTION(
        "address", "ADDRESS", "127.0.0.1",
        "Listen on this numeric address. Other than 127.0.0.1 and ::1 it can be reached by other machines, "
        "needs --token, --certificate and --key (docs/serving.md), and is printed on a terminal as a QR code, too."),
    STRING_OPTION("token", "FILE", NULL,
                  "Let only those in who show a token of this file: lines of watch, handle or direct and a token."),
    STRING_OPTION("certificate", "FILE", NULL, "Speak TLS by this certificate, in PEM."),
    STRING_OPTION("key", "FILE", NULL, "Its key, in PEM without a password."),
    FLAG_OPTION("locked", "Refuse to pause, begin again, choose a scene, add, remove or send files, whoever asks."),
    OUTPUT_OPTION("audit", "FILE",
                  "Append what is refused to this file, a line of JSON each, at most 16 MB and 16 MB before."),
    STRING_OPTION("origin", "URL", NULL,
                  "Let pages of this origin connect, too, such as https://example.org; several with commas between."),
    INT_OPTION("clients", "N", "64", 1, 4096, "Let at most N pages and programs connect at once."),
    INT_OPTION("clients-per-address", "N", NULL, 1, 4096,
               "Of these, at most N from one address; half of them unless given. Behind a proxy all come from one."),
    STRING_OPTION("broadcast", "URL", NULL,
                  "Publish the world to a Redis server, as the home of edges: redis://HOST[:PORT][/WORLD] or "
                  "unix:PATH[#WORLD] (docs/serving.md)."),
    STRING_OPTION("edge", "URL", NULL,
                  "Show the world that a home publishes there, and send home what people do; read only while the home "
                  "is gone."),
    STRING_OPTION("redis-password", "FILE", NULL, "Show Redis the password in this file."),
    STRING_OPTION("first", "NAME", NULL,
                  "Begin with this scene of the folder: the name of its file without the ending."),
    OUTPUT_OPTION(
        "store", "FILE",
        "Keep the world over a restart in this file, a journal (docs/server.md): what was added, removed, placed and "
        "set is on the disk before it is acknowledged. One server at a time may have it."),
    NUMBER_OPTION("speed", "X", "1", 1e-6, 1e6, "Let time run X times as fast."),
    NUMBER_OPTION("ahead", "SECONDS", "0", 0.0, 60.0,
                  "Draw what turning objects will sweep within this time, and announce what they will hit."),
    FLAG_OPTION("no-upload", "Refuse model files that people drop into the page."),
    NUMBER_OPTION("upload-limit", "MB", "256", 0.001, 2000, "The most that files which are dropped at once may have."),
    STRING_OPTION("keep", "FOLDER", NULL, "Let people store models they dropped as scene files in this folder."),
    FLAG_OPTION("clash",
                "The models are parts of one assembly, as for fureai clash: people see the list of clashes, fly to "
                "each, accept or ignore it and say why (docs/clash.md)."),
    NUMBER_OPTION(
        "tolerance", "D", "0", 0, 1e15,
        "With --clash: parts up to D metres apart, and those that enter one another by no more than D, touch."),
    STRING_OPTION("notes", "FILE", NULL,
                  "With --clash: read what was decided from this file, where it is there, and store there what people "
                  "decide; fureai clash --notes FILE shows it."),
    FLAG_OPTION("in-place", "Leave models where their files have them, as parts of one assembly."),
    STRING_OPTION("unit", "UNIT", NULL,
                  "Unit of the models: mm, cm, m, km, in, ft or a number of metres; as the file says or, where it says "
                  "nothing, guessed from the size unless given."),
    CHOICE_OPTION("up", "AXIS", "x,y,z", NULL,
                  "Axis of the models that points up; as the file says or guessed from the format unless given."),
    STRING_OPTION("script", "FILE", NULL,
                  "Let the people of the scenes carry out this script (docs/act.md), in place of what scenes name."),
    ALGORITHMS_OPTION,
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
    {.line = "fureai serve bracket.stl housing.obj", .does = "Two of your own files, side by side."},
    {.line = "fureai serve --clash case.stl piston.stl --notes notes.json",
     .does = "Which parts meet: to look at and to decide about, with others."},
    {.line = "fureai serve room.json --port 9000 --store room.journal",
     .does = "One scene, whose objects stay where people put them."},
    {.line = "fureai serve meeting.record", .does = "What a world did, to go through in time."},
    {.line = "fureai serve demos/piston.json --device udp:127.0.0.1:8430 --place 0,0.2,0",
     .does = "A force pen takes part: fureai device simulate stands in for one."},
    {.line = "fureai serve room.json --broadcast redis://10.0.0.5", .does = "The home of a world with edges."},
    {.line = "fureai serve --edge redis://10.0.0.5 --port 9001", .does = "One of them: viewers connect to it."},
    {.line = "fureai serve --address 0.0.0.0 --token tokens --certificate cert.pem --key key.pem",
     .does = "For the whole network, encrypted, to those who were given a token."},
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
