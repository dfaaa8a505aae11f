// A record as a served scene. Its player holds the world of the record as it was; what is shown is a second world,
// whose objects go where those of the first are, and in which collisions are detected. So ids and sequences go on as in
// any served world, whatever tick people choose.
#include "server/record.h"

#include "fureai/server.h"

#include <math.h>
#include <string.h>

#define SERVED_RECORD_COOKIE UINT32_C(0x53524543)
#define NONE_WANTED UINT64_MAX

// An object of the record that is shown.
typedef struct shown_object {
    fr_object_id source; // in the record; all zeros: none
    fr_object_id object; // in the world that is shown
    uint64_t vertices;   // version of the vertices that were shown
    bool is_moving;      // it goes to its pose in the tick that runs
} shown_object;

fr_served_record_def fr_default_served_record_def(void) {
    return (fr_served_record_def){
        .sense = FR_SENSE_CONTINUOUS, .allocator = fr_default_allocator(), .cookie = SERVED_RECORD_COOKIE};
}

static shown_object *shown_at(const fr_served_record *r, size_t i) { return (shown_object *)r->shown.data + i; }

// Ids of one place and generation, whatever the number of the space.
static bool is_same(fr_object_id a, fr_object_id b) { return a.index1 == b.index1 && a.generation == b.generation; }

// ---------------------------------------------------------------------------------------------------------------
// Objects that come and go

static fr_status add_object(fr_served_record *r, fr_world *source, fr_object_id id, shown_object *out,
                            fr_error *error) {
    const fr_space *space = fr_world_space(source);
    const fr_object_view *view = fr_object_get(space, id);
    fr_part_def *parts = fr_allocate(&r->allocator, view->part_count, sizeof *parts, _Alignof(fr_part_def));
    if (parts == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an object"); }
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, id, i);
        parts[i] = fr_default_part_def();
        parts[i].mesh = part.mesh;
        parts[i].pose = part.pose;
    }
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = view->part_count;
    def.pose = view->pose;
    def.pivot_local = view->pivot_local;
    def.filter = view->filter;
    def.flags = view->flags;
    fr_space *to = fr_world_space(r->world);
    fr_object_id made;
    fr_status status = fr_object_add(to, &def, &made, error);
    fr_deallocate(&r->allocator, parts, view->part_count, sizeof *parts);
    if (status != FR_OK) { return status; }
    *out = (shown_object){.source = id, .object = made, .vertices = fr_object_versions(space, id).vertices};
    if (view->vertices != NULL && view->bone_count == 0) {
        out->vertices = UINT64_MAX; // other than the meshes have them
    }
    for (uint32_t i = 0; i < view->part_count && status == FR_OK; i++) {
        fr_part_view part = fr_object_part(space, id, i);
        if (part.skin != NULL) { status = fr_object_set_skin(to, made, i, part.skin, part.method, error); }
    }
    return status;
}

// Whether what is shown can become what the record has: vertices and skins come, but do not go again.
static bool may_become(const fr_served_record *r, const fr_space *from, fr_object_id id, const shown_object *shown) {
    if (!is_same(shown->source, id)) { return false; }
    const fr_object_view *view = fr_object_get(from, id);
    const fr_object_view *has = fr_object_get(fr_world_space(r->world), shown->object);
    if (view->bone_count != has->bone_count) { return false; }
    return view->bone_count > 0 ? view->bones != NULL || has->bones == NULL
                                : view->vertices != NULL || has->vertices == NULL;
}

