// fureai-mpi: commands of fureai whose work the processes of an MPI job share.
//
// Every rank reads the input and holds all of it. The first one prints and writes files; what another one has to say
// is shown by the first, where it is not the same.
#define _GNU_SOURCE
#include "build_id.h"
#include "command.h"
#include "mpi_exchange.h"
#include "report.h"
#include "tool.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern const command command_clash, command_faces, command_help;
#ifdef FUREAI_TOOL_HAS_WORLD
extern const command command_sweep;
#endif

static const command *const list[] = {
    &command_clash,
    &command_faces,
    &command_help,
#ifdef FUREAI_TOOL_HAS_WORLD
    &command_sweep,
#endif
};

static const command_table table = {COMMAND_LIST(list)};

static const option options_table[] = {
    CHOICE_OPTION("cut", "HOW", "static,counter", "counter",
                  "How pieces of the work are given to the ranks: in turn, or from a counter that all share."),
    FLAG_OPTION("cost", "Report messages, bytes and times at the end, and the time that a model expects."),
};

enum { TEXT_BYTES = 2000 };

// What a rank says when it has ended.
typedef struct last_words {
    uint64_t status, hash;
    mpi_costs costs;
    double processor_s;    // that its threads took
    char text[TEXT_BYTES]; // to standard error, its beginning
} last_words;

static fr_exchange exchange;
static mpi_link measured;
static bool has_cost;

// ---------------------------------------------------------------------------------------------------------------
// Before

static void ready(tool *t) {
    bool is_static = strcmp(options_string(&t->options, "cut"), "static") == 0;
    exchange.cut = is_static ? FR_EXCHANGE_STATIC : FR_EXCHANGE_COUNTER;
    has_cost = options_flag(&t->options, "cost");
    if (has_cost) { measured = mpi_exchange_measure(&exchange); }
}

// Ranks of other builds might lay out their bytes in other ways.
static bool all_are_one_build(void) {
    struct {
        uint64_t id;
        int64_t major, minor, patch;
    } own = {.id = build_id()}, *all = calloc(exchange.rank_count, sizeof *all);
    fr_version version = fr_get_version();
    own.major = version.major;
    own.minor = version.minor;
    own.patch = version.patch;
    if (all == NULL) { MPI_Abort(MPI_COMM_WORLD, EXIT_STATUS_FAILED); }
    MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    uint32_t other = 0;
    for (uint32_t r = exchange.rank_count; r-- > 1;) {
        other = all[r].id != all[0].id ? r : other;
    }
    if (other != 0 && exchange.rank == 0) {
        report("rank %u runs another build (%d.%d.%d, %016llx) than rank 0 (%d.%d.%d, %016llx)", other,
               (int)all[other].major, (int)all[other].minor, (int)all[other].patch, (unsigned long long)all[other].id,
               version.major, version.minor, version.patch, (unsigned long long)own.id);
    }
    free(all);
    return other == 0;
}

// Standard output of ranks beside the first goes nowhere, and standard error to a file, for the end.
static FILE *be_quiet(void) {
    FILE *file = tmpfile();
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) { (void)dup2(nowhere, STDOUT_FILENO); }
    (void)dup2(file != NULL ? fileno(file) : nowhere, STDERR_FILENO);
    return file;
}

// ---------------------------------------------------------------------------------------------------------------
// After

static void read_text(FILE *file, char *text) {
    size_t size = 0;
    fflush(stderr);
    if (file != NULL && fseek(file, 0, SEEK_SET) == 0) { size = fread(text, 1, TEXT_BYTES - 1, file); }
    while (size > 0 && text[size - 1] == '\n') {
        size--;
    }
    text[size] = '\0';
}

static bool is_good(uint64_t status) { return status == EXIT_STATUS_DONE || status == EXIT_STATUS_CLASH; }

