#include "graded.h"

#include <stdlib.h>
#include <string.h>

static bool has_errors(const fr_scene_object *object) {
    return object->position_error > 0.0 || object->rotation_error > 0.0 || object->latency > 0.0;
}

bool graded_is_needed(const fr_scene *scene) {
    const fr_scene_view *view = fr_scene_get(scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        if (has_errors(&view->objects[i])) { return true; }
    }
    return false;
}

const char *grade_name(fr_grade grade) {
    static const char *const names[] = {
        [FR_GRADE_POSSIBLE] = "possible", [FR_GRADE_LIKELY] = "likely", [FR_GRADE_CERTAIN] = "certain"};
    return names[grade];
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts of pairs that are only possible

static fr_triangle_path path_of(const fr_space *space, fr_object_id id, uint32_t triangle) {
    const fr_object_view *view = fr_object_get(space, id);
    fr_part_view part = fr_object_part(space, id, fr_object_part_of_triangle(space, id, triangle));
    fr_triangle_path path = {.motion = view->moving ? &view->motion : NULL};
    fr_vec3 local[3];
    fr_mesh_corners(part.mesh, triangle - part.first_triangle, local);
    for (int k = 0; k < 3; k++) {
        fr_vec3 in_object = fr_pose_apply(&part.pose, local[k]);
        path.start[k] = fr_pose_apply(&view->pose, in_object);
        path.end[k] = fr_pose_apply(&view->next, in_object);
    }
    return path;
}

// Where the faces are closest at the instant, or first come within their separation.
static void measure(const graded *g, const fr_triangle_path *a, const fr_triangle_path *b, double separation,
                    fr_contact *out) {
    if (g->input.is_over_step) {
        fr_time_options how = fr_default_time_options();
        how.tolerance = g->input.ask.tolerance;
        how.separation = separation;
        how.with_ends = true;
        fr_time_result met;
        if (!fr_triangle_time(a, b, &how, &met)) { return; }
        out->time = met.time;
        out->point = met.point;
        out->normal = met.normal;
        out->distance = met.distance;
        out->approach = met.approach;
        return;
    }
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 on_a, on_b;
    out->distance = fr_triangle_distance(a->start, b->start, &on_a, &on_b);
    out->point = fr_vec3_lerp(on_a, on_b, 0.5);
    out->normal = fr_vec3_unit(fr_vec3_sub(on_b, on_a), zero);
}

static fr_contact possible_contact(const graded *g, const fr_uncertain_pair *pair) {
    const fr_space *space = g->input.ask.space;
    fr_contact contact;
    memset(&contact, 0, sizeof contact);
    contact.a = fr_space_object_at(space, pair->a);
    contact.b = fr_space_object_at(space, pair->b);
    contact.triangle_a = pair->triangle_a;
    contact.triangle_b = pair->triangle_b;
    contact.part_a = fr_object_part_of_triangle(space, contact.a, pair->triangle_a);
    contact.part_b = fr_object_part_of_triangle(space, contact.b, pair->triangle_b);
    contact.face_a = fr_object_face(space, contact.a, pair->triangle_a);
    contact.face_b = fr_object_face(space, contact.b, pair->triangle_b);
    contact.time_sure = contact.time_end = contact.approach = FR_UNKNOWN;
    contact.sense = g->input.is_over_step ? FR_SENSE_CONTINUOUS : FR_SENSE_STATIC;
    contact.flags = pair->flags;
    fr_triangle_path a = path_of(space, contact.a, pair->triangle_a), b = path_of(space, contact.b, pair->triangle_b);
    measure(g, &a, &b, pair->separation, &contact);
    return contact;
}

// ---------------------------------------------------------------------------------------------------------------
// Asking

static fr_status list_errors(graded *g, const scene_file *file, uint32_t k) {
    const fr_scene_view *view = fr_scene_get(file->scene);
    g->errors = calloc((size_t)view->object_count + 1, sizeof *g->errors);
    if (g->errors == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < view->object_count; i++) {
        const fr_scene_object *object = &view->objects[i];
        if (!has_errors(object)) { continue; }
        fr_object_uncertainty *error = &g->errors[g->input.uncertainty_count++];
        error->id = file->ids[i];
        error->of.position_error = object->position_error;
        error->of.rotation_error = object->rotation_error;
        error->of.latency = object->latency;
        fr_motion motion = fr_scene_motion(file->scene, i, k < view->steps ? k : view->steps - 1);
        if (object->latency > 0.0) { fr_uncertainty_set_speeds(&error->of, &motion, view->step); }
    }
    g->input.uncertainties = g->errors;
    return FR_OK;
}

static bool is_same(const fr_uncertain_pair *a, const fr_face_pair *b) {
    return a->a == b->a && a->b == b->b && a->triangle_a == b->triangle_a && a->triangle_b == b->triangle_b;
}

// Every graded pair, with what is known of it where the poses have it; `from` are in the same order, some left out.
static void join_pairs(graded *g, const fr_collide_output *from) {
    size_t k = 0;
    for (size_t i = 0; i < g->output.pair_count; i++) {
        const fr_uncertain_pair *pair = &g->output.pairs[i];
        g->pairs[i] = (fr_face_pair){pair->a, pair->b, pair->triangle_a, pair->triangle_b, pair->time, pair->flags};
        if (k < from->pair_count && is_same(pair, &from->pairs[k])) {
            if (g->contacts != NULL) { g->contacts[i] = from->contacts[k]; }
            g->pairs[i] = from->pairs[k++];
        } else if (g->contacts != NULL) {
            g->contacts[i] = possible_contact(g, pair);
        }
    }
}

static bool is_before(uint32_t a, uint32_t b, uint32_t c, uint32_t d) { return a < c || (a == c && b < d); }

// Those that may collide and those of which one contains the other, sorted; returns how many.
static size_t join_objects(graded *g, const fr_collide_output *from) {
    size_t count = 0, k = 0;
    for (size_t i = 0; i < g->output.object_count || k < from->object_pair_count;) {
        const fr_uncertain_objects *of = i < g->output.object_count ? &g->output.objects[i] : NULL;
        const fr_object_pair *had = k < from->object_pair_count ? &from->object_pairs[k] : NULL;
        fr_object_pair pair = {.relation = FR_RELATION_NEAR};
        if (of == NULL || (had != NULL && is_before(had->a, had->b, of->a, of->b))) {
            pair = *had;
            pair.count = 0;
            k++;
        } else {
            bool is_had = had != NULL && had->a == of->a && had->b == of->b;
            pair.relation = is_had ? had->relation : FR_RELATION_NEAR;
            pair.a = of->a;
            pair.b = of->b;
            pair.first = of->first;
            pair.count = of->count;
            k += is_had;
            i++;
        }
        g->object_pairs[count++] = pair;
    }
    return count;
}

static fr_status join(graded *g, fr_collide_output *output) {
    size_t pairs = g->output.pair_count, objects = g->output.object_count + output->object_pair_count;
    g->pairs = calloc(pairs + 1, sizeof *g->pairs);
    g->object_pairs = calloc(objects + 1, sizeof *g->object_pairs);
    bool has_contacts = g->input.ask.want == FR_WANT_CONTACTS;
    g->contacts = has_contacts ? calloc(pairs + 1, sizeof *g->contacts) : NULL;
    if (g->pairs == NULL || g->object_pairs == NULL || (has_contacts && g->contacts == NULL)) {
        return FR_ERROR_MEMORY;
    }
    join_pairs(g, output);
    output->object_pair_count = join_objects(g, output);
    output->pairs = g->pairs;
    output->pair_count = pairs;
    output->contacts = g->contacts;
    output->object_pairs = g->object_pairs;
    output->stats = g->output.stats;
    for (size_t i = 0; i < pairs; i++) {
        double time = (double)g->output.pairs[i].time;
        output->free_time = time < output->free_time ? time : output->free_time;
    }
    return FR_OK;
}

fr_status graded_ask(graded *g, const scene_file *file, uint32_t k, const fr_collide_input *input, bool is_over_step,
                     fr_collide_output *output, fr_error *error) {
    g->input = fr_default_uncertain_input();
    g->input.ask = *input;
    g->input.is_over_step = is_over_step;
    fr_status status = list_errors(g, file, k);
    if (status != FR_OK) { return fr_error_set(error, status, "out of memory for errors of poses"); }
    status = fr_collide_create(NULL, &g->asker, error);
    if (status == FR_OK) { status = fr_collide_uncertain(g->asker, &g->input, &g->output, error); }
    if (status != FR_OK) { return status; }
    if (g->output.partial) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    status = join(g, output);
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "out of memory for graded pairs");
}

