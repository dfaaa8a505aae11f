// The book of an encoder: what receivers have of each object of a world, and since when. Each snapshot is compared with
// it once, for all receivers; what changed since any earlier snapshot is read off it.
#ifndef FUREAI_PROTOCOL_BOOK_H
#define FUREAI_PROTOCOL_BOOK_H

#include "fureai/protocol.h"

typedef struct fr__book_object {
    fr_object_id id;
    fr_pose pose;
    fr_hold hold;
    uint32_t bone_count; // 0: none that can be sent
    size_t first_group;
    const fr_skin_view *skin; // that its bones hang together by; NULL: none
    uint64_t shape;           // version of the object's shape at which it was looked up
    double grain;             // changes of the places of bones below it are not taken over
    uint32_t changed;         // stamp of the last change of its pose or a bone
    uint32_t renewed;         // stamp of when it was new, held, let go or scaled, or got other bones
} fr__book_object;

FR_ARRAY_TYPE(fr__book_object_array, fr__book_object);
FR_ARRAY_TYPE(fr__book_group_array, fr_bone_group);

typedef struct fr__book {
    uint32_t space;                             // of the objects' ids; 0: nothing is in the book
    uint64_t first;                             // sequence that it was begun at; stamps count from it, which is 1
    uint64_t sequence;                          // of the snapshot it was compared with last
    fr__book_object_array objects, old_objects; // sorted by index1
    fr__book_group_array groups, old_groups;    // of bones; changes below a millionth are not taken over
} fr__book;

// The groups of four that so many bones are in.
static inline uint32_t fr__bone_groups(uint32_t bone_count) { return bone_count / 4 + (bone_count % 4 != 0); }

fr__book fr__book_make(const fr_allocator *allocator);
void fr__book_free(fr__book *book);

// Compares a snapshot with the book, which then has it. A book that does not know what came before is begun again, at
// `previous` where that is given. False without memory: the book is empty then.
bool fr__book_take(fr__book *book, const fr_space *space, const fr_snapshot *snapshot, const fr_snapshot *previous);

// The stamp of a snapshot: what changed after it has a higher one. 0 where it was before the book, or is none.
uint32_t fr__book_stamp(const fr__book *book, uint64_t sequence);

#endif
