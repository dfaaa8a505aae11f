// Fureai devices: haptic devices and trackers on wires, and what stands in for them (device drivers and simulators):
// the loop of a thousand ticks a second, a simulated pen on strings, a simulated tracker, and both ends of a protocol
// over UDP.
//
// Library libfureai-devices. What a hand feels is computed by haptic.h; here devices are read and moved.
#ifndef FUREAI_DEVICES_H
#define FUREAI_DEVICES_H

#include "actor.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// The loop: reads a device and its tracker, ticks, writes. What is touched comes from the slower thread that draws, and
// where the pen is goes back to it; neither thread ever waits for the other.

// A tracker as the loop sees it: fills sample, sample_time and has_sample of `out`, whose `now` is set, by the clock of
// `now`. Called from the loop's thread; does not wait.
typedef void fr_haptic_sense_fn(fr_track_input *out, void *user);

typedef struct fr_haptic_loop_def {
    fr_haptic_device device; // used by the loop alone until it is destroyed, which closes it
    fr_haptic_def haptic;    // force_max is lowered to what the device can do
    fr_track_def track;
    fr_haptic_sense_fn *sense; // default NULL: the device stands where its mount says
    void *sense_user;          // given to `sense`
    fr_string_watch watch;
    fr_pull_mode pull;      // default FR_PULL_SAME_DIRECTION
    double rate;            // hertz, 10 .. 10000; default 1000
    bool may_be_real_time;  // asks for a real-time schedule, and goes on without where it may not; default true
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_haptic_loop_def
} fr_haptic_loop_def;

FR_API fr_haptic_loop_def fr_default_haptic_loop_def(void);

#define FR_HAPTIC_BUCKETS 4096

// Times in buckets of equal width.
typedef struct fr_haptic_times {
    double width; // seconds
    uint64_t counts[FR_HAPTIC_BUCKETS];
    uint64_t count, over; // all, and those beyond the last bucket
    double max;           // seconds
} fr_haptic_times;

// The time that a share (0 .. 1) of all did not exceed, rounded up to a bucket; `max` beyond them.
FR_API double fr_haptic_times_share(const fr_haptic_times *times, double share);

typedef struct fr_haptic_report {
    uint64_t ticks;
    uint64_t flagged[10];      // ticks with each flag of fr_haptic_flags, by its bit
    uint64_t track_flagged[6]; // the same of fr_track_flags
    uint64_t lost;             // ticks without a device
    uint64_t unwritten;        // commands that the device did not take
    double force_max;          // newtons
    double rise_max;           // newtons a second, between two ticks
    double energy_max;         // joules, of the observer
    double undelivered_max;    // newtons that strings could not give
    bool is_real_time;         // whether the thread has a real-time schedule
    fr_haptic_times cpu;       // seconds of the processor a tick
    fr_haptic_times late;      // seconds from when a tick was due to when it began
} fr_haptic_report;

typedef struct fr_haptic_loop fr_haptic_loop;

// FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY; then the device is the caller's still.
FR_API fr_status fr_haptic_loop_create(const fr_haptic_loop_def *def, fr_haptic_loop **out, fr_error *error);

// Stops it, lets the device go and closes it. NULL is ignored.
FR_API void fr_haptic_loop_destroy(fr_haptic_loop *loop);

// Starts the thread. FR_ERROR_BUSY while it runs, FR_ERROR_SYSTEM when it cannot be.
FR_API fr_status fr_haptic_loop_start(fr_haptic_loop *loop, fr_error *error);

// Ends the thread, the device let go. Nothing where it does not run.
FR_API void fr_haptic_loop_stop(fr_haptic_loop *loop);

// One tick at a time of a clock that the caller keeps. While the thread does not run.
FR_API void fr_haptic_loop_step(fr_haptic_loop *loop, double now);

// What is touched from now on, in place of what the loop has not taken yet; a pulse once. From one thread.
FR_API void fr_haptic_loop_send(fr_haptic_loop *loop, const fr_haptic_contact *contact);

// The newest state. From one thread.
FR_API fr_haptic_state fr_haptic_loop_state(fr_haptic_loop *loop);

// The loop as the device of a pen in a world (fr_pen_def); the loop must outlive the pen.
FR_API fr_pen_device fr_haptic_loop_pen(fr_haptic_loop *loop);

// What the loop did since it was made. While the thread does not run.
FR_API const fr_haptic_report *fr_haptic_loop_report(const fr_haptic_loop *loop);

