// The journal of a server: what is noted of its world, and the replies that wait for the disk.
#ifndef FUREAI_SERVER_JOURNALING_H
#define FUREAI_SERVER_JOURNALING_H

#include "server/journal_state.h"

#include "fureai/protocol.h"
#include "fureai/scene.h"
#include "fureai/world.h"

// A request that was done and whose reply waits.
typedef struct fr__journal_reply {
    uint32_t client, request;
    uint64_t number; // the record that must be on the disk; 0: all that the next tick brings
} fr__journal_reply;

// What was last noted of an object, at its place.
typedef struct fr__journal_seen {
    fr_object_id object; // all zeros: nothing is noted of what is at this place
    fr_pose pose;        // that was noted
    uint64_t bones_hash; // likewise
    uint64_t joint_hash; // likewise
    bool is_placed;      // likewise
    bool has_hung;       // what is noted of it says what it hangs on
    bool was_known;      // since it was last noted whole it was noted what it hangs on, or that it hangs on nothing
    bool wants_pose;     // a state of it changed since the last tick: what it hangs on is noted with it
    bool wants_place;    // it was let go since the last tick: where it is then is a PLACE
    uint32_t client;     // number of the one who let it go
    fr_pose newest;      // of the last tick
    uint64_t newest_hash, newest_joint_hash;
    uint32_t joint_index1; // place of the joint that it hangs on, and 1; 0: none
    uint64_t moved_ns;     // when it was last seen to move
    uint64_t noted_ns;     // when its pose was noted
} fr__journal_seen;

// A state whose value was noted.
typedef struct fr__journal_known {
    fr_object_id object;
    double value;
    char name[FR_WORLD_STATE_NAME_MAX_BYTES + 1];
} fr__journal_known;

// An object that was added, so that it can be added again.
typedef struct fr__journal_added {
    fr_object_id object;
    fr_pose pose;
    char class_name[FR_WORLD_NAME_MAX_BYTES + 1];
} fr__journal_added;

// A command that has not ended.
typedef struct fr__journal_doing {
    uint64_t ticket, id;
    char *body; // as it was noted; `body_bytes` with the zero at its end
    size_t body_bytes;
} fr__journal_doing;

// The world of a scene as it was when another was opened.
typedef struct fr__journal_world {
    char *text; // a store, `text_bytes` of it
    size_t text_bytes;
    char scene[FR__JOURNAL_SCENE_BYTES + 1];
} fr__journal_world;

FR_ARRAY_TYPE(fr__journal_world_array, fr__journal_world);
FR_ARRAY_TYPE(fr__journal_reply_array, fr__journal_reply);
FR_ARRAY_TYPE(fr__journal_seen_array, fr__journal_seen);
FR_ARRAY_TYPE(fr__journal_known_array, fr__journal_known);
FR_ARRAY_TYPE(fr__journal_added_array, fr__journal_added);
FR_ARRAY_TYPE(fr__journal_doing_array, fr__journal_doing);
FR_ARRAY_TYPE(fr__journal_record_array, fr_journal_record);

typedef struct fr__journaling {
    fr_journal table; // all zeros: there is no journal
    bool is_on;       // the world is as the journal has it: changes are noted
    bool has_failed;  // what was noted after `flushed` is lost, and requests are refused
    uint64_t whole;   // number of the last record of a world that was written whole after a failure; 0: none was yet
    uint64_t retry_ns;
    uint64_t number;        // of the last record that was noted
    uint64_t flushed;       // of the last one on the disk
    uint64_t worlds_number; // of the last record of the worlds that were last written whole
    uint64_t last_id;       // of a command
    int64_t time_ms;        // of the last record
    bool wants_all;         // every pose that changed is noted with the next tick
    fr_arena *texts;        // of the records that were not handed over yet
    fr_array body;          // the one that is being written
    fr__journal_record_array pending;
    fr__journal_reply_array replies; // that wait, in their order
    fr__journal_seen_array seen;     // by the objects' index
    fr__journal_known_array known;
    fr__journal_added_array added;
    fr__journal_doing_array doing;
    fr__journal_world_array worlds;            // of other scenes
    char subject[FR_WORLD_NAME_MAX_BYTES + 1]; // name of the object that a request is about; "": none, or not noted
} fr__journaling;

