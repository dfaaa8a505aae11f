// The command octree: builds, reads, moves and prints octrees.
#include "commands.h"
#include "model_file.h"
#include "picture_request.h"
#include "tool.h"

#include "octree/faithful/cube_motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Largest file that is read as cells.
#define CELL_FILE_BYTES ((size_t)1 << 30)

// The query and its result.
typedef struct octree_run {
    fr_octree *tree;  // as it was built or read
    fr_octree *moved; // NULL without a motion
    bool has_motion;
    fr_octree_motion motion;
    fr_octree_rule rule;
    size_t cubes;
    uint64_t tests;
    bool clipped;
    double ms;
    fr_error error;
} octree_run;

// ---------------------------------------------------------------------------------------------------------------
// Options

// Numbers with commas between them up to `end_mark`; false where anything else stands.
static bool read_numbers(const char **at, const char *end, char end_mark, double *out, int count) {
    for (int i = 0; i < count; i++) {
        if (fr_number_read(at, end, &out[i]) != FR_NUMBER_OK) { return false; }
        bool is_last = i == count - 1;
        if (is_last && end_mark == '\0') { return *at == end; }
        if (*at == end || **at != (is_last ? end_mark : ',')) { return false; }
        (*at)++;
    }
    return true;
}

// "TX,TY,TZ" or "TX,TY,TZ;AX,AY,AZ,DEG".
static bool read_motion(const char *text, fr_octree_motion *out) {
    const char *end = text + strlen(text), *at = text;
    double travel[3], turn[4] = {0.0, 0.0, 1.0, 0.0};
    bool has_turn = strchr(text, ';') != NULL;
    if (!read_numbers(&at, end, has_turn ? ';' : '\0', travel, 3)) { return false; }
    if (has_turn && !read_numbers(&at, end, '\0', turn, 4)) { return false; }
    fr_vec3 axis = {turn[0], turn[1], turn[2]};
    if (fabs(turn[3]) > 1e6 || fr_vec3_largest(axis) == 0.0) { return false; }
    *out = fr_octree_motion_turn(fr_vec3_make(travel[0], travel[1], travel[2]), axis, fr_radians(turn[3]));
    return true;
}

static fr_octree_rule rule_of(const tool *t) {
    const char *name = options_string(&t->options, "rule");
    if (strcmp(name, "overlap") == 0) { return FR_OCTREE_OVERLAP; }
    if (strcmp(name, "centre-closed") == 0) { return FR_OCTREE_CENTER_CLOSED; }
    return strcmp(name, "touch") == 0 ? FR_OCTREE_TOUCH : FR_OCTREE_CENTER;
}

// ---------------------------------------------------------------------------------------------------------------
// The tree

static exit_status read_cells(tool *t, const char *path, fr_octree_def def, octree_run *r) {
    fr_input_file file = {0};
    fr_status status = tool_read(t, path, CELL_FILE_BYTES, &file, &r->error);
    if (status == FR_OK) {
        uint64_t start = fr_clock_ns();
        fr_octomap_input map = fr_default_octomap_input();
        map.bytes = file.data;
        map.size = file.size;
        map.depth = options_given(&t->options, "depth") ? def.depth : 0;
        map.may_prune = options_flag(&t->options, "prune");
        status = path_ends_with(path, ".bt") ? fr_octree_read_octomap(&map, &r->tree, NULL, &r->error)
                                             : fr_octree_read_code(&def, file.data, file.size, &r->tree, &r->error);
        r->ms = fr_clock_ms_since(start);
        fr_input_file_destroy(&file);
        if (status != FR_OK) { fr_error_locate(&r->error, path, r->error.line, r->error.column); }
    }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(t, &r->error);
}

static fr_status build(tool *t, const fr_mesh *mesh, fr_octree_def def, octree_run *r) {
    fr_octree_root_about(&fr_mesh_get(mesh)->bounds, &def);
    fr_octree_builder *builder = NULL;
    fr_status status = fr_octree_create(&def, &r->tree, &r->error);
    if (status == FR_OK) { status = fr_octree_builder_create(NULL, &builder, &r->error); }
    if (status == FR_OK) {
        const char *fill = options_string(&t->options, "fill");
        fr_octree_build_input input = fr_default_octree_build_input();
        input.mesh = mesh;
        input.is_surface_only = strcmp(fill, "surface") == 0;
        input.rule = strcmp(fill, "centre") == 0 ? FR_VOXEL_CENTER : FR_VOXEL_TOUCH;
        uint64_t start = fr_clock_ns();
        status = fr_octree_build(builder, &input, r->tree, &r->error);
        r->ms = fr_clock_ms_since(start);
    }
    fr_octree_builder_destroy(builder);
    return status;
}

