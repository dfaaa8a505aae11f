// Fureai base: the foundation of every room. Status and error, memory, tasks, control, log, clock, random numbers,
// hash, text, triple buffer, drawing. It opens no file and starts no thread except those of a task pool.
#ifndef FUREAI_BASE_H
#define FUREAI_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FR_VERSION_MAJOR 0
#define FR_VERSION_MINOR 12
#define FR_VERSION_PATCH 0

#if defined(__GNUC__)
#define FR_API __attribute__((visibility("default")))
#define FR_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#define FR_INLINE __attribute__((unused)) static inline
#else
#define FR_API
#define FR_PRINTF(format_index, first_index)
#define FR_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Version

typedef struct fr_version {
    int major; // incompatible changes
    int minor; // additions
    int patch; // corrections
} fr_version;

// The version of the library that is linked, which may differ from the FR_VERSION_ macros of the header.
FR_API fr_version fr_get_version(void);

// ---------------------------------------------------------------------------------------------------------------
// Status and error

// Every status with the sentence fr_status_text gives. What input or the system can cause is a status; what only a
// programmer can cause is an assertion. "Nothing found" is not an error.
#define FR_STATUS_TABLE(X)                                                                                             \
    X(FR_OK, "done")                                                                                                   \
    X(FR_ERROR_MEMORY, "out of memory")                                                                                \
    X(FR_ERROR_ARGUMENT, "an argument is outside its limits")                                                          \
    X(FR_ERROR_NOT_FINITE, "a number is not finite")                                                                   \
    X(FR_ERROR_LIMIT, "a size or count is over its limit")                                                             \
    X(FR_ERROR_SYNTAX, "the text or bytes do not follow their format")                                                 \
    X(FR_ERROR_VERSION, "the data were made by another version")                                                       \
    X(FR_ERROR_CORRUPT, "the data contradict themselves")                                                              \
    X(FR_ERROR_UNSUPPORTED, "this kind of data is known but not handled")                                              \
    X(FR_ERROR_STALE_ID, "the id names nothing that still exists")                                                     \
    X(FR_ERROR_STALE_DATA, "derived data are older than their source: update first")                                   \
    X(FR_ERROR_BUSY, "what is to be changed is in use")                                                                \
    X(FR_ERROR_STOPPED, "stopped by the caller")                                                                       \
    X(FR_ERROR_FILE, "a file could not be opened, read or written")                                                    \
    X(FR_ERROR_SYSTEM, "the operating system refused")

typedef enum fr_status {
#define FR_STATUS_VALUE(name, text) name,
    FR_STATUS_TABLE(FR_STATUS_VALUE)
#undef FR_STATUS_VALUE
        FR_STATUS_COUNT
} fr_status;

// The sentence of a status; "unknown status" for a number that is none. Never NULL.
FR_API const char *fr_status_text(fr_status status);

// The name of a status as written in source, such as "FR_ERROR_MEMORY". Never NULL.
FR_API const char *fr_status_name(fr_status status);

#define FR_ERROR_MESSAGE_BYTES 240
#define FR_ERROR_PATH_BYTES 256

// What went wrong and where, by value: it owns no memory and can be copied. Every function that returns an fr_status
// takes an fr_error * as its last argument, which may be NULL; every failure sets a sentence in it.
typedef struct fr_error {
    fr_status status;                     // FR_OK while nothing went wrong
    int line;                             // from 1; 0 where the data have no lines
    int column;                           // in bytes from 1; 0 where unknown
    char message[FR_ERROR_MESSAGE_BYTES]; // one sentence without the place; cut at a whole UTF-8 character
    char path[FR_ERROR_PATH_BYTES];       // file the data came from, "" where none; a longer one: "..." and its end
} fr_error;

// Fills `error` (which may be NULL) with a status and a printf-style sentence, clears its place, returns the status.
// The arguments may be texts of the same error.
FR_API fr_status fr_error_set(fr_error *error, fr_status status, const char *format, ...) FR_PRINTF(3, 4);