void graded_release(graded *g) {
    free(g->errors);
    free(g->pairs);
    free(g->contacts);
    free(g->object_pairs);
    fr_collide_destroy(g->asker);
}

// ---------------------------------------------------------------------------------------------------------------
// Telling

// The graded objects of a pair; NULL where one only contains the other.
static const fr_uncertain_objects *find_objects(const graded *g, const fr_object_pair *pair, size_t counts[3]) {
    memset(counts, 0, 3 * sizeof *counts);
    size_t low = 0, high = g->output.object_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const fr_uncertain_objects *of = &g->output.objects[middle];
        if (is_before(of->a, of->b, pair->a, pair->b)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == g->output.object_count) { return NULL; }
    const fr_uncertain_objects *of = &g->output.objects[low];
    if (of->a != pair->a || of->b != pair->b) { return NULL; }
    for (size_t k = of->first; k < of->first + of->count; k++) {
        counts[g->output.pairs[k].grade]++;
    }
    return of;
}

void graded_print_objects(tool *t, const graded *g, const fr_object_pair *pair) {
    size_t counts[3];
    const fr_uncertain_objects *of = find_objects(g, pair, counts);
    if (of == NULL) { return; }
    tool_print(t, "  %s: %zu certain, %zu likely, %zu possible; in %.0f %% of the draws", grade_name(of->grade),
               counts[FR_GRADE_CERTAIN], counts[FR_GRADE_LIKELY], counts[FR_GRADE_POSSIBLE], 100.0 * (double)of->share);
}

