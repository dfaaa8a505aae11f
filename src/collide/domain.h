// What a query works with whose faces are distributed among ranks.
//
// Stage 1: ranks report their objects to one another: poses and motions, no faces. Stage 2, where something does not
// fit any more: space is cut into domains along the Morton curve, and every face goes to the ranks into whose domains
// it may come. Stage 3: each rank queries a space of the faces that it holds, and keeps the pairs that belong to its
// domain. Stage 4: all receive the pairs of all.
#ifndef FUREAI_COLLIDE_DOMAIN_INSIDE_H
#define FUREAI_COLLIDE_DOMAIN_INSIDE_H

#include "collide/share.h"
#include "collide/side.h"

#include "fureai/collide_domain.h"

// The logarithm of the cells along each axis.
#define FR__DOMAIN_BITS 10u

// An object as its rank reports it at every query.
typedef struct fr__domain_object {
    uint32_t number, flags, is_moving, part_count;
    fr_filter filter;
    fr_pose pose, next;
    fr_motion motion;
    fr_vec3 pivot_local;
} fr__domain_object;

FR_ARRAY_TYPE(fr__domain_object_array, fr__domain_object);

// How space is cut.
typedef struct fr__domain_cut {
    fr_bounds bounds;           // of all, the cells' grid
    fr_vec3 cells;              // a metre, on each axis; 0 where the bounds have no length
    uint32_t rank_count;        //
    fr_uint32_array first_code; // of each stretch of the curve but the first: the first cell on the curve in it
    fr_uint32_array rank_of;    // each stretch: the rank whose domain it belongs to
} fr__domain_cut;

// An object that this rank gives, as it was when its faces were sent.
typedef struct fr__domain_given {
    uint32_t place, number;
    uint64_t shape;      // its version
    size_t first_face;   // of its faces among all that the rank gives
    uint32_t face_count; //
    bool is_deforming;   // vertices or bones of its own
    fr_pose pose;
    fr_vec3 center_local; // all of it is within `radius_local` of this
    double radius_local;
    double reach; // no point of it may come farther from where it was
} fr__domain_given;

FR_ARRAY_TYPE(fr__domain_given_array, fr__domain_given);

// An object of which this rank holds faces; its number here is its place among them.
typedef struct fr__domain_held {
    uint32_t number;
    fr_object_id id;     // in the rank's space
    size_t first_face;   // of its faces among all that are held
    uint32_t first_part; // of its parts among all that are held
} fr__domain_held;

FR_ARRAY_TYPE(fr__domain_held_array, fr__domain_held);

// The low corner of a face's box, in cells.
typedef struct fr__domain_low {
    uint16_t x, y, z;
} fr__domain_low;

FR_ARRAY_TYPE(fr__domain_low_array, fr__domain_low);

// What a rank reports of its last query.
typedef struct fr__domain_effort {
    double work;
    uint64_t faces, pairs; // held; found, those of others included
} fr__domain_effort;

FR_ARRAY_TYPE(fr__domain_effort_array, fr__domain_effort);

// What a rank reports first.
typedef struct fr__domain_news {
    fr_bounds bounds; // where its objects may come
    fr__domain_effort effort;
    uint64_t must_cut, object_count;
} fr__domain_news;

// A pair with the place from which its contact and intervals come.
typedef struct fr__domain_pair {
    fr_face_pair pair;
    uint32_t rank, index; // in what the rank gave
} fr__domain_pair;

FR_ARRAY_TYPE(fr__domain_pair_array, fr__domain_pair);
FR_ARRAY_TYPE(fr__domain_face_pair_array, fr_face_pair);
FR_ARRAY_TYPE(fr__domain_contact_array, fr_contact);
FR_ARRAY_TYPE(fr__domain_interval_array, fr_touch_interval);

struct fr_domain {
    fr_allocator allocator;
    fr__share share;
    fr__domain_object_array objects; // of all ranks, sorted by number
    fr__domain_given_array given;    // sorted by number
    fr__domain_effort_array efforts; // one a rank, of the last query
    fr__domain_effort effort;        // of this one
    fr__domain_cut cut;
    bool has_cut;
    double cut_distance; // the margin and tolerance that the reaches have room for
    int tries;           // cuts in a row because of the balance
    double settled;      // the best balance of these

    // Faces that are held
    fr_space *space;
    fr_collide *collide;
    fr__domain_held_array held; // sorted by number
    fr_uint32_array parts;      // of the held objects: the part's number in the whole object
    fr_uint32_array triangles;  // one a face: its number in the whole object
    fr__domain_low_array lows;  // one a face
    fr_uint32_array hits;       // one a face that is given: in how many pairs of the last output it was
    fr_uint32_array kept;       // pairs of the rank's own output that belong to it
    fr_byte_array sent;         // faces, by the rank that they go to
    fr_size_array sent_ends;

    fr__domain_pair_array order;
    fr__domain_face_pair_array pairs;
    fr__domain_contact_array contacts;
    fr__domain_interval_array intervals;
};

