// The command faces: colliding faces of what no rank needs to hold in full (faces are distributed among the ranks).
#include "assembly.h"
#include "command.h"
#include "face_pairs.h"
#include "tool.h"

#ifdef FUREAI_TOOL_HAS_WORLD
#include "scene_file.h"
#endif

#include "fureai/collide_domain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is looked at: the steps of a scene, or parts of models that stand still.
typedef struct looked {
    const fr_space *space;
    const uint32_t *numbers; // of its objects; NULL: their places
    const char **names;      // by number
    uint32_t name_count;
    fr_domain *domain;
    fr_domain_input input;
    // What the queries took
    fr_domain_stats last;
    uint64_t cuts, sent_bytes, pairs;
} looked;

static const char *name_of(const looked *l, uint32_t number) { return number < l->name_count ? l->names[number] : ""; }

// ---------------------------------------------------------------------------------------------------------------
// Queries

static void write_step(tool *t, const looked *l, const fr_domain_output *out, uint32_t step, double time) {
    bool is_static = !l->input.is_over_step;
    tool_print(t, "step %u, %g s: %zu %s of faces\n", step, time, out->pair_count,
               out->pair_count == 1 ? "pair" : "pairs");
    fr_json_writer *j = tool_json(t);
    if (j == NULL) { return; }
    fr_json_write_object(j);
    json_fields(j, "step", step, "count", out->pair_count);
    if (!is_static) { fr_json_write_number_field(j, "free_time", out->free_time); }
    fr_json_write_key(j, "pairs");
    fr_json_write_array(j);
    for (size_t i = 0; i < out->pair_count; i++) {
        fr_json_write_object(j);
        face_pair_write(j, name_of(l, out->pairs[i].a), name_of(l, out->pairs[i].b), &out->contacts[i], is_static);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

static fr_status find(tool *t, looked *l, uint32_t step, double time, fr_error *error) {
    fr_domain_output out;
    l->input.space = l->space;
    l->input.numbers = l->numbers;
    l->input.want = options_flag(&t->options, "json") ? FR_WANT_CONTACTS : FR_WANT_PAIRS; // on all ranks
    fr_status status = fr_domain_find(l->domain, &l->input, &out, error);
    if (status != FR_OK) { return status; }
    if (out.is_partial) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    l->last = out.stats;
    l->cuts += out.stats.is_cut;
    l->sent_bytes += out.stats.sent_bytes;
    l->pairs += out.pair_count;
    write_step(t, l, &out, step, time);
    return FR_OK;
}

static void report(tool *t, const looked *l) {
    if (t->exchange == NULL || t->exchange->rank_count == 1) { return; }
    tool_note(t,
              "space was cut %llu %s; the first rank gives %llu faces, holds %llu, of them %llu ghosts, and sent %.3f "
              "MB; most work of a rank over the mean: %.2f",
              (unsigned long long)l->cuts, l->cuts == 1 ? "time" : "times", (unsigned long long)l->last.given_faces,
              (unsigned long long)l->last.held_faces, (unsigned long long)(l->last.held_faces - l->last.home_faces),
              1e-6 * (double)l->sent_bytes, l->last.balance);
}

static fr_status begin(tool *t, looked *l, fr_tasks *tasks, fr_error *error) {
    l->input = fr_default_domain_input();
    l->input.exchange = t->exchange;
    l->input.margin = options_number(&t->options, "margin");
    l->input.tasks = tasks;
    l->input.control = &t->control;
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { fr_json_write_array(j); }
    fr_status status = tool_tasks(t, tasks, error);
    return status == FR_OK ? fr_domain_create(NULL, &l->domain, error) : status;
}

static void end(tool *t, looked *l, fr_status status) {
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { fr_json_write_array_end(j); }
    if (status == FR_OK) { report(t, l); }
    fr_domain_destroy(l->domain);
    free(l->names);
}

// ---------------------------------------------------------------------------------------------------------------
// A scene

#ifdef FUREAI_TOOL_HAS_WORLD
static fr_status find_steps(tool *t, looked *l, const scene_file *file, uint32_t first, uint32_t count,
                            fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t k = first; k < first + count && status == FR_OK; k++) {
        bool is_over = l->input.is_over_step;
        fr_control_progress(&t->control, (double)(k - first) / (double)count, "steps");
        status = is_over ? fr_scene_move(file->scene, k, file->space, file->ids, error)
                         : fr_scene_place(file->scene, k, file->space, file->ids, error);
        double time = fr_scene_time(file->scene, is_over ? k + 1 : k);
        if (status == FR_OK) {
            status = (is_over ? fr_scene_player_move : fr_scene_player_place)(file->player, file->space, time, error);
        }
        if (status == FR_OK) { status = fr_space_update(file->space, l->input.tasks, error); }
        if (status == FR_OK) { status = find(t, l, k, fr_scene_time(file->scene, k), error); }
    }
    return status;
}

static exit_status run_scene(tool *t, const char *path) {
    fr_error error = {0};
    fr_tasks tasks;
    scene_file file;
    looked l = {0};
    uint32_t first = (uint32_t)options_int(&t->options, "step");
    exit_status status = scene_file_read(t, path, first, &file);
    if (status != EXIT_STATUS_DONE) { return status; }
    const fr_scene_view *scene = fr_scene_get(file.scene);
    bool is_static = options_flag(&t->options, "static");
    uint32_t left = scene->steps - first + (is_static ? 1 : 0), count = (uint32_t)options_int(&t->options, "steps");
    l.names = calloc((size_t)scene->object_count + 1, sizeof *l.names);
    if (l.names == NULL) {
        scene_file_release(&file);
        error.status = FR_ERROR_MEMORY;
        return tool_failed(t, &error);
    }
    for (l.name_count = 0; l.name_count < scene->object_count; l.name_count++) {
        l.names[l.name_count] = scene->objects[l.name_count].name;
    }
    l.space = file.space;
    fr_status found = begin(t, &l, &tasks, &error);
    l.input.is_over_step = !is_static;
    if (found == FR_OK) { found = find_steps(t, &l, &file, first, count < left ? count : left, &error); }
    end(t, &l, found);
    scene_file_release(&file);
    return found == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}
#endif

// ---------------------------------------------------------------------------------------------------------------
// Models

// Ranks tell one another how many parts each model has, and their names: numbers of parts go through all models in
// their order, whoever reads which.
typedef struct model_parts {
    uint32_t *first; // one a model, and the end
    uint32_t *numbers;
    char **names; // of all parts
} model_parts;

static void free_parts(model_parts *p, uint32_t count) {
    for (uint32_t i = 0; i < count && p->names != NULL; i++) {
        free(p->names[i]);
    }
    free(p->names);
    free(p->first);
    free(p->numbers);
}

// The name of a part: that of its file, with its own where the file has several.
static bool put_name(fr_byte_array *bytes, const char *path, const assembly *model, uint32_t part) {
    const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
    const char *own = model->parts.count > 1 ? assembly_name(model, part) : "";
    size_t size = strlen(file) + strlen(own) + 2;
    void *text = fr_byte_array_push(bytes, size);
    if (text == NULL) { return false; }
    snprintf(text, size, "%s%s%s", file, own[0] != '\0' ? ":" : "", own);
    if (own[0] == '\0') { bytes->count--; } // no colon
    return true;
}

// What this rank says of its models: for each the number of its parts, then their names with their ends.
static bool put_models(const tool *t, fr_byte_array *bytes, const assembly *models, uint32_t count) {
    uint32_t ranks = t->exchange != NULL ? t->exchange->rank_count : 1;
    uint32_t rank = t->exchange != NULL ? t->exchange->rank : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parts = (uint32_t)models[i].parts.count;
        void *out = fr_byte_array_push(bytes, sizeof parts);
        if (out == NULL) { return false; }
        memcpy(out, &parts, sizeof parts);
        for (uint32_t k = 0; k < parts; k++) {
            if (!put_name(bytes, t->arguments[rank + i * ranks], &models[i], k)) { return false; }
        }
    }
    return true;
}