// Fills `error`, which may be NULL, with FR_ERROR_ARGUMENT and the sentence that a definition or input lacks the cookie
// of `maker`, such as "fr_default_space_def"; returns the status. Every call that takes a struct with a cookie checks
// it so, in every build.
FR_API fr_status fr_error_set_cookie(fr_error *error, const char *maker);

// Adds the place to an error that was set. `path` may be NULL to keep the path; so may `error`.
FR_API void fr_error_locate(fr_error *error, const char *path, int line, int column);

// Writes "path:line:column: message", leaving out what is unknown, into `text` of `size` bytes, always terminated and
// cut at a whole UTF-8 character. Without a message, the status's sentence. Returns the length the whole text has, as
// snprintf does.
FR_API size_t fr_error_format(const fr_error *error, char *text, size_t size);

// Whether the library that is linked fits the headers that the caller is compiled with: the same major version and,
// before 1.0, the same minor one; from 1.0 on a library with additions fits, too. FR_ERROR_VERSION with both versions
// otherwise. It calls nothing that any earlier library lacks.
static inline fr_status fr_version_check(fr_error *error) {
    fr_version linked = fr_get_version();
    bool is_same_major = linked.major == FR_VERSION_MAJOR;
    bool is_enough = FR_VERSION_MAJOR == 0 ? linked.minor == FR_VERSION_MINOR : linked.minor >= FR_VERSION_MINOR;
    if (is_same_major && is_enough) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_VERSION, "compiled for Fureai %d.%d, linked with %d.%d.%d", FR_VERSION_MAJOR,
                        FR_VERSION_MINOR, linked.major, linked.minor, linked.patch);
}

// Called when an assertion fails. Return false to go on (tests do), true to stop the program.
typedef bool fr_assert_fn(const char *condition, const char *file, int line, void *user);

// Sets the process's assertion hook; NULL restores the default, which writes to the log and stops. Set it before
// other threads run.
FR_API void fr_set_assert(fr_assert_fn *hook, void *user);

// Called by FR_ASSERT; returns what the hook returned.
FR_API bool fr_assert_failed(const char *condition, const char *file, int line);