static fr_status match_objects(fr_served_record *r, fr_world *source, fr_error *error) {
    const fr_space *space = fr_world_space(source);
    uint32_t places = fr_space_object_places(space);
    for (size_t i = 0; i < r->shown.count; i++) {
        shown_object *shown = shown_at(r, i);
        fr_object_id id = i < places ? fr_space_object_at(space, (uint32_t)i) : (fr_object_id){0, 0, 0};
        if (shown->source.index1 == 0 || may_become(r, space, id, shown)) { continue; }
        (void)fr_object_remove(fr_world_space(r->world), shown->object, NULL);
        *shown = (shown_object){0};
    }
    while (r->shown.count < places) {
        shown_object *place = fr_array_push(&r->shown, 1);
        if (place == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for objects"); }
        *place = (shown_object){0};
    }
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < places && status == FR_OK; i++) {
        fr_object_id id = fr_space_object_at(space, i);
        shown_object *shown = shown_at(r, i);
        if (id.index1 != 0 && shown->source.index1 == 0) { status = add_object(r, source, id, shown, error); }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// What objects are like

static fr_status match_label(fr_served_record *r, fr_world *source, const shown_object *shown, fr_error *error) {
    fr_label wanted = fr_world_label(source, shown->source), has = fr_world_label(r->world, shown->object);
    bool is_alike = strcmp(wanted.name, has.name) == 0 && memcmp(&wanted.color, &has.color, sizeof has.color) == 0;
    fr_status status = is_alike ? FR_OK : fr_world_set_label(r->world, shown->object, &wanted, error);
    for (uint32_t i = 0; i < fr_world_state_count(source, shown->source) && status == FR_OK; i++) {
        const char *name = fr_world_state_name(source, shown->source, i);
        double value = fr_world_state(source, shown->source, name);
        if (fr_world_state(r->world, shown->object, name) == value) { continue; }
        status = fr_world_set_state(r->world, shown->object, name, value, error);
    }
    return status;
}

// Bones and vertices, which are there at once.
static fr_status match_shape(fr_served_record *r, const fr_space *from, shown_object *shown, fr_error *error) {
    fr_space *to = fr_world_space(r->world);
    const fr_object_view *view = fr_object_get(from, shown->source);
    if (view->bone_count > 0) {
        const fr_object_view *has = fr_object_get(to, shown->object);
        size_t size = view->bone_count * sizeof *view->bones;
        bool is_alike = view->bones == NULL || (has->bones != NULL && memcmp(view->bones, has->bones, size) == 0);
        return is_alike ? FR_OK : fr_object_set_bones(to, shown->object, view->bones, view->bone_count, error);
    }
    uint64_t version = fr_object_versions(from, shown->source).vertices;
    if (view->vertices == NULL || version == shown->vertices) { return FR_OK; }
    fr_status status = fr_object_set_vertices(to, shown->object, view->vertices, view->vertex_count, error);
    if (status == FR_OK) { shown->vertices = version; }
    return status;
}

static fr_status match_pose(fr_served_record *r, const fr_space *from, shown_object *shown, fr_error *error) {
    fr_space *to = fr_world_space(r->world);
    const fr_object_view *view = fr_object_get(from, shown->source), *has = fr_object_get(to, shown->object);
    fr_status status = FR_OK;
    if (view->flags != has->flags) { status = fr_object_set_flags(to, shown->object, view->flags, error); }
    if (status == FR_OK && memcmp(&view->filter, &has->filter, sizeof has->filter) != 0) {
        status = fr_object_set_filter(to, shown->object, view->filter, error);
    }
    bool is_elsewhere = memcmp(&view->pose, &has->pose, sizeof has->pose) != 0;
    shown->is_moving = is_elsewhere && r->is_next;
    if (status != FR_OK || !is_elsewhere || shown->is_moving) { return status; }
    return fr_object_set_pose(to, shown->object, &view->pose, error);
}

// Brings the world that is shown to the tick where the player stands; what moved in one tick moves in the next tick.
static fr_status match(fr_served_record *r, fr_error *error) {
    fr_world *source = fr_record_player_world(r->player);
    if (source == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the record"); }
    const fr_space *space = fr_world_space(source);
    fr_status status = match_objects(r, source, error);
    for (size_t i = 0; i < r->shown.count && status == FR_OK; i++) {
        shown_object *shown = shown_at(r, i);
        if (shown->source.index1 == 0) { continue; }
        shown->source = fr_space_object_at(space, (uint32_t)i); // the number of the space may be another
        status = match_label(r, source, shown, error);
        if (status == FR_OK) { status = match_shape(r, space, shown, error); }
        if (status == FR_OK) { status = match_pose(r, space, shown, error); }
    }
    return status;
}

static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal;
    fr_served_record *r = user;
    const fr_space *space = fr_world_space(fr_record_player_world(r->player));
    fr_status status = FR_OK;
    for (size_t i = 0; i < r->shown.count && status == FR_OK; i++) {
        shown_object *shown = shown_at(r, i);
        if (!shown->is_moving) { continue; }
        shown->is_moving = false;
        fr_wish wish = {.object = shown->object, .kind = FR_WISH_NEXT};
        wish.pose = fr_object_get(space, shown->source)->pose;
        status = fr_wishes_add(wishes, &wish, error);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Time

bool fr__record_is_over(const fr_served_record *r) {
    return fr_record_player_tick(r->player) >= fr_record_player_tick_count(r->player);
}

uint64_t fr__record_stride(const fr_served_record *r) { return r->speed > 1.0 ? (uint64_t)ceil(r->speed) : 1; }

fr_status fr__record_advance(fr_served_record *r, uint64_t ticks, bool *is_paused, fr_error *error) {
    uint64_t at = fr_record_player_tick(r->player), to = at;
    if (r->wanted != NONE_WANTED) {
        uint64_t count = fr_record_player_tick_count(r->player) - r->first;
        to = r->first + (r->wanted < count ? r->wanted : count);
    } else if (!*is_paused) {
        to = at + ticks;
    }
    bool is_still = to == at && r->wanted == NONE_WANTED;
    r->wanted = NONE_WANTED;
    if (is_still) { return FR_OK; }
    fr_status status = to != at ? fr_record_player_seek(r->player, to, NULL, error) : FR_OK;
    if (status != FR_OK) { return status; }
    to = fr_record_player_tick(r->player);
    // A tick that is played goes from the one before; at another the world stands already, and is looked at.
    r->is_next = !*is_paused && to == at + 1;
    if (to == r->first) { *is_paused = true; }
    status = match(r, error);
    if (status == FR_OK) { status = fr_world_set_tick(r->world, to - r->first - (*is_paused ? 0 : 1), error); }
    r->is_next = false;
    return status;
}

// A recorder's first ticks may be taken while time stands, to see what touches at the beginning.
static fr_status find_first(fr_served_record *r, fr_error *error) {
    uint64_t count = fr_record_player_tick_count(r->player), tick = 0;
    uint64_t begin = fr_world_tick_count(fr_record_player_world(r->player));
    fr_status status = FR_OK;
    while (status == FR_OK && tick < count && fr_world_tick_count(fr_record_player_world(r->player)) == begin) {
        r->first = tick;
        status = fr_record_player_seek(r->player, ++tick, NULL, error);
    }
    return status == FR_OK ? fr_record_player_seek(r->player, r->first, NULL, error) : status;
}

static fr_status restart(void *user, fr_error *error) {
    fr_served_record *r = user;
    bool is_paused = true;
    r->wanted = 0;
    return fr__record_advance(r, 0, &is_paused, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_status fr_served_record_create(const fr_served_record_def *def, fr_served_scene *out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = (fr_served_scene){0};
    if (def->cookie != SERVED_RECORD_COOKIE) { return fr_error_set_cookie(error, "fr_default_served_record_def"); }
    fr_served_record *r = fr_allocate(&def->allocator, 1, sizeof *r, _Alignof(fr_served_record));
    if (r == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a record"); }
    memset(r, 0, sizeof *r);
    r->name = def->name;
    r->allocator = def->allocator;
    r->shown = fr_array_make(sizeof(shown_object), &def->allocator);
    r->speed = 1.0;
    r->wanted = NONE_WANTED;
    r->search.bytes = def->bytes;
    r->search.size = def->size;
    r->search.allocator = def->allocator;
    out->record = r;

    fr_record_player_def reading = fr_default_record_player_def();
    reading.bytes = def->bytes;
    reading.size = def->size;
    reading.control = def->control;
    reading.allocator = def->allocator;
    fr_world_def shown = fr_default_world_def();
    shown.sense = def->sense;
    shown.want = def->sense == FR_SENSE_CONTINUOUS ? FR_WANT_INTERVALS : FR_WANT_CONTACTS;
    shown.allocator = def->allocator;
    fr_corrector mover = {"record", propose, r};
    fr_status status = fr_record_player_create(&reading, &r->player, error);
    if (status == FR_OK) {
        shown.step = fr_world_step(fr_record_player_world(r->player));
        status = fr_world_create(&shown, &r->world, error);
    }
    if (status == FR_OK) { status = fr_world_add_mover(r->world, &mover, error); }
    if (status == FR_OK) { status = find_first(r, error); }
    if (status == FR_OK) { status = match(r, error); }
    if (status != FR_OK) {
        fr_served_record_destroy(out);
        return status;
    }
    out->world = r->world;
    out->title = def->name;
    out->restart = restart;
    out->user = r;
    return FR_OK;
}

void fr_served_record_destroy(fr_served_scene *scene) {
    fr_served_record *r = scene->record;
    if (r == NULL) { return; }
    fr__record_search_end(&r->search);
    fr_world_destroy(r->world);
    fr_record_player_destroy(r->player);
    fr_array_destroy(&r->shown);
    fr_allocator allocator = r->allocator;
    fr_deallocate(&allocator, r, 1, sizeof *r);
    *scene = (fr_served_scene){0};
}

const char *fr_served_record_flaw(const fr_served_record *r) { return fr_record_player_flaw(r->player); }
