// An assembly as a served scene: a world of parts that stand still, their clashes, and the file of what was decided.
#include "server/server.h"

#include "scene/scene_layout.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define SERVED_CLASHES_COOKIE UINT32_C(0x53434c53)
#define STEP 0.5                  // seconds: nothing moves
#define DECISIONS_PER_SECOND 10.0 // by all people together
#define DECISIONS_AT_ONCE 100.0

fr_served_clashes_def fr_default_served_clashes_def(void) {
    return (fr_served_clashes_def){
        .title = "Clashes", .allocator = fr_default_allocator(), .cookie = SERVED_CLASHES_COOKIE};
}

static fr_status no_memory(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for clashes"); }

// ---------------------------------------------------------------------------------------------------------------
// Parts

// A box about a part, in the world.
static fr_bounds bounds_of(const fr_clash_part *part) {
    const fr_bounds local = fr_mesh_get(part->mesh)->bounds;
    fr_bounds box = fr_bounds_empty();
    for (int i = 0; i < 8 && !fr_bounds_is_empty(&local); i++) {
        fr_vec3 corner =
            fr_vec3_make((i & 1) != 0 ? local.max.x : local.min.x, (i & 2) != 0 ? local.max.y : local.min.y,
                         (i & 4) != 0 ? local.max.z : local.min.z);
        box = fr_bounds_with_point(&box, fr_pose_apply(&part->pose, corner));
    }
    return box;
}

static fr_status add_part(fr_served_clashes *c, const fr_served_clashes_def *def, size_t i, fr_error *error) {
    const fr_clash_part *part = &def->parts[i];
    fr_space *space = fr_world_space(c->world);
    fr_part_def shape = fr_default_part_def();
    shape.mesh = part->mesh;
    fr_object_def object = fr_default_object_def();
    object.parts = &shape;
    object.part_count = 1;
    object.pose = part->pose;
    object.flags = FR_OBJECT_STATIC;
    fr_status status = fr_object_add(space, &object, &c->objects[i], error);
    char name[FR_WORLD_NAME_MAX_BYTES + 1];
    fr__copy_for_people(name, sizeof name, def->names[i]);
    fr_label label = {name, fr__palette_color((uint32_t)i)};
    if (status == FR_OK) { status = fr_world_set_label(c->world, c->objects[i], &label, error); }
    c->bounds[i] = bounds_of(part);
    c->names[i] = fr__server_copy_text(c->texts, def->names[i]);
    if (status == FR_OK && c->names[i] == NULL) { status = no_memory(error); }
    return status;
}

static fr_status add_parts(fr_served_clashes *c, const fr_served_clashes_def *def, fr_error *error) {
    c->part_count = def->part_count;
    c->objects = fr_allocate(&c->allocator, c->part_count + 1, sizeof *c->objects, _Alignof(fr_object_id));
    c->names = fr_allocate(&c->allocator, c->part_count + 1, sizeof *c->names, _Alignof(const char *));
    c->bounds = fr_allocate(&c->allocator, c->part_count + 1, sizeof *c->bounds, _Alignof(fr_bounds));
    if (c->objects == NULL || c->names == NULL || c->bounds == NULL) { return no_memory(error); }
    fr_status status = FR_OK;
    for (size_t i = 0; i < c->part_count && status == FR_OK; i++) {
        status = add_part(c, def, i, error);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Clashes and notes

static fr_status find(fr_served_clashes *c, const fr_served_clashes_def *def, fr_error *error) {
    fr_clash_input input = fr_default_clash_input();
    input.parts = def->parts;
    input.part_count = def->part_count;
    input.tolerance = def->tolerance;
    input.tasks = def->tasks;
    input.control = def->control;
    fr_status status = fr_clash_find(c->finder, &input, &c->found, error);
    if (status != FR_OK) { return status; }
    c->notices = fr_allocate(&c->allocator, c->found.count + 1, sizeof *c->notices, _Alignof(uint64_t));
    if (c->notices == NULL) { return no_memory(error); }
    if (c->found.count > 0) { memset(c->notices, 0, c->found.count * sizeof *c->notices); }
    return FR_OK;
}

// The notes of the file; none where it is not there yet.
static fr_status read_notes(fr_served_clashes *c, const fr_control *control, fr_error *error) {
    struct stat about;
    if (c->notes_path == NULL || (stat(c->notes_path, &about) != 0 && errno == ENOENT)) {
        return fr_clash_notes_create(&c->allocator, &c->notes, error);
    }
    fr_input_file_def def = fr_default_input_file_def();
    def.path = c->notes_path;
    def.control = control;
    def.allocator = c->allocator;
    fr_input_file file;
    fr_status status = fr_input_file_read(&def, &file, error);
    if (status != FR_OK) { return status; }
    status = fr_clash_notes_read(file.data, file.size, c->notes_path, &c->allocator, &c->notes, error);
    fr_input_file_destroy(&file);
    return status;
}

static bool write_bytes(const void *bytes, size_t size, void *context) {
    return fr_output_file_write(context, bytes, size);
}

static fr_status write_notes(const fr_served_clashes *c, fr_error *error) {
    fr_output_file_def def = fr_default_output_file_def();
    def.path = c->notes_path;
    def.ops = c->file_ops;
    def.allocator = c->allocator;
    fr_output_file file;
    fr_error why = {0};
    fr_status status = fr_output_file_open(&def, &file, &why);
    if (status == FR_OK) {
        // A write that failed is reported by the commit.
        fr_status written = fr_clash_notes_write(c->notes, write_bytes, &file, &why);
        if (written == FR_OK || file.error != 0) {
            status = fr_output_file_commit(&file, &why);
        } else {
            fr_output_file_discard(&file);
            status = written;
        }
    }
    // Clients learn why, but not where.
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "it was not stored: %s", why.message);
}

fr_clash_note fr__served_clash_note(const fr_served_clashes *c, size_t clash) {
    const fr_clash *found = &c->found.clashes[clash];
    const fr_clash_note *note = fr_clash_notes_find(c->notes, c->names[found->a], c->names[found->b]);
    return note != NULL ? *note : (fr_clash_note){c->names[found->a], c->names[found->b], FR_CLASH_OPEN, ""};
}

fr_status fr__served_clash_decide(fr_served_clashes *c, size_t clash, fr_clash_verdict verdict, const char *text,
                                  fr_error *error) {
    const fr_clash *found = &c->found.clashes[clash];
    fr_clash_note note = {c->names[found->a], c->names[found->b], verdict, text};
    fr_clash_note before = fr__served_clash_note(c, clash);
    char old[FR_CLASH_TEXT_MAX_BYTES + 1];
    memcpy(old, before.text, strlen(before.text) + 1);
    fr_status status = fr_clash_notes_set(c->notes, &note, error);
    if (status != FR_OK) { return status; }
    status = write_notes(c, error);
    if (status == FR_OK) { return FR_OK; }
    fr_clash_note again = {note.a, note.b, before.verdict, old};
    if (fr_clash_notes_set(c->notes, &again, NULL) != FR_OK) {
        fr_log(FR_LOG_WARNING, "server: no memory to take a decision back; it is stored with the next one");
    }
    return status;
}

size_t fr_served_clashes_count(const fr_served_clashes *c, size_t *open_count) {
    *open_count = 0;
    for (size_t i = 0; i < c->found.count; i++) {
        *open_count += fr__served_clash_note(c, i).verdict == FR_CLASH_OPEN;
    }
    return c->found.count;
}

// ---------------------------------------------------------------------------------------------------------------
// The scene

static fr_status restart(void *user, fr_error *error) {
    const fr_served_clashes *c = user;
    return fr_world_set_tick(c->world, 0, error);
}

fr_status fr_served_clashes_create(const fr_served_clashes_def *def, fr_served_scene *out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = (fr_served_scene){0};
    if (def->cookie != SERVED_CLASHES_COOKIE) { return fr_error_set_cookie(error, "fr_default_served_clashes_def"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_served_clashes *c = fr_allocate(&allocator, 1, sizeof *c, _Alignof(fr_served_clashes));
    if (c == NULL) { return no_memory(error); }
    *c = (fr_served_clashes){.notes_path = def->notes_path, .file_ops = def->file_ops, .allocator = allocator};
    c->decisions = fr__rate_make(DECISIONS_PER_SECOND, DECISIONS_AT_ONCE, fr_clock_ns());
    out->clashes = c;
    fr_world_def world = fr_default_world_def();
    world.sense = FR_SENSE_STATIC;
    world.want = FR_WANT_CONTACTS;
    world.step = STEP;
    world.allocator = allocator;
    fr_status status = fr_arena_create(0, &allocator, &c->texts, error);
    if (status == FR_OK) { status = fr_world_create(&world, &c->world, error); }
    if (status == FR_OK) { status = add_parts(c, def, error); }
    if (status == FR_OK) { status = read_notes(c, def->control, error); }
    if (status == FR_OK) { status = fr_clash_finder_create(&allocator, &c->finder, error); }
    if (status == FR_OK) { status = find(c, def, error); }
    if (status != FR_OK) {
        fr_served_clashes_destroy(out);
        return status;
    }
    out->world = c->world;
    out->title = def->title;
    out->restart = restart;
    out->user = c;
    return FR_OK;
}

void fr_served_clashes_destroy(fr_served_scene *scene) {
    fr_served_clashes *c = scene->clashes;
    if (c == NULL) { return; }
    fr_allocator allocator = c->allocator;
    fr_deallocate(&allocator, c->notices, c->found.count + 1, sizeof *c->notices);
    fr_clash_finder_destroy(c->finder);
    fr_clash_notes_destroy(c->notes);
    fr_world_destroy(c->world);
    fr_deallocate(&allocator, c->bounds, c->part_count + 1, sizeof *c->bounds);
    fr_deallocate(&allocator, c->names, c->part_count + 1, sizeof *c->names);
    fr_deallocate(&allocator, c->objects, c->part_count + 1, sizeof *c->objects);
    fr_arena_destroy(c->texts);
    fr_deallocate(&allocator, c, 1, sizeof *c);
    *scene = (fr_served_scene){0};
}
