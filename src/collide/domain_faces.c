// The faces that a rank gives: how far they may come, and to which ranks they are sent.
#include "collide/domain.h"

#include "collide/pair_geometry.h"
#include "space/part.h"

#include <math.h>
#include <string.h>

// How many further steps like this one an object has room for, where that is a small share of the whole: room makes
// ghosts, and saves sending. One that is faster has room for a few, up to a larger share.
#define STEPS_OF_ROOM 64.0
#define SMALL_ROOM 0.005
#define FEW_STEPS 4.0
#define MAX_ROOM 0.02

// More than rounding moves what a path, a pose or the judge computes from coordinates of a size.
#define ROUNDING 0x1p-34

// ---------------------------------------------------------------------------------------------------------------
// Objects

uint32_t fr__domain_number(const fr_domain_input *input, uint32_t place) {
    if (input->numbers != NULL) { return input->numbers[place]; }
    return place % fr__domain_rank_count(input) == fr__domain_rank(input) ? place : FR_NONE;
}

// A ball around all parts, in the object's frame.
static void set_ball(const fr__object *object, fr__domain_given *out) {
    fr_bounds all = fr_bounds_empty();
    for (uint32_t k = 0; k < object->view.part_count; k++) {
        const fr__part *part = &object->parts[k];
        fr_vec3 center = fr_pose_apply(&part->pose, fr_bounds_center(&part->bounds_local));
        double radius = 0.5 * part->pose.scale * fr_vec3_distance(part->bounds_local.min, part->bounds_local.max);
        fr_bounds ball = fr_bounds_grow(&(fr_bounds){center, center}, radius);
        all = fr_bounds_union(&all, &ball);
    }
    out->center_local = fr_bounds_center(&all);
    out->radius_local = 0.5 * fr_vec3_distance(all.min, all.max) * (1.0 + 0x1p-40);
}

// How far a point of an object gets at most from where it is during the step.
static double path_length(const fr__domain_run *run, const fr__domain_given *given, const fr_object_view *view) {
    if (!run->input->is_over_step || !view->is_moving) { return 0.0; }
    double reach = fr_vec3_distance(given->center_local, view->motion.pivot_local) + given->radius_local;
    double straight = fr_vec3_length(view->motion.travel) + 2.0 * view->pose.scale * reach * (1.0 + 0x1p-30);
    return fmin(fr_motion_speed_bound(&view->motion, reach), straight);
}

// How far a point of an object gets from where it was when its faces were sent, with the distance within which faces
// are found: half of it, as the other face has the other half.
static double reach_of(const fr__domain_run *run, const fr__domain_given *given, const fr_object_view *view,
                       double path) {
    double gap = fr__pose_gap(&given->pose, &view->pose, given->center_local, given->radius_local) + path;
    if (run->input->is_over_step && view->is_moving) {
        gap = fmax(gap, fr__pose_gap(&given->pose, &view->next, given->center_local, given->radius_local));
    }
    double size = fr_vec3_largest(view->pose.position) + fr_vec3_largest(view->next.position) + path +
                  view->pose.scale * (fr_vec3_largest(given->center_local) + given->radius_local);
    return gap + 0.5 * run->distance * (1.0 + 0x1p-20) + ROUNDING * size;
}

static double room_of(const fr__domain_run *run, double path) {
    fr_vec3 whole = fr_vec3_sub(run->bounds.max, run->bounds.min);
    if (fr_bounds_is_empty(&run->bounds)) { return 0.0; }
    double size = fr_vec3_length(whole);
    return fmax(fmin(STEPS_OF_ROOM * path, SMALL_ROOM * size), fmin(FEW_STEPS * path, MAX_ROOM * size));
}

static bool deforms(const fr_object_view *view) {
    return view->vertices != NULL || view->next_vertices != NULL || view->bone_count > 0;
}

