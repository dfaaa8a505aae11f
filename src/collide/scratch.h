// The memory that queries of one fr_collide work in. It stays from query to query, so a query that finds no more than
// an earlier one allocates nothing.
#ifndef FUREAI_COLLIDE_SCRATCH_H
#define FUREAI_COLLIDE_SCRATCH_H

#include "collide/face_kernel.h"
#include "collide/found_pool.h"
#include "collide/pair_list.h"
#include "collide/pair_set.h"
#include "collide/result_list.h"
#include "collide/share.h"
#include "collide/slices.h"
#include "collide/uncertainty.h"
#include "fureai/octree.h"
#include "math/point_array.h"

// Two parts that may meet. The list of them is sorted by objects, then parts; pairs of the same two objects have one
// number.
typedef struct fr__part_pair {
    uint32_t object_a, object_b; // places; a < b, or equal for an object with itself
    uint32_t part_a, part_b;
    uint32_t object_pair; // number of the pair of objects, from 0 in sorted order
    uint32_t flags;       // of fr_contact_flags: what the objects' flags give to every contact
} fr__part_pair;

// What earlier queries proved about two parts: see clearance.h.
typedef struct fr__clearance {
    uint32_t object_a, object_b, part_a, part_b; // as in fr__part_pair
    uint32_t generation_a, generation_b;         // of the objects' places
    fr_pose pose_a, pose_b;                      // of object and part in one
    double clearance;  // at these poses no two points of the parts are this near; negative: nothing is known
    double steps;      // so many steps ahead the next proof is to reach
    uint32_t wait;     // queries until it is tried
    uint32_t patience; // how long to wait after a proof that fails
    uint32_t age;      // queries that had these parts, up to a few
    uint64_t nodes;    // of the last walk
    bool is_met;       // the last walk found pairs for the judge, or there was none
} fr__clearance;

// What one worker has done.
typedef struct fr__worker {
    _Alignas(64) fr__found_list found;
    uint64_t nodes, candidates, tested, exact, skipped;
    fr__pair_set judged; // triangles of the part pair it works at that were judged already
    void *walk_memory;   // FR__FACE_WALK_BYTES of the walk it is at; NULL until a query needs it
} fr__worker;

// A piece of the walk of two trees that one worker does at once.
typedef struct fr__walk_piece {
    uint32_t part_pair; // index in the plan; FR_NONE: it was opened
    fr__node_pair nodes;
} fr__walk_piece;

// A piece of the walk of two trees over a slice that one worker does at once.
typedef struct fr__slice_piece {
    uint32_t part_pair; // index in the plan; FR_NONE: it was opened
    fr__slice slice;
    fr__node_pair nodes;
} fr__slice_piece;

// A part whose faces go into the octree.
typedef struct fr__octree_member {
    uint32_t object, part;
    size_t first;     // its first corner
    uint32_t count;   // of triangles
    fr_bounds box;    // step 1
    fr_bounds wanted; // step 2: holds all overlaps with other boxes
} fr__octree_member;

// A candidate face.
typedef struct fr__octree_face {
    uint32_t member, triangle;
} fr__octree_face;

// A part by its names, which it is sorted by.
typedef struct fr__part_name {
    uint32_t object, part;
} fr__part_name;

// Two members that may meet, the lower one first.
typedef struct fr__member_pair {
    uint32_t a, b;
    uint32_t part_pair; // index in the plan
} fr__member_pair;

// A face in a smallest cube of its member's octree.
typedef struct fr__face_cell {
    uint32_t member, voxel, face;
} fr__face_cell;

// How two objects meet: see object_relation.h.
typedef struct fr__object_relation {
    fr_relation relation;
    double time_sure;   // by when contact is proven; FR_UNKNOWN: it is not
    uint32_t part_pair; // the first of the two objects in the plan
    size_t count;       // of their hits
} fr__object_relation;

// 64 bytes of a block that a walk of octrees takes.
typedef struct fr__walk_block {
    _Alignas(64) unsigned char bytes[64];
} fr__walk_block;

