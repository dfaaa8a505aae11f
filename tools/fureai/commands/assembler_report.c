// The report of an assembly: text, JSON and picture.
#include "assembler_report.h"

#include "fureai/collide.h"

#include <math.h>
#include <stdlib.h>

#define SOUND_CHUNK 4096 // frames
#define SOUND_TAIL 1.0   // seconds behind the last event

static fr_assembler_output out_of(const assembler *a) { return fr_assembler_get(a->hand); }

// ---------------------------------------------------------------------------------------------------------------
// Opening

static fr_status make_hand(tool *t, fr_assembler_def *def, assembler *a, fr_error *error) {
    const fr_scene_view *view = fr_scene_get(a->file.scene);
    a->names = calloc((size_t)view->fit_count + 1, sizeof *a->names);
    if (a->names == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the names of parts"); }
    for (uint32_t i = 0; i < view->fit_count; i++) {
        a->names[i] = view->fits[i].part.name;
    }
    def->space = a->file.space;
    def->names = a->names;
    def->control = &t->control;
    fr_status status = fr_scene_build_assembly(a->file.scene, def->space, a->file.ids, NULL, &def->assembly, error);
    if (status == FR_OK) { status = fr_assembler_create(def, &a->hand, error); }
    if (status != FR_OK) { fr_assembly_destroy(def->assembly); }
    return status;
}

exit_status assembler_open(tool *t, const char *path, fr_assembler_def *def, assembler *out) {
    *out = (assembler){.hand = NULL};
    exit_status done = scene_file_read(t, path, 0, &out->file);
    if (done != EXIT_STATUS_DONE) { return done; }
    fr_error error = {0};
    fr_status status = FR_OK;
    if (fr_scene_get(out->file.scene)->fit_count == 0) {
        status =
            fr_error_set(&error, FR_ERROR_ARGUMENT, "the scene has no 'assembly': nothing says what belongs where");
        fr_error_locate(&error, path, 1, 1);
    }
    if (status == FR_OK) { status = make_hand(t, def, out, &error); }
    if (status == FR_OK) { return EXIT_STATUS_DONE; }
    assembler_close(out);
    return tool_bad_input(t, &error);
}

void assembler_close(assembler *a) {
    fr_assembler_destroy(a->hand);
    free(a->names);
    scene_file_release(&a->file);
}

// ---------------------------------------------------------------------------------------------------------------
// Interference

// Parts that were fitted count as if they could move still.
static fr_status loosen(tool *t, const assembler *a, fr_error *error) {
    fr_tasks tasks;
    fr_status status = tool_tasks(t, &tasks, error);
    for (uint32_t i = 0; i < fr_assembly_count(out_of(a).assembly) && status == FR_OK; i++) {
        status = fr_object_set_flags(a->file.space, fr_assembly_get(out_of(a).assembly, i)->object, 0, NULL);
    }
    return status == FR_OK ? fr_space_update(a->file.space, &tasks, error) : status;
}

static fr_status count_pairs(tool *t, const assembler *a, size_t *out, fr_error *error) {
    fr_tasks tasks;
    fr_collide *collide = NULL;
    fr_status status = tool_tasks(t, &tasks, error);
    if (status == FR_OK) { status = fr_collide_create(NULL, &collide, error); }
    if (status != FR_OK) { return status; }
    fr_collide_input input = fr_default_collide_input();
    input.space = a->file.space;
    input.tasks = &tasks;
    fr_collide_output output;
    status = fr_collide_static(collide, &input, &output, error);
    *out = status == FR_OK ? output.pair_count : 0;
    fr_collide_destroy(collide);
    return status;
}

fr_status assembler_end_make(tool *t, const assembler *a, assembler_end *out, fr_error *error) {
    uint32_t count = fr_assembly_count(out_of(a).assembly);
    *out = (assembler_end){.with = calloc(count, sizeof *out->with)};
    if (out->with == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the report"); }
    fr_status status = loosen(t, a, error);
    if (status == FR_OK) { status = count_pairs(t, a, &out->pairs, error); }
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        status = fr_assembly_interference(out_of(a).assembly, a->file.space, i, &out->with[i], error);
        out->count += out->with[i].index1 != 0 ? 1 : 0;
    }
    if (status != FR_OK) { assembler_end_free(out); }
    return status;
}

void assembler_end_free(assembler_end *end) {
    free(end->with);
    end->with = NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// The report

static const char *name_of(const assembler *a, fr_object_id id) {
    return id.index1 != 0 ? scene_file_name(&a->file, id.index1 - 1) : NULL;
}

static void write_part(fr_json_writer *j, const assembler *a, uint32_t part, fr_object_id with) {
    const fr_assembler_record *r = &out_of(a).records[part];
    uint32_t place = fr_assembly_states(out_of(a).assembly)[part].place;
    fr_json_write_object(j);
    json_fields(j, "part", fr_assembler_name(a->hand, part), "place",
                place != FR_NONE ? fr_assembler_name(a->hand, place) : NULL, "seconds", r->fitted - r->taken,
                "distance_mm", fr_is_unknown(r->fitted) ? FR_UNKNOWN : 1e3 * r->distance, "angle_deg",
                fr_is_unknown(r->fitted) ? FR_UNKNOWN : fr_degrees(r->angle), "contacts", r->contacts, "blocked",
                r->blocked, "blocked_by", name_of(a, r->blocker));
    json_fields(j, "early", r->early, "missing", r->missing != FR_NONE ? fr_assembler_name(a->hand, r->missing) : NULL,
                "refused", r->refused, "held_by", r->held_by != FR_NONE ? fr_assembler_name(a->hand, r->held_by) : NULL,
                "interferes_with", name_of(a, with));
    fr_json_write_object_end(j);
}

static void write_document(fr_json_writer *j, const assembler *a, const assembler_end *end) {
    uint32_t count = fr_assembly_count(out_of(a).assembly);
    fr_json_write_object(j);
    json_fields(j, "aid", (bool)(out_of(a).has_aid), "fitted", fr_assembly_fitted_count(out_of(a).assembly), "count",
                count, "seconds", out_of(a).seconds, "interference", end->count, "pairs", end->pairs, "misses",
                out_of(a).misses);
    fr_json_write_key(j, "order");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < out_of(a).order_count; i++) {
        if (fr_assembly_states(out_of(a).assembly)[out_of(a).order[i]].place != FR_NONE) {
            fr_json_write_string(j, fr_assembler_name(a->hand, out_of(a).order[i]));
        }
    }
    fr_json_write_array_end(j);
    fr_json_write_key(j, "parts");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < count; i++) {
        write_part(j, a, i, end->with[i]);
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

static void print_why(tool *t, const assembler *a, const fr_assembler_record *r) {
    if (r->blocked > 0) {
        tool_print(t, "; blocked %u times, by ", r->blocked);
        tool_print_name(t, name_of(a, r->blocker));
    }
    if (r->early > 0) {
        tool_print(t, "; too early %u times, before ", r->early);
        tool_print_name(t, fr_assembler_name(a->hand, r->missing));
    }
    if (r->refused > 0) {
        tool_print(t, "; refused %u times", r->refused);
        if (r->held_by != FR_NONE) {
            tool_print(t, ", held by ");
            tool_print_name(t, fr_assembler_name(a->hand, r->held_by));
        }
    }
    tool_print(t, "\n");
}

static void print_part(tool *t, const assembler *a, uint32_t part, const assembler_end *end) {
    const fr_assembler_record *r = &out_of(a).records[part];
    bool is_fitted = fr_assembly_states(out_of(a).assembly)[part].place != FR_NONE;
    tool_print(t, "  ");
    tool_print_name(t, fr_assembler_name(a->hand, part));
    if (is_fitted) {
        tool_print(t, ": %.1f s, fitted from %.1f mm and %.1f degrees, %u contacts", r->fitted - r->taken,
                   1e3 * r->distance, fr_degrees(r->angle), r->contacts);
    } else {
        tool_print(t, ": loose, %u contacts", r->contacts);
    }
    if (end->with[part].index1 != 0) {
        tool_print(t, "; is in ");
        tool_print_name(t, name_of(a, end->with[part]));
    }
    print_why(t, a, r);
}

void assembler_report(tool *t, const assembler *a, const assembler_end *end) {
    uint32_t count = fr_assembly_count(out_of(a).assembly);
    tool_print(t, "%u of %u parts fitted in %.1f s, %s; ", fr_assembly_fitted_count(out_of(a).assembly), count,
               out_of(a).seconds, out_of(a).has_aid ? "with the aid" : "without aid");
    tool_print(t, "%u %s something, %zu pairs of faces touch\n", end->count, end->count == 1 ? "is in" : "are in",
               end->pairs);
    for (uint32_t i = 0; i < out_of(a).order_count; i++) {
        if (fr_assembly_states(out_of(a).assembly)[out_of(a).order[i]].place != FR_NONE) {
            print_part(t, a, out_of(a).order[i], end);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (fr_assembly_states(out_of(a).assembly)[i].place == FR_NONE) { print_part(t, a, i, end); }
    }
    if (out_of(a).misses > 0) { tool_print(t, "  the hand caught nothing %u times\n", out_of(a).misses); }
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { write_document(j, a, end); }
}

// ---------------------------------------------------------------------------------------------------------------
// Log and sound

void assembler_log(const assembler *a, output_file *file) {
    const fr_hand_event *events = out_of(a).events;
    output_file_print(file, "%s\n", fr_hand_event_columns());
    for (size_t i = 0; i < out_of(a).event_count; i++) {
        char line[FR_HAND_EVENT_BYTES];
        (void)fr_hand_event_text(&events[i], line, sizeof line);
        output_file_print(file, "%s\n", line);
    }
}

// Events are added as their time comes, so that any number of them is heard. False when it was stopped.
static bool render(const tool *t, const assembler *a, fr_hand_voice *voice, const fr_wav *sound, output_file *file) {
    const uint64_t frames = sound->frames;
    const fr_hand_event *events = out_of(a).events;
    size_t next = 0;
    for (uint64_t done = 0; done < frames;) {
        int16_t stereo[2 * SOUND_CHUNK];
        uint8_t bytes[sizeof stereo];
        size_t some = frames - done < SOUND_CHUNK ? (size_t)(frames - done) : SOUND_CHUNK;
        double until = (double)(done + some) / (double)sound->rate;
        while (next < out_of(a).event_count && events[next].time < until) {
            (void)fr_hand_voice_add(voice, &events[next++]);
        }
        fr_hand_voice_render(voice, stereo, some);
        for (size_t i = 0; i < 2 * some; i++) {
            bytes[2 * i] = (uint8_t)((uint16_t)stereo[i] & 0xff);
            bytes[2 * i + 1] = (uint8_t)((uint16_t)stereo[i] >> 8);
        }
        output_file_write(file, bytes, 4 * some);
        done += some;
        fr_control_progress(&t->control, (double)done / (double)frames, "sound");
        if (fr_control_is_stopped(&t->control)) { return false; }
    }
    return true;
}

fr_status assembler_sound(const tool *t, const assembler *a, uint64_t seed, output_file *file, fr_error *error) {
    fr_hand_voice_def def = fr_default_hand_voice_def();
    def.mode = out_of(a).has_aid ? FR_AID_MODE_AID_SOUND : FR_AID_MODE_SOUND;
    def.seed = seed;
    fr_hand_voice *voice;
    uint8_t header[FR_WAV_HEADER_BYTES];
    fr_wav sound = {.rate = def.rate, .frames = (uint64_t)ceil((out_of(a).seconds + SOUND_TAIL) * (double)def.rate)};
    fr_status status = fr_hand_voice_create(&def, &voice, error);
    if (status == FR_OK) { status = fr_wav_header(&sound, header, error); }
    if (status == FR_OK) {
        output_file_write(file, header, sizeof header);
        bool is_whole = render(t, a, voice, &sound, file);
        if (!is_whole) { status = fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    }
    fr_hand_voice_destroy(voice);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The picture

static void draw_part(const fr_draw *draw, const assembler *a, uint32_t part, fr_color color, bool is_begin) {
    const fr_scene_fit *fit = &fr_scene_get(a->file.scene)->fits[part];
    fr_object_id id = fr_assembly_get(out_of(a).assembly, part)->object;
    const fr_object_view *object = fr_object_get(a->file.space, id);
    fr_pose pose = is_begin ? fr_scene_pose(a->file.scene, fit->object, 0) : object->pose;
    for (uint32_t i = 0; i < object->part_count; i++) {
        fr_part_view view = fr_object_part(a->file.space, id, i);
        const fr_part_def own = {.mesh = view.mesh, .pose = view.pose};
        fr_parts_draw(&own, 1, &pose, draw, color);
    }
}

void assembler_draw(const assembler *a, picture *image) {
    const fr_color faint = {150, 150, 160, 40}, line = {200, 60, 40, 160};
    const fr_scene_view *view = fr_scene_get(a->file.scene);
    fr_draw draw = picture_draw(image);
    for (uint32_t i = 0; i < view->fit_count; i++) {
        fr_vec3 from = fr_scene_pose(a->file.scene, view->fits[i].object, 0).position;
        fr_vec3 to = fr_object_get(a->file.space, fr_assembly_get(out_of(a).assembly, i)->object)->pose.position;
        const double points[6] = {from.x, from.y, from.z, to.x, to.y, to.z};
        draw_part(&draw, a, i, faint, true);
        draw_part(&draw, a, i, view->objects[view->fits[i].object].color, false);
        fr_draw_lines(&draw, points, 1, line, 1.0);
    }
    picture_legend(image, faint, "where a part lay");
    picture_legend(image, line, "where it went");
}
