// A room by chance: walls with a doorway, and furniture of files that were made for something else, at places by
// chance. A person stands before the door; a thing stands on one of the tables.
#ifndef FUREAI_TEST_ACT_CHANCE_ROOM_H
#define FUREAI_TEST_ACT_CHANCE_ROOM_H

#include "directed_place.h"

#include <math.h>
#include <stdlib.h>

enum { ROOM_PIECES_MAX = 8, ROOM_TEXT_BYTES = 1 << 13, ROOM_WALL_BYTES = 1 << 10 };

// A piece of furniture: files have any unit, so its size is chosen as such a piece has it.
typedef struct furniture_kind {
    const char *name, *file;
    double scale;
    double rotation[4]; // that stands it upright
    double front_deg;   // where its front faces then, about +Y from +Z
} furniture_kind;

#define UPRIGHT                                                                                                        \
    { 1.0, 0.0, 0.0, 0.0 }

static const furniture_kind seat_kinds[] = {{"chair", "Furniture/berkeley.wrl", 0.0158, UPRIGHT, 90.0},
                                            {"couch", "Furniture/couch.wrl", 0.026, UPRIGHT, 0.0},
                                            {"love seat", "Furniture/loveseat.wrl", 0.028, UPRIGHT, 0.0}};

// The desk's file shows it from above and from a corner.
static const furniture_kind table_kinds[] = {
    {"simple table", "Furniture/simpletable.wrl", 0.3, UPRIGHT, 0.0},
    {"file cabinet", "Furniture/lateralfile.wrl", 0.0152, UPRIGHT, 0.0},
    {"range", "Household/range.wrl", 0.9, UPRIGHT, 0.0},
    {"desk", "Furniture/desk.wrl", 0.0245, {0.916460, -0.091953, -0.387473, -0.038877}, 0.0}};

static const furniture_kind other_kinds[] = {
    {"bookshelf", "Furniture/bookshelf.wrl", 0.28, UPRIGHT, 0.0},
    {"beach chair", "Furniture/beachchair.wrl", 0.8, UPRIGHT, 0.0},
    {"bench", "Furniture/parkbench.wrl", 0.0203, UPRIGHT, 0.0},
    {"floor lamp", "Furniture/floorlamp.wrl", 0.01, UPRIGHT, 0.0},
    {"cafe chair", "Furniture/thonchar.wrl", 0.0254, UPRIGHT, 0.0},
    {"sink", "Household/sink.wrl", 0.02, UPRIGHT, 0.0},
    {"cafe table", "Furniture/cafetable.wrl", 0.034, UPRIGHT, 0.0}, // with a sunshade
    {"refrigerator", "Household/refrig.wrl", 1.0, UPRIGHT, 0.0}};

static const furniture_kind thing_kinds[] = {{"teapot", "Household/teapot.wrl", 0.0215, UPRIGHT, 0.0},
                                             {"flashlight", "Household/flashlight.wrl", 0.002, UPRIGHT, 0.0},
                                             {"cup", NULL, 1.0, UPRIGHT, 0.0}};

#define KINDS(table) (sizeof(table) / sizeof((table)[0]))

typedef struct chance_room {
    place place;
    fr_random random;
    double width, depth; // metres, inside
    double door, door_width;
    double stature;
    const furniture_kind *pieces[ROOM_PIECES_MAX]; // a seat, two tables, others
    uint32_t piece_count;
    const furniture_kind *thing;
    fr_bounds boxes[ROOM_PIECES_MAX];
} chance_room;

// ---------------------------------------------------------------------------------------------------------------
// Files: walls are written here, all else is read from the shared data

static double room_sizes[3]; // of the room whose walls are read: width, depth, door; one room is opened at a time
static double room_door_width;