// One query.
typedef struct fr__domain_run {
    fr_domain *domain;
    const fr_domain_input *input;
    fr_status failure; // of this rank, which the next gather reports; FR_OK
    fr_bounds bounds;  // of all objects
    double distance;   // within which faces are found
    bool is_stopped;
    double free_time;
    fr_domain_stats stats;
} fr__domain_run;

// The rank of an exchange that may be NULL, and how many there are.
static inline uint32_t fr__domain_rank(const fr_domain_input *input) {
    return input->exchange != NULL ? input->exchange->rank : 0;
}
static inline uint32_t fr__domain_rank_count(const fr_domain_input *input) {
    return input->exchange != NULL ? input->exchange->rank_count : 1;
}

// The number of the object at a place of the input's space; FR_NONE: this rank does not give it.
uint32_t fr__domain_number(const fr_domain_input *input, uint32_t place);

// ---------------------------------------------------------------------------------------------------------------
// The cut (domain_cut.c)

// The cell in which a point lies; one outside the grid counts to the nearest.
fr__domain_low fr__domain_cell(const fr__domain_cut *cut, fr_vec3 point);
uint32_t fr__domain_code(fr__domain_low cell);
uint32_t fr__domain_rank_of(const fr__domain_cut *cut, uint32_t code);

// Sets the ranks, in no order, into whose domains a box of cells reaches, both ends included; returns how many there
// are. `ranks` has room for all, and `is_marked` is one a rank, false before and after.
uint32_t fr__domain_ranks_of(const fr__domain_cut *cut, fr__domain_low low, fr__domain_low high, uint32_t *ranks,
                             bool *is_marked);

// Cuts space again, by what the last query took. All ranks call it. False: the share's status says why.
bool fr__domain_cut_space(fr__domain_run *run);

// ---------------------------------------------------------------------------------------------------------------
// Faces (domain_faces.c)

// Lists the objects that this rank gives, with their reaches, as they stand now.
fr_status fr__domain_give_objects(fr__domain_run *run);

// Whether objects came, went, deform, or may leave what their reaches have room for.
bool fr__domain_is_outgrown(const fr__domain_run *run);

// Where the objects that this rank gives may come.
fr_bounds fr__domain_given_bounds(const fr__domain_run *run);

// Calls `take` for each face that this rank gives, with its corners at the pose and at the end of the step where it
// deforms (else NULL).
typedef struct fr__domain_face {
    const fr__domain_given *given;
    const fr__side *side;
    uint32_t triangle; // in the part
    size_t index;      // among all that are given
    fr_vec3 corners[3];
    fr_bounds box; // of its corners, grown by the reach
} fr__domain_face;
typedef bool fr__domain_face_fn(const fr__domain_face *face, void *context);
bool fr__domain_each_face(const fr__domain_run *run, fr__domain_face_fn *take, void *context);

// Sends the faces that this rank gives to where they may come, and receives those that may come here. False: the
// share's status says why. `out` is valid until the next collective call.
bool fr__domain_send_faces(fr__domain_run *run, fr_gathered *out);

// What a part's faces are sent with: a head, then so many faces.
typedef struct fr__domain_block {
    uint32_t number, part;
    uint32_t face_count;
    uint32_t kind; // of fr__domain_kind
    fr_pose pose;  // of the part in its object
} fr__domain_block;

typedef enum fr__domain_kind {
    FR__DOMAIN_FLOAT,   // nine floats a face
    FR__DOMAIN_DOUBLE,  // nine doubles
    FR__DOMAIN_STRAIGHT // eighteen doubles: the vertices at the beginning and at the end
} fr__domain_kind;

typedef struct fr__domain_sent_face {
    uint32_t triangle, polygon; // the number in the object, and in the file
    fr__domain_low low;
    uint16_t unused;
} fr__domain_sent_face;

static inline size_t fr__domain_face_bytes(uint32_t kind) {
    size_t each = kind == FR__DOMAIN_FLOAT ? 9 * sizeof(float) : 9 * sizeof(double);
    return sizeof(fr__domain_sent_face) + (kind == FR__DOMAIN_STRAIGHT ? 2 * each : each);
}

// ---------------------------------------------------------------------------------------------------------------
// What is held (domain_held.c)

// Makes the space of the faces that were received.
fr_status fr__domain_hold(fr__domain_run *run, const fr_gathered *gathered, fr_error *error);

// Moves what is held to where its objects are now.
fr_status fr__domain_follow(fr__domain_run *run, fr_error *error);

// The report about an object; NULL: there is none.
const fr__domain_object *fr__domain_object_of(const fr_domain *domain, uint32_t number);

// ---------------------------------------------------------------------------------------------------------------
// Results (domain_result.c)

// Lists the pairs of the rank's own output that belong to its domain.
fr_status fr__domain_keep(fr__domain_run *run, const fr_collide_output *found);

// Brings the pairs of all ranks together. False: the share's status says why.
bool fr__domain_gather(fr__domain_run *run, const fr_collide_output *found, fr_domain_output *output);

// The output of a rank that is alone.
fr_status fr__domain_take_alone(fr__domain_run *run, const fr_collide_output *found, fr_domain_output *output);

#endif
