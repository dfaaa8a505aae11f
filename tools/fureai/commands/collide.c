// The command collide: colliding faces of one step of a scene.
#include "commands.h"
#include "contrast.h"
#include "face_pairs.h"
#include "picture_request.h"
#include "scene_file.h"
#include "tool.h"

#include "fureai/base_drawing.h"
#include "fureai/collide.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Poses that are not known exactly

// The result about such a scene: every pair that may collide, with its grade.
typedef struct graded {
    fr_uncertain_output output;    // pairs in the order of those of the result it stands beside
    fr_object_uncertainty *errors; // of the scene's objects that have some, in their order
    fr_uncertain_input input;
    fr_collide *collide;
    fr_face_pair *pairs; // what takes the place of the arrays of the result about the poses as they are
    fr_contact *contacts;
    fr_object_pair *object_pairs;
} graded;

// Whether the pose of some object of a scene is not known exactly.
static bool graded_is_needed(const fr_scene *scene) {
    const fr_scene_view *view = fr_scene_get(scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        const fr_scene_object *o = &view->objects[i];
        if (o->position_error > 0.0 || o->rotation_error > 0.0 || o->latency > 0.0) { return true; }
    }
    return false;
}

static const char *grade_name(fr_grade grade) {
    static const char *const names[] = {
        [FR_GRADE_POSSIBLE] = "possible", [FR_GRADE_LIKELY] = "likely", [FR_GRADE_CERTAIN] = "certain"};
    return names[grade];
}

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

