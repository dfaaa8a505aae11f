// The same world with a force pen everywhere: packets of a device are recorded, and replayed through the loop into a
// world in which the pen touches, takes, carries and sets down. Hashed are the world's snapshots and the commands that
// the device is sent, for each instruction set and 1 and 8 workers, with a value frozen here. It holds for gcc and
// clang, every level of optimisation, x86-64 and aarch64.
//
// A change of a result on purpose changes the frozen value: `replayed_pen --print` tells the new one.
#include "frozen.h"
#include "mesh_object.h"
#include "udp_packet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FROZEN UINT64_C(0xee4340ba41302ee6)
#define DT 1e-3
#define QUANTUM 1e-4 // metres a count
#define RADIUS 0.01  // metres of a pulley

enum { PACKETS = 4000, TICK_PACKETS = 10, BALLS = 40 };

// ---------------------------------------------------------------------------------------------------------------
// What was recorded

typedef struct record {
    uint8_t bytes[PACKETS][FR__UDP_READING_BYTES];
} record;

// A hand on its path: above the block, down to it, with it up and aside, down until the table holds it, and away.
typedef struct waypoint {
    double time;
    fr_vec3 at;
    double turn; // radians about y
    bool is_pressed;
} waypoint;

static const waypoint path[] = {
    {0.0, {0.0, 0.0, 0.0}, 0.0, false},      {0.5, {0.0, -0.02, 0.0}, 0.0, false},
    {0.9, {0.0, -0.034, 0.0}, 0.0, true},    {1.4, {0.05, 0.03, 0.02}, 0.3, true},
    {2.0, {0.06, 0.02, -0.05}, 0.6, true},   {2.8, {0.06, -0.042, -0.05}, 0.6, true},
    {3.2, {0.05, -0.043, -0.05}, 0.5, true}, {3.3, {0.05, -0.03, -0.05}, 0.5, false},
    {4.0, {0.0, 0.02, 0.0}, 0.0, false},
};

static fr_strings strings_of(void) { return fr_default_strings(); }

static void write_packet(record *r, int i) {
    double time = i * DT;
    size_t k = 0;
    while (k + 2 < sizeof path / sizeof path[0] && time >= path[k + 1].time) {
        k++;
    }
    double share = fmin((time - path[k].time) / (path[k + 1].time - path[k].time), 1.0);
    fr_vec3 tip = fr_vec3_lerp(path[k].at, path[k + 1].at, share);
    fr__udp_packet packet = {.kind = FR__UDP_READING, .sequence = (uint32_t)i, .time_ns = 1000000u * (uint64_t)(i + 1)};
    fr_strings strings = strings_of();
    for (int s = 0; s < FR_STRING_COUNT; s++) {
        double length = fr_vec3_distance(tip, strings.anchors[s]) - fr_vec3_length(strings.anchors[s]);
        packet.reading.counts[s] = (int64_t)floor(length / QUANTUM + 0.5);
    }
    packet.reading.buttons = FR_DEVICE_BUTTON_HELD | (path[k].is_pressed ? FR_DEVICE_BUTTON_GRASP : 0u);
    double turn = path[k].turn + share * (path[k + 1].turn - path[k].turn);
    packet.reading.rotation = fr_quat_from_vector(fr_vec3_make(0.0, turn, 0.0));
    uint8_t bytes[FR__UDP_MAX_BYTES];
    require(fr__udp_encode(&packet, bytes) == FR__UDP_READING_BYTES, "writing a packet");
    memcpy(r->bytes[i], bytes, FR__UDP_READING_BYTES);
}

// ---------------------------------------------------------------------------------------------------------------
// The device that replays it

typedef struct replay {
    const record *record;
    int next;
    uint64_t hash; // of the commands
    double force_max;
} replay;

static fr_status read_device(fr_device_reading *out, void *user) {
    replay *r = user;
    fr__udp_packet packet;
    require(fr__udp_decode(r->record->bytes[r->next], FR__UDP_READING_BYTES, &packet) == FR_UDP_FINE, "a packet");
    *out = packet.reading;
    r->next++;
    return FR_OK;
}

static fr_status write_device(const fr_device_command *command, void *user) {
    replay *r = user;
    r->hash = fr_hash(command->tensions, sizeof command->tensions, r->hash);
    return FR_OK;
}

static fr_haptic_device device_of(replay *r) {
    fr_haptic_device device = {.kind = FR_DEVICE_STRINGS,
                               .strings = strings_of(),
                               .force_max = 4.0,
                               .read = read_device,
                               .write = write_device,
                               .user = r};
    device.pulleys.radius = RADIUS;
    device.pulleys.per_turn = 2.0 * FR_PI * RADIUS / QUANTUM;
    const int64_t none[FR_STRING_COUNT] = {0, 0, 0, 0};
    fr_vec3 dock = {0.0, 0.0, 0.0};
    require(fr_pulleys_dock(&device.strings, dock, none, &device.pulleys, NULL) == FR_OK, "the dock");
    return device;
}

// ---------------------------------------------------------------------------------------------------------------
// The world

typedef struct room {
    fr_world *world;
    fr_cast *cast;
    fr_mesh *box, *ball;
    fr_object_id balls[BALLS];
    fr_haptic_loop *loop;
    replay replay;
} room;