static inline size_t write_box(char *text, size_t room, fr_vec3 low, fr_vec3 high) {
    static const int faces[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    size_t size = 0;
    for (int i = 0; i < 8; i++) {
        size += (size_t)snprintf(text + size, room - size, "v %.9g %.9g %.9g\n", i & 4 ? high.x : low.x,
                                 i & 2 ? high.y : low.y, i & 1 ? high.z : low.z);
    }
    for (int i = 0; i < 6; i++) {
        size += (size_t)snprintf(text + size, room - size, "f %d %d %d %d\n", faces[i][0], faces[i][1], faces[i][2],
                                 faces[i][3]);
    }
    return size;
}

// Walls 10 cm thick and 2.5 m high, the doorway 2.1 m high.
static inline bool wall_of(const char *path, fr_vec3 *low, fr_vec3 *high) {
    double half = 0.5 * room_sizes[0], depth = room_sizes[1], door = room_sizes[2], side = 0.5 * room_door_width;
    const struct {
        const char *name;
        fr_vec3 low, high;
    } walls[] = {{"floor.obj", {-half - 2.0, -0.1, -4.0}, {half + 2.0, 0.0, depth + 2.0}},
                 {"left.obj", {half, 0.0, 0.0}, {half + 0.1, 2.5, depth}},
                 {"right.obj", {-half - 0.1, 0.0, 0.0}, {-half, 2.5, depth}},
                 {"back.obj", {-half - 0.1, 0.0, depth}, {half + 0.1, 2.5, depth + 0.1}},
                 {"front_left.obj", {door + side, 0.0, -0.1}, {half + 0.1, 2.5, 0.0}},
                 {"front_right.obj", {-half - 0.1, 0.0, -0.1}, {door - side, 2.5, 0.0}},
                 {"lintel.obj", {door - side, 2.1, -0.1}, {door + side, 2.5, 0.0}}};
    for (size_t i = 0; i < sizeof walls / sizeof walls[0]; i++) {
        if (strcmp(path, walls[i].name) != 0) { continue; }
        *low = walls[i].low;
        *high = walls[i].high;
        return true;
    }
    return false;
}

static inline fr_status load_furniture(const char *path, const void **bytes, size_t *size, void *context,
                                       fr_error *error) {
    (void)context;
    enum { FILE_BYTES = 1 << 20 };
    char *data = malloc(FILE_BYTES), relative[256], whole[1024];
    fr_vec3 low, high;
    assert_non_null(data);
    *bytes = data;
    if (wall_of(path, &low, &high)) {
        *size = write_box(data, FILE_BYTES, low, high);
        return FR_OK;
    }
    snprintf(relative, sizeof relative, "data/vrml-create3000/Models/%s", path);
    FILE *file = fopen(test_shared_path(relative, whole, sizeof whole), "rb");
    if (file == NULL) {
        free(data);
        return fr_error_set(error, FR_ERROR_FILE, "%s", whole);
    }
    *size = fread(data, 1, FILE_BYTES, file);
    fclose(file);
    return FR_OK;
}

static inline void unload_furniture(const void *bytes, size_t size, void *context) {
    (void)size;
    (void)context;
    free((void *)(uintptr_t)bytes);
}

// ---------------------------------------------------------------------------------------------------------------
// What there is

static inline void draw_pieces(chance_room *r) {
    uint32_t first = (uint32_t)fr_random_below(&r->random, KINDS(table_kinds));
    uint32_t second = (uint32_t)fr_random_below(&r->random, KINDS(table_kinds) - 1);
    r->pieces[0] = &seat_kinds[fr_random_below(&r->random, KINDS(seat_kinds))];
    r->pieces[1] = &table_kinds[first];
    r->pieces[2] = &table_kinds[second + (second >= first ? 1 : 0)];
    r->piece_count = 3;
    uint32_t others = 1 + (uint32_t)fr_random_below(&r->random, 4);
    while (r->piece_count < 3 + others) {
        const furniture_kind *kind = &other_kinds[fr_random_below(&r->random, KINDS(other_kinds))];
        bool is_new = true;
        for (uint32_t i = 3; i < r->piece_count; i++) {
            is_new = is_new && r->pieces[i] != kind;
        }
        if (is_new) { r->pieces[r->piece_count++] = kind; }
    }
    r->thing = &thing_kinds[fr_random_below(&r->random, KINDS(thing_kinds))];
}

static inline void write_scene(const chance_room *r, char *text, size_t room) {
    static const char *const walls[] = {"floor", "left", "right", "back", "front_left", "front_right", "lintel"};
    size_t size = (size_t)snprintf(text, room, "{\"fureai\":1,\"step\":0.02,\"objects\":[");
    for (size_t i = 0; i < sizeof walls / sizeof walls[0]; i++) {
        size += (size_t)snprintf(text + size, room - size, "{\"name\":\"%s\",\"model\":\"%s.obj\",\"static\":true},",
                                 walls[i], walls[i]);
    }
    for (uint32_t i = 0; i < r->piece_count; i++) {
        size += (size_t)snprintf(text + size, room - size,
                                 "{\"name\":\"%s\",\"model\":\"%s\",\"unit\":1,\"scale\":%g,\"static\":true},",
                                 r->pieces[i]->name, r->pieces[i]->file, r->pieces[i]->scale);
    }
    if (r->thing->file == NULL) {
        size += (size_t)snprintf(text + size, room - size, "{\"name\":\"thing\",\"class\":\"%s\"}],", r->thing->name);
    } else {
        size += (size_t)snprintf(text + size, room - size,
                                 "{\"name\":\"thing\",\"model\":\"%s\",\"unit\":1,\"scale\":%g}],", r->thing->file,
                                 r->thing->scale);
    }
    snprintf(text + size, room - size,
             "\"people\":[{\"name\":\"Mai\",\"stature\":%.9g,\"position\":[%.9g,0,-1.4],\"detail\":\"coarse\"}]}",
             r->stature, r->door);
}

// ---------------------------------------------------------------------------------------------------------------
// Where it stands

static inline fr_space *room_space(const chance_room *r) { return fr_world_space(r->place.world); }

static inline fr_bounds put_object(const chance_room *r, const char *name, const furniture_kind *kind, double yaw,
                                   fr_vec3 at) {
    fr_object_id id = find(&r->place, name);
    fr_pose pose = fr_object_get(room_space(r), id)->pose;
    fr_quat base = {kind->rotation[0], kind->rotation[1], kind->rotation[2], kind->rotation[3]};
    fr_quat turn = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), yaw);
    pose.rotation = fr_quat_multiply(turn, base);
    assert_int_equal(fr_quat_normalize(&pose.rotation, NULL), FR_OK);
    fr_bounds box = {0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fr_object_set_pose(room_space(r), id, &pose, NULL), FR_OK);
        assert_int_equal(fr_space_update(room_space(r), NULL, NULL), FR_OK);
        assert_int_equal(fr_object_bounds(room_space(r), id, &box, NULL), FR_OK);
        if (i == 1) { break; }
        fr_vec3 middle = fr_bounds_center(&box);
        middle.y = (double)box.min.y;
        pose.position = fr_vec3_add(pose.position, fr_vec3_sub(at, middle));
    }
    return box;
}