static exit_status build_model(tool *t, const char *path, fr_octree_def def, octree_run *r) {
    fr_model *model = NULL;
    exit_status read = model_file_read(t, path, &model);
    if (read != EXIT_STATUS_DONE) { return read; }
    model_file_note_warnings(t, path, model);
    fr_model_mesh_input making = fr_default_model_mesh_input();
    making.control = &t->control;
    fr_mesh *mesh = NULL;
    fr_status status = fr_model_whole_mesh(model, &making, &mesh, &r->error);
    fr_model_destroy(model);
    if (status == FR_OK) { status = build(t, mesh, def, r); }
    fr_mesh_release(mesh);
    if (status == FR_OK) { return EXIT_STATUS_DONE; }
    fr_error_locate(&r->error, path, 0, 0);
    return tool_bad_input(t, &r->error);
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

static fr_status move_fast(tool *t, const fr_tasks *tasks, octree_run *r) {
    (void)t;
    fr_octree_reference *reference = NULL;
    fr_status status = fr_octree_reference_create(r->tree, NULL, &reference, &r->error);
    if (status != FR_OK) { return status; }
    fr_octree_move_input input = fr_default_octree_move_input();
    input.motion = r->motion;
    input.rule = r->rule;
    input.tasks = tasks;
    fr_octree_move_output output;
    uint64_t start = fr_clock_ns();
    status = fr_octree_move(reference, &input, r->moved, &output, NULL);
    r->ms = fr_clock_ms_since(start);
    if (status == FR_OK) {
        r->clipped = output.is_clipped;
        r->cubes = (size_t)fr_octree_count(r->tree).black;
    } else {
        fr_error_set(&r->error, status, "the motion is none");
    }
    fr_octree_reference_destroy(reference);
    return status;
}

static fr_status move_cubes(const char *method, const fr_tasks *tasks, octree_run *r) {
    fr_cube_list list;
    bool is_compact = strcmp(method, "compact") == 0;
    fr_status status =
        is_compact ? fr_cube_list_compact(r->tree, NULL, &list) : fr_cube_list_leaves(r->tree, NULL, &list);
    if (status != FR_OK) { return fr_error_set(&r->error, status, "out of memory for cubes"); }
    fr_cube_motion *mover = NULL;
    status = fr_cube_motion_create(NULL, &mover, &r->error);
    if (status == FR_OK) {
        fr_cube_motion_input input = {.cubes = fr_cubes_of(&list),
                                      .cube_count = list.array.count,
                                      .depth = fr_octree_get_def(r->tree).depth,
                                      .motion = r->motion,
                                      .rule = r->rule,
                                      .method = strcmp(method, "wa") == 0 ? FR_CUBE_PRINTED : FR_CUBE_STAGED,
                                      .tasks = tasks};
        fr_cube_motion_output output;
        uint64_t start = fr_clock_ns();
        status = fr_cube_motion_run(mover, &input, r->moved, &output, &r->error);
        r->ms = fr_clock_ms_since(start);
        r->tests = output.tests;
        r->cubes = list.array.count;
    }
    fr_cube_motion_destroy(mover);
    fr_cube_array_destroy(&list.array);
    return status;
}

static exit_status move(tool *t, octree_run *r) {
    fr_octree_def def = fr_octree_get_def(r->tree);
    const char *method = options_string(&t->options, "method");
    fr_tasks tasks;
    fr_status status = fr_octree_create(&def, &r->moved, &r->error);
    if (status == FR_OK) { status = tool_tasks(t, &tasks, &r->error); }
    if (status == FR_OK) {
        status = strcmp(method, "fast") == 0 ? move_fast(t, &tasks, r) : move_cubes(method, &tasks, r);
    }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &r->error);
}

// ---------------------------------------------------------------------------------------------------------------
// The report

// The code as letters, for the document or for a person; false without memory.
static bool write_code(tool *t, fr_json_writer *j, const fr_octree *tree) {
    size_t size = fr_octree_write_code(tree, NULL, 0);
    char *text = malloc(size + 1);
    if (text == NULL) { return false; }
    fr_octree_write_code(tree, text, size);
    text[size] = '\0';
    tool_print(t, "%s\n", text);
    if (j != NULL) {
        fr_json_write_key(j, "code");
        fr_json_write_bytes(j, text, size);
    }
    free(text);
    return true;
}

static exit_status report(tool *t, const octree_run *r) {
    const fr_octree *tree = r->moved != NULL ? r->moved : r->tree;
    fr_octree_def def = fr_octree_get_def(tree);
    fr_octree_counts counts = fr_octree_count(tree);
    bool has_code = options_flag(&t->options, "code"), is_reported = true;
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        const double min[3] = {def.min.x, def.min.y, def.min.z};
        fr_json_write_object(j);
        fr_json_write_uint_field(j, "depth", def.depth);
        fr_json_write_key(j, "root");
        fr_json_write_object(j);
        fr_json_write_numbers_field(j, "min", min, 3);
        fr_json_write_number_field(j, "edge", def.edge);
        fr_json_write_object_end(j);
        json_fields(j, "black", counts.black, "white", counts.white, "gray", counts.gray, "voxels", counts.black_voxels,
                    "cubes", r->cubes, "tests", r->tests, "clipped", r->clipped, "ms", r->ms);
    }
    if (has_code) {
        is_reported = write_code(t, j, tree);
    } else {
        tool_print(t, "%llu black, %llu white, %llu gray cells; %llu voxels of %g m; %.3f ms\n",
                   (unsigned long long)counts.black, (unsigned long long)counts.white, (unsigned long long)counts.gray,
                   (unsigned long long)counts.black_voxels, ldexp(def.edge, -(int)def.depth), r->ms);
        if (r->tests > 0) { tool_print(t, "%zu cubes, %llu tests\n", r->cubes, (unsigned long long)r->tests); }
        if (r->clipped) { tool_print(t, "some of it is outside the root\n"); }
    }
    if (j != NULL) {
        if (!has_code) {
            fr_json_write_key(j, "code");
            fr_json_write_null(j);
        }
        fr_json_write_object_end(j);
    }
    fr_error error = {.status = FR_ERROR_MEMORY, .message = "no memory for the code"};
    return is_reported ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

