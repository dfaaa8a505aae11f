// Queries whose faces are distributed among ranks: the stages of domain.h.
#include "collide/domain.h"

#include "collide/scratch.h"
#include "fureai/base_order.h"

#include <math.h>
#include <string.h>

#define DOMAIN_INPUT_COOKIE 0x646f6d61u

// What a test of two faces, and a pair of them that is listed, cost beside a pair of nodes.
#define WORK_OF_TEST 16.0
#define WORK_OF_CANDIDATE 2.0

// Cuts that follow one another because of the balance. Then it must have become worse by this.
enum { MAX_TRIES = 3 };
#define WORSE 1.2

// What a cut costs for each face that a rank gives, beside a pair of nodes; and in how many queries it shall pay.
#define WORK_OF_CUT 24.0
#define QUERIES_TO_PAY 300.0

fr_domain_input fr_default_domain_input(void) {
    return (fr_domain_input){
        .tolerance = 1e-6, .time_tolerance = 1e-6, .imbalance = 1.2, .cookie = DOMAIN_INPUT_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

fr_status fr_domain_create(const fr_allocator *allocator, fr_domain **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    fr_allocator kept = fr_allocator_or_default(allocator);
    fr_domain *domain = fr_allocate(&kept, 1, sizeof *domain, 64);
    if (domain == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a fr_domain"); }
    memset(domain, 0, sizeof *domain);
    domain->allocator = kept;
    fr__share_make(&domain->share, &kept);
    domain->objects = fr__domain_object_array_make(&kept);
    domain->given = fr__domain_given_array_make(&kept);
    domain->efforts = fr__domain_effort_array_make(&kept);
    domain->cut.first_code = fr_uint32_array_make(&kept);
    domain->cut.rank_of = fr_uint32_array_make(&kept);
    domain->held = fr__domain_held_array_make(&kept);
    domain->parts = fr_uint32_array_make(&kept);
    domain->triangles = fr_uint32_array_make(&kept);
    domain->lows = fr__domain_low_array_make(&kept);
    domain->hits = fr_uint32_array_make(&kept);
    domain->kept = fr_uint32_array_make(&kept);
    domain->sent = fr_byte_array_make(&kept);
    domain->sent_ends = fr_size_array_make(&kept);
    domain->order = fr__domain_pair_array_make(&kept);
    domain->pairs = fr__domain_face_pair_array_make(&kept);
    domain->contacts = fr__domain_contact_array_make(&kept);
    domain->intervals = fr__domain_interval_array_make(&kept);
    fr_status status = fr_collide_create(&kept, &domain->collide, error);
    if (status != FR_OK) {
        fr_domain_destroy(domain);
        return status;
    }
    *out = domain;
    return FR_OK;
}

void fr_domain_destroy(fr_domain *domain) {
    if (domain == NULL) { return; }
    fr_collide_destroy(domain->collide);
    fr_space_destroy(domain->space);
    fr__share_free(&domain->share);
    fr__domain_object_array_destroy(&domain->objects);
    fr__domain_given_array_destroy(&domain->given);
    fr__domain_effort_array_destroy(&domain->efforts);
    fr_uint32_array_destroy(&domain->cut.first_code);
    fr_uint32_array_destroy(&domain->cut.rank_of);
    fr__domain_held_array_destroy(&domain->held);
    fr_uint32_array_destroy(&domain->parts);
    fr_uint32_array_destroy(&domain->triangles);
    fr__domain_low_array_destroy(&domain->lows);
    fr_uint32_array_destroy(&domain->hits);
    fr_uint32_array_destroy(&domain->kept);
    fr_byte_array_destroy(&domain->sent);
    fr_size_array_destroy(&domain->sent_ends);
    fr__domain_pair_array_destroy(&domain->order);
    fr__domain_face_pair_array_destroy(&domain->pairs);
    fr__domain_contact_array_destroy(&domain->contacts);
    fr__domain_interval_array_destroy(&domain->intervals);
    fr_allocator allocator = domain->allocator;
    fr_deallocate(&allocator, domain, 1, sizeof *domain);
}

// ---------------------------------------------------------------------------------------------------------------
// Checks

static fr_status check_options(const fr_domain_input *input, fr_error *error) {
    if (input->cookie != DOMAIN_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_domain_input"); }
    if (input->space == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the input names no space"); }
    const double lengths[2] = {input->margin, input->tolerance};
    for (int i = 0; i < 2; i++) {
        if (!(lengths[i] >= 0.0) || lengths[i] > FR_LENGTH_MAX) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "a margin or tolerance of %g is not in 0 .. 2^300",
                                lengths[i]);
        }
    }
    if (!(input->time_tolerance >= 0.0 && input->time_tolerance <= 1.0) || !(input->imbalance >= 1.0) ||
        (unsigned)input->want > FR_WANT_INTERVALS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "time tolerance, imbalance or want is outside its limits");
    }
    fr_status status = fr__share_check(input->exchange, error);
    bool has_all = fr__domain_rank_count(input) == 1 || (status == FR_OK && input->exchange->all_to_all != NULL);
    if (status == FR_OK && !has_all) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the exchange has no all_to_all");
    }
    return status;
}

// What may differ from rank to rank.
static fr_status check_objects(const fr_domain_input *input, fr_error *error) {
    if (!fr_space_is_current(input->space)) {
        return fr_error_set(error, FR_ERROR_STALE_DATA, "the space was changed after the last update");
    }
    uint32_t next = 0;
    for (uint32_t i = 0; input->numbers != NULL && i < fr_space_object_places(input->space); i++) {
        uint32_t number = fr_space_object_at(input->space, i).index1 != 0 ? input->numbers[i] : FR_NONE;
        if (number == FR_NONE) { continue; }
        if (number < next) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the numbers of objects do not ascend"); }
        next = number + 1;
    }
    return FR_OK;
}

static uint64_t hash_options(const fr_domain_input *input) {
    const double numbers[4] = {input->margin, input->tolerance, input->time_tolerance, input->imbalance};
    const uint32_t kinds[3] = {input->is_over_step, (uint32_t)input->want, fr__domain_rank_count(input)};
    return fr_hash(kinds, sizeof kinds, fr_hash(numbers, sizeof numbers, 0));
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 1: objects

static void report_object(const fr__object *object, uint32_t number, fr__domain_object *out) {
    const fr_object_view *view = &object->view;
    memset(out, 0, sizeof *out);
    out->number = number;
    out->flags = view->flags;
    out->is_moving = view->is_moving;
    out->part_count = view->part_count;
    out->filter = view->filter;
    out->pose = view->pose;
    out->next = view->next;
    out->motion = view->motion;
    out->pivot_local = view->pivot_local;
}

static void put_news(fr__domain_run *run, bool must_cut) {
    fr_domain *domain = run->domain;
    fr__domain_news news;
    memset(&news, 0, sizeof news);
    news.bounds = fr__domain_given_bounds(run);
    news.effort = domain->effort;
    news.must_cut = must_cut;
    news.object_count = domain->given.count;
    void *out = fr__share_put(&domain->share, sizeof news);
    if (out != NULL) { memcpy(out, &news, sizeof news); }
    for (size_t i = 0; i < domain->given.count; i++) {
        const fr__domain_given *given = &domain->given.data[i];
        fr__domain_object report;
        report_object(fr__space_object(run->input->space, given->place), given->number, &report);
        out = fr__share_put(&domain->share, sizeof report);
        if (out != NULL) { memcpy(out, &report, sizeof report); }
    }
}

static bool object_is_before(const fr__domain_object *a, const fr__domain_object *b) { return a->number < b->number; }
FR_SORT_TYPE(sort_objects, fr__domain_object, object_is_before);

// Takes what every rank reported; `*must_cut` where some rank says so.
static fr_status take_news(fr__domain_run *run, const fr_gathered *gathered, bool *must_cut) {
    fr_domain *domain = run->domain;
    domain->objects.count = domain->efforts.count = 0;
    run->bounds = fr_bounds_empty();
    for (uint32_t r = 0; r < fr__domain_rank_count(run->input); r++) {
        size_t size;
        fr__domain_news news;
        const unsigned char *bytes = fr__share_of(gathered, r, &size);
        if (size < sizeof news) { return FR_ERROR_CORRUPT; }
        memcpy(&news, bytes, sizeof news);
        size -= sizeof news;
        if (news.object_count != size / sizeof(fr__domain_object)) { return FR_ERROR_CORRUPT; }
        fr__domain_object *objects = fr__domain_object_array_push(&domain->objects, (size_t)news.object_count);
        fr__domain_effort *effort = fr__domain_effort_array_push(&domain->efforts, 1);
        if (objects == NULL || effort == NULL) { return FR_ERROR_MEMORY; }
        if (size > 0) { memcpy(objects, bytes + sizeof news, size); }
        *effort = news.effort;
        *must_cut = *must_cut || news.must_cut != 0;
        run->bounds = fr_bounds_union(&run->bounds, &news.bounds);
    }
    sort_objects(domain->objects.data, domain->objects.count);
    for (size_t i = 1; i < domain->objects.count; i++) {
        if (domain->objects.data[i].number == domain->objects.data[i - 1].number) { return FR_ERROR_ARGUMENT; }
    }
    return FR_OK;
}

// Whether the work of the last query was so uneven that another cut may pay. All ranks say the same.
static bool is_uneven(fr__domain_run *run) {
    fr_domain *domain = run->domain;
    double most = 0.0, sum = 0.0, faces = 0.0, ranks = (double)domain->efforts.count;
    for (size_t r = 0; r < domain->efforts.count; r++) {
        most = fmax(most, domain->efforts.data[r].work);
        sum += domain->efforts.data[r].work;
        faces += (double)domain->efforts.data[r].faces;
    }
    double balance = run->stats.balance = sum > 0.0 ? most * ranks / sum : 1.0;
    if (balance <= run->input->imbalance) {
        domain->tries = 0;
        return false;
    }
    if ((most - sum / ranks) * QUERIES_TO_PAY < WORK_OF_CUT * faces / ranks) { return false; }
    if (domain->tries >= MAX_TRIES && balance > WORSE * domain->settled) { domain->tries = 0; }
    if (domain->tries == 0 || balance < domain->settled) { domain->settled = balance; }
    return domain->tries++ < MAX_TRIES;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 2: the cut

static bool given_is_before(const fr__domain_given *given, uint32_t number) { return given->number < number; }
FR_SEARCH_TYPE(find_given, fr__domain_given, uint32_t, given_is_before);

static void count_hit(fr_domain *domain, uint32_t number, uint32_t triangle) {
    size_t i = find_given(domain->given.data, domain->given.count, number);
    if (i == domain->given.count || domain->given.data[i].number != number) { return; }
    if (triangle < domain->given.data[i].face_count) {
        domain->hits.data[domain->given.data[i].first_face + triangle]++;
    }
}

// How often each face that the rank gives was in a pair of the last output.
static fr_status count_hits(fr__domain_run *run) {
    fr_domain *domain = run->domain;
    domain->hits.count = 0;
    size_t count = (size_t)run->stats.given_faces;
    uint32_t *hits = fr_uint32_array_push(&domain->hits, count);
    if (hits == NULL) { return FR_ERROR_MEMORY; }
    if (count > 0) { memset(hits, 0, count * sizeof *hits); }
    for (size_t i = 0; i < domain->pairs.count; i++) {
        const fr_face_pair *pair = &domain->pairs.data[i];
        count_hit(domain, pair->a, pair->triangle_a);
        count_hit(domain, pair->b, pair->triangle_b);
    }
    return FR_OK;
}

static void count_given(fr__domain_run *run) {
    const fr_domain *domain = run->domain;
    size_t count = domain->given.count;
    const fr__domain_given *last = count > 0 ? &domain->given.data[count - 1] : NULL;
    run->stats.given_faces = last != NULL ? last->first_face + last->face_count : 0;
}

// Failures of this rank are left in the run, for the next gather. False: the share's status says why.
static bool cut(fr__domain_run *run, fr_error *error) {
    fr_domain *domain = run->domain;
    run->stats.is_cut = true;
    run->failure = fr__domain_give_objects(run);
    count_given(run);
    if (run->failure == FR_OK) { run->failure = count_hits(run); }
    domain->has_cut = false;
    if (!fr__domain_cut_space(run)) { return false; }
    fr_gathered faces;
    if (!fr__domain_send_faces(run, &faces)) { return false; }
    fr__share_note(&domain->share, true);
    if (run->failure == FR_OK) { run->failure = fr__domain_hold(run, &faces, error); }
    fr__share_note(&domain->share, false);
    domain->cut_distance = run->distance;
    domain->has_cut = run->failure == FR_OK;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 3: what meets among the faces that are held

static fr_collide_input query_of(const fr__domain_run *run, const fr_space *space) {
    fr_collide_input query = fr_default_collide_input();
    query.space = space;
    query.want = run->input->want;
    query.margin = run->input->margin;
    query.tolerance = run->input->tolerance;
    query.time_tolerance = run->input->time_tolerance;
    query.tasks = run->input->tasks;
    query.control = run->input->control;
    return query;
}

static fr_status find(fr__domain_run *run, const fr_collide_input *query, fr_collide_output *found, fr_error *error) {
    fr_collide *collide = run->domain->collide;
    collide->are_objects_cut = true;
    fr_status status =
        (run->input->is_over_step ? fr_collide_continuous : fr_collide_static)(collide, query, found, error);
    run->free_time = found->free_time;
    run->stats.work = (double)found->stats.nodes + WORK_OF_CANDIDATE * (double)found->stats.candidates +
                      WORK_OF_TEST * (double)found->stats.tested;
    return status;
}

static void find_held(fr__domain_run *run, fr_collide_output *found, fr_error *error) {
    fr_domain *domain = run->domain;
    fr__share_note(&domain->share, true);
    if (run->failure == FR_OK && !run->stats.is_cut) { run->failure = fr__domain_follow(run, error); }
    if (run->failure == FR_OK) {
        fr_collide_input query = query_of(run, domain->space);
        run->failure = find(run, &query, found, error);
    }
    if (run->failure == FR_OK) { run->failure = fr__domain_keep(run, found); }
    domain->effort = (fr__domain_effort){run->stats.work, domain->triangles.count, found->pair_count};
    fr__share_note(&domain->share, false);
}

// ---------------------------------------------------------------------------------------------------------------
// The query

// Where this rank's own sentence is better than that of the gather that reported its failure.
static fr_status fail(const fr__domain_run *run, fr_error *error) {
    const fr__share *share = &run->domain->share;
    bool has_said = run->failure != FR_OK && error != NULL && error->status == run->failure;
    return has_said ? run->failure : fr__share_error(share, error);
}

static fr_status find_together(fr__domain_run *run, fr_domain_output *output, fr_error *error) {
    fr_domain *domain = run->domain;
    fr__share *share = &domain->share;
    fr_gathered gathered;
    fr_error own = {0};
    fr__share_begin(share, run->input->exchange, hash_options(run->input));
    run->failure = check_objects(run->input, &own);
    bool must_cut = run->failure == FR_OK &&
                    (!domain->has_cut || !(run->distance <= domain->cut_distance) || fr__domain_is_outgrown(run));
    if (must_cut) { run->failure = fr__domain_give_objects(run); }
    if (fr_size_array_reset(&domain->sent_ends, fr__domain_rank_count(run->input)) == NULL) {
        run->failure = FR_ERROR_MEMORY;
    }
    if (run->failure == FR_OK) { put_news(run, must_cut); }
    run->stats.gathers++;
    bool is_done = fr__share_gather(share, false, run->failure, &gathered);
    if (is_done) {
        run->stats.gathered_bytes += gathered.ends[fr__domain_rank_count(run->input) - 1];
        share->status = take_news(run, &gathered, &must_cut);
        is_done = share->status == FR_OK;
    }
    if (!is_done) {
        if (error != NULL && run->failure != FR_OK) { *error = own; }
        return fail(run, error);
    }
    count_given(run);
    must_cut = is_uneven(run) || must_cut;
    fr_collide_output found = {0};
    if (must_cut && !cut(run, &own)) { return fail(run, error); }
    find_held(run, &found, &own);
    if (error != NULL && run->failure != FR_OK) { *error = own; }
    if (!fr__domain_gather(run, &found, output)) {
        domain->has_cut = false;
        return fail(run, error);
    }
    return FR_OK;
}

// Objects of the space that the only rank does not give are left out.
static bool is_given(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space;
    const fr__domain_run *run = context;
    return fr__domain_number(run->input, a.index1 - 1) != FR_NONE &&
           fr__domain_number(run->input, b.index1 - 1) != FR_NONE;
}

static fr_status find_alone(fr__domain_run *run, fr_domain_output *output, fr_error *error) {
    fr_status status = check_objects(run->input, error);
    if (status != FR_OK) { return status; }
    fr_collide_input query = query_of(run, run->input->space);
    query.filter = run->input->numbers != NULL ? is_given : NULL;
    query.filter_context = run;
    fr_collide_output found;
    status = find(run, &query, &found, error);
    if (status != FR_OK) { return status; }
    run->stats.balance = 1.0;
    status = fr__domain_take_alone(run, &found, output);
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "out of memory for colliding faces");
}

fr_status fr_domain_find(fr_domain *domain, const fr_domain_input *input, fr_domain_output *output, fr_error *error) {
    FR_ASSERT(domain != NULL && input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr_status status = check_options(input, error);
    if (status != FR_OK) { return status; }
    fr__domain_run run = {.domain = domain,
                          .input = input,
                          .distance = input->margin + (input->is_over_step ? input->tolerance : 0.0),
                          .bounds = domain->cut.bounds,
                          .free_time = 1.0};
    if (!domain->has_cut) { run.bounds = fr_bounds_empty(); }
    status = fr__domain_rank_count(input) > 1 ? find_together(&run, output, error) : find_alone(&run, output, error);
    output->stats = run.stats;
    if (status != FR_OK) { memset(output, 0, sizeof *output); }
    return status;
}