static fr_object_id add(room *r, const fr_mesh *mesh, fr_vec3 at, double scale, uint32_t flags) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose.position = at;
    def.pose.scale = scale;
    def.flags = flags;
    fr_object_id id;
    require(fr_object_add(fr_world_space(r->world), &def, &id, NULL) == FR_OK, "adding an object");
    return id;
}

static fr_status roll(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const room *r = user;
    for (int i = 0; i < BALLS; i++) {
        fr_wish wish = {.object = r->balls[i], .kind = FR_WISH_NEXT};
        wish.pose = fr_object_get(proposal->space, wish.object)->pose;
        wish.pose.position.x += 2e-3 * fr_sin(0.3 * (double)(proposal->tick + (uint64_t)i));
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static void open_room(room *r) {
    fr_world_def world = fr_default_world_def();
    require(fr_world_create(&world, &r->world, NULL) == FR_OK, "making a world");
    require(fr_mesh_create_named("box", NULL, &r->box, NULL) == FR_OK, "making a box");
    require(fr_mesh_create_named("sphere_168", NULL, &r->ball, NULL) == FR_OK, "making a ball");
    (void)add(r, r->box, fr_vec3_make(0.0, -0.5, 0.0), 1.0, FR_OBJECT_STATIC);
    (void)add(r, r->box, fr_vec3_make(0.0, 0.0301, 0.0), 0.06, 0);
    for (int i = 0; i < BALLS; i++) {
        r->balls[i] = add(r, r->ball, fr_vec3_make(0.02 * i - 0.4, 0.3, 0.4), 0.012, 0);
    }
    fr_cast_def cast = fr_default_cast_def();
    cast.world = r->world;
    require(fr_cast_create(&cast, &r->cast, NULL) == FR_OK, "making a cast");
    fr_hands_def hands_def = fr_default_hands_def();
    hands_def.world = r->world;
    fr_hands *hands;
    require(fr_hands_create(&hands_def, &hands, NULL) == FR_OK, "making hands");
    fr_haptic_loop_def loop = fr_default_haptic_loop_def();
    loop.device = device_of(&r->replay);
    loop.track.mount.position = fr_vec3_make(0.0, 0.1, 0.0);
    require(fr_haptic_loop_create(&loop, &r->loop, NULL) == FR_OK, "making a loop");
    fr_pen_def pen_def = fr_default_pen_def();
    pen_def.device = fr_haptic_loop_pen(r->loop);
    pen_def.cast = r->cast;
    fr_pen *pen;
    require(fr_pen_create(&pen_def, &pen, NULL) == FR_OK, "making a pen");
    const fr_actor actors[] = {{.name = "roll", .move = roll, .user = r}, fr_hands_actor(hands), fr_pen_actor(pen)};
    for (size_t i = 0; i < sizeof actors / sizeof actors[0]; i++) {
        require(fr_cast_add(r->cast, &actors[i], NULL) == FR_OK, "adding an actor");
    }
}

static void close_room(room *r) {
    fr_cast_destroy(r->cast);
    fr_world_destroy(r->world);
    fr_haptic_loop_destroy(r->loop);
    fr_mesh_release(r->box);
    fr_mesh_release(r->ball);
}

static record *packets; // written once, read by every run

static uint64_t hash_of_replay(const fr_tasks *tasks) {
    room r = {.replay = {.record = packets}};
    open_room(&r);
    fr_tick_input input = fr_default_tick_input();
    input.tasks = tasks;
    uint64_t hash = 0;
    uint32_t events[FR_EVENT_KIND_COUNT] = {0};
    for (int i = 0; i < PACKETS; i++) {
        fr_haptic_loop_step(r.loop, (i + 1) * DT);
        if ((i + 1) % TICK_PACKETS != 0) { continue; }
        require(fr_cast_tick(r.cast, &input, NULL) == FR_OK, "a tick");
        const fr_snapshot *snapshot = fr_world_snapshot(r.world);
        uint64_t now = fr_snapshot_hash(snapshot);
        hash = fr_hash(&now, sizeof now, hash);
        for (size_t k = 0; k < snapshot->event_count; k++) {
            events[snapshot->events[k].kind]++;
        }
        fr_snapshot_release(snapshot);
    }
    require(r.replay.next == PACKETS && fr_haptic_loop_report(r.loop)->force_max > 1.0, "replaying it all");
    require(events[FR_EVENT_HELD] == 1 && events[FR_EVENT_RELEASED] == 1, "taking the block and letting it go");
    require(events[FR_EVENT_FORCE] > 10 && events[FR_EVENT_NAMED] == 1, "being felt, and being there");
    hash = fr_hash(&r.replay.hash, sizeof r.replay.hash, hash);
    close_room(&r);
    return hash;
}

int main(int argc, char **argv) {
    packets = malloc(sizeof *packets);
    require(packets != NULL, "memory for the packets");
    for (int i = 0; i < PACKETS; i++) {
        write_packet(packets, i);
    }
    require_frozen(argc, argv, hash_of_replay, FROZEN);
    free(packets);
    printf("%d packets of a pen give the same for every instruction set and number of workers\n", PACKETS);
    return EXIT_SUCCESS;
}
