// The command device: haptic devices, simulated and on a network.
#include "commands.h"
#include "device_run.h"
#include "picture_request.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#define PERIOD_NS 1000000

// ---------------------------------------------------------------------------------------------------------------
// A simulated device on the network

static void add_ns(struct timespec *t, long ns) {
    t->tv_nsec += ns;
    if (t->tv_nsec >= 1000000000) {
        t->tv_nsec -= 1000000000;
        t->tv_sec++;
    }
}

// A thousand times a second until the time is over or it is stopped.
static void serve(tool *t, fr_udp_server *server, double seconds, fr_udp_sender *sender, fr_simulated_tracker *sensor,
                  const fr_pose *place) {
    struct timespec due;
    uint64_t begin = fr_clock_ns();
    clock_gettime(CLOCK_MONOTONIC, &due);
    while (!fr_control_is_stopped(&t->control)) {
        double time = 1e-3 * fr_clock_ms_since(begin);
        if (seconds > 0.0 && time >= seconds) { return; }
        double now = 1e-9 * (double)fr_clock_ns();
        fr_udp_server_step(server, now);
        if (sender != NULL) { (void)fr_udp_sender_track(sender, sensor, 0, now, place); }
        add_ns(&due, PERIOD_NS);
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR &&
               !fr_control_is_stopped(&t->control)) {}
    }
}

