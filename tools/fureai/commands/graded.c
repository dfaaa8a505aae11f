// Collisions of objects whose poses are not known exactly: the query, and what is printed of its result.
#include "graded.h"

#include <stdlib.h>
#include <string.h>

bool graded_is_needed(const fr_scene *scene) {
    const fr_scene_view *view = fr_scene_get(scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        const fr_scene_object *o = &view->objects[i];
        if (o->position_error > 0.0 || o->rotation_error > 0.0 || o->latency > 0.0) { return true; }
    }
    return false;
}

const char *grade_name(fr_grade grade) {
    static const char *const names[] = {
        [FR_GRADE_POSSIBLE] = "possible", [FR_GRADE_LIKELY] = "likely", [FR_GRADE_CERTAIN] = "certain"};
    return names[grade];
}

// ---------------------------------------------------------------------------------------------------------------
// The query

static fr_status merge(graded *g, fr_collide_output *output, fr_error *error) {
    size_t pairs = g->output.pair_count, objects = g->output.object_count + output->object_pair_count;
    bool has_contacts = g->input.query.want == FR_WANT_CONTACTS;
    g->pairs = calloc(pairs + 1, sizeof *g->pairs);
    g->object_pairs = calloc(objects + 1, sizeof *g->object_pairs);
    g->contacts = has_contacts ? calloc(pairs + 1, sizeof *g->contacts) : NULL;
    if (g->pairs == NULL || g->object_pairs == NULL || (has_contacts && g->contacts == NULL)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for graded pairs");
    }
    const fr_uncertain_merge both = {&g->input, &g->output, g->pairs, g->contacts, g->object_pairs};
    fr_collide_merge_uncertain(&both, output);
    return FR_OK;
}

fr_status graded_ask(graded *g, const scene_file *file, uint32_t k, const fr_collide_input *input, bool is_over_step,
                     fr_collide_output *output, fr_error *error) {
    g->input = fr_default_uncertain_input();
    g->input.query = *input;
    g->input.is_over_step = is_over_step;
    g->errors = calloc((size_t)fr_scene_get(file->scene)->object_count + 1, sizeof *g->errors);
    if (g->errors == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for errors of poses"); }
    g->input.uncertainties = g->errors;
    g->input.uncertainty_count = fr_scene_uncertainties(file->scene, file->ids, k, g->errors);
    fr_status status = fr_collide_create(NULL, &g->collide, error);
    if (status == FR_OK) { status = fr_collide_uncertain(g->collide, &g->input, &g->output, error); }
    if (status != FR_OK) { return status; }
    if (g->output.is_partial) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    return merge(g, output, error);
}

static bool is_before(uint32_t a, uint32_t b, uint32_t c, uint32_t d) { return a < c || (a == c && b < d); }

void graded_release(graded *g) {
    free(g->errors);
    free(g->pairs);
    free(g->contacts);
    free(g->object_pairs);
    fr_collide_destroy(g->collide);
}

// ---------------------------------------------------------------------------------------------------------------
// The report

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
    json_fields(j, "grade", grade_name(of->grade), "share", (double)of->share, "certain", counts[FR_GRADE_CERTAIN],
                "likely", counts[FR_GRADE_LIKELY], "possible", counts[FR_GRADE_POSSIBLE]);
}

void graded_write_pair(fr_json_writer *j, const graded *g, size_t index) {
    const fr_uncertain_pair *pair = &g->output.pairs[index];
    json_fields(j, "grade", grade_name(pair->grade), "share", (double)pair->share, "separation", pair->separation);
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
        json_fields(j, "name", scene_file_name(file, g->errors[i].id.index1 - 1), "position", of.position, "rotation",
                    of.rotation, "prediction", of.prediction, "path", of.path, "arithmetic", of.arithmetic, "total",
                    of.total);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}
