// Which planar faces of a held object meet others along its motion: what is coloured or heard where nothing holds.
#ifndef FUREAI_EXPERIMENTS_FACE_CONTACTS_H
#define FUREAI_EXPERIMENTS_FACE_CONTACTS_H

#include "fureai/collide.h"
#include "fureai/hand.h"

#define FACE_CONTACTS 64       // pairs of faces a frame; what is more is not reported
#define FACE_CONTACT_MESHES 16 // different meshes of the space

typedef struct face_contacts {
    fr_collide *collide;
    const fr_mesh *meshes[FACE_CONTACT_MESHES];
    fr_planar_faces *planar[FACE_CONTACT_MESHES];
    uint32_t mesh_count;
    fr_aid_pair pairs[FACE_CONTACTS]; // that meet in this frame
    uint32_t pair_count;
    fr_aid_pair reported[FACE_CONTACTS]; // that met in the frame before
    uint32_t reported_count;
} face_contacts;

// All zeros may be closed, too.
fr_status face_contacts_open(face_contacts *f, fr_error *error);
void face_contacts_close(face_contacts *f);

// The held object goes from where it is to `next`, and stays there, whatever it meets. An event CONTACT for each
// pair of planar faces that meets in this frame and did not in the one before. `seconds` is the frame's, `time` its
// end. FR_ERROR_UNSUPPORTED for more meshes than there is room for.
typedef struct face_contacts_frame {
    fr_space *space;
    fr_object_id held;
    fr_pose next;
    double seconds, time;
    void (*on_event)(const fr_hand_event *event, void *context); // may be NULL
    void *context;
} face_contacts_frame;

fr_status face_contacts_move(face_contacts *f, const face_contacts_frame *frame, fr_error *error);

#endif