void graded_write_objects(fr_json_writer *j, const graded *g, const fr_object_pair *pair) {
    size_t counts[3];
    const fr_uncertain_objects *of = find_objects(g, pair, counts);
    if (of == NULL) { return; }
    fr_json_write_string_field(j, "grade", grade_name(of->grade));
    fr_json_write_number_field(j, "share", (double)of->share);
    fr_json_write_uint_field(j, "certain", counts[FR_GRADE_CERTAIN]);
    fr_json_write_uint_field(j, "likely", counts[FR_GRADE_LIKELY]);
    fr_json_write_uint_field(j, "possible", counts[FR_GRADE_POSSIBLE]);
}

void graded_write_pair(fr_json_writer *j, const graded *g, size_t index) {
    const fr_uncertain_pair *pair = &g->output.pairs[index];
    fr_json_write_string_field(j, "grade", grade_name(pair->grade));
    fr_json_write_number_field(j, "share", (double)pair->share);
    fr_json_write_number_field(j, "separation", pair->separation);
    if (g->input.is_over_step) { fr_json_write_number_field(j, "earliest", (double)pair->time); }
}

// The terms of an object that may be off; false for one that is certain.
static bool budget_of(const graded *g, size_t index, fr_error_budget *out) {
    fr_uncertain_input input = g->input;
    input.uncertainties = &g->errors[index];
    input.uncertainty_count = 1;
    return fr_collide_budget(&input, g->errors[index].id, out, NULL) == FR_OK &&
           out->position + out->rotation + out->prediction > 0.0;
}

void graded_print_budgets(tool *t, const graded *g, const scene_file *file) {
    for (size_t i = 0; i < g->input.uncertainty_count; i++) {
        fr_error_budget of;
        if (!budget_of(g, i, &of)) { continue; }
        tool_print(t,
                   "%s is off by at most %.6g m: position %.4g, rotation %.4g, prediction %.4g, path %.2g, "
                   "arithmetic %.2g\n",
                   scene_file_name(file, g->errors[i].id.index1 - 1), of.total, of.position, of.rotation, of.prediction,
                   of.path, of.arithmetic);
    }
}

void graded_write_budgets(fr_json_writer *j, const graded *g, const scene_file *file) {
    fr_json_write_key(j, "errors");
    fr_json_write_array(j);
    for (size_t i = 0; i < g->input.uncertainty_count; i++) {
        fr_error_budget of;
        if (!budget_of(g, i, &of)) { continue; }
        fr_json_write_object(j);
        fr_json_write_string_field(j, "name", scene_file_name(file, g->errors[i].id.index1 - 1));
        fr_json_write_number_field(j, "position", of.position);
        fr_json_write_number_field(j, "rotation", of.rotation);
        fr_json_write_number_field(j, "prediction", of.prediction);
        fr_json_write_number_field(j, "path", of.path);
        fr_json_write_number_field(j, "arithmetic", of.arithmetic);
        fr_json_write_number_field(j, "total", of.total);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}