#if defined(FR_ENABLE_ASSERT) || !defined(NDEBUG)
#define FR_ASSERT(condition)                                                                                           \
    do {                                                                                                               \
        if (!(condition) && fr_assert_failed(#condition, __FILE__, __LINE__)) { __builtin_trap(); }                    \
    } while (0)
#else
#define FR_ASSERT(condition) ((void)0)
#endif

// ---------------------------------------------------------------------------------------------------------------
// Memory

// Max bytes of stack that a call of core uses, without those of the caller's callbacks. A call that needs more works
// in the memory of a handle, of an allocator or of the input.
#define FR_MAX_STACK_BYTES 32768
//
// What an fr_x_create made is given back to fr_x_destroy, in every room; NULL is ignored there.

// Where memory comes from. `alloc` returns `size` bytes aligned to `align` (a power of two), or NULL; `free` gets the
// same size back and never NULL. Both may be called from any thread at once. An allocator of all zeros stands for the
// process default in every definition.
typedef struct fr_allocator {
    void *(*alloc)(size_t size, size_t align, void *user);
    void (*free)(void *pointer, size_t size, void *user);
    void *user;
} fr_allocator;

// The process default: the C library's heap unless fr_set_default_allocator changed it.
FR_API fr_allocator fr_default_allocator(void);

// Changes the process default; all zeros restores the heap. Call it before anything is made: what was made keeps the
// allocator it was made with.
FR_API void fr_set_default_allocator(fr_allocator allocator);

// The allocator itself, or the process default where it is NULL or all zeros.
FR_API fr_allocator fr_allocator_or_default(const fr_allocator *allocator);

// Memory for `count` elements of `size` bytes, or NULL when there is none, when the product is over PTRDIFF_MAX or when
// it is zero. `align` is a power of two, on the C library's heap up to 4096. `allocator` may be NULL or all zeros for
// the process default. Uninitialised.
FR_API void *fr_allocate(const fr_allocator *allocator, size_t count, size_t size, size_t align);

// Gives back what fr_allocate returned for the same allocator, count and size. NULL is ignored.
FR_API void fr_deallocate(const fr_allocator *allocator, void *pointer, size_t count, size_t size);

// An allocator that counts, bounds and fails on request, for tests and for budgets. Safe from several threads.
typedef struct fr_probe fr_probe;

typedef struct fr_probe_counts {
    uint64_t allocations; // successful calls so far
    uint64_t frees;       // blocks given back so far
    uint64_t refused;     // calls that were made to fail
    uint64_t live_blocks; // allocations - frees
    uint64_t live_bytes;  // bytes held now
    uint64_t peak_bytes;  // max bytes ever held
} fr_probe_counts;

// Makes a probe over the C library's heap. NULL when there is no memory. Destroy it with fr_probe_destroy.
FR_API fr_probe *fr_probe_create(void);
FR_API void fr_probe_destroy(fr_probe *probe);

// The allocator to hand to definitions; valid while the probe lives.
FR_API fr_allocator fr_probe_allocator(fr_probe *probe);

// The counts, exact; while other threads allocate, each is that of some moment of the call.
FR_API fr_probe_counts fr_probe_get(const fr_probe *probe);

// From now on the n-th allocation (from 1) fails, and with `is_lasting` every later one too. n = 0: none fails.
FR_API void fr_probe_fail(fr_probe *probe, uint64_t n, bool is_lasting);

// From now on an allocation that would hold more than `bytes` at once fails. UINT64_MAX: no bound.
FR_API void fr_probe_bound(fr_probe *probe, uint64_t bytes);

// An arena: memory that is taken piece by piece and given back all at once. One thread at a time.
typedef struct fr_arena fr_arena;

// A place in an arena to go back to.
typedef struct fr_arena_mark {
    void *block;
    size_t used;
} fr_arena_mark;

// Makes an arena whose first block holds `first_bytes` (0: made at the first allocation), counted as fr_arena_used
// does.
FR_API fr_status fr_arena_create(size_t first_bytes, const fr_allocator *allocator, fr_arena **out, fr_error *error);
FR_API void fr_arena_destroy(fr_arena *arena);

// `count` elements of `size` bytes aligned to `align` (a power of two up to 64), or NULL. Uninitialised. Stays where it
// is until the arena is reset, rewound past it, or destroyed. A product of zero gives a valid pointer to nothing.
FR_API void *fr_arena_alloc(fr_arena *arena, size_t count, size_t size, size_t align);

// Forgets all that was allocated and keeps memory enough for the same again: a caller that holds no more at once than
// the most fr_arena_used ever was before this reset causes no call of the allocator, whatever the sizes, their order
// and the rewinds. The reset itself never allocates; it gives back what growing left over.
FR_API void fr_arena_reset(fr_arena *arena);

// Marks a place, and goes back to it: what was allocated after it is forgotten, marks included. A reset forgets all
// marks.
FR_API fr_arena_mark fr_arena_get_mark(const fr_arena *arena);
FR_API void fr_arena_rewind(fr_arena *arena, fr_arena_mark mark);

// Bytes held now. Each allocation counts its bytes rounded up to 16, and 48 more for an alignment over 16.
FR_API size_t fr_arena_used(const fr_arena *arena);

// A growable array of elements of one size, whose type the compiler does not know: what FR_ARRAY_TYPE is made of.
// `data` moves when the array grows; read and write it between pushes.
typedef struct fr_array {
    void *data;             // `count` elements, aligned to 64; NULL while nothing was ever reserved
    size_t count;           // elements in use
    size_t capacity;        // elements that fit without growing
    size_t element_bytes;   // size of one element
    fr_allocator allocator; // where `data` comes from
} fr_array;

// An empty array; allocates nothing. `allocator` may be NULL.
FR_API fr_array fr_array_make(size_t element_bytes, const fr_allocator *allocator);

// Room for `capacity` elements in all and no more; false, and nothing changed, when there is no memory.
FR_API bool fr_array_reserve(fr_array *array, size_t capacity);

// Room for `count` elements beyond those in use; false, and nothing changed, when there is no memory. An array without
// that room grows by half; where that much is refused, to a sixteenth more than is needed; where that is refused too,
// the call fails. So each element costs constant time over many calls, near a limit of memory as well.
FR_API bool fr_array_reserve_more(fr_array *array, size_t count);

// Appends `count` uninitialised elements and returns the first, or NULL, with nothing changed, when there is no memory.
// Never NULL for a count of 0. It grows as fr_array_reserve_more does.
FR_API void *fr_array_push(fr_array *array, size_t count);

// Gives the memory back; the array is empty and may be used again.
FR_API void fr_array_destroy(fr_array *array);

// FR_ARRAY_TYPE(edge_array, edge) makes the type `edge_array`, a growable array of `edge`, and its functions. They do
// what those of fr_array do, and no cast is needed:
//     edge_array edge_array_make(const fr_allocator *allocator);
//     bool edge_array_reserve(edge_array *array, size_t capacity);
//     bool edge_array_reserve_more(edge_array *array, size_t count);
//     edge *edge_array_push(edge_array *array, size_t count);
//     edge *edge_array_reset(edge_array *array, size_t count); // empties the array, then pushes
//     void edge_array_destroy(edge_array *array);
// Elements are `array.data[i]` for i below `array.count`. A struct of zeros is an empty array on the process's default
// allocator.
#define FR_ARRAY_TYPE(name, type)                                                                                      \
    typedef struct name {                                                                                              \
        type *data;             /* `count` elements, aligned to 64; NULL while nothing was ever reserved */            \
        size_t count;           /* elements in use */                                                                  \
        size_t capacity;        /* elements that fit without growing */                                                \
        fr_allocator allocator; /* where `data` comes from */                                                          \
    } name;                                                                                                            \
                                                                                                                       \
    FR_INLINE name name##_make(const fr_allocator *allocator) {                                                        \
        name array = {NULL, 0, 0, fr_allocator_or_default(allocator)};                                                 \
        return array;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE bool name##_reserve(name *array, size_t capacity) {                                                      \
        if (capacity <= array->capacity) { return true; }                                                              \
        fr_array untyped = {array->data, array->count, array->capacity, sizeof(type), array->allocator};               \
        bool has_room = fr_array_reserve(&untyped, capacity);                                                          \
        array->data = (type *)untyped.data;                                                                            \
        array->capacity = untyped.capacity;                                                                            \
        return has_room;                                                                                               \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE bool name##_reserve_more(name *array, size_t count) {                                                    \
        fr_array untyped = {array->data, array->count, array->capacity, sizeof(type), array->allocator};               \
        bool has_room = fr_array_reserve_more(&untyped, count);                                                        \
        array->data = (type *)untyped.data;                                                                            \
        array->capacity = untyped.capacity;                                                                            \
        return has_room;                                                                                               \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE type *name##_push(name *array, size_t count) {                                                           \
        if (count <= array->capacity - array->count && array->data != NULL) {                                          \
            array->count += count;                                                                                     \
            return array->data + (array->count - count);                                                               \
        }                                                                                                              \
        fr_array untyped = {array->data, array->count, array->capacity, sizeof(type), array->allocator};               \
        type *first = (type *)fr_array_push(&untyped, count);                                                          \
        array->data = (type *)untyped.data;                                                                            \
        array->count = untyped.count;                                                                                  \
        array->capacity = untyped.capacity;                                                                            \
        return first;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE type *name##_reset(name *array, size_t count) {                                                          \
        array->count = 0;                                                                                              \
        return name##_push(array, count);                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE void name##_destroy(name *array) {                                                                       \
        fr_deallocate(&array->allocator, array->data, array->capacity, sizeof(type));                                  \
        array->data = NULL;                                                                                            \
        array->count = 0;                                                                                              \
        array->capacity = 0;                                                                                           \
    }                                                                                                                  \
                                                                                                                       \
    typedef name name /* takes the semicolon after the macro */

FR_ARRAY_TYPE(fr_byte_array, unsigned char);
FR_ARRAY_TYPE(fr_uint32_array, uint32_t);
FR_ARRAY_TYPE(fr_uint64_array, uint64_t);
FR_ARRAY_TYPE(fr_size_array, size_t);
FR_ARRAY_TYPE(fr_float_array, float);
FR_ARRAY_TYPE(fr_double_array, double);

// ---------------------------------------------------------------------------------------------------------------
// Tasks

typedef void fr_task_fn(void *task_context);

// A task system that runs work in parallel: the caller's own behind two callbacks, a pool of this library or, with all
// zeros, none (everything runs inline). Copy it freely.
typedef struct fr_tasks {
    int worker_count; // tasks that may run at once, the calling thread included; below 2: everything inline
    // Starts task(task_context), now or later, on any thread. Returns a handle for `finish`; NULL: it ran inline.
    void *(*enqueue)(fr_task_fn *task, void *task_context, void *user);
    // Returns when the task of the handle is done. Called once for every handle that is not NULL.
    void (*finish)(void *handle, void *user);
    void *user; // given to both
} fr_tasks;

// How a loop's pieces are given to workers.
typedef enum fr_schedule {
    FR_SCHEDULE_CYCLIC, // worker w of N takes pieces w, w + N, w + 2N, ... (the static load of Kitamura ch. 3)
    FR_SCHEDULE_DYNAMIC // each worker takes the next free piece
} fr_schedule;

// Work on the items [begin, end). `worker` is in 0 .. worker_count - 1 and no two calls of one loop run at once with
// the same one, so it can index scratch memory. A call may run a loop of its own on the same tasks.
typedef void fr_range_fn(size_t begin, size_t end, int worker, void *context);

// Calls `fn` for all of [0, item_count) in pieces of at most `grain` items (0 is taken as 1) and returns when all are
// done. The calling thread is worker 0 and works too. `tasks` may be NULL. At most FR_MAX_WORKERS are used. It
// allocates nothing.
FR_API void fr_tasks_run(const fr_tasks *tasks, fr_schedule schedule, size_t item_count, size_t grain, fr_range_fn *fn,
                         void *context);

#define FR_MAX_WORKERS 64

// How many workers fr_tasks_run uses: 1 .. FR_MAX_WORKERS. `tasks` may be NULL.
FR_API int fr_tasks_worker_count(const fr_tasks *tasks);

// Threads of this library that wait for tasks: they spin for some microseconds, then sleep.
typedef struct fr_task_pool fr_task_pool;

typedef struct fr_task_pool_def {
    int worker_count;       // 1 .. FR_MAX_WORKERS, the calling thread included (n - 1 threads are started); default 1
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_task_pool_def
} fr_task_pool_def;

FR_API fr_task_pool_def fr_default_task_pool_def(void);

// Starts the threads. Several threads may run loops on one pool at once. FR_ERROR_SYSTEM when a thread cannot start.
FR_API fr_status fr_task_pool_create(const fr_task_pool_def *def, fr_task_pool **out, fr_error *error);

// Waits for the threads to end. No task may be running.
FR_API void fr_task_pool_destroy(fr_task_pool *pool);

// The pool as tasks; valid while the pool lives.
FR_API fr_tasks fr_task_pool_tasks(fr_task_pool *pool);

// Processors this process may use now, at least 1.
FR_API int fr_processor_count(void);

// ---------------------------------------------------------------------------------------------------------------
// Control, log, clock

// What a caller may do to a long call. All zeros: nothing. Both are called from the calling thread only.
typedef struct fr_control {
    bool (*stop)(void *user); // called often; once true the call ends soon with what it has and says that it is partial
    void (*progress)(double fraction, const char *stage, void *user); // 0 .. 1, never decreasing in one stage
    void *user;
} fr_control;

// True when the caller wants the call to end. `control` and its functions may be NULL.
FR_API bool fr_control_is_stopped(const fr_control *control);

// Reports progress, brought into 0 .. 1 (not a number: 0). `control` and its functions may be NULL.
FR_API void fr_control_progress(const fr_control *control, double fraction, const char *stage);

typedef enum fr_log_level { FR_LOG_DEBUG, FR_LOG_INFO, FR_LOG_WARNING, FR_LOG_ERROR } fr_log_level;

// Gets one line without its end. May be called from any thread.
typedef void fr_log_fn(fr_log_level level, const char *text, void *user);

// Sets the process's log hook; NULL (the default) drops everything. Set it before other threads run.
FR_API void fr_set_log(fr_log_fn *hook, void *user);

// Sends a printf-style line to the hook: cut at 511 bytes and a whole UTF-8 character, ends of lines inside as spaces.
FR_API void fr_log(fr_log_level level, const char *format, ...) FR_PRINTF(2, 3);

// Nanoseconds of a clock that never goes back.
FR_API uint64_t fr_clock_ns(void);

// Milliseconds since an earlier fr_clock_ns.
FR_API double fr_clock_ms_since(uint64_t earlier_ns);

// ---------------------------------------------------------------------------------------------------------------
// Random numbers and hash: the same on every machine

// A stream of random numbers (xoshiro256++). Copy it to fork it; one thread at a time.
typedef struct fr_random {
    uint64_t state[4];
} fr_random;

// A stream for a seed; different seeds give unrelated streams.
FR_API fr_random fr_random_seed(uint64_t seed);

// 64 random bits.
FR_API uint64_t fr_random_bits(fr_random *random);

// Uniform in [0, 1), a multiple of 2^-53.
FR_API double fr_random_unit(fr_random *random);

// Uniform in [low, high); both finite, low <= high; high itself only through rounding, nothing beyond.
FR_API double fr_random_between(fr_random *random, double low, double high);

// Normal, of deviation 1, within 6 of 0: the sum of twelve numbers, so that it is the same everywhere.
FR_API double fr_random_normal(fr_random *random);

// Uniform in 0 .. count - 1 without bias; 0 when count is 0.
FR_API uint64_t fr_random_below(fr_random *random, uint64_t count);

// A 64-bit hash of bytes, for checks and tables; not against an adversary. The same on every machine: words are read
// as little endian. `data` may be NULL for 0 bytes. Hash pieces by giving the hash so far as the seed: where they are
// cut counts, and an empty piece counts too.
FR_API uint64_t fr_hash(const void *data, size_t bytes, uint64_t seed);

// ---------------------------------------------------------------------------------------------------------------
// Text: the same in every locale

// The result of reading a number.
typedef enum fr_number_result {
    FR_NUMBER_OK,
    FR_NUMBER_MISSING, // no digit where a number should be
    FR_NUMBER_NAMED,   // nan or inf, in any spelling
    FR_NUMBER_HUGE     // rounds to infinity
} fr_number_result;

// Reads [+-] digits [. digits] [e [+-] digits] with at least one digit before the exponent, as much of it as stands
// between *at and `end`, and moves *at past it; .5, 5. and 1e+05 are numbers. Rounds to nearest, ties to even; what is
// too small becomes a subnormal or a zero of its sign. On any other result *at and *value are unchanged.
FR_API fr_number_result fr_number_read(const char **at, const char *end, double *value);
FR_API fr_number_result fr_number_read_float(const char **at, const char *end, float *value);

// A whole number with optional sign, saturated at +-2^62; false, and *at unchanged, when there is no digit.
FR_API bool fr_number_read_whole(const char **at, const char *end, int64_t *value);

#define FR_NUMBER_BYTES 32

// Writes a finite number, without a terminator, and returns its length. It has the fewest digits that read back to the
// same bits (at a power of two now and then one more), as 0.001, 12.5, 1e-7 or 3.4e38.
FR_API size_t fr_number_write(double value, char text[FR_NUMBER_BYTES]);
FR_API size_t fr_number_write_float(float value, char text[FR_NUMBER_BYTES]);
FR_API size_t fr_number_write_whole(uint64_t value, char text[FR_NUMBER_BYTES]);

// Bytes (1 .. 4) of the UTF-8 character at `text`; at most `size` bytes are read. 0 where no well-formed one
// begins. Overlong forms, surrogates and numbers above U+10FFFF are not well-formed.
FR_API size_t fr_utf8_length(const char *text, size_t size);

// The name that a mistyped one may have meant ("did you mean"): the best of the names that are offered one after
// another.
typedef struct fr_suggestion {
    const char *typed;    // the word as the user wrote it, not copied
    const char *best;     // NULL while none is near enough
    size_t best_distance; // letters to insert, remove, replace, or swap with their neighbour, to make `best` of `typed`
} fr_suggestion;

FR_API fr_suggestion fr_suggestion_begin(const char *typed);

// Offers a name, which must live as long as the suggestion. It is taken when it is nearer than those before and near
// enough to be meant: 1 to 3 letters off, by the length of `typed`; two letters or more that begin the name
// count as 1 off. Names longer than 63 bytes are compared by their first 63.
FR_API void fr_suggestion_offer(fr_suggestion *s, const char *name);

// ---------------------------------------------------------------------------------------------------------------
// Triple buffer: one writer hands its newest state to one reader; neither ever waits

typedef struct fr_triple_buffer fr_triple_buffer;

// Three slots of `slot_bytes` (1 byte to 1 GiB), zeroed, aligned to 64.
FR_API fr_status fr_triple_buffer_create(size_t slot_bytes, const fr_allocator *allocator, fr_triple_buffer **out,
                                         fr_error *error);
FR_API void fr_triple_buffer_destroy(fr_triple_buffer *buffer);

// The writer's slot, to fill. It holds an older state. Writer's thread only.
FR_API void *fr_triple_buffer_write(fr_triple_buffer *buffer);

// Publishes the writer's slot; the writer gets another one. Writer's thread only. Lock-free.
FR_API void fr_triple_buffer_publish(fr_triple_buffer *buffer);

// The newest published state (zeros before the first), unchanged until the reader's next call. `is_new`, which may be
// NULL, says whether it was not read before. Reader's thread only. Lock-free.
FR_API const void *fr_triple_buffer_read(fr_triple_buffer *buffer, bool *is_new);

// ---------------------------------------------------------------------------------------------------------------
// Drawing: how any room shows itself

// Straight (not premultiplied) sRGB with alpha, each 0 .. 255.
typedef struct fr_color {
    uint8_t r, g, b, a;
} fr_color;

// Where drawing goes: a picture file, a viewer. Points are world coordinates, x y z after one another. A function
// that is NULL is skipped. Called from one thread at a time.
typedef struct fr_draw {
    // `count` segments, 6 coordinates each; `width` in pixels.
    void (*lines)(const double *points, size_t count, fr_color color, double width, void *user);
    // `count` triangles, 9 coordinates each, seen from both sides.
    void (*triangles)(const double *points, size_t count, fr_color color, void *user);
    // `count` points, 3 coordinates each, as dots of `size` pixels.
    void (*points)(const double *points, size_t count, fr_color color, double size, void *user);
    // UTF-8 text whose lower left corner is at `point`; `size` is the height of a capital letter in pixels, about.
    void (*text)(const double *point, const char *text, fr_color color, double size, void *user);
    void *user;
} fr_draw;

// Each calls the function of the table if there is one. `draw` may be NULL.
FR_API void fr_draw_lines(const fr_draw *draw, const double *points, size_t count, fr_color color, double width);
FR_API void fr_draw_triangles(const fr_draw *draw, const double *points, size_t count, fr_color color);
FR_API void fr_draw_points(const fr_draw *draw, const double *points, size_t count, fr_color color, double size);
FR_API void fr_draw_text(const fr_draw *draw, const double *point, const char *text, fr_color color, double size);

// Draws something; `user` is whatever its caller gives it.
typedef void fr_paint_fn(const fr_draw *draw, void *user);

#ifdef __cplusplus
}
#endif

#endif