// Queries what may collide at t_K or over step K, where `input` was about the poses as they are and gave `output`; then
// `output` holds all pairs that may collide: contacts as they were, and of those that are only possible where the faces
// first come within their separation. Release it on failure too.
static fr_status graded_ask(graded *g, const scene_file *file, uint32_t k, const fr_collide_input *input,
                            bool is_over_step, fr_collide_output *output, fr_error *error) {
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

static void graded_release(graded *g) {
    free(g->errors);
    free(g->pairs);
    free(g->contacts);
    free(g->object_pairs);
    fr_collide_destroy(g->collide);
}

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

static void graded_print_objects(tool *t, const graded *g, const fr_object_pair *pair) {
    size_t counts[3];
    const fr_uncertain_objects *of = find_objects(g, pair, counts);
    if (of == NULL) { return; }
    tool_print(t, "  %s: %zu certain, %zu likely, %zu possible; in %.0f %% of the draws", grade_name(of->grade),
               counts[FR_GRADE_CERTAIN], counts[FR_GRADE_LIKELY], counts[FR_GRADE_POSSIBLE], 100.0 * (double)of->share);
}

static void graded_write_objects(fr_json_writer *j, const graded *g, const fr_object_pair *pair) {
    size_t counts[3];
    const fr_uncertain_objects *of = find_objects(g, pair, counts);
    if (of == NULL) { return; }
    json_fields(j, "grade", grade_name(of->grade), "share", (double)of->share, "certain", counts[FR_GRADE_CERTAIN],
                "likely", counts[FR_GRADE_LIKELY], "possible", counts[FR_GRADE_POSSIBLE]);
}

static void graded_write_pair(fr_json_writer *j, const graded *g, size_t index) {
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

static void graded_print_budgets(tool *t, const graded *g, const scene_file *file) {
    for (size_t i = 0; i < g->input.uncertainty_count; i++) {
        fr_error_budget of;
        if (!budget_of(g, i, &of)) { continue; }
        tool_print(t,
                   "%s is off by at most %.6g m: position %.4g m, rotation %.4g m, prediction %.4g m, path "
                   "%.2g m, arithmetic %.2g m\n",
                   scene_file_name(file, g->errors[i].id.index1 - 1), of.total, of.position, of.rotation, of.prediction,
                   of.path, of.arithmetic);
    }
}

static void graded_write_budgets(fr_json_writer *j, const graded *g, const scene_file *file) {
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

// ---------------------------------------------------------------------------------------------------------------
// The query

static fr_collide_method method_of(const tool *t) {
    const char *name = options_string(&t->options, "method");
    if (strcmp(name, "face-octree") == 0) { return FR_COLLIDE_FACE_OCTREE; }
    if (strcmp(name, "octree") == 0) { return FR_COLLIDE_OCTREE; }
    return strcmp(name, "brute") == 0 ? FR_COLLIDE_BRUTE : FR_COLLIDE_TREE; // auto: the tree
}

static const char *method_name(fr_collide_method method) {
    if (method == FR_COLLIDE_FACE_OCTREE) { return "face-octree"; }
    if (method == FR_COLLIDE_OCTREE) { return "octree"; }
    return method == FR_COLLIDE_BRUTE ? "brute" : "tree";
}

static fr_balance balance_of(const tool *t) {
    const char *name = options_string(&t->options, "balance");
    if (name == NULL) { return FR_BALANCE_AUTO; }
    if (strcmp(name, "serial") == 0) { return FR_BALANCE_SERIAL; }
    if (strcmp(name, "static") == 0) { return FR_BALANCE_STATIC; }
    return strcmp(name, "dynamic") == 0 ? FR_BALANCE_DYNAMIC : FR_BALANCE_STEAL;
}

// Fills the query from the options; false when they contradict one another.
static bool read_query(const tool *t, fr_collide_input *input) {
    const options *o = &t->options;
    input->method = method_of(t);
    input->balance = balance_of(t);
    input->margin = options_number(o, "margin");
    input->want = t->json ? FR_WANT_CONTACTS : FR_WANT_PAIRS;
    input->set = options_flag(o, "first") ? FR_SET_FIRST : FR_SET_ALL;
    input->narrow = strcmp(options_string(o, "narrow"), "hull") == 0 ? FR_NARROW_HULL : FR_NARROW_EXACT;
    input->octree_depth = (uint32_t)options_int(o, "depth");
    input->is_as_printed = options_flag(o, "as-printed");
    double root[4];
    bool has_root = options_vector(o, "root", root, 4);
    if (has_root) {
        input->octree_min = fr_vec3_make(root[0], root[1], root[2]);
        input->octree_edge = root[3];
    }
    bool of_octree = has_root || options_given(o, "depth") || input->is_as_printed;
    return !of_octree || input->method == FR_COLLIDE_FACE_OCTREE || input->method == FR_COLLIDE_OCTREE;
}

// Errors of poses take the place of a margin, and ask about all contacts.
static bool may_be_graded(const fr_collide_input *input) {
    return input->margin == 0.0 && input->set == FR_SET_ALL && input->narrow == FR_NARROW_EXACT;
}

// ---------------------------------------------------------------------------------------------------------------
// The result

// A scene, and the result about it.
typedef struct collision {
    uint32_t step;
    bool is_static; // the query is about the instant, not about the step
    fr_collide_input input;
    fr_collide_output output;
    scene_file file;
    fr_collide *collide;
    bool is_graded; // some pose is not known exactly
    graded graded;
} collision;

static const char *relation_name(fr_relation relation) {
    static const char *const names[] = {[FR_RELATION_NEAR] = "near",
                                        [FR_RELATION_TOUCHING] = "touching",
                                        [FR_RELATION_CROSSING] = "crossing",
                                        [FR_RELATION_A_INSIDE] = "inside",
                                        [FR_RELATION_B_INSIDE] = "around"};
    return names[relation];
}

static int name_columns(const collision *c) {
    int columns = 1;
    for (size_t i = 0; i < c->output.object_pair_count; i++) {
        int a = (int)fr_utf8_count(scene_file_name(&c->file, c->output.object_pairs[i].a));
        int b = (int)fr_utf8_count(scene_file_name(&c->file, c->output.object_pairs[i].b));
        columns = a > columns ? a : columns;
        columns = b > columns ? b : columns;
    }
    return columns;
}

static void print_name(tool *t, const char *name, int columns) {
    tool_print(t, "%s%*s  ", name, columns - (int)fr_utf8_count(name), "");
}

static void print_text(tool *t, const collision *c) {
    int columns = name_columns(c);
    for (size_t i = 0; i < c->output.object_pair_count; i++) {
        const fr_object_pair *pair = &c->output.object_pairs[i];
        print_name(t, scene_file_name(&c->file, pair->a), columns);
        print_name(t, scene_file_name(&c->file, pair->b), columns);
        tool_print(t, "%-8s  %zu", relation_name(pair->relation), pair->count);
        if (c->is_graded) { graded_print_objects(t, &c->graded, pair); }
        tool_print(t, "\n");
    }
    size_t faces = c->output.pair_count, objects = c->output.object_pair_count;
    tool_print(t, "%zu %s of faces of %zu %s of objects ", faces, faces == 1 ? "pair" : "pairs", objects,
               objects == 1 ? "pair" : "pairs");
    double from = fr_scene_time(c->file.scene, c->step);
    if (c->is_static) {
        tool_print(t, "at %g s (step %u)", from, c->step);
    } else {
        double to = fr_scene_time(c->file.scene, c->step + 1);
        tool_print(t, "from %g s to %g s (step %u)", from, to, c->step);
        if (faces > 0) { tool_print(t, ", first at %g s", from + (to - from) * c->output.free_time); }
    }
    tool_print(t, ", by %s in %.3f ms\n", method_name(c->input.method), c->output.stats.ms_total);
    if (c->is_graded) { graded_print_budgets(t, &c->graded, &c->file); }
}

static void write_pairs(fr_json_writer *j, const collision *c) {
    fr_json_write_key(j, "pairs");
    fr_json_write_array(j);
    for (size_t i = 0; i < c->output.pair_count; i++) {
        const fr_face_pair *pair = &c->output.pairs[i];
        fr_json_write_object(j);
        face_pair_write(j, scene_file_name(&c->file, pair->a), scene_file_name(&c->file, pair->b),
                        &c->output.contacts[i], c->is_static);
        if (c->is_graded) { graded_write_pair(j, &c->graded, i); }
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_relations(fr_json_writer *j, const collision *c) {
    fr_json_write_key(j, "relations");
    fr_json_write_array(j);
    for (size_t i = 0; i < c->output.object_pair_count; i++) {
        const fr_object_pair *pair = &c->output.object_pairs[i];
        fr_json_write_object(j);
        json_fields(j, "a", scene_file_name(&c->file, pair->a), "b", scene_file_name(&c->file, pair->b), "relation",
                    relation_name(pair->relation), "count", pair->count);
        if (!c->is_static) { fr_json_write_number_field(j, "time_sure", pair->time_sure); }
        if (c->is_graded) { graded_write_objects(j, &c->graded, pair); }
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_stats(fr_json_writer *j, const fr_collide_stats *stats) {
    fr_json_write_key(j, "stats");
    fr_json_write_object(j);
    json_fields(j, "object_pairs", stats->object_pairs, "nodes", stats->nodes, "candidates", stats->candidates,
                "tested", stats->tested, "accesses", stats->accesses);
    fr_json_write_key(j, "ms");
    fr_json_write_object(j);
    json_fields(j, "bounds", stats->ms_bounds, "extract", stats->ms_extract, "divide", stats->ms_divide, "test",
                stats->ms_test, "total", stats->ms_total);
    fr_json_write_object_end(j);
    fr_json_write_object_end(j);
}

static void write_document(fr_json_writer *j, const tool *t, const collision *c) {
    fr_json_write_object(j);
    json_fields(j, "step", c->step, "method", method_name(c->input.method), "threads", t->threads, "count",
                c->output.pair_count);
    if (!c->is_static) {
        json_fields(j, "set", c->input.set == FR_SET_FIRST ? "first" : "all", "narrow",
                    c->input.narrow == FR_NARROW_HULL ? "hull" : "exact", "free_time", c->output.free_time);
    }
    if (c->is_graded) { graded_write_budgets(j, &c->graded, &c->file); }
    write_relations(j, c);
    write_pairs(j, c);
    write_stats(j, &c->output.stats);
    fr_json_write_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// What is drawn: objects in the colours of the scene, colliding faces in one that no object has

// Draws an object; hit[i] says whether its triangle i collides.
static void draw_object(const fr_draw *draw, const fr_space *space, fr_object_id id, const bool *hit, fr_color color,
                        fr_color face_color) {
    uint32_t count = fr_object_get(space, id)->triangle_count;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 corners[3];
        if (fr_object_corners(space, id, i, corners, NULL) != FR_OK) { continue; }
        fr_triangle_draw(corners, draw, hit[i] ? face_color : color);
    }
}

// Marks the colliding triangles of one object; those that are only near do not collide.
static void mark_hits(const fr_collide_output *output, uint32_t object, bool *hit) {
    for (size_t i = 0; i < output->object_pair_count; i++) {
        const fr_object_pair *pair = &output->object_pairs[i];
        if (pair->a != object && pair->b != object) { continue; }
        for (size_t k = pair->first; k < pair->first + pair->count; k++) {
            if ((output->pairs[k].flags & FR_CONTACT_NEAR) != 0) { continue; }
            if (pair->a == object) { hit[output->pairs[k].triangle_a] = true; }
            if (pair->b == object) { hit[output->pairs[k].triangle_b] = true; }
        }
    }
}

static exit_status draw_objects(tool *t, picture *p, const collision *c) {
    enum { LEGEND_OBJECTS = 6 }; // more are not named
    fr_draw draw = picture_draw(p);
    const fr_space *space = c->file.space;
    const fr_scene_view *scene = fr_scene_get(c->file.scene);
    contrast against = contrast_begin();
    for (uint32_t i = 0; i < scene->object_count; i++) {
        contrast_add(&against, scene->objects[i].color);
    }
    fr_color face_color = contrast_choose(&against);
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        bool *hit = calloc(fr_object_get(space, id)->triangle_count, sizeof *hit);
        if (hit == NULL) {
            fr_error error = {.status = FR_ERROR_MEMORY};
            return tool_failed(t, &error);
        }
        mark_hits(&c->output, i, hit);
        const fr_scene_object *object = fr_object_get(space, id)->user;
        draw_object(&draw, space, id, hit, object->color, face_color);
        free(hit);
        if (scene->object_count <= LEGEND_OBJECTS) { picture_legend(p, object->color, object->name); }
    }
    picture_legend(p, face_color, "colliding faces");
    return EXIT_STATUS_DONE;
}

// ---------------------------------------------------------------------------------------------------------------
// The command

static exit_status ask(tool *t, collision *c) {
    fr_error error = {0};
    fr_tasks tasks;
    if (tool_tasks(t, &tasks, &error) != FR_OK) { return tool_failed(t, &error); }
    c->input.space = c->file.space;
    c->input.tasks = &tasks;
    c->input.control = &t->control;
    c->input.is_containment_wanted = true;
    fr_status status = fr_collide_create(NULL, &c->collide, &error);
    if (status == FR_OK && !c->is_static) {
        double end = fr_scene_time(c->file.scene, c->step + 1);
        status = fr_scene_move(c->file.scene, c->step, c->file.space, c->file.ids, &error);
        if (status == FR_OK) { status = fr_scene_player_move(c->file.player, c->file.space, end, &error); }
        if (status == FR_OK) { status = fr_space_update(c->file.space, &tasks, &error); }
        if (status == FR_OK) { status = fr_collide_continuous(c->collide, &c->input, &c->output, &error); }
    } else if (status == FR_OK) {
        status = fr_collide_static(c->collide, &c->input, &c->output, &error);
    }
    if (status == FR_OK && c->output.is_partial) { status = fr_error_set(&error, FR_ERROR_STOPPED, "stopped"); }
    if (status == FR_OK && c->is_graded) {
        status = graded_ask(&c->graded, &c->file, c->step, &c->input, !c->is_static, &c->output, &error);
    }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

static exit_status report(tool *t, picture *p, collision *c) {
    exit_status status = ask(t, c);
    if (status == EXIT_STATUS_DONE && p != NULL) { status = draw_objects(t, p, c); }
    if (status != EXIT_STATUS_DONE) {
        picture_destroy(p);
        return status;
    }
    status = picture_request_end(t, p);
    if (status != EXIT_STATUS_DONE) { return status; }
    print_text(t, c);
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { write_document(j, t, c); }
    return EXIT_STATUS_DONE;
}

static exit_status run(tool *t) {
    collision c = {.step = (uint32_t)options_int(&t->options, "step"), .input = fr_default_collide_input()};
    c.is_static = options_flag(&t->options, "static");
    if (c.is_static && options_flag(&t->options, "first")) {
        return tool_wrong_usage(t, "--first asks about a step, --static about an instant");
    }
    if (!read_query(t, &c.input)) {
        return tool_wrong_usage(t, "--root, --depth and --as-printed belong to --method face-octree and octree");
    }
    if (options_given(&t->options, "root") && !(c.input.octree_edge > 0.0)) {
        return tool_wrong_usage(t, "--root: the edge of the cube must be over 0");
    }
    picture *p = NULL;
    exit_status status = picture_request_begin(t, t->arguments[0], &p);
    if (status != EXIT_STATUS_DONE) { return status; }
    status = scene_file_read(t, t->arguments[0], c.step, &c.file);
    if (status != EXIT_STATUS_DONE) {
        picture_destroy(p);
        return status;
    }
    c.is_graded = graded_is_needed(c.file.scene) && !options_flag(&t->options, "measured");
    uint32_t steps = fr_scene_get(c.file.scene)->steps;
    if (!c.is_static && c.step == steps) {
        picture_destroy(p);
        status =
            tool_wrong_usage(t, "--step: no step begins at %u, the end of the scene; --static asks about it", steps);
    } else if (c.is_graded && !may_be_graded(&c.input)) {
        picture_destroy(p);
        status = tool_wrong_usage(t, "--margin, --first and --narrow hull need --measured: the scene has errors");
    } else {
        status = report(t, p, &c);
    }
    graded_release(&c.graded);
    fr_collide_destroy(c.collide);
    scene_file_release(&c.file);
    return status;
}

static const argument arguments[] = {{.name = "SCENE", .help = "The scene file (docs/scene.md)."}};

static const option options_table[] = {
    INT_OPTION("step", "K", "0", 0, FR_SCENE_STEPS_MAX,
               "Ask about the step from the time K times the scene's step to the next one."),
    FLAG_OPTION("static", "Ask about the instant at which the step begins alone."),
    FLAG_OPTION("first", "Only the first contacts of each pair of objects in the step."),
    CHOICE_OPTION("method", "METHOD", "auto,tree,face-octree,octree,brute", "auto",
                  "How pairs are found; all find the same. brute tests every face with every other."),
    CHOICE_OPTION(
        "narrow", "TEST", "exact,hull", "exact",
        "What decides a pair over the step: hull also reports faces that use the same place at different times."),
    CHOICE_OPTION("balance", "BALANCE", "serial,static,dynamic,steal", NULL,
                  "How the threads share the work; steal where there are several, unless given."),
    VECTOR_OPTION("root", "X,Y,Z,L", 4, NULL, -1e15, 1e15,
                  "Low corner and edge of the face octree's cube, in metres; about all that may collide unless given."),
    INT_OPTION("depth", "D", NULL, 1, 16, "Depth of the face octree; by the size of the faces unless given."),
    NUMBER_OPTION("margin", "M", "0", 0, 1e15, "Also find faces up to M metres apart."),
    FLAG_OPTION("measured", "Take poses as they are, whatever the scene says about their errors."),
    FLAG_OPTION("as-printed", "Run the face octree as its source prints it."),
    PICTURE_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai collide test/scenes/two_spheres.json",
     .does = "Which objects collide during the first step, and by how many faces."},
    {.line = "fureai --json collide test/scenes/two_spheres.json --step 12 --first",
     .does = "The first contacts of step 12, with time, point and normal."},
    {.line = "fureai collide test/scenes/two_spheres.json --step 12 --static",
     .does = "What collides at the instant step 12 begins."},
    {.line = "fureai collide demos/knots.json --step 40 --method face-octree --depth 6 --picture knots.png",
     .does = "By the face octree; colliding faces are red in the picture."},
};

const command command_collide = {
    .name = "collide",
    .summary = "finds the colliding faces of a scene",
    .description = "Finds every pair of triangles of different objects that come together during a step of a scene, "
                   "however they turn, or share a point at one instant: none missed. The result is the same for every "
                   "method and number of threads. Where the scene says that poses may be wrong, every pair that may "
                   "collide is reported with its grade: certain, likely or possible.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