struct fr_server;
struct fr__client;

// ---------------------------------------------------------------------------------------------------------------
// journal.c: records and replies

fr_status fr__journal_make(struct fr_server *server, fr_error *error);
void fr__journal_free(struct fr_server *server);

// Commands that have not ended are of no interest any more.
void fr__journal_forget_doing(struct fr_server *server);

// Whether changes are noted now.
bool fr__journal_is_noting(const fr__journaling *journal);

// Notes a record with the body that was written to `journal->body`; `is_written` says whether that went well. Texts are
// copied. What there is no memory for is a failure of the journal.
void fr__journal_note(struct fr_server *server, fr_journal_kind kind, const char *object, const char *client,
                      bool is_written);

// Whether a request may be carried out: FR_ERROR_FILE while the journal cannot be written, FR_ERROR_BUSY while the disk
// is far behind. Remembers the name of the object that it is about.
fr_status fr__journal_admit(struct fr_server *server, const fr_message *message, fr_error *error);

// Notes what a request did. True: its reply comes when that is on the disk.
bool fr__journal_defer(struct fr__client *client, const fr_message *message, uint32_t request);

// Hands over what was noted, and sends the replies that need not wait any more.
void fr__journal_pump(struct fr_server *server);

// Hands over what was noted and waits until it is on the disk.
fr_status fr__journal_finish(struct fr_server *server, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// journal_note.c: what is noted of the world

// A client holds an object; NULL: no client does any more.
void fr__journal_note_lease(struct fr_server *server, fr_object_id object, const struct fr__client *owner);

// The place of an object that was let go is noted with the next tick.
void fr__journal_note_drop(struct fr_server *server, fr_object_id object, uint32_t client);

void fr__journal_note_state(struct fr_server *server, fr_object_id object, const char *name, const char *client);
void fr__journal_note_add(struct fr_server *server, const fr_scene_addition *addition, const char *client);
void fr__journal_note_command(struct fr_server *server, const fr_command *command, const char *client);
void fr__journal_note_end(struct fr_server *server, const fr_command_end *end);

// What the last tick changed: states, and poses that are due. With `is_last` all poses that changed.
void fr__journal_note_tick(struct fr_server *server, bool is_last);

// Which joints objects hang on now.
void fr__journal_see_joints(struct fr_server *server);

// What an object hangs on, for a record of it: `store` has got one joint, `joint`.
void fr__journal_fill_joint(const struct fr_server *server, const fr__journal_seen *seen, fr__store *store,
                            fr__store_joint *joint, fr__store_object *noted);

// The name by which an object is noted; NULL: none of its own, and it is not.
const char *fr__journal_name(const struct fr_server *server, fr_object_id object);

// ---------------------------------------------------------------------------------------------------------------
// journal_world.c: the world whole

// Opens the scene that the journal has, and makes it as it was; a new journal begins with the first scene.
fr_status fr__journal_open(struct fr_server *server, fr_error *error);

// Another scene is about to be opened: the world is noted whole, and stays known. Its commands end with it.
void fr__journal_leave(struct fr_server *server);

// A scene was opened, and one tick taken: its world is made as it was when it was left. Nothing to do where it was
// never open, or the journal is not read yet.
fr_status fr__journal_return(struct fr_server *server, fr_error *error);

void fr__journal_forget_worlds(struct fr_server *server);

// The states of an object: `out` has FR_WORLD_MAX_STATES places. Returns how many it has.
uint32_t fr__journal_list_states(const struct fr_server *server, fr_object_id id, fr__store_state *out);

// The states of an object are noted: from now on their changes are.
void fr__journal_remember_states(struct fr_server *server, fr_object_id id);

// Another scene was opened, or it begins again: the world is noted whole, right after a tick.
void fr__journal_note_whole(struct fr_server *server);

// Writes the worlds of all scenes where that is due: after a failure, and when many records came since the last time.
void fr__journal_renew(struct fr_server *server);

#endif