// The spec's model: what one rank does alone, the shared work in equal parts, messages and bytes.
static void report_cost(const last_words *all, double total_s) {
    double sum = 0.0, most = 0.0, processor = 0.0, ranks = exchange.rank_count;
    uint64_t calls = 0;
    const mpi_costs *own = &all[0].costs;
    for (uint32_t r = 0; r < exchange.rank_count; r++) {
        double work = all[r].costs.work_s;
        sum += work;
        most = work > most ? work : most;
        processor = all[r].processor_s > processor ? all[r].processor_s : processor;
        calls += all[r].costs.calls;
    }
    double alone = total_s - own->work_s - own->wait_s;
    double messages = measured.alpha_s * (2.0 * (double)own->gathers + 3.0 * (double)own->all_to_alls);
    double bytes = (double)own->received_bytes / measured.bytes_per_second;
    report("%u %s, cut %s: %llu gathers of two messages, %llu calls of the counter, %.3f MB to each rank",
           exchange.rank_count, exchange.rank_count == 1 ? "rank" : "ranks",
           exchange.cut == FR_EXCHANGE_STATIC ? "static" : "by a counter", (unsigned long long)own->gathers,
           (unsigned long long)calls, 1e-6 * (double)own->received_bytes);
    if (own->all_to_alls > 0) {
        report("faces were sent %llu times by three messages each, %.3f MB of the above",
               (unsigned long long)own->all_to_alls, 1e-6 * (double)own->faces_bytes);
    }
    report("shared work %.1f ms in all, the most on one rank %.1f ms (%.2f of the mean); waited %.1f ms; processor "
           "%.1f ms "
           "on the busiest rank",
           1e3 * sum, 1e3 * most, sum > 0.0 ? most * ranks / sum : 1.0, 1e3 * own->wait_s, 1e3 * processor);
    report("took %.1f ms; modelled %.1f ms: alone %.1f, shared work / ranks %.1f, messages %.2f (%.1f us each), bytes "
           "%.2f (%.2f GB/s)",
           1e3 * total_s, 1e3 * (alone + sum / ranks + messages + bytes), 1e3 * alone, 1e3 * sum / ranks,
           1e3 * messages, 1e6 * measured.alpha_s, 1e3 * bytes, 1e-9 * measured.bytes_per_second);
}

// Brings the ends of all ranks together. The first shows what the first of those says that has not the same to say.
static exit_status end_together(exit_status status, FILE *said, double total_s, double processor_s) {
    last_words own = {.status = (uint64_t)status,
                      .hash = report_hash(),
                      .costs = mpi_exchange_costs(&exchange),
                      .processor_s = processor_s};
    last_words *all = exchange.rank == 0 ? calloc(exchange.rank_count, sizeof *all) : NULL;
    read_text(said, own.text);
    if (exchange.rank == 0 && all == NULL) { MPI_Abort(MPI_COMM_WORLD, EXIT_STATUS_FAILED); }
    MPI_Gather(&own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (all == NULL) { return EXIT_STATUS_DONE; } // the first rank's status is that of the job
    bool is_reported = false;
    for (uint32_t r = 1; r < exchange.rank_count; r++) {
        if (is_good(all[r].status)) { continue; }
        if (!is_reported && all[r].hash != own.hash) {
            fprintf(stderr, "%s: rank %u: %s\n", "fureai-mpi", r, all[r].text);
            is_reported = true;
        }
        if (is_good((uint64_t)status)) { status = EXIT_STATUS_FAILED; }
    }
    if (has_cost && is_good((uint64_t)status)) { report_cost(all, total_s); }
    free(all);
    return status;
}

static double processor_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static exit_status run(int argc, char **argv, int provided) {
    if (!mpi_exchange_open(&exchange)) { MPI_Abort(MPI_COMM_WORLD, EXIT_STATUS_FAILED); }
    const tool_program program = {.name = "fureai-mpi",
                                  .title = "commands of fureai whose work the ranks of an MPI job share",
                                  .table = &table,
                                  .options = options_table,
                                  .option_count = sizeof options_table / sizeof options_table[0],
                                  .ready = ready,
                                  .exchange = &exchange,
                                  .threads = 1};
    report_set_program(program.name);
    exit_status status = EXIT_STATUS_FAILED;
    FILE *said = exchange.rank > 0 ? be_quiet() : NULL;
    double begin = MPI_Wtime(), processor = processor_now();
    if (provided < MPI_THREAD_SERIALIZED) {
        report("this MPI does not let threads call it");
    } else if (all_are_one_build()) {
        begin = MPI_Wtime();
        status = tool_run_program(&program, argc, argv);
        mpi_exchange_leave(&exchange);
    }
    status = end_together(status, said, MPI_Wtime() - begin, processor_now() - processor);
    if (said != NULL) { fclose(said); }
    mpi_exchange_close(&exchange);
    return status;
}

int main(int argc, char **argv) {
    int provided = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) { return EXIT_STATUS_FAILED; }
    exit_status status = run(argc, argv, provided);
    MPI_Finalize();
    return (int)status;
}
