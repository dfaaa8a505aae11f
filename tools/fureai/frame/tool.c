// One run of the tool: output, JSON document, messages and exit status.
#include "tool.h"

#include "help.h"
#include "interrupt.h"
#include "report.h"
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DOCUMENT_HOLD_BYTES = 1 << 20 };

const option tool_global_options[] = {
    {.name = "json", .kind = OPTION_FLAG, .help = "Print the result as one JSON document."},
    {.name = "quiet", .kind = OPTION_FLAG, .help = "Show no progress, no remarks and no warnings."},
    {.name = "threads",
     .kind = OPTION_INT,
     .metavar = "N",
     .help = "Work with N threads. Results do not depend on it. All processors unless given.",
     .low = 1,
     .high = FR_MAX_WORKERS},
    {.name = "memory",
     .kind = OPTION_INT,
     .metavar = "MB",
     .help = "Let the reading of a model hold up to MB megabytes at once, for assemblies of very many instances. "
             "268, and 4 for each kilobyte of its files, unless given.",
     .low = 1,
     .high = 1 << 24},
    STRING_OPTION("objects", "FOLDER", NULL,
                  "The library of objects that scenes take classes from: that of the scene, or objects beside the "
                  "program, unless given."),
    CHOICE_OPTION(
        "simd", "SET", "baseline,avx2", NULL,
        "The instruction set of the kernels. Results do not depend on it. The environment's FUREAI_SIMD unless "
        "given, or the best this machine has."),
    {.name = "version", .kind = OPTION_FLAG, .help = "Print the version and what this build contains, and end."},
};
const size_t tool_global_option_count = sizeof tool_global_options / sizeof tool_global_options[0];

static const tool_program fureai = {.name = "fureai", .title = "real-time interaction among 3-D objects"};
static const tool_program *running = &fureai;

const tool_program *tool_running(void) { return running; }

// ---------------------------------------------------------------------------------------------------------------
// Results

void tool_print(tool *t, const char *format, ...) {
    if (t->json) { return; }
    va_list arguments;
    va_start(arguments, format);
    fr_output_file_vprint(&t->out, format, arguments);
    va_end(arguments);
}

void tool_print_name(tool *t, const char *name) {
    if (t->json) { return; }
    for (; *name != '\0'; ++name) {
        unsigned char c = (unsigned char)*name;
        fr_output_file_write(&t->out, c < 0x20 || c == 0x7F ? "?" : name, 1);
    }
}

bool tool_writes(const tool *t) { return t->exchange == NULL || t->exchange->rank == 0; }

double tool_plain(double value) { return fabs(value) < 1e-9 ? 0.0 : value; }

tool_text tool_length(double metres) {
    tool_text text;
    const char *format = metres != 0.0 && fabs(metres) < 1e-9 ? "under 1e-9 m" : "%g m";
    snprintf(text.text, sizeof text.text, format, fabs(metres) > 0.0 ? metres : 0.0);
    return text;
}

void tool_print_point(tool *t, fr_vec3 p) {
    tool_print(t, "%g %g %g m", tool_plain(p.x), tool_plain(p.y), tool_plain(p.z));
}

static bool write_document(const void *bytes, size_t size, void *context) {
    return fr_output_file_write(context, bytes, size);
}

fr_json_writer *tool_json(tool *t) {
    if (!t->json) { return NULL; }
    if (!t->has_document) { t->document = fr_json_writer_make(write_document, &t->out, DOCUMENT_HOLD_BYTES, NULL); }
    t->has_document = true;
    return &t->document;
}

void tool_note(tool *t, const char *format, ...) {
    char text[512];
    if (t->quiet) { return; }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    report("%s", text);
}

// ---------------------------------------------------------------------------------------------------------------
// Failures

exit_status tool_wrong_usage(tool *t, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    report("%s", text);
    help_usage_line(t->command, text, sizeof text);
    report_line(text);
    return EXIT_STATUS_USAGE;
}

exit_status tool_failed(tool *t, const fr_error *error) {
    char text[FR_ERROR_MESSAGE_BYTES + FR_ERROR_PATH_BYTES + 32];
    progress_end(&t->bar);
    if (error->status == FR_ERROR_STOPPED) {
        if (t->out.error != EPIPE) { report("stopped"); } // a reader that left knows it
    } else {
        fr_error_format(error, text, sizeof text);
        report("%s", text);
    }
    return EXIT_STATUS_FAILED;
}