FR_ARRAY_TYPE(fr__clearance_array, fr__clearance);
FR_ARRAY_TYPE(fr__part_pair_array, fr__part_pair);
FR_ARRAY_TYPE(fr__space_pair_array, fr_part_pair);
FR_ARRAY_TYPE(fr__walk_piece_array, fr__walk_piece);
FR_ARRAY_TYPE(fr__slice_piece_array, fr__slice_piece);
FR_ARRAY_TYPE(fr__face_pair_array, fr_face_pair);
FR_ARRAY_TYPE(fr__contact_array, fr_contact);
FR_ARRAY_TYPE(fr__object_pair_array, fr_object_pair);
FR_ARRAY_TYPE(fr__object_relation_array, fr__object_relation);
FR_ARRAY_TYPE(fr__touch_interval_array, fr_touch_interval);
FR_ARRAY_TYPE(fr__octree_member_array, fr__octree_member);
FR_ARRAY_TYPE(fr__octree_face_array, fr__octree_face);
FR_ARRAY_TYPE(fr__part_name_array, fr__part_name);
FR_ARRAY_TYPE(fr__member_pair_array, fr__member_pair);
FR_ARRAY_TYPE(fr__face_cell_array, fr__face_cell);
FR_ARRAY_TYPE(fr__walk_block_array, fr__walk_block);
FR_ARRAY_TYPE(fr__octree_owner_array, fr_octree *);
FR_ARRAY_TYPE(fr__octree_view_array, const fr_octree *);
FR_ARRAY_TYPE(fr__listed_candidate_array, fr__listed_candidate);

// The scratch of the octree methods.
typedef struct fr__octree_scratch {
    fr__part_name_array parts;       // of all part pairs, for sorting
    fr__octree_member_array members; // sorted by object and part
    fr__vec3_array corners;          // 3 a triangle of a member: world corners
    fr__octree_face_array faces;     // candidate faces
    fr__bounds_array boxes;          // of each candidate face
    fr__bounds_array paths;          // one a triangle of a member: of its path over the step
    fr_uint32_array lists;           // lists of faces, one a cube on the path down
    fr__listed_candidate_array seen; // hash set of the pairs listed so far
    double slack;                    // what boxes of two members are grown by, at most
    fr__face_cell_array cells;       // of stored octrees, sorted by member and voxel
    fr__octree_owner_array trees;    // one a member
    fr__octree_view_array walked;    // those that are walked together
    fr_uint32_array owners;          // the member of each of them
    fr__walk_block_array walk;       // scratch of the walk
    fr__member_pair_array partners;  // pairs of members that may meet, sorted
} fr__octree_scratch;

struct fr_collide {
    fr_allocator allocator;
    fr__clearance_array clearances, clearances_before; // of the part pairs of this query and of the one before
    uint32_t clearances_space;                         // number of the space they are of
    fr__space_pair_array space_pairs;                  // what the broad phase finds
    fr__part_pair_array part_pairs;                    // the same, sorted and numbered
    fr__walk_piece_array walk_pieces;
    fr__slice_piece_array slice_pieces;
    fr__pair_geometry_array geometries;     // one a part pair, for methods that list candidates first
    fr__found_array found;                  // what all workers found, sorted
    fr_size_array ends;                     // where the hits of each object pair end in `found`
    fr__object_relation_array relations;    // one an object pair
    fr__timed_candidate_array candidates;   // pairs of triangles that may meet during the step, each once
    fr__pair_interval_array pair_intervals; // intervals of contact, sorted
    fr__face_pair_array pairs;              // of the output, as the three that follow
    fr__contact_array contacts;
    fr__object_pair_array object_pairs;
    fr__touch_interval_array intervals;
    fr_double_array free_until;    // one a part pair: up to when its first contacts are found
    fr_double_array limits;        // one a part pair: the time after which no contact is wanted
    fr_double_array object_limits; // one an object pair: the same, from what was found in earlier rounds
    fr_uint32_array round;         // part pairs that are looked at at once
    fr__result_list results;       // what the judge reported about the hits of a step
    fr__pair_list list;
    fr__octree_scratch octree;
    fr__found_pool pool;
    fr__share share;      // of the ranks that do the query together
    bool are_objects_cut; // objects are parts of larger ones: what is inside what is not found
    fr__uncertain_scratch uncertain;
    fr__worker workers[FR_MAX_WORKERS];
};

#endif