static void draw(picture *p, const octree_run *r) {
    if (p == NULL) { return; }
    fr_draw draw = picture_draw(p);
    fr_color blue = {143, 170, 200, 255}, dark = {70, 90, 115, 255};
    fr_octree_draw(r->moved != NULL ? r->moved : r->tree, &draw, blue, dark);
}

static exit_status run(tool *t) {
    const char *path = t->arguments[0], *motion = options_string(&t->options, "move");
    octree_run r = {.rule = rule_of(t)};
    r.has_motion = motion != NULL;
    if (r.has_motion && !read_motion(motion, &r.motion)) {
        return tool_wrong_usage(t, "--move '%s' is not TX,TY,TZ or TX,TY,TZ;AX,AY,AZ,DEG", motion);
    }
    if (strcmp(options_string(&t->options, "method"), "wa") == 0 &&
        (r.rule == FR_OCTREE_OVERLAP || r.rule == FR_OCTREE_TOUCH)) {
        return tool_wrong_usage(t, "--method wa knows --rule centre and centre-closed alone");
    }
    fr_octree_def def = fr_default_octree_def();
    def.depth = (uint32_t)options_int(&t->options, "depth");
    bool is_cells = path_ends_with(path, ".bt") || path_ends_with(path, ".df");
    picture *p = NULL;
    exit_status status = picture_request_begin(t, path, &p);
    if (status == EXIT_STATUS_DONE) {
        status = is_cells ? read_cells(t, path, def, &r) : build_model(t, path, def, &r);
    }
    if (status == EXIT_STATUS_DONE && r.has_motion) { status = move(t, &r); }
    if (status == EXIT_STATUS_DONE) { status = report(t, &r); }
    if (status == EXIT_STATUS_DONE) {
        draw(p, &r);
        status = picture_request_end(t, p);
        p = NULL;
    }
    picture_destroy(p);
    fr_octree_destroy(r.tree);
    fr_octree_destroy(r.moved);
    return status;
}

static const argument arguments[] = {
    {.name = "MODEL", .help = "A model file, an OctoMap binary file (.bt), or a DF code (.df)."},
};

static const option options_table[] = {
    INT_OPTION("depth", "D", "5", 2, FR_OCTREE_MAX_DEPTH,
               "The root is 2^D voxels wide; of an OctoMap file as wide as its cells need where D is not given."),
    FLAG_OPTION("prune", "Of an OctoMap file that is deeper or wider than D: take wider voxels."),
    CHOICE_OPTION(
        "fill", "WHAT", "touch,centre,surface", "touch",
        "Which voxels of a model are black: those that touch it or are inside, those whose centre is inside, or "
        "those that touch its surface."),
    STRING_OPTION("move", "TX,TY,TZ;AX,AY,AZ,DEG", NULL,
                  "Move the octree: a travel in voxels, and a turn about an axis through the middle of the root."),
    CHOICE_OPTION(
        "method", "METHOD", "wa,wa-exact,compact,fast", "fast",
        "How it is moved; all give the same voxels. wa is Weng and Ahuja's as printed, wa-exact with exact tests, "
        "compact with fewer cubes too."),
    CHOICE_OPTION("rule", "RULE", "centre,centre-closed,overlap,touch", "centre",
                  "When a voxel of the moved octree is black: its centre comes from a black one (closed: or from its "
                  "border), or "
                  "it overlaps or touches a moved black one."),
    FLAG_OPTION("code", "Print the DF code: ( for gray, B, W, depth first."),
    PICTURE_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai octree shuttle.obj --depth 6 --picture shuttle.png", .does = "Builds an octree and draws it."},
    {.line = "fureai octree chair.obj --depth 5 --move '0,0,2;0,1,0,30' --rule overlap",
     .does = "Moves it by two voxels and 30 degrees; what moved is contained."},
    {.line = "fureai octree chair.obj --depth 4 --code > chair.df", .does = "Keeps it as a DF code."},
};

const command command_octree = {
    .name = "octree",
    .summary = "builds an octree, moves it, prints its code",
    .description = "Builds the octree of a model in a cube about the model's box whose edge is the box's diagonal, or "
                   "reads one, and moves it on request, always from the octree that was built.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