exit_status tool_bad_input(tool *t, const fr_error *error) {
    char text[FR_ERROR_MESSAGE_BYTES + FR_ERROR_PATH_BYTES + 32];
    bool input_is_to_blame = error->status != FR_ERROR_MEMORY && error->status != FR_ERROR_STOPPED;
    if (!input_is_to_blame) { return tool_failed(t, error); }
    progress_end(&t->bar);
    fr_error_format(error, text, sizeof text);
    report_line(text);
    return EXIT_STATUS_BAD_INPUT;
}

exit_status tool_stopped(tool *t) {
    progress_end(&t->bar);
    if (t->out.error != EPIPE) { report("stopped"); } // a reader that left knows it
    t->is_part = true;
    return EXIT_STATUS_FAILED;
}

// ---------------------------------------------------------------------------------------------------------------
// Means

// The option whose output is the file at `path`, under whatever name; NULL when there is none.
static const char *overwriting_option(const tool *t, const char *path) {
    struct stat in, out;
    if (stat(path, &in) != 0 || !S_ISREG(in.st_mode)) { return NULL; }
    for (size_t i = 0; i < t->options.count; ++i) {
        const option_value *value = &t->options.values[i];
        if (!value->option->is_output || !value->has_value || stat(value->text, &out) != 0) { continue; }
        if (in.st_dev == out.st_dev && in.st_ino == out.st_ino) { return value->option->name; }
    }
    return NULL;
}

bool path_ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

fr_status tool_check_read(const char *path, void *user, fr_error *error) {
    const char *overwriting = overwriting_option(user, path);
    if (overwriting == NULL) { return FR_OK; }
    fr_error_set(error, FR_ERROR_FILE, "--%s would overwrite this file, which is read", overwriting);
    fr_error_locate(error, path, 0, 0);
    return FR_ERROR_FILE;
}

fr_status tool_read_as(tool *t, const char *path, bool is_plain, size_t limit, fr_input_file *out, fr_error *error) {
    *out = (fr_input_file){0};
    fr_status status = tool_check_read(path, t, error);
    if (status != FR_OK) { return status; }
    fr_input_file_def def = fr_default_input_file_def();
    def.path = path;
    def.is_plain = is_plain;
    def.control = &t->control;
    if (limit > 0) { def.limit = limit; }
    return fr_input_file_read(&def, out, error);
}

fr_status tool_read(tool *t, const char *path, size_t limit, fr_input_file *out, fr_error *error) {
    return tool_read_as(t, path, false, limit, out, error);
}

fr_status tool_tasks(tool *t, fr_tasks *out, fr_error *error) {
    *out = (fr_tasks){0};
    if (t->pool == NULL) {
        fr_task_pool_def def = fr_default_task_pool_def();
        def.worker_count = t->threads;
        fr_status status = fr_task_pool_create(&def, &t->pool, error);
        if (status != FR_OK) { return status; }
    }
    *out = fr_task_pool_tasks(t->pool);
    return FR_OK;
}

// A reader that went away wants no more work done for it either.
static bool wants_stop(void *user) {
    const tool *t = user;
    return interrupt_requested() || t->out.error != 0;
}

static void show_progress(double fraction, const char *stage, void *user) {
    tool *t = user;
    progress_show(&t->bar, fraction, stage);
}

// ---------------------------------------------------------------------------------------------------------------
// One run

static void take_global_options(tool *t) {
    t->json = options_flag(&t->options, "json") && tool_writes(t);
    t->quiet = options_flag(&t->options, "quiet");
    t->memory = (uint64_t)options_int(&t->options, "memory") * 1000000;
    t->objects = options_string(&t->options, "objects");
    t->threads = (int)options_int(&t->options, "threads");
    bool is_given = options_given(&t->options, "threads");
    if (!is_given) { t->threads = tool_running()->threads > 0 ? tool_running()->threads : fr_processor_count(); }
    if (t->threads > FR_MAX_WORKERS) { t->threads = FR_MAX_WORKERS; }
    report_log(t->quiet);
}

// Chooses the kernels by --simd, or else by FUREAI_SIMD.
static exit_status choose_simd(tool *t) {
    bool is_given = options_given(&t->options, "simd");
    const char *name = is_given ? options_string(&t->options, "simd") : getenv("FUREAI_SIMD");
    if (name == NULL || name[0] == '\0') { return EXIT_STATUS_DONE; }
    for (fr_simd simd = FR_SIMD_BASELINE; simd <= FR_SIMD_AVX2; simd++) {
        if (strcmp(name, fr_simd_name(simd)) != 0) { continue; }
        if (fr_simd_set(simd)) { return EXIT_STATUS_DONE; }
        return tool_wrong_usage(t, "%s: this machine or this build has no %s", is_given ? "--simd" : "FUREAI_SIMD",
                                name);
    }
    return tool_wrong_usage(t, "FUREAI_SIMD: '%s' is not one of baseline, avx2", name);
}