fr_status fr__domain_give_objects(fr__domain_run *run) {
    fr_domain *domain = run->domain;
    const fr_space *space = run->input->space;
    size_t faces = 0;
    domain->given.count = 0;
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        uint32_t number = id.index1 != 0 ? fr__domain_number(run->input, i) : FR_NONE;
        if (number == FR_NONE) { continue; }
        const fr__object *object = fr__space_object(space, i);
        fr__domain_given *given = fr__domain_given_array_push(&domain->given, 1);
        if (given == NULL) { return FR_ERROR_MEMORY; }
        bool is_felt = (object->view.flags & FR_OBJECT_GHOST) == 0;
        *given = (fr__domain_given){.place = i,
                                    .number = number,
                                    .shape = object->versions.shape,
                                    .first_face = faces,
                                    .face_count = is_felt ? object->view.triangle_count : 0,
                                    .is_deforming = deforms(&object->view),
                                    .pose = object->view.pose};
        set_ball(object, given);
        double path = path_length(run, given, &object->view);
        given->reach = reach_of(run, given, &object->view, path) + room_of(run, path);
        faces += given->face_count;
    }
    return FR_OK;
}

bool fr__domain_is_outgrown(const fr__domain_run *run) {
    const fr_domain *domain = run->domain;
    const fr_space *space = run->input->space;
    size_t at = 0;
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        uint32_t number = id.index1 != 0 ? fr__domain_number(run->input, i) : FR_NONE;
        if (number == FR_NONE) { continue; }
        const fr__domain_given *given = at < domain->given.count ? &domain->given.data[at++] : NULL;
        if (given == NULL || given->place != i || given->number != number) { return true; }
        const fr__object *object = fr__space_object(space, i);
        bool is_felt = (object->view.flags & FR_OBJECT_GHOST) == 0;
        if (object->versions.shape != given->shape || given->is_deforming || deforms(&object->view) ||
            is_felt != (given->face_count > 0)) {
            return true;
        }
        double path = path_length(run, given, &object->view);
        if (!(reach_of(run, given, &object->view, path) <= given->reach)) { return true; }
    }
    return at != domain->given.count;
}

fr_bounds fr__domain_given_bounds(const fr__domain_run *run) {
    const fr_domain *domain = run->domain;
    fr_bounds all = fr_bounds_empty();
    for (size_t i = 0; i < domain->given.count; i++) {
        const fr__domain_given *given = &domain->given.data[i];
        if (given->face_count == 0) { continue; }
        fr_vec3 center = fr_pose_apply(&given->pose, given->center_local);
        fr_bounds ball = fr_bounds_grow(&(fr_bounds){center, center}, given->pose.scale * given->radius_local);
        all = fr_bounds_union(&all, &ball);
    }
    return all;
}

// ---------------------------------------------------------------------------------------------------------------
// Faces

// The corners of a face at the end of the step, where its vertices go straight.
static void end_corners(const fr__side *side, const fr_object_view *view, uint32_t triangle, fr_vec3 corners[3]) {
    for (int k = 0; k < 3; k++) {
        fr_vec3 v = view->next_vertices[side->first_vertex + side->triangles[3 * (size_t)triangle + (size_t)k]];
        corners[k] = fr_pose_apply(&view->next, fr_pose_apply(&side->part_pose, v));
    }
}

static bool each_of_part(const fr__domain_run *run, const fr__side *side, fr__domain_face *face,
                         fr__domain_face_fn *take, void *context) {
    const fr_object_view *view = &fr__space_object(run->input->space, side->object)->view;
    bool is_straight = run->input->is_over_step && view->next_vertices != NULL;
    for (uint32_t t = 0; t < side->triangle_count; t++, face->index++) {
        face->triangle = t;
        fr__side_corners(side, t, face->corners);
        fr_bounds box = fr_bounds_of_points(face->corners, 3);
        if (is_straight) {
            fr_vec3 end[3];
            end_corners(side, view, t, end);
            for (int k = 0; k < 3; k++) {
                box = fr_bounds_with_point(&box, end[k]);
            }
        }
        face->box = fr_bounds_grow(&box, face->given->reach);
        if (!take(face, context)) { return false; }
    }
    return true;
}