// Takes the names of a model's parts from what its rank said, at *at; the number of them, or FR_NONE without memory.
static uint32_t take_model(const unsigned char *bytes, size_t *at, model_parts *p, uint32_t first) {
    uint32_t parts;
    memcpy(&parts, bytes + *at, sizeof parts);
    *at += sizeof parts;
    char **names = realloc(p->names, ((size_t)first + parts + 1) * sizeof *names);
    if (names == NULL) { return FR_NONE; }
    p->names = names;
    for (uint32_t k = 0; k < parts; k++) {
        const char *name = (const char *)bytes + *at;
        names[first + k] = strdup(name);
        if (names[first + k] == NULL) { return FR_NONE; }
        *at += strlen(name) + 1;
    }
    return parts;
}

static fr_status number_parts(const tool *t, const assembly *models, uint32_t model_count, model_parts *out,
                              uint32_t *part_count, fr_error *error) {
    const fr_exchange *exchange = t->exchange;
    uint32_t ranks = exchange != NULL ? exchange->rank_count : 1, rank = exchange != NULL ? exchange->rank : 0;
    uint32_t own = model_count > rank ? (model_count - rank - 1) / ranks + 1 : 0;
    fr_byte_array bytes = fr_byte_array_make(NULL);
    bool has_room = put_models(t, &bytes, models, own);
    size_t end = bytes.count;
    fr_gathered all = {bytes.data, &end};
    bool is_done =
        has_room && (exchange == NULL || ranks == 1 || exchange->gather(bytes.data, bytes.count, &all, exchange->user));
    size_t *at = calloc(ranks, sizeof *at);
    out->first = calloc((size_t)model_count + 1, sizeof *out->first);
    *part_count = 0;
    for (uint32_t r = 1; is_done && at != NULL && r < ranks; r++) {
        at[r] = all.ends[r - 1];
    }
    has_room = has_room && at != NULL && out->first != NULL;
    for (uint32_t i = 0; i < model_count && has_room && is_done; i++) {
        out->first[i] = *part_count;
        uint32_t parts = take_model(all.bytes, &at[i % ranks], out, *part_count);
        has_room = parts != FR_NONE;
        *part_count += has_room ? parts : 0;
    }
    free(at);
    fr_byte_array_destroy(&bytes);
    if (!has_room) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the names of parts"); }
    return is_done ? FR_OK : fr_error_set(error, FR_ERROR_SYSTEM, "another rank has ended");
}