// ---------------------------------------------------------------------------------------------------------------
// A surface that a pen feels without a world: the faces of a space near its tip, a wall, or a wall that holds like a
// magnet. Plain data: set the first four, read the rest.

typedef struct fr_felt_surface {
    const fr_space *space; // whose faces are felt; NULL: the wall is
    fr_haptic_plane wall;
    double distance;             // metres before a face at which its force begins
    double magnet;               // metres at which the wall releases what it holds; 0: it does not hold
    bool is_held;                // by the magnet
    uint32_t snaps, releases;    // of the magnet
    double release_distance_max; // metres
} fr_felt_surface;

// What a tip at this place touches, for the loop. Errors of fr_touch_pairs.
FR_API fr_status fr_felt_surface_contact(fr_felt_surface *surface, fr_vec3 tip, fr_haptic_contact *out,
                                         fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// A simulated pen on four strings, and the hand that holds it: pulleys that count in steps, motors with limits, a mass
// on the spring of a grip that wishes to be somewhere. It lets go by itself when no command comes, and may slip, fall
// silent or be let go on request.

// Where the hand wishes to be at a time (seconds since the pen was made), in the device's frame; and how it turns the
// pen, which strings do not hinder.
typedef fr_vec3 fr_simulated_wish_fn(double time, void *user);
typedef fr_quat fr_simulated_turn_fn(double time, void *user);

typedef struct fr_simulated_pen_def {
    fr_strings strings;         // default fr_default_strings
    double quantum;             // metres a count, > 0; default 1e-4
    double mass;                // kilograms of pen and hand, > 0; default 0.2
    double grip;                // N/m of the spring between the hand and its wish, >= 0; default 150
    double damping;             // N s/m of the hand, >= 0; default 3
    double wish_seconds;        // how slowly a wish is followed, > 0; default 0.05
    double motor_seconds;       // how slowly tensions follow commands, > 0; default 3e-4
    double watchdog;            // seconds without a command, > 0, after which the motors let go; default 0.02
    double force_max;           // newtons that it says it can do, >= 0; default 4
    fr_vec3 start;              // of the tip, which is its dock; default 0, home of the default strings
    fr_simulated_wish_fn *wish; // default NULL: stays at the start
    fr_simulated_turn_fn *turn; // a sensor in the pen measures this; default NULL: its turn is not measured
    void *wish_user;            // given to `wish` and `turn`
    double slip_time;           // when string 0 slips, seconds; default: never
    double slip;                // metres by which it does
    double loss_time;           // when the device falls silent; default: never
    double loss_seconds;        // for how long
    bool is_real_time;          // goes on by the clock when it is read; else by fr_simulated_pen_advance
    fr_allocator allocator;     // default: the process default
    uint32_t cookie;            // set by fr_default_simulated_pen_def
} fr_simulated_pen_def;

FR_API fr_simulated_pen_def fr_default_simulated_pen_def(void);

// Aims about a place, a new one every so often, the same for the same seed. For fr_simulated_pen_def.wish.
typedef struct fr_simulated_wander {
    fr_vec3 centre;
    fr_vec3 reach;  // to both sides along each axis, metres
    double seconds; // that each aim stands, > 0
    uint64_t seed;
} fr_simulated_wander;

// A fr_simulated_wish_fn whose `user` is a fr_simulated_wander.
FR_API fr_vec3 fr_simulated_wander_wish(double time, void *user);

typedef struct fr_simulated_pen fr_simulated_pen;

// FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE for a definition that makes no device, FR_ERROR_MEMORY.
FR_API fr_status fr_simulated_pen_create(const fr_simulated_pen_def *def, fr_simulated_pen **out, fr_error *error);
FR_API void fr_simulated_pen_destroy(fr_simulated_pen *pen); // NULL is ignored

// Goes on by `seconds`.
FR_API void fr_simulated_pen_advance(fr_simulated_pen *pen, double seconds);

// Which buttons are down, of FR_DEVICE_BUTTON_; at first the dead-man's. From the thread that reads the device.
FR_API void fr_simulated_pen_press(fr_simulated_pen *pen, uint32_t buttons);

// The pen as a device; the pen must outlive it.
FR_API fr_haptic_device fr_simulated_pen_device(fr_simulated_pen *pen);

typedef struct fr_simulated_pen_state {
    double time;                       // seconds since it was made
    fr_vec3 tip, velocity;             // truly, in the device's frame
    fr_vec3 force;                     // what the strings pull by together, newtons
    double commanded[FR_STRING_COUNT]; // tensions of the last command, newtons
    double tensions[FR_STRING_COUNT];  // newtons, now
    double work;                       // joules that the strings gave to the hand in all
    double force_max;                  // newtons, so far
    uint64_t refused;                  // commands with a tension beyond the limits or no number
} fr_simulated_pen_state;

FR_API fr_simulated_pen_state fr_simulated_pen_get(const fr_simulated_pen *pen);

// ---------------------------------------------------------------------------------------------------------------
// A simulated magnetic tracker: it delivers poses now and then, late, with noise that grows towards the screens of the
// room, and at times not at all. The same seed gives the same samples.

typedef struct fr_simulated_tracker_def {
    fr_vec3 centre;           // of the room, where the field is best; default 0
    double half;              // metres from there to a screen, > 0; default 1.5
    double noise_centre;      // metres: standard deviation along each axis at the centre; default 5e-4
    double noise_screen;      // the same at a screen; default 5e-3
    double turn_centre;       // radians: of the turn about each axis at the centre; default 0.02 degrees
    double turn_screen;       // the same at a screen; default 0.2 degrees
    double rate;              // hertz, > 0; default 120
    double delay;             // seconds from a sample's time to when it comes, 0 .. 0.1; default 0.004
    double dropouts;          // a second, on average; default 0
    double dropout_seconds;   // of each; default 0.05
    double wild_share;        // of samples that are half a metre off, 0 .. 1; default 0
    const fr_track_map *warp; // what the field is wrong by: taken off each position; NULL, the default: nothing
    uint64_t seed;            // default 1
    fr_allocator allocator;   // default: the process default
    uint32_t cookie;          // set by fr_default_simulated_tracker_def
} fr_simulated_tracker_def;

FR_API fr_simulated_tracker_def fr_default_simulated_tracker_def(void);

// The deviations at a place: they grow with the square of the distance from the centre to the nearest screen, and no
// further. Metres along each axis, radians about each axis.
FR_API double fr_simulated_tracker_noise(const fr_simulated_tracker_def *def, fr_vec3 position);
FR_API double fr_simulated_tracker_turn_noise(const fr_simulated_tracker_def *def, fr_vec3 position);

typedef struct fr_simulated_tracker fr_simulated_tracker;

// FR_ERROR_ARGUMENT for a definition without a cookie, or whose rate or room is not above 0; FR_ERROR_MEMORY.
FR_API fr_status fr_simulated_tracker_create(const fr_simulated_tracker_def *def, fr_simulated_tracker **out,
                                             fr_error *error);
FR_API void fr_simulated_tracker_destroy(fr_simulated_tracker *tracker); // NULL is ignored

// Goes on to `now`, when the sensor truly is at `truth`; fills `now` and the sample of a tick of fr_track. Where
// several samples have come the newest is delivered.
FR_API void fr_simulated_tracker_tick(fr_simulated_tracker *tracker, double now, const fr_pose *truth,
                                      fr_track_input *out);

// What it was made from.
FR_API const fr_simulated_tracker_def *fr_simulated_tracker_get_def(const fr_simulated_tracker *tracker);

// Nothing more is heard before `until`.
FR_API void fr_simulated_tracker_silence(fr_simulated_tracker *tracker, double until);

// ---------------------------------------------------------------------------------------------------------------
// Devices on a network (docs/devices.md has the packets byte by byte). No name is looked up and nothing is encrypted:
// by default both ends are on this machine, and a device elsewhere belongs on a wire of its own.

#define FR_UDP_SILENCE 0.02 // seconds after which the other side is lost

// What is wrong with a packet.
typedef enum fr_udp_fault {
    FR_UDP_FINE,
    FR_UDP_WRONG_SIZE,    // shorter or longer than its kind
    FR_UDP_WRONG_MAGIC,   // not ours
    FR_UDP_WRONG_VERSION, // another version's
    FR_UDP_WRONG_KIND,    // unknown, or one that does not belong here
    FR_UDP_WRONG_CHECK,   // changed in transit
    FR_UDP_WRONG_VALUE    // a number that is none or out of range, a bit that is not known, a byte that shall be 0
} fr_udp_fault;

// A few words for each. Never NULL.
FR_API const char *fr_udp_fault_text(fr_udp_fault fault);

// What came in. Everything but `taken` was left out.
typedef struct fr_udp_counts {
    uint64_t sent, unsent; // packets that went out, and that the system did not take
    uint64_t taken;
    uint64_t strangers;                     // from another address than the one that is known
    uint64_t old;                           // not after the last one by sequence or time
    uint64_t wrong[FR_UDP_WRONG_VALUE + 1]; // by fr_udp_fault
} fr_udp_counts;

#define FR_UDP_COUNTS_TEXT_BYTES 256

// What was left out, in words: "3 late or doubled, 1 changed in transit"; empty where nothing was.
FR_API void fr_udp_counts_text(const fr_udp_counts *counts, char text[FR_UDP_COUNTS_TEXT_BYTES]);

#define FR_UDP_ADDRESS_BYTES 64

// Takes "udp:ADDRESS:PORT" apart, the port 1 .. 65535; false where it is not that. Whether the address is one is left
// to who uses it.
FR_API bool fr_udp_parse_name(const char *text, char address[FR_UDP_ADDRESS_BYTES], uint16_t *port);

// The host's side: finds the device at a numeric IPv4 address and a port, waiting up to `seconds` for it to describe
// itself. `out` is used until its close, which a loop calls. FR_ERROR_ARGUMENT for no address, FR_ERROR_SYSTEM for no
// socket or no response, FR_ERROR_MEMORY.
FR_API fr_status fr_udp_host_open(const char *address, uint16_t port, double seconds, fr_haptic_device *out,
                                  fr_error *error);

// What came in, of a device of fr_udp_host_open. From the thread that uses it.
FR_API fr_udp_counts fr_udp_host_counts(const fr_haptic_device *device);

// The device's side: any device, put on the network.
typedef struct fr_udp_server fr_udp_server;

typedef struct fr_udp_server_def {
    const char *address;     // numeric IPv4; default "127.0.0.1"
    uint16_t port;           // 0, the default: one that is free
    fr_haptic_device device; // used by the server alone until it is destroyed, which closes it
    double patience;         // seconds of silence after which another host may come; default 1
    uint32_t cookie;         // set by fr_default_udp_server_def
} fr_udp_server_def;

FR_API fr_udp_server_def fr_default_udp_server_def(void);

// FR_ERROR_ARGUMENT for no address, FR_ERROR_SYSTEM for no socket, FR_ERROR_MEMORY; then the device is the caller's
// still.
FR_API fr_status fr_udp_server_create(const fr_udp_server_def *def, fr_udp_server **out, fr_error *error);

// Lets the device go and closes it. NULL is ignored.
FR_API void fr_udp_server_destroy(fr_udp_server *server);

FR_API uint16_t fr_udp_server_port(const fr_udp_server *server);

// Takes what has come, and reports the state to the host. To be called a thousand times a second; does not wait. `now`
// in seconds of a clock that never goes back.
FR_API void fr_udp_server_step(fr_udp_server *server, double now);

// Whether a host is there now, and what came in.
FR_API bool fr_udp_server_has_host(const fr_udp_server *server);
FR_API fr_udp_counts fr_udp_server_counts(const fr_udp_server *server);

// ---------------------------------------------------------------------------------------------------------------
// Trackers on a network: one sends the poses of its sensors to a port, a host receives them there

typedef struct fr_udp_sender fr_udp_sender;

// Sends to a numeric IPv4 address and a port, whether or not anything listens there. FR_ERROR_ARGUMENT for no address,
// FR_ERROR_SYSTEM for no socket, FR_ERROR_MEMORY.
FR_API fr_status fr_udp_sender_create(const char *address, uint16_t port, fr_udp_sender **out, fr_error *error);
FR_API void fr_udp_sender_destroy(fr_udp_sender *sender); // NULL is ignored

// Sends a pose, whose time is of a clock of the sender's that never goes back, 0 or more. FR_ERROR_ARGUMENT for a
// number outside the protocol's limits; FR_ERROR_SYSTEM where the system does not take it: the next may be.
FR_API fr_status fr_udp_sender_send(fr_udp_sender *sender, const fr_sensor_pose *pose, fr_error *error);

// Ticks a simulated tracker and sends what it delivers, as sensor `sensor` and with the deviations at that place; true
// where something was sent.
FR_API bool fr_udp_sender_track(fr_udp_sender *sender, fr_simulated_tracker *tracker, uint32_t sensor, double now,
                                const fr_pose *truth);

#define FR_UDP_SENSORS_MAX 64
#define FR_UDP_TRACKER_SILENCE 0.1 // seconds after which any sequence is taken again

typedef struct fr_udp_tracker_def {
    const char *address; // to listen at, numeric IPv4; default "127.0.0.1"
    uint16_t port;       // 0, the default: one that is free
    double patience;     // seconds of silence after which another sender may come; default 1
    uint32_t cookie;     // set by fr_default_udp_tracker_def
} fr_udp_tracker_def;

FR_API fr_udp_tracker_def fr_default_udp_tracker_def(void);

// Receives poses. The first that sends a valid one is the sender until it is silent for `patience`.
typedef struct fr_udp_tracker fr_udp_tracker;

// FR_ERROR_ARGUMENT for no address, FR_ERROR_SYSTEM for no socket, FR_ERROR_MEMORY.
FR_API fr_status fr_udp_tracker_create(const fr_udp_tracker_def *def, fr_udp_tracker **out, fr_error *error);
FR_API void fr_udp_tracker_destroy(fr_udp_tracker *tracker); // NULL is ignored
FR_API uint16_t fr_udp_tracker_port(const fr_udp_tracker *tracker);

// Takes what has come; does not wait. `now` in seconds of a clock that never goes back. The sender's clock is set
// against it by the packet that came fastest. Poses that are late, doubled, of a sensor beyond FR_UDP_SENSORS_MAX, of
// another sender or wrong are counted and left out.
FR_API void fr_udp_tracker_step(fr_udp_tracker *tracker, double now);

// The newest pose of a sensor, its time by the clock of fr_udp_tracker_step; false: none came yet. From the thread that
// calls fr_udp_tracker_step.
FR_API bool fr_udp_tracker_get(const fr_udp_tracker *tracker, uint32_t sensor, fr_sensor_pose *out);

// Steps, and fills the sample of a tick of fr_track where the sensor has a new one since the last call. For a
// fr_haptic_sense_fn that places a worn device by one sensor.
FR_API void fr_udp_tracker_sense(fr_udp_tracker *tracker, uint32_t sensor, fr_track_input *out);

// The same as fr_udp_tracker_get from one other thread, as of the last step.
FR_API bool fr_udp_tracker_read(fr_udp_tracker *tracker, uint32_t sensor, fr_sensor_pose *out);

// What came in. From the thread that calls fr_udp_tracker_step.
FR_API fr_udp_counts fr_udp_tracker_counts(const fr_udp_tracker *tracker);

// ---------------------------------------------------------------------------------------------------------------
// A station: all that one person at a device needs, with its thread

typedef struct fr_station_def {
    const char *device;     // "udp:ADDRESS:PORT", with ",string" or ",arm" behind it where no other kind will do
    double seconds;         // to wait for the device; default 2
    fr_vec3 place;          // of the device's frame in the room where no tracker places it; default 0
    uint16_t sensor_port;   // of a tracker's poses, at this machine; sensor 0 places the device; 0, the default: none
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_station_def
} fr_station_def;

FR_API fr_station_def fr_default_station_def(void);

typedef struct fr_station fr_station;

// Opens the device and the tracker's port, and starts the loop. FR_ERROR_ARGUMENT for a name that is none or a device
// of another kind, FR_ERROR_SYSTEM, FR_ERROR_MEMORY. `device` may be NULL with a sensor_port: a tracker alone.
FR_API fr_status fr_station_create(const fr_station_def *def, fr_station **out, fr_error *error);

// Lets the device go. NULL is ignored.
FR_API void fr_station_destroy(fr_station *station);

typedef struct fr_station_report {
    fr_udp_counts device, tracker; // what came in; zeros where there is none
    const fr_haptic_report *loop;  // what was felt, until the station is destroyed; NULL: there is no device
} fr_station_report;

// Ends the station's thread, the device let go, and reports what it did. A pen of it stands from then on.
FR_API fr_station_report fr_station_stop(fr_station *station);

// The device for a pen of a world; its `read` is NULL where the station has none. And its tracker, for followers:
// `user` is the station. From the thread that ticks the world.
FR_API fr_pen_device fr_station_pen(fr_station *station);
FR_API bool fr_station_read_sensor(uint32_t sensor, fr_sensor_pose *out, double *now, void *user);

#ifdef __cplusplus
}
#endif

#endif
