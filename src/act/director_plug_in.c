// Skills of people and objects that programs carry out: which, how they begin and end, and what they see of the world.
#include "act/director.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// What a program is given

// Parameters of a motion as texts, in the arena of its list.
typedef struct parameter_list {
    fr_plug_in_parameter *list;
    uint32_t count;
} parameter_list;

static char *copy(fr_arena *arena, const char *text) {
    size_t size = strlen(text) + 1;
    char *out = fr_arena_alloc(arena, size, 1, 1);
    if (out != NULL) { memcpy(out, text, size); }
    return out;
}

static const char *value_text(fr_arena *arena, const fr_class_value *value) {
    if (value->kind == FR_CLASS_TEXT) { return copy(arena, value->text); }
    enum { NUMBER_BYTES = 32 };
    char *out = fr_arena_alloc(arena, (size_t)value->count + 1, NUMBER_BYTES, 1);
    size_t at = 0;
    for (uint32_t i = 0; out != NULL && i < value->count; i++) {
        at += (size_t)snprintf(out + at, NUMBER_BYTES, i > 0 ? ",%.17g" : "%.17g", value->numbers[i]);
    }
    if (out != NULL) { out[at] = '\0'; }
    return out;
}

// Adds a parameter unless one of its key is there: those of the command come first.
static bool add_parameter(fr_arena *arena, parameter_list *to, const char *key, const char *text,
                          const fr_class_value *value) {
    for (uint32_t i = 0; i < to->count; i++) {
        if (strcmp(to->list[i].key, key) == 0) { return true; }
    }
    fr_plug_in_parameter *place = &to->list[to->count];
    place->key = copy(arena, key);
    place->value = text != NULL ? copy(arena, text) : value_text(arena, value);
    to->count++;
    return place->key != NULL && place->value != NULL;
}

fr_status fr__director_set_program(const fr_director *d, const fr__director_source *m, fr_arena *arena,
                                   fr__director_program *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    const char *name = m->own != NULL ? m->own->name : m->command->name;
    if (d->def.plug_ins == NULL || !fr_plug_ins_has(d->def.plug_ins, name)) { return FR_OK; }
    if (m->looks && !d->def.is_forced) { return FR_OK; }
    const fr_class_values none = {0};
    const fr_class_values *own = m->own != NULL ? &m->own->parameters : &none;
    const fr_class_values *motion = m->motion != NULL ? &m->motion->parameters : &none;
    size_t room = (size_t)m->command->parameter_count + own->count + motion->count + 1;
    parameter_list list = {fr_arena_alloc(arena, room, sizeof *list.list, alignof(fr_plug_in_parameter)), 0};
    bool is_made = list.list != NULL;
    for (uint32_t i = 0; is_made && i < m->command->parameter_count; i++) {
        const fr_command_parameter *from = &m->command->parameters[i];
        is_made = add_parameter(arena, &list, from->key, from->value, NULL);
    }
    for (uint32_t i = 0; is_made && i < own->count; i++) {
        is_made = add_parameter(arena, &list, own->list[i].key, NULL, &own->list[i]);
    }
    for (uint32_t i = 0; is_made && i < motion->count; i++) {
        is_made = add_parameter(arena, &list, motion->list[i].key, NULL, &motion->list[i]);
    }
    out->name = copy(arena, name);
    out->parameters = list.list;
    out->parameter_count = list.count;
    is_made = is_made && out->name != NULL;
    return is_made ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "no memory for a command");
}

// A file of the class is named by its path, a clip that is made by code by its name.
fr_status fr__director_set_data(const fr_director *d, const char *class_name, const char *path, fr_arena *arena,
                                fr__director_program *out, fr_error *error) {
    const char *folder = d->def.library != NULL ? fr_library_path(d->def.library) : "";
    char whole[4096 + FR_CLASS_NAME_MAX_BYTES + FR_CLASS_PATH_MAX_BYTES];
    bool is_made = fr_made_clip_find(path) != FR_MADE_CLIP_COUNT;
    int length = is_made || folder[0] == '\0' ? snprintf(whole, sizeof whole, "%s", path)
                                              : snprintf(whole, sizeof whole, "%s/%s/%s", folder, class_name, path);
    if (length < 0 || (size_t)length >= sizeof whole) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the path of %s is too long", path);
    }
    out->data = copy(arena, whole);
    return out->data != NULL ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "no memory for a command");
}

// ---------------------------------------------------------------------------------------------------------------
// What a program sees of the world

static fr_plug_in_object shown_object(const fr_director *d, const fr__director_object *object, const fr_pose *pose) {
    fr_plug_in_object shown = {fr_world_label(d->world, object->object).name, fr_class_get(object->c)->name, *pose};
    shown.pose.scale = 1.0;
    return shown;
}