// Puts the parts that this rank has read into a space, with their numbers.
static fr_status fill_space(const tool *t, const assembly *models, uint32_t model_count, model_parts *parts,
                            fr_space *space, fr_error *error) {
    uint32_t ranks = t->exchange != NULL ? t->exchange->rank_count : 1, at = 0, total = 0;
    uint32_t rank = t->exchange != NULL ? t->exchange->rank : 0;
    for (uint32_t i = rank, own = 0; i < model_count; i += ranks, own++) {
        total += (uint32_t)models[own].parts.count;
    }
    parts->numbers = calloc((size_t)total + 1, sizeof *parts->numbers);
    if (parts->numbers == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts"); }
    for (uint32_t i = rank, own = 0; i < model_count; i += ranks, own++) {
        const fr_clash_part *of = models[own].parts.data;
        for (uint32_t k = 0; k < models[own].parts.count; k++) {
            fr_object_id id;
            fr_status status = fr_object_add_mesh(space, of[k].mesh, &of[k].pose, &id, error);
            if (status != FR_OK) { return status; }
            parts->numbers[at++] = parts->first[i] + k;
        }
    }
    return fr_space_update(space, NULL, error);
}

static fr_status find_models(tool *t, const assembly *models, uint32_t model_count, fr_error *error) {
    looked l = {0};
    model_parts parts = {0};
    fr_tasks tasks;
    fr_space *space = NULL;
    fr_space_def def = fr_default_space_def();
    fr_status status = number_parts(t, models, model_count, &parts, &l.name_count, error);
    if (status == FR_OK) { status = fr_space_create(&def, &space, error); }
    if (status == FR_OK) { status = fill_space(t, models, model_count, &parts, space, error); }
    if (status == FR_OK) {
        l.space = space;
        l.numbers = parts.numbers;
        l.names = calloc((size_t)l.name_count + 1, sizeof *l.names);
        for (uint32_t i = 0; l.names != NULL && i < l.name_count; i++) {
            l.names[i] = parts.names[i];
        }
        if (l.names == NULL) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the names of parts"); }
        if (status == FR_OK) { status = begin(t, &l, &tasks, error); }
        if (status == FR_OK) { status = find(t, &l, 0, 0.0, error); }
        end(t, &l, status);
    }
    fr_space_destroy(space);
    free_parts(&parts, l.name_count);
    return status;
}

// Rank r of N reads models r, r + N, r + 2 N, ...
static exit_status run_models(tool *t) {
    uint32_t ranks = t->exchange != NULL ? t->exchange->rank_count : 1, own = 0;
    uint32_t count = (uint32_t)t->argument_count, rank = t->exchange != NULL ? t->exchange->rank : 0;
    assembly *models = calloc((size_t)count + 1, sizeof *models);
    fr_error error = {.status = FR_ERROR_MEMORY};
    if (models == NULL) { return tool_failed(t, &error); }
    exit_status status = EXIT_STATUS_DONE;
    for (uint32_t i = rank; i < count && status == EXIT_STATUS_DONE; i += ranks) {
        status = assembly_read(t, &t->arguments[i], 1, (assembly_frame){0}, &models[own]);
        own += status == EXIT_STATUS_DONE;
    }
    if (status == EXIT_STATUS_DONE) {
        error = (fr_error){0};
        if (find_models(t, models, count, &error) != FR_OK) { status = tool_failed(t, &error); }
    }
    for (uint32_t i = 0; i < own; i++) {
        assembly_release(&models[i]);
    }
    free(models);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The command

static exit_status run(tool *t) {
#ifdef FUREAI_TOOL_HAS_WORLD
    if (t->argument_count == 1 && path_ends_with(t->arguments[0], ".json")) { return run_scene(t, t->arguments[0]); }
#endif
    return run_models(t);
}

static const argument arguments[] = {
    {.name = "MODEL", .help = "One scene, or model files, which the ranks read in turn.", .repeated = true}};

static const option options_table[] = {
    INT_OPTION("step", "K", "0", 0, 1000000000, "Begin with step K of the scene."),
    INT_OPTION("steps", "N", "1", 1, 1000000000, "Take N steps, as far as the scene has them."),
    FLAG_OPTION("static", "Look at the instants at which the steps begin. Models stand still anyway."),
    NUMBER_OPTION("margin", "D", "0", 0, 1e15, "Also report faces up to D metres apart."),
};

static const example examples[] = {
    {.line = "mpirun -n 4 fureai-mpi faces plant/*.stl", .does = "Which faces collide, each rank holding a part?"},
    {.line = "mpirun -n 4 fureai-mpi --json faces hall.json --steps 100", .does = "The same step by step."},
};

const command command_faces = {
    .name = "faces",
    .summary = "finds colliding faces, which are distributed among the ranks",
    .description =
        "Space is cut into as many domains as there are ranks, so that each has about as many faces and as much work. "
        "A "
        "face is sent to the ranks into whose domains it may come, and a pair belongs to one of them. While objects "
        "stay "
        "near, nothing but their poses is sent again. Space is cut again where the work is uneven.\n\n"
        "Pairs, contacts and times are those of 'fureai collide', bit for bit. How objects relate is not found.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
