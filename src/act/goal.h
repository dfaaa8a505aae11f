// What the files of the search for a goal share.
#ifndef FUREAI_ACT_GOAL_PRIVATE_H
#define FUREAI_ACT_GOAL_PRIVATE_H

#include "fureai/act_goal.h"

#define FR__GOAL_MAX_EVENTS 8u
#define FR__GOAL_DROPPED UINT16_MAX // it lies where it fell

// A reach with a tool within a motion.
typedef struct fr__goal_stage {
    bool is_on;  // the tool's frame is at the frame of the object; else it is away from it
    double turn; // radians about the axis there
} fr__goal_stage;

// What a motion brings about, by its skills.
typedef struct fr__goal_effect {
    const fr_class_motion *motion;
    const char *events[FR__GOAL_MAX_EVENTS]; // of the object, in their order; in the arena
    uint32_t event_count;
    bool takes;                   // the object comes into a hand
    bool releases;                // what is in the hand comes out
    bool is_far;                  // it needs no reach
    bool is_none;                 // nothing of what it does is known to change anything
    int8_t side;                  // of the hand; -1: either
    const char *tool;             // frame of what the hand must hold; NULL: nothing
    const char *frame;            // of the object, where the tool goes; NULL: its origin
    const fr__goal_stage *stages; // of the tool
    uint32_t stage_count;
    bool has_value, asks_value; // the joint goes to `value`, or to one that is to be given
    double value;
} fr__goal_effect;

// An object in a node; 16 bytes, compared as bytes.
typedef struct fr__goal_now {
    double value;       // of the joint
    uint8_t state;      // UINT8_MAX: in none
    uint8_t constraint; // 1 and more: that of the state before that number; 0: the one of the input
    uint16_t holder;    // 1 + 2 person + side; 0: no hand holds it
    uint16_t on;        // 1 + what it lies on, by the input's index; 0: that does not matter; FR__GOAL_DROPPED
    uint16_t over;      // in a hand: 1 + what it is held over, by the input's index; 0: nothing
} fr__goal_now;

typedef struct fr__goal_node {
    uint32_t parent; // FR_NONE: the first
    uint32_t cost;   // steps
    uint32_t unmet;  // conditions
    bool is_closed;
    double seconds;
    fr_goal_step step; // that led here
} fr__goal_node;

typedef struct fr__goal_open {
    uint32_t estimate; // steps to the goal through the node, at least
    uint32_t unmet;
    double seconds;
    uint32_t node;
} fr__goal_open;

// What a motion lacked; the later ones are looked at when the earlier ones are there.
typedef enum fr__goal_lack { FR__GOAL_LACKS_TOOL, FR__GOAL_LACKS_HAND, FR__GOAL_LACKS_REACH } fr__goal_lack;

// Why a motion was not done, by the last thing that it lacked.
typedef struct fr__goal_denial {
    uint32_t object; // of those that matter
    const fr_class_motion *motion;
    fr__goal_lack lack;
    bool is_done; // some time it was not denied: there is nothing to say
    char why[FR_GOAL_WHY_MAX_BYTES + 1];
} fr__goal_denial;

FR_ARRAY_TYPE(fr__goal_node_array, fr__goal_node);
FR_ARRAY_TYPE(fr__goal_open_array, fr__goal_open);
FR_ARRAY_TYPE(fr__goal_denial_array, fr__goal_denial);

#define FR__GOAL_MAX_DENIALS 256u

typedef struct fr__goal_search {
    const fr_goal_search_input *input;
    fr_arena *setup;             // of what follows until `nodes`
    fr_arena *scratch;           // of one evaluation
    uint32_t count;              // objects that matter
    uint32_t *own;               // their indices in the input
    uint32_t *place;             // of the objects of the input among them; FR_NONE: they do not matter
    fr_machine_object *machines; // their references count among them
    fr__goal_effect *effects;    // of all states and motions of all classes that matter
    uint32_t *effect_first;      // by object: of its first state
    uint32_t *newest;            // by object and state (FR_CLASS_MAX_STATES each): last node in it and 1; 0: none
    fr__goal_now *now;           // of the node at hand, and where people stand
    uint32_t *stands;
    fr__goal_now *next; // of the one that follows
    uint32_t *next_stands;
    size_t node_bytes;
    fr__goal_node_array nodes;
    fr_byte_array states;     // node_bytes of each node
    fr_uint32_array table;    // nodes by hash, and 1
    fr__goal_open_array open; // heap
    fr__goal_denial_array denials;
    uint32_t tool; // that is at the frame of an object now; FR_NONE: none
    fr_pose tool_pose;
    uint32_t waiting; // whose state lasts `wait_seconds` now; FR_NONE: none
    double wait_seconds;
    bool is_short; // of memory
} fr__goal_search;

// What the motions of a class bring about; false without memory.
bool fr__goal_compile(fr__goal_search *s, const fr_class_motion *motion, fr__goal_effect *out);

// Takes transitions of s->next until nothing changes, from events on. False without memory.
bool fr__goal_settle(fr__goal_search *s, const fr_machine_event *events, uint32_t event_count);

// Does a motion in s->next: what it brings about. `value` is the one that is given. False without memory.
bool fr__goal_apply(fr__goal_search *s, const fr__goal_effect *effect, uint32_t person, uint32_t object, fr_side side,
                    double value);

// Time passes until the state of an object has lasted as long as a transition of it needs.
bool fr__goal_wait(fr__goal_search *s, uint32_t object, double seconds);

// Machines as a node has them.
void fr__goal_see(const fr__goal_search *s, const fr__goal_now *now);

// Why no chain was found, in the arena of the output.
const char *fr__goal_explain(fr__goal_search *s);

// Notes why a motion was not done.
void fr__goal_deny(fr__goal_search *s, uint32_t object, const fr_class_motion *motion, fr__goal_lack lack,
                   const char *format, ...) FR_PRINTF(5, 6);

// A motion could be done: what it lacked elsewhere does not matter.
void fr__goal_admit(fr__goal_search *s, uint32_t object, const fr_class_motion *motion);

// The state of a condition in the class of its object; FR_NONE: no such state.
uint32_t fr__goal_state(const fr_class_view *c, const char *name);

bool fr__goal_holds(const fr__goal_search *s, const fr__goal_now *now, const fr_goal_condition *condition);

#endif