// Where --send sends the poses of a simulated sensor; all NULL without it.
static exit_status open_sender(tool *t, fr_udp_sender **sender, fr_simulated_tracker **sensor) {
    const char *text = options_string(&t->options, "send");
    char address[FR_UDP_ADDRESS_BYTES];
    uint16_t port;
    fr_error error = {0};
    if (text == NULL) { return EXIT_STATUS_DONE; }
    if (!fr_udp_parse_name(text, address, &port)) {
        return tool_wrong_usage(t, "--send: '%s' is not udp:ADDRESS:PORT", text);
    }
    fr_simulated_tracker_def def = fr_default_simulated_tracker_def();
    def.seed = (uint64_t)options_int(&t->options, "seed");
    fr_status status = fr_udp_sender_create(address, port, sender, &error);
    if (status == FR_ERROR_ARGUMENT) { return tool_wrong_usage(t, "--send: %s", error.message); }
    if (status == FR_OK) { status = fr_simulated_tracker_create(&def, sensor, &error); }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

static void report(tool *t, const fr_udp_counts *c, unsigned port, double force_max) {
    tool_print(t, "%llu commands taken, %llu readings sent, %.2f N at most\n", (unsigned long long)c->taken,
               (unsigned long long)c->sent, force_max);
    fr_json_writer *j = tool_json(t);
    if (j == NULL) { return; }
    fr_json_write_object(j);
    json_fields(j, "port", port, "taken", c->taken, "sent", c->sent, "old", c->old, "strangers", c->strangers,
                "force_most", force_max);
    fr_json_write_object_end(j);
}

static exit_status simulate(tool *t, fr_simulated_pen *pen, fr_udp_sender *sender, fr_simulated_tracker *sensor) {
    const options *o = &t->options;
    double place[3] = {0.0, 0.0, 0.0};
    options_vector(o, "place", place, 3);
    fr_pose at = fr_pose_make(fr_vec3_make(place[0], place[1], place[2]), fr_quat_identity());
    fr_udp_server_def def = fr_default_udp_server_def();
    def.address = options_string(o, "address");
    def.port = (uint16_t)options_int(o, "port");
    def.device = fr_simulated_pen_device(pen);
    fr_udp_server *server;
    fr_error error = {0};
    fr_status status = fr_udp_server_create(&def, &server, &error);
    if (status == FR_ERROR_ARGUMENT) { return tool_wrong_usage(t, "--address: %s", error.message); }
    if (status != FR_OK) { return tool_failed(t, &error); }
    unsigned port = fr_udp_server_port(server);
    tool_note(t, "a simulated pen waits at udp:%s:%u; Ctrl-C ends it", def.address, port);
    serve(t, server, options_given(o, "seconds") ? options_number(o, "seconds") : 0.0, sender, sensor, &at);
    fr_udp_counts c = fr_udp_server_counts(server);
    fr_udp_server_destroy(server);
    report(t, &c, port, fr_simulated_pen_get(pen).force_max);
    return EXIT_STATUS_DONE;
}

static exit_status device_simulate(tool *t) {
    fr_simulated_wander wander;
    fr_simulated_pen *pen = NULL;
    fr_udp_sender *sender = NULL;
    fr_simulated_tracker *sensor = NULL;
    fr_error error = {0};
    exit_status done = open_sender(t, &sender, &sensor);
    if (done == EXIT_STATUS_DONE) {
        fr_status status = device_make_pen(t, 0.7, &wander, &pen, &error);
        done = status == FR_OK ? simulate(t, pen, sender, sensor) : tool_failed(t, &error);
    }
    fr_simulated_pen_destroy(pen);
    fr_simulated_tracker_destroy(sensor);
    fr_udp_sender_destroy(sender);
    return done;
}

// ---------------------------------------------------------------------------------------------------------------
// The command

static exit_status run(tool *t) {
    const char *what = t->arguments[0];
    bool has_scene = t->argument_count > 1;
    if (strcmp(what, "run") == 0) {
        if (has_scene && (options_given(&t->options, "wall") || options_given(&t->options, "magnet"))) {
            return tool_wrong_usage(t, "a scene and a wall are not felt at once");
        }
        return device_run(t);
    }
    if (has_scene) { return tool_wrong_usage(t, "'%s' takes no scene", what); }
    if (strcmp(what, "simulate") == 0) { return device_simulate(t); }
    if (strcmp(what, "map") == 0) { return device_map(t); }
    return tool_wrong_usage(t, "'%s' is none of run, simulate and map", what);
}

static const argument arguments[] = {
    {.name = "WHAT", .help = "run: feel through a device. simulate: be one. map: what strings can do."},
    {.name = "SCENE", .help = "With run: the scene whose faces are felt, as it is at its beginning.", .optional = true},
};

static const option options_table[] = {
    STRING_OPTION("device", "NAME", "simulated", "The device to run: simulated, or udp:ADDRESS:PORT."),
    NUMBER_OPTION("seconds", "S", NULL, 0.01, 86400.0,
                  "How long: 5 seconds unless given; a simulated device goes on until Ctrl-C."),
    VECTOR_OPTION("wall", "X,Y,Z,D", 4, "0,1,0,0", -1e6, 1e6,
                  "The plane that is felt: normal . p = D metres, from where the normal points."),
    NUMBER_OPTION("magnet", "D", NULL, 1e-4, 1.0,
                  "The wall holds what has touched it, until it is pulled D metres away."),
    NUMBER_OPTION("distance", "D", "0", 0.0, 1.0, "The force begins this many metres before a face."),
    NUMBER_OPTION("stiffness", "K", "400", 0.0, 100000.0, "Of a face, N/m."),
    VECTOR_OPTION("place", "X,Y,Z", 3, "0,0,0", -1e6, 1e6, "Where the device is in the room, in metres."),
    FLAG_OPTION("tracker",
                "Follow the device by a simulated magnetic sensor, with its noise, instead of knowing where it is."),
    NUMBER_OPTION("reach", "R", "0.03", 0.0, 0.1, "A simulated hand wanders this many metres to each side."),
    INT_OPTION("seed", "N", "1", 0, 0, "Of the hand and the noise."),
    STRING_OPTION(
        "address", "A", "127.0.0.1",
        "The numeric address at which a simulated device waits. There is no password: keep it on this machine."),
    INT_OPTION("port", "N", "8430", 0, 65535, "Its port; 0: one that is free."),
    STRING_OPTION("send", "NAME", NULL,
                  "A simulated device also sends the pose of a simulated sensor, number 0, to udp:ADDRESS:PORT."),
    INT_OPTION("sensors", "PORT", NULL, 1, 65535,
               "Follow the device by sensor 0 of a tracker that sends its poses to this port of this machine."),
    STRING_OPTION(
        "anchors", "LIST", NULL,
        "Of a map: the strings' eyelets, as x,y,z;x,y,z;x,y,z;x,y,z in metres. Unless given, every second corner "
        "of a cube of 0.5 m."),
    NUMBER_OPTION("force", "N", "2", 1e-3, 1e3, "Of a map: the newtons to pull by, to every side."),
    VECTOR_OPTION("bounds", "BOX", 6, NULL, 0, 0,
                  "Of a map: x0,y0,z0,x1,y1,z1 in metres. Unless given, the box of the eyelets."),
    VECTOR_OPTION("grid", "X,Y,Z", 3, "9,9,9", 0, 0, "Of a map: tips along each axis, 1 to 100."),
    OUTPUT_OPTION("csv", "FILE", "Also write a table: of a run one row a picture, of a map one row a tip."),
    PICTURE_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai device run --seconds 2", .does = "A simulated hand wanders about a wall for two seconds."},
    {.line = "fureai device run --tracker --seconds 2 --csv felt.csv", .does = "With the noise of a worn sensor."},
    {.line = "fureai device run --magnet 0.004 --seconds 2", .does = "A wall that holds, and lets go at 4 mm."},
    {.line = "fureai device simulate --port 8430", .does = "Waits for a host, as a real device would."},
    {.line = "fureai device run --device udp:127.0.0.1:8430", .does = "Feels the wall through the network."},
    {.line = "fureai device map --picture map.svg", .does = "Where can four strings pull to all sides?"},
};

const command command_device = {
    .name = "device",
    .summary = "runs a haptic device a thousand times a second, or stands in for one",
    .description = "Reads a device, finds its tip, lets a wall or the faces of a scene push back, and writes what its "
                   "strings shall pull by, a thousand times a second. Reports the force, the energy, how long a tick "
                   "took, how late it came, and all that was wrong.\n\n"
                   "A device is simulated, or speaks the protocol of docs/devices.md over UDP. With `simulate` the "
                   "tool is such a device.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
