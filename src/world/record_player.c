// A record player. It replays silently, without detecting collisions; a checkpoint is a record of the world as it is
// after a tick, without the meshes and skins that came before, which the player holds.
#include "fureai/world_player.h"

#include "world/record.h"
#include "world/replay.h"
#include "world/world.h"

#include <string.h>

#define RECORD_PLAYER_COOKIE UINT32_C(0x52504c59)

typedef struct checkpoint {
    uint64_t tick;
    size_t at; // where the record goes on
    uint32_t mesh_count, skin_count;
    uint64_t deformable_triangles;
    bool was_current;
    fr_byte_array bytes;
} checkpoint;

FR_ARRAY_TYPE(checkpoint_array, checkpoint);

struct fr_record_player {
    fr_record_player_def def;
    fr__world_player player;
    bool is_open;                  // the player is
    bool was_current;              // the space counted as current where the player stands
    fr__mesh_pointer_array meshes; // retained, all of the record by their numbers
    fr__skin_pointer_array skins;
    checkpoint_array checkpoints; // by tick; the first is the beginning
    uint64_t interval;            // bytes of the record between them, at least
    uint64_t held_bytes;          // of checkpoints
    uint64_t tick_count;
    fr_error own;  // of the player
    fr_error flaw; // why the record ends
};