static inline bool are_apart(const fr_bounds *a, const fr_bounds *b, double gap) {
    return (double)a->min.x > (double)b->max.x + gap || (double)b->min.x > (double)a->max.x + gap ||
           (double)a->min.z > (double)b->max.z + gap || (double)b->min.z > (double)a->max.z + gap;
}

// Against a wall with the back, or in the room; a passage between any two, and from a wall none or a passage.
static inline bool place_piece(chance_room *r, uint32_t index) {
    const double passage = 0.75, beside_wall = 0.05;
    const furniture_kind *kind = r->pieces[index];
    for (int try = 0; try < 60; try++) {
        int wall = (int)fr_random_below(&r->random, 5); // back, left, right, none
        double facing = wall == 0   ? 180.0
                        : wall == 1 ? -90.0
                        : wall == 2 ? 90.0
                                    : 45.0 * (double)fr_random_below(&r->random, 8);
        double yaw = fr_radians(facing - kind->front_deg + fr_random_between(&r->random, -4.0, 4.0));
        fr_bounds box = put_object(r, kind->name, kind, yaw, fr_vec3_make(0.0, 0.0, 50.0 + 10.0 * index));
        double half[2] = {0.5 * ((double)box.max.x - (double)box.min.x), 0.5 * ((double)box.max.z - (double)box.min.z)};
        double x = 0.5 * r->width - half[0], low = half[1], high = r->depth - half[1];
        double gap = wall > 2 ? passage : beside_wall;
        fr_vec3 at = {fr_random_between(&r->random, -x + passage, x - passage), 0.0,
                      fr_random_between(&r->random, low + passage, high - passage)};
        if (wall == 0) { at.z = high - gap; }
        if (wall == 1) { at.x = x - gap; }
        if (wall == 2) { at.x = -x + gap; }
        bool is_in = at.x > -x && at.x < x && at.z > low && at.z < high;
        if (!is_in) { continue; }
        box = put_object(r, kind->name, kind, yaw, at);
        const fr_bounds door = {.min = {r->door - 0.6, 0.0, 0.0}, .max = {r->door + 0.6, 2.0, 1.0}};
        bool is_free = are_apart(&box, &door, 0.2);
        for (uint32_t i = 0; i < index; i++) {
            is_free = is_free && are_apart(&box, &r->boxes[i], passage);
        }
        r->boxes[index] = box;
        if (is_free) { return true; }
    }
    return false;
}