static exit_status unknown_command(tool *t, const char *name) {
    const char *meant = command_suggest(t->table, name);
    if (meant != NULL) { return tool_wrong_usage(t, "unknown command '%s'; did you mean '%s'?", name, meant); }
    return tool_wrong_usage(t, "unknown command '%s'; '%s help' lists them", name, report_program());
}

static exit_status run_command(tool *t) {
    char problem[256];
    if (command_argument_problem(t->command, t->argument_count, problem, sizeof problem)) {
        return tool_wrong_usage(t, "%s", problem);
    }
    t->bar = progress_begin(t->quiet);
    t->control = (fr_control){.stop = wants_stop, .progress = show_progress, .user = t};
    exit_status status = t->command->run(t);
    progress_end(&t->bar);
    return status;
}

// Reads the command line and does what it says.
static exit_status dispatch(tool *t, int argc, char **argv) {
    option_tokens line = {.tokens = argv, .count = argc, .next = argc > 0 ? 1 : 0};
    options_add(&t->options, tool_global_options, tool_global_option_count);
    options_add(&t->options, tool_running()->options, tool_running()->option_count);
    options_end end = options_read(&t->options, &line, true);

    if (end == OPTIONS_READ && line.next < line.count && !options_flag(&t->options, "version")) {
        const char *name = line.tokens[line.next++];
        t->command = command_find(t->table, name);
        if (t->command == NULL) { return unknown_command(t, name); }
        options_add(&t->options, t->command->options, t->command->option_count);
        end = options_read(&t->options, &line, false);
    }
    t->arguments = line.tokens;
    t->argument_count = line.argument_count;
    if (end == OPTIONS_PROBLEM) { return tool_wrong_usage(t, "%s", t->options.problem); }
    take_global_options(t);
    exit_status chosen = choose_simd(t);
    if (chosen != EXIT_STATUS_DONE) { return chosen; }
    if (tool_running()->ready != NULL) { tool_running()->ready(t); }

    if (end == OPTIONS_HELP) { return help_print(t, t->command); }
    if (options_flag(&t->options, "version")) { return version_print(t); }
    if (t->command == NULL) {
        fr_output_file standard_error = output_file_adopt(STDERR_FILENO);
        help_write(&standard_error, t->table, NULL, 80);
        (void)fr_output_file_commit(&standard_error, NULL);
        return EXIT_STATUS_USAGE;
    }
    return run_command(t);
}

// Ends the document, and returns whether all of the output arrived.
static exit_status end_output(tool *t, exit_status status) {
    bool is_complete = status == EXIT_STATUS_DONE || status == EXIT_STATUS_CLASH || t->is_part;
    FR_ASSERT(!is_complete || !t->json || t->has_document || t->out.error != 0);
    if (t->has_document && is_complete) {
        fr_json_writer_end(&t->document);
    } else if (t->has_document) {
        fr_json_writer_cancel(&t->document);
    }

    // A reader that left early (`| head`) is no news to the user, and a command that failed has said why.
    fr_error error = {0};
    if (fr_output_file_commit(&t->out, &error) == FR_OK) { return status; }
    if (is_complete && t->out.error != EPIPE) { tool_failed(t, &error); }
    return is_complete ? EXIT_STATUS_FAILED : status;
}

// A standard descriptor that came closed must not become that of a file: what is printed would go there. Writing to
// what is put in its place fails.
static void hold_standard_descriptors(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) { (void)open("/dev/null", O_RDONLY | O_NOCTTY); }
    }
}

exit_status tool_run(const command_table *table, int argc, char **argv) {
    tool_program program = fureai;
    program.table = table;
    exit_status status = tool_run_program(&program, argc, argv);
    running = &fureai;
    return status;
}

exit_status tool_run_program(const tool_program *program, int argc, char **argv) {
    running = program;
    report_set_program(program->name);
    hold_standard_descriptors();
    tool t = {.table = program->table, .exchange = program->exchange, .out = output_file_adopt(STDOUT_FILENO)};
    interrupt_watch();
    report_log(false);
    exit_status status = end_output(&t, dispatch(&t, argc, argv));
    fr_task_pool_destroy(t.pool);
    return status;
}