fr_record_player_def fr_default_record_player_def(void) {
    return (fr_record_player_def){.checkpoint_bytes = UINT64_C(1) << 26,
                                  .interval_bytes = UINT64_C(1) << 18,
                                  .allocator = fr_default_allocator(),
                                  .cookie = RECORD_PLAYER_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// The world where the player stands

static void close_world(fr_record_player *r) {
    if (r->is_open) { fr__player_close(&r->player.space); }
    fr_world_destroy(r->player.world);
    r->player = (fr__world_player){0};
    r->is_open = false;
}

static fr_status open_world(fr_record_player *r, const void *bytes, size_t size) {
    close_world(r);
    fr_world_def def = fr_default_world_def();
    def.allocator = r->def.allocator;
    fr_world *world;
    fr_status status = fr_world_create(&def, &world, &r->own);
    if (status != FR_OK) { return status; }
    r->player = (fr__world_player){.world = world, .is_silent = true, .error = &r->own};
    status = fr__player_open(&r->player.space, world->space, bytes, size, &r->own);
    r->is_open = status == FR_OK;
    return status == FR_OK ? fr__world_player_begin(&r->player) : status;
}

// Between plays the space does not count as current: nothing that an update derives is there.
static fr_status play(fr_record_player *r, uint64_t ticks, const fr_control *control) {
    r->player.world->space->is_current = r->was_current;
    r->player.control = control;
    fr_status status = fr__world_player_play(&r->player, ticks);
    r->player.control = NULL;
    r->was_current = fr__player_settle(&r->player.space);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Checkpoints

typedef struct tape {
    fr_byte_array bytes;
    bool is_short; // there was no memory for all
} tape;

static void keep_bytes(const void *bytes, size_t size, void *context) {
    tape *t = context;
    unsigned char *place = t->is_short ? NULL : fr_byte_array_push(&t->bytes, size);
    t->is_short = place == NULL;
    if (place != NULL) { memcpy(place, bytes, size); }
}

// Every second one goes, and the next come half as often.
static void thin_out(fr_record_player *r) {
    checkpoint *list = r->checkpoints.data;
    size_t kept = 0;
    for (size_t i = 0; i < r->checkpoints.count; i++) {
        if (i % 2 == 0) {
            list[kept++] = list[i];
        } else {
            r->held_bytes -= list[i].bytes.count;
            fr_byte_array_destroy(&list[i].bytes);
        }
    }
    r->checkpoints.count = kept;
    r->interval *= 2;
}

// Stores the world as it is now. Without memory there is none here; only the first is needed.
static bool add_checkpoint(fr_record_player *r) {
    fr__player *p = &r->player.space;
    fr_world *world = r->player.world;
    fr__record_known known = {p->meshes.data, p->skins.data, (uint32_t)p->meshes.count, (uint32_t)p->skins.count};
    tape t = {.bytes = fr_byte_array_make(&r->def.allocator)};
    bool is_made = fr__world_record_begin(world, &known, keep_bytes, &t, NULL) == FR_OK && !t.is_short;
    (void)fr_world_record(world, NULL, NULL, NULL);
    checkpoint *place = is_made ? checkpoint_array_push(&r->checkpoints, 1) : NULL;
    if (place == NULL) {
        fr_byte_array_destroy(&t.bytes);
        return false;
    }
    *place = (checkpoint){.tick = r->player.ticks, .at = p->codec.at, .bytes = t.bytes, .was_current = r->was_current};
    place->mesh_count = known.mesh_count;
    place->skin_count = known.skin_count;
    place->deformable_triangles = p->deformable_triangles;
    r->held_bytes += t.bytes.count;
    while (r->held_bytes > r->def.checkpoint_bytes && r->checkpoints.count > 1) {
        thin_out(r);
    }
    return true;
}

// Gives the player of a checkpoint the meshes and skins that the record had brought by then.
static bool give_known(fr_record_player *r, const checkpoint *from) {
    fr__player *p = &r->player.space;
    const fr_mesh **meshes = fr__mesh_pointer_array_push(&p->meshes, from->mesh_count);
    if (meshes == NULL && from->mesh_count > 0) { return false; }
    for (uint32_t i = 0; i < from->mesh_count; i++) {
        meshes[i] = fr_mesh_retain(r->meshes.data[i]);
    }
    const fr_skin **skins = fr__skin_pointer_array_push(&p->skins, from->skin_count);
    if (skins == NULL && from->skin_count > 0) { return false; }
    for (uint32_t i = 0; i < from->skin_count; i++) {
        skins[i] = fr_skin_retain(r->skins.data[i]);
    }
    return true;
}

// Stands where a checkpoint was taken. What it holds was checked when it was made.
static fr_status restore(fr_record_player *r, const checkpoint *from) {
    fr_status status = open_world(r, from->bytes.data, from->bytes.count);
    if (status == FR_OK && !give_known(r, from)) { status = fr_error_set(&r->own, FR_ERROR_MEMORY, "out of memory"); }
    if (status != FR_OK) { return status; }
    fr__player *p = &r->player.space;
    p->deformable_triangles = UINT64_MAX;
    r->was_current = false;
    status = play(r, UINT64_MAX, NULL);
    if (status != FR_OK) { return status; }
    fr__codec_free(&p->codec);
    fr__codec_make_reader(&p->codec, r->def.bytes, r->def.size, &r->def.allocator);
    p->codec.at = from->at;
    p->deformable_triangles = from->deformable_triangles;
    r->player.ticks = from->tick;
    r->was_current = from->was_current;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The first reading

static bool hold_known(fr_record_player *r) {
    const fr__player *p = &r->player.space;
    while (r->meshes.count < p->meshes.count) {
        const fr_mesh *mesh = p->meshes.data[r->meshes.count];
        const fr_mesh **place = fr__mesh_pointer_array_push(&r->meshes, 1);
        if (place == NULL) { return false; }
        *place = mesh != NULL ? fr_mesh_retain(mesh) : NULL;
    }
    while (r->skins.count < p->skins.count) {
        const fr_skin *skin = p->skins.data[r->skins.count];
        const fr_skin **place = fr__skin_pointer_array_push(&r->skins, 1);
        if (place == NULL) { return false; }
        *place = skin != NULL ? fr_skin_retain(skin) : NULL;
    }
    return true;
}

// Reads on to the end, with checkpoints.
static fr_status read_ticks(fr_record_player *r) {
    const fr__codec *codec = &r->player.space.codec;
    fr_status status = FR_OK;
    size_t last = codec->at;
    while (status == FR_OK && codec->at < codec->size) {
        uint64_t before = r->player.ticks;
        status = play(r, before + 1, r->def.control);
        if (!hold_known(r)) { return fr_error_set(&r->own, FR_ERROR_MEMORY, "out of memory"); }
        // A record that is cut between two ticks goes on beyond its last one: the world is another one there.
        bool is_at_tick = status == FR_OK && r->player.ticks > before;
        if (!is_at_tick || codec->at - last < r->interval) { continue; }
        last = codec->at;
        (void)add_checkpoint(r);
    }
    r->tick_count = r->player.ticks;
    return status;
}

static fr_status read_record(fr_record_player *r) {
    fr_status status = open_world(r, r->def.bytes, r->def.size);
    if (status == FR_OK) { status = play(r, 0, r->def.control); }
    if (status == FR_OK && (!hold_known(r) || !add_checkpoint(r))) {
        status = fr_error_set(&r->own, FR_ERROR_MEMORY, "out of memory for a record");
    }
    if (status == FR_OK) { status = read_ticks(r); }
    bool is_flaw = status != FR_OK && status != FR_ERROR_MEMORY && status != FR_ERROR_STOPPED;
    size_t at = r->player.at;
    if (is_flaw && r->tick_count > 0) {
        (void)fr_error_set(&r->flaw, status, "record, byte %zu: %s", at, r->own.message);
        status = FR_OK;
    }
    if (status == FR_OK) { return restore(r, r->checkpoints.data); }
    fr_error why = r->own;
    return at > 0 ? fr_error_set(&r->own, status, "record, byte %zu: %s", at, why.message) : status;
}

fr_status fr_record_player_create(const fr_record_player_def *def, fr_record_player **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL && (def->bytes != NULL || def->size == 0));
    *out = NULL;
    if (def->cookie != RECORD_PLAYER_COOKIE) { return fr_error_set_cookie(error, "fr_default_record_player_def"); }
    fr_record_player *r = fr_allocate(&def->allocator, 1, sizeof *r, _Alignof(fr_record_player));
    if (r == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a record"); }
    memset(r, 0, sizeof *r);
    r->def = *def;
    r->interval = def->interval_bytes > 0 ? def->interval_bytes : 1;
    r->meshes = fr__mesh_pointer_array_make(&def->allocator);
    r->skins = fr__skin_pointer_array_make(&def->allocator);
    r->checkpoints = checkpoint_array_make(&def->allocator);
    fr_status status = read_record(r);
    r->def.control = NULL;
    if (status != FR_OK) {
        (void)fr_error_set(error, status, "%s", r->own.message);
        fr_record_player_destroy(r);
        return status;
    }
    *out = r;
    return FR_OK;
}

void fr_record_player_destroy(fr_record_player *r) {
    if (r == NULL) { return; }
    close_world(r);
    for (size_t i = 0; i < r->meshes.count; i++) {
        fr_mesh_release(r->meshes.data[i]);
    }
    for (size_t i = 0; i < r->skins.count; i++) {
        fr_skin_release(r->skins.data[i]);
    }
    checkpoint *list = r->checkpoints.data;
    for (size_t i = 0; i < r->checkpoints.count; i++) {
        fr_byte_array_destroy(&list[i].bytes);
    }
    fr__mesh_pointer_array_destroy(&r->meshes);
    fr__skin_pointer_array_destroy(&r->skins);
    checkpoint_array_destroy(&r->checkpoints);
    fr_allocator allocator = r->def.allocator;
    fr_deallocate(&allocator, r, 1, sizeof *r);
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

uint64_t fr_record_player_tick_count(const fr_record_player *r) { return r->tick_count; }
const char *fr_record_player_flaw(const fr_record_player *r) { return r->flaw.message; }
uint64_t fr_record_player_tick(const fr_record_player *r) { return r->player.ticks; }
fr_world *fr_record_player_world(const fr_record_player *r) { return r->player.world; }

// The last checkpoint at or before a tick.
static const checkpoint *checkpoint_before(const fr_record_player *r, uint64_t tick) {
    const checkpoint *list = r->checkpoints.data;
    size_t low = 0, high = r->checkpoints.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (list[middle].tick <= tick) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &list[low];
}

fr_status fr_record_player_seek(fr_record_player *r, uint64_t tick, const fr_control *control, fr_error *error) {
    FR_ASSERT(r != NULL);
    if (tick > r->tick_count) { tick = r->tick_count; }
    const checkpoint *from = checkpoint_before(r, tick);
    fr_status status = FR_OK;
    bool is_lost = !r->is_open; // an earlier seek had no memory
    if (is_lost || tick < r->player.ticks || from->tick > r->player.ticks) { status = restore(r, from); }
    if (status == FR_OK && tick > r->player.ticks) { status = play(r, tick, control); }
    if (status == FR_OK) { return FR_OK; }
    fr_status why = fr_error_set(error, status, "%s", r->own.message);
    // A world that was restored in part is none.
    if (status != FR_ERROR_STOPPED && restore(r, r->checkpoints.data) != FR_OK) { close_world(r); }
    return why;
}