bool fr__domain_each_face(const fr__domain_run *run, fr__domain_face_fn *take, void *context) {
    const fr_domain *domain = run->domain;
    const fr_space *space = run->input->space;
    for (size_t i = 0; i < domain->given.count; i++) {
        const fr__domain_given *given = &domain->given.data[i];
        uint32_t parts = given->face_count > 0 ? fr__space_object(space, given->place)->view.part_count : 0;
        fr__domain_face face = {.given = given, .index = given->first_face};
        for (uint32_t k = 0; k < parts; k++) {
            fr__side side;
            fr__side_of_part(space, given->place, k, &side);
            face.side = &side;
            if (!each_of_part(run, &side, &face, take, context)) { return false; }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

// What goes to one rank.
typedef struct parcel {
    fr_byte_array bytes;
    size_t head; // where the block in progress begins
} parcel;

typedef struct packing {
    const fr__domain_run *run;
    parcel *parcels; // one a rank
    uint32_t *ranks; // of a face
    bool *is_marked;
} packing;

static uint32_t kind_of(const fr__domain_run *run, const fr__side *side) {
    const fr_object_view *view = &fr__space_object(run->input->space, side->object)->view;
    if (run->input->is_over_step && view->next_vertices != NULL) { return FR__DOMAIN_STRAIGHT; }
    return side->positions_float != NULL ? FR__DOMAIN_FLOAT : FR__DOMAIN_DOUBLE;
}

// Begins the block of a part in a parcel; false without memory.
static bool begin_block(const packing *p, parcel *to, const fr__domain_face *face, fr__domain_block *out) {
    const fr__side *side = face->side;
    to->head = to->bytes.count;
    *out = (fr__domain_block){
        .number = face->given->number, .part = side->part, .kind = kind_of(p->run, side), .pose = side->part_pose};
    return fr_byte_array_push(&to->bytes, sizeof *out) != NULL;
}

static void write_positions(const fr__domain_run *run, const fr__domain_face *face, uint32_t kind, unsigned char *out) {
    const fr__side *side = face->side;
    const uint32_t *t = side->triangles + 3 * (size_t)face->triangle;
    for (int k = 0; k < 3; k++) {
        if (kind == FR__DOMAIN_FLOAT) {
            memcpy(out, side->positions_float + 3 * (size_t)t[k], 3 * sizeof(float));
            out += 3 * sizeof(float);
        } else {
            memcpy(out, side->positions_double + 3 * (size_t)t[k], 3 * sizeof(double));
            out += 3 * sizeof(double);
        }
    }
    if (kind != FR__DOMAIN_STRAIGHT) { return; }
    const fr_object_view *view = &fr__space_object(run->input->space, side->object)->view;
    for (int k = 0; k < 3; k++) {
        memcpy(out, &view->next_vertices[side->first_vertex + t[k]], 3 * sizeof(double));
        out += 3 * sizeof(double);
    }
}

static bool pack_into(const packing *p, parcel *to, const fr__domain_face *face, fr__domain_low low) {
    fr__domain_block block = {0};
    bool is_begun = to->bytes.count > 0;
    if (is_begun) { memcpy(&block, to->bytes.data + to->head, sizeof block); }
    bool is_other = !is_begun || block.number != face->given->number || block.part != face->side->part;
    if (is_other && !begin_block(p, to, face, &block)) { return false; }
    unsigned char *out = fr_byte_array_push(&to->bytes, fr__domain_face_bytes(block.kind));
    if (out == NULL) { return false; }
    const fr__domain_sent_face sent = {face->side->first_triangle + face->triangle,
                                       fr_mesh_face(face->side->mesh, face->triangle), low, 0};
    memcpy(out, &sent, sizeof sent);
    write_positions(p->run, face, block.kind, out + sizeof sent);
    block.face_count++;
    memcpy(to->bytes.data + to->head, &block, sizeof block);
    return true;
}

static bool pack_face(const fr__domain_face *face, void *context) {
    packing *p = context;
    const fr__domain_cut *cut = &p->run->domain->cut;
    fr__domain_low low = fr__domain_cell(cut, face->box.min), high = fr__domain_cell(cut, face->box.max);
    uint32_t count = fr__domain_ranks_of(cut, low, high, p->ranks, p->is_marked);
    for (uint32_t i = 0; i < count; i++) {
        if (!pack_into(p, &p->parcels[p->ranks[i]], face, low)) { return false; }
    }
    return true;
}

// Puts the parcels after one another.
static fr_status join(fr__domain_run *run, const parcel *parcels, uint32_t ranks) {
    fr_domain *domain = run->domain;
    domain->sent.count = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        void *out = fr_byte_array_push(&domain->sent, parcels[r].bytes.count);
        if (out == NULL) { return FR_ERROR_MEMORY; }
        if (parcels[r].bytes.count > 0) { memcpy(out, parcels[r].bytes.data, parcels[r].bytes.count); }
        domain->sent_ends.data[r] = domain->sent.count;
        if (r != fr__domain_rank(run->input)) { run->stats.sent_bytes += parcels[r].bytes.count; }
    }
    return FR_OK;
}

static fr_status pack(fr__domain_run *run, uint32_t ranks) {
    fr_domain *domain = run->domain;
    fr_status status = FR_ERROR_MEMORY;
    packing p = {.run = run,
                 .parcels = fr_allocate(&domain->allocator, ranks, sizeof *p.parcels, 16),
                 .ranks = fr_allocate(&domain->allocator, ranks, sizeof *p.ranks, 16),
                 .is_marked = fr_allocate(&domain->allocator, ranks, sizeof *p.is_marked, 16)};
    for (uint32_t r = 0; r < ranks && p.parcels != NULL; r++) {
        p.parcels[r] = (parcel){.bytes = fr_byte_array_make(&domain->allocator)};
    }
    if (p.parcels != NULL && p.ranks != NULL && p.is_marked != NULL) {
        memset(p.is_marked, 0, ranks * sizeof *p.is_marked);
        if (fr__domain_each_face(run, pack_face, &p)) { status = join(run, p.parcels, ranks); }
    }
    for (uint32_t r = 0; r < ranks && p.parcels != NULL; r++) {
        fr_byte_array_destroy(&p.parcels[r].bytes);
    }
    fr_deallocate(&domain->allocator, p.parcels, ranks, sizeof *p.parcels);
    fr_deallocate(&domain->allocator, p.ranks, ranks, sizeof *p.ranks);
    fr_deallocate(&domain->allocator, p.is_marked, ranks, sizeof *p.is_marked);
    return status;
}

// A rank that failed sends nothing, since the others wait for it, and reports its failure in the next gather.
bool fr__domain_send_faces(fr__domain_run *run, fr_gathered *out) {
    fr_domain *domain = run->domain;
    const fr_exchange *exchange = run->input->exchange;
    if (run->failure == FR_OK) { run->failure = pack(run, exchange->rank_count); }
    if (run->failure != FR_OK) {
        memset(domain->sent_ends.data, 0, exchange->rank_count * sizeof *domain->sent_ends.data);
        run->stats.sent_bytes = 0;
    }
    run->stats.gathers++;
    bool is_done = exchange->all_to_all(domain->sent.data, domain->sent_ends.data, out, exchange->user);
    if (is_done) {
        run->stats.gathered_bytes += out->ends[exchange->rank_count - 1];
    } else {
        domain->share.status = FR_ERROR_SYSTEM;
    }
    return is_done;
}