// Lists the objects that have a class: all of them, or those that have moved since they were last listed.
static fr_status list_objects(fr_director *d, bool is_all, fr__director_shown_array *out, fr_error *error) {
    const fr_space *space = fr_world_space(d->world);
    out->count = 0;
    for (size_t i = 0; i < d->objects.count && out->count < FR_PLUG_IN_MAX_OBJECTS; i++) {
        fr__director_object *object = &d->objects.data[i];
        const fr_object_view *view = fr_object_get(space, object->object);
        if (view == NULL || object->c == NULL) { continue; }
        bool has_moved = memcmp(&view->pose, &object->before, sizeof view->pose) != 0;
        if (!is_all && !has_moved) { continue; }
        fr_plug_in_object *place = fr__director_shown_array_push(out, 1);
        if (place == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for what programs see"); }
        *place = shown_object(d, object, &view->pose);
        if (!is_all) { object->before = view->pose; }
    }
    return FR_OK;
}

fr_status fr__director_look(fr_director *d, fr_error *error) {
    if (d->def.plug_ins == NULL) { return FR_OK; }
    fr_plug_ins_sweep(d->def.plug_ins);
    fr_plug_ins_state state = fr_plug_ins_get(d->def.plug_ins);
    return state.processes > state.warm ? list_objects(d, false, &d->moved, error) : FR_OK;
}

fr_status fr__director_show(fr_director *d, fr__director_list *list, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = fr__director_stage_first(list); i < list->ends[list->stage] && status == FR_OK; i++) {
        fr__director_task *task = &list->tasks[i];
        if (task->plug_in == NULL || task->is_over) { continue; }
        // What it was shown last may not have gone yet: then it is shown all.
        uint32_t frames = fr_plug_in_get(task->plug_in).frames;
        bool is_behind = frames == task->shown_frames;
        task->shown_frames = frames;
        if (is_behind) { status = list_objects(d, true, &d->all, error); }
        const fr__director_shown_array *shown = is_behind ? &d->all : &d->moved;
        if (status == FR_OK) { status = fr_plug_in_show(task->plug_in, shown->data, (uint32_t)shown->count, error); }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning and ending

fr_status fr__director_start_program(fr_director *d, const fr__director_person *person,
                                     const fr__director_program *program, fr_object_id object, fr_plug_in **out,
                                     fr_error *error) {
    fr_plug_in_def def = fr_default_plug_in_def();
    def.name = program->name;
    def.human = fr_person_name(person->person);
    if (object.index1 != 0) { def.target = fr_world_label(d->world, object).name; }
    if (program->data != NULL) { def.data = program->data; }
    def.is_lockstep = d->def.is_lockstep;
    def.parameters = program->parameters;
    def.parameter_count = program->parameter_count;
    return fr_plug_in_create(d->def.plug_ins, &def, out, error);
}

fr_status fr__director_start_task(fr_director *d, const fr__director_person *person, fr__director_task *task,
                                  fr_error *error) {
    fr_plug_in_destroy(task->plug_in);
    task->plug_in = NULL;
    task->is_over = false;
    task->shown_frames = 0;
    fr_status status = fr__director_start_program(d, person, &task->program, task->object, &task->plug_in, error);
    if (status == FR_OK) { status = list_objects(d, true, &d->all, error); }
    if (status != FR_OK) { return status; }
    return fr_plug_in_show(task->plug_in, d->all.data, (uint32_t)d->all.count, error);
}

void fr__director_stop_stage(fr__director_person *person, fr__director_list *list) {
    fr_performer *performer = fr_person_performer(person->person);
    for (uint32_t i = fr__director_stage_first(list); list->stage_count > 0 && i < list->ends[list->stage]; i++) {
        if (person->is_begun) { (void)fr_performer_stop(performer, (uint64_t)i + 1); }
        fr_plug_in_destroy(list->tasks[i].plug_in);
        list->tasks[i].plug_in = NULL;
    }
}

uint32_t fr__director_bounded(const fr__director_list *list) {
    uint32_t count = 0;
    for (uint32_t i = fr__director_stage_first(list); i < list->ends[list->stage]; i++) {
        const fr__director_task *task = &list->tasks[i];
        if (task->plug_in == NULL || task->is_over) { continue; }
        fr_plug_in_state state = fr_plug_in_get(task->plug_in);
        bool is_endless = state.is_ready && state.planned == 0;
        count += state.is_begun && !state.is_planned && !is_endless;
    }
    return count;
}

bool fr__director_is_late(const fr__director_person *person) {
    bool is_late = false;
    for (uint32_t i = 0; i < person->held_count; i++) {
        const fr_plug_in *plug_in = person->held[i].plug_in;
        is_late = is_late || (plug_in != NULL && fr_plug_in_get(plug_in).is_late);
    }
    if (fr__director_list_count(person) == 0) { return is_late; }
    const fr__director_list *list = fr__director_first(person);
    for (uint32_t i = fr__director_stage_first(list); i < list->ends[list->stage]; i++) {
        const fr__director_task *task = &list->tasks[i];
        is_late = is_late || (task->plug_in != NULL && fr_plug_in_get(task->plug_in).is_late);
    }
    return is_late;
}