static inline double top_at(const chance_room *r, fr_vec3 at, fr_object_id *what) {
    const fr_ray ray = {.origin = {at.x, 2.4, at.z}, .direction = {0.0, -1.0, 0.0}, .limit = 3.0};
    fr_space_hit hit;
    assert_int_equal(fr_space_ray(room_space(r), &ray, NULL, &hit, NULL), FR_OK);
    *what = hit.object;
    return hit.object.index1 != 0 ? hit.point.y : -1.0;
}

// On the first table, 12 to 25 cm from an edge that is no wall's: level below all of it.
static inline bool place_thing(chance_room *r) {
    fr_object_id table = find(&r->place, r->pieces[1]->name), below;
    const fr_bounds *box = &r->boxes[1];
    fr_bounds size = put_object(r, "thing", r->thing, 0.0, fr_vec3_make(0.0, 30.0, 0.0));
    double radius = 0.5 * hypot((double)size.max.x - (double)size.min.x, (double)size.max.z - (double)size.min.z);
    for (int try = 0; try < 400; try++) {
        fr_vec3 at = {fr_random_between(&r->random, (double)box->min.x, (double)box->max.x), 0.0,
                      fr_random_between(&r->random, (double)box->min.z, (double)box->max.z)};
        double yaw = fr_random_between(&r->random, -FR_PI, FR_PI), height = top_at(r, at, &below);
        bool is_level = fr_object_id_equal(below, table), has_edge = false;
        for (int i = 0; i < 64 && is_level; i++) {
            double s, c, part = 0.25 * (double)(1 + i / 16);
            fr_sincos(2.0 * FR_PI * i / 16.0, &s, &c);
            fr_vec3 beside = {at.x + part * (radius + 0.01) * s, 0.0, at.z + part * (radius + 0.01) * c};
            double there = top_at(r, beside, &below);
            is_level = fr_object_id_equal(below, table) && fabs(there - height) < 5e-4;
            fr_vec3 off = {at.x + (radius + 0.15) * s, 0.0, at.z + (radius + 0.15) * c};
            has_edge = has_edge || (top_at(r, off, &below) < 0.1 && fabs(off.x) < 0.5 * r->width - 0.4 && off.z > 0.4 &&
                                    off.z < r->depth - 0.4);
        }
        if (!is_level || !has_edge) { continue; }
        at.y = height + 1e-4;
        put_object(r, "thing", r->thing, yaw, at);
        return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static inline bool try_room(chance_room *r) {
    char text[ROOM_TEXT_BYTES];
    r->width = room_sizes[0] = fr_random_between(&r->random, 4.8, 7.0);
    r->depth = room_sizes[1] = fr_random_between(&r->random, 4.8, 7.0);
    r->door = room_sizes[2] = fr_random_between(&r->random, -0.5 * r->width + 0.9, 0.5 * r->width - 0.9);
    r->door_width = room_door_width = fr_random_between(&r->random, 0.9, 1.2);
    r->stature = fr_random_between(&r->random, 1.5, 1.85);
    draw_pieces(r);
    write_scene(r, text, sizeof text);
    open_place_with(&r->place, text, true, load_furniture, unload_furniture);
    for (uint32_t i = 0; i < r->piece_count; i++) {
        if (place_piece(r, i)) { continue; }
        if (i < 3) { return false; }
        fr_object_remove(room_space(r), find(&r->place, r->pieces[i]->name), NULL);
        for (uint32_t k = i + 1; k < r->piece_count; k++) {
            r->pieces[k - 1] = r->pieces[k];
        }
        r->piece_count--;
        i--;
    }
    return place_thing(r);
}

// A seed is a room; what does not fit into it is drawn again.
static inline void open_room(chance_room *r, uint64_t seed) {
    memset(r, 0, sizeof *r);
    r->random = fr_random_seed(seed);
    while (!try_room(r)) {
        close_place(&r->place);
    }
    assert_int_equal(fr_cast_tick(r->place.cast, NULL, NULL), FR_OK);
}

static inline void close_room(chance_room *r) { close_place(&r->place); }

#endif
