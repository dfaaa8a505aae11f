// Fureai plan: motion planning. A body of any shape finds a path among obstacles that stand or move.
//
// The room has two planners. The first works on *cells*: world, obstacles and robots are octrees (in the plane
// quadtrees), as Kitamura has them; obstacles repel and the goal attracts through a potential field, and a search goes
// over the state lattice of cells and orientations. The second works on *faces*: the body's triangles move through a
// space, two trees of states are grown by sampling (as RRT-Connect does), and fr_collide_move proves every motion of
// the path free.
//
// Cells are numbered as in octree.h: cell (i, j, k) is [i, i + 1) x [j, j + 1) x [k, k + 1), and its centre is
// (i + 0.5, j + 0.5, k + 0.5). In the plane k is 0 and z is not looked at.
#ifndef FUREAI_PLAN_H
#define FUREAI_PLAN_H

#include "collide.h"
#include "octree.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Worlds of cells

#define FR_PLAN_MAX_DEPTH 8     // in space: 256 cells an axis
#define FR_PLAN_MAX_DEPTH_2D 11 // in the plane
#define FR_PLAN_MAX_OBJECTS 65535
#define FR_PLAN_MAX_BOXES 1048576u // of one shape

// Cells low .. high - 1 on each axis; in the plane 0 .. 1 of z.
typedef struct fr_plan_box {
    int32_t low[3], high[3];
} fr_plan_box;

// The shape of an obstacle or a robot: the union of its boxes, and the point it turns about. A robot's pivot is its
// reference point; where it lies in the middle of a cell, the robot that is not turned covers whole cells.
typedef struct fr_plan_shape {
    const fr_plan_box *boxes;
    uint32_t box_count;
    fr_vec3 pivot; // cells
} fr_plan_shape;

// Where an obstacle or a robot is. `position` moves an obstacle from where its boxes are given; it is the place of a
// robot's pivot. Both are turned about the pivot by Rz Ry Rx, in the plane by z alone.
typedef struct fr_plan_place {
    fr_vec3 position; // cells
    fr_vec3 turn_deg; // degrees
} fr_plan_place;

// A world of cells and the obstacles in it. Changed by one thread at a time; const calls may run at once.
typedef struct fr_plan_world fr_plan_world;

typedef struct fr_plan_world_def {
    int dimension;          // 3 (default) or 2
    uint32_t depth;         // 1 .. FR_PLAN_MAX_DEPTH or FR_PLAN_MAX_DEPTH_2D; default 5
    fr_octree_rule rule;    // which cells an obstacle fills: FR_OCTREE_OVERLAP (default), or FR_OCTREE_CENTER as in the
                            // source's pictures
    uint32_t margin;        // cells (of the city block) by which obstacles are grown, 0 .. 64; default 0
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_plan_world_def
} fr_plan_world_def;

FR_API fr_plan_world_def fr_default_plan_world_def(void);

// Makes an empty world. FR_ERROR_ARGUMENT for what is outside its limits, FR_ERROR_MEMORY.
FR_API fr_status fr_plan_world_create(const fr_plan_world_def *def, fr_plan_world **out, fr_error *error);
FR_API void fr_plan_world_destroy(fr_plan_world *world); // NULL is ignored
FR_API fr_plan_world_def fr_plan_world_get_def(const fr_plan_world *world);

// Puts an obstacle in, or moves the one with that key: its cells are made again from its shape and the place it is
// observed at, by the world's rule; other obstacles' cells are not touched. What is outside the world is left out. The
// shape is not stored. FR_ERROR_NOT_FINITE, FR_ERROR_LIMIT (too many objects or boxes, a number over 2^30),
// FR_ERROR_MEMORY; then nothing has changed.
FR_API fr_status fr_plan_world_set(fr_plan_world *world, uint64_t key, const fr_plan_shape *shape,
                                   const fr_plan_place *place, fr_error *error);

// Does the same with given cells, such as fr_octree_build or fr_octree_move makes. They have the world's dimension and
// depth, else FR_ERROR_ARGUMENT.
FR_API fr_status fr_plan_world_set_cells(fr_plan_world *world, uint64_t key, const fr_octree *cells, fr_error *error);

// Removes an obstacle; FR_ERROR_STALE_ID for a key that is not known.
FR_API fr_status fr_plan_world_remove(fr_plan_world *world, uint64_t key, fr_error *error);

// A counter that grows only when a cell of the world changes its colour.
FR_API uint64_t fr_plan_world_version(const fr_plan_world *world);

// Whether a cell belongs to an obstacle; cells outside the world do.
FR_API bool fr_plan_world_is_black(const fr_plan_world *world, int64_t x, int64_t y, int64_t z);

// The obstacles together, grown by the margin, as a tree: the search space of the source is its white leaves. Brought
// up to date by the calls that change the world; lives as long as the world.
FR_API const fr_octree *fr_plan_world_octree(const fr_plan_world *world);

// ---------------------------------------------------------------------------------------------------------------
// The potential field (Kitamura 4.3.2)
//
// An obstacle repels by pmax / (1 + g), g twice the city-block distance of a cell's centre from the obstacle's cells
// (eqs. 4.2 to 4.4: the largest of all black nodes, however the black part is divided into nodes), and the goal
// attracts by its distance (eqs. 4.5 and 4.6): P = pmax / (1 + g) + attraction |centre - goal|.

#define FR_PLAN_G_NONE 16383 // the g of every cell where there is no obstacle at all; its repulsion is 0

// A field over the cells of a world. Changed by one thread at a time; const calls may run at once.
typedef struct fr_plan_field fr_plan_field;

typedef struct fr_plan_field_def {
    double pmax;            // >= 0; default 100
    double attraction;      // C of the source, a cell, >= 0; default 1
    const fr_tasks *tasks;  // threads that share the work; NULL, the default: the calling thread
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_plan_field_def
} fr_plan_field_def;

FR_API fr_plan_field_def fr_default_plan_field_def(void);

// Makes a field for worlds of this one's dimension and depth, up to date with it; the goal is the world's middle.
// FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY. Memory: four bytes a cell.
FR_API fr_status fr_plan_field_create(const fr_plan_field_def *def, const fr_plan_world *world, fr_plan_field **out,
                                      fr_error *error);
FR_API void fr_plan_field_destroy(fr_plan_field *field); // NULL is ignored

// Brings the field up to date with a world of its dimension and depth, else FR_ERROR_ARGUMENT: nothing is done where
// the version is that of the last update, only what a change can reach where it is the next one, else all. `world` must
// be the one of the last update, or set `is_other`. The result is the same in each case. Allocates nothing.
// O(cells), whatever the number of nodes.
FR_API fr_status fr_plan_field_update(fr_plan_field *field, const fr_plan_world *world, bool is_other, fr_error *error);

// Sets the goal, in cells. FR_ERROR_NOT_FINITE leaves it as it was.
FR_API fr_status fr_plan_field_set_goal(fr_plan_field *field, fr_vec3 goal, fr_error *error);

// g of every cell of a row, x = 0 .. 2^depth - 1; lives until the next update. The row lies in the world.
FR_API const uint16_t *fr_plan_field_row(const fr_plan_field *field, uint32_t y, uint32_t z);

// P at the centre of a cell of the world.
FR_API double fr_plan_field_at(const fr_plan_field *field, uint32_t x, uint32_t y, uint32_t z);

// P of all cells, x fastest, then y.
FR_API void fr_plan_field_write(const fr_plan_field *field, double *out);

// Makes ready the sums that the calls below read: 8 bytes a cell. Updates and another goal make them stale.
// FR_ERROR_MEMORY.
FR_API fr_status fr_plan_field_sum_up(fr_plan_field *field, fr_error *error);

// The sum of P over a box of cells, cut to the world: eight look-ups, however large it is. FR_ERROR_STALE_DATA before
// fr_plan_field_sum_up.
FR_API fr_status fr_plan_field_box(const fr_plan_field *field, const fr_plan_box *box, double *sum, fr_error *error);

// The sum of P over the black cells of a tree of the world's dimension and depth, else FR_ERROR_ARGUMENT: the
// cost of a robot's pose that covers these cells (Kitamura 4.3.4). `cells`, which may be NULL, receives their number.
FR_API fr_status fr_plan_field_tree(const fr_plan_field *field, const fr_octree *tree, double *sum, uint64_t *cells,
                                    fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Paths of cells

typedef struct fr_plan_state {
    fr_plan_place place;
    uint32_t tick; // of dynamic plans and of several robots; else the state's number in the path
} fr_plan_state;

// A path, or why there is none. Destroy it with fr_cell_path_destroy.
typedef struct fr_cell_path {
    bool is_found;
    bool is_checked;       // proven free in continuous motion against the world's cells
    bool is_exhausted;     // not found: nothing was left to search, so there is none at this resolution
    fr_plan_state *states; // start and goal included
    uint32_t state_count;
    double length;       // cells
    uint32_t turns;      // steps of turning
    uint64_t expanded;   // states taken from the search's list
    uint64_t tested;     // poses tested against the world
    uint64_t best_bytes; // the largest memory that the search took
    fr_allocator allocator;
} fr_cell_path;

FR_API void fr_cell_path_destroy(fr_cell_path *path); // makes it all zeros; NULL is ignored

// ---------------------------------------------------------------------------------------------------------------
// Robots of cells

// A robot made ready for a search: for every orientation of its grid the cells that it covers, and those that it sweeps
// while it turns to the next. In the plane the grid is the multiples of alpha_deg; in space those of three angles,
// about y from -90 to 90. Read from any thread.
typedef struct fr_plan_robot fr_plan_robot;

typedef struct fr_plan_robot_def {
    fr_plan_shape shape;    // up to 512 cells an axis, in the plane 4096; copied
    int dimension;          // 3 (default) or 2
    double alpha_deg;       // a step of turning: 90 / alpha_deg is whole, 1 .. 12, in the plane 1 .. 180; default 30
    bool is_lazy;           // masks are made when a search first needs them; default false: all at once
    const fr_tasks *tasks;  // threads that make the masks; NULL: the calling thread
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_plan_robot_def
} fr_plan_robot_def;

FR_API fr_plan_robot_def fr_default_plan_robot_def(void);

// Makes a robot; its masks do not depend on the threads. FR_ERROR_ARGUMENT for a shape without cells and for an
// alpha_deg that does not divide 90, FR_ERROR_LIMIT, FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY.
FR_API fr_status fr_plan_robot_create(const fr_plan_robot_def *def, fr_plan_robot **out, fr_error *error);
FR_API void fr_plan_robot_destroy(fr_plan_robot *robot); // NULL is ignored

typedef struct fr_plan_robot_info {
    int dimension;
    double alpha_deg;
    uint32_t orientations; // of the grid
    uint32_t boxes;        // that do not overlap
    uint64_t cells;        // not turned
    double reach;          // cells from the pivot to the farthest point
    uint64_t masks;        // made so far
    uint64_t bytes;        // they take
} fr_plan_robot_info;

FR_API fr_plan_robot_info fr_plan_robot_get_info(const fr_plan_robot *robot);

// ---------------------------------------------------------------------------------------------------------------
// Checking paths of cells

// Between two states the position moves straight and each angle turns evenly by less than 180 degrees.
typedef struct fr_plan_check_input {
    const fr_plan_world *world;
    const fr_plan_shape *shape; // of the robot
    const fr_plan_state *states;
    uint32_t state_count;
    double spacing; // the largest travel of a robot's point between two samples, cells, 0.001 .. 1; default 0.25
    const fr_control *control; // may be NULL
    uint32_t cookie;           // set by fr_default_plan_check_input
} fr_plan_check_input;

FR_API fr_plan_check_input fr_default_plan_check_input(void);

typedef struct fr_plan_check_output {
    bool is_free;     // no sample is deeper in a cell that is black or outside the world than 1e-6 of the world's size
    uint32_t state;   // not free: the first bad sample is between this state and the next
    double fraction;  // 0 .. 1 between the two
    int32_t cell[3];  // that the robot meets
    double depth;     // the smallest displacement that leaves that cell, cells
    uint64_t samples; // tested
} fr_plan_check_output;

// Checks a path, whatever planner made it: every box of the robot against every black cell, at every
// sample. FR_ERROR_NOT_FINITE, FR_ERROR_ARGUMENT, FR_ERROR_STOPPED. Allocates nothing; any thread.
FR_API fr_status fr_plan_check_cells(const fr_plan_check_input *input, fr_plan_check_output *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Searching the lattice

// The lattice: the robot's reference point in the middle of a cell, its orientation one of its grid; moves by one cell
// along an axis and turns by one step of one angle. Every path it gives is free in continuous motion, and it gives one
// wherever the lattice has one.
typedef struct fr_plan_cells_input {
    const fr_plan_world *world;
    const fr_plan_robot *robot; // of the world's dimension
    fr_plan_place start, goal;  // anywhere; motions between them and the lattice are proven too
    bool is_goal_turn_any;      // the goal's orientation is free; default true
    double weight;       // 1 .. 1000: bounds the path's cost by this multiple of the minimum (weighted A*); default 2
    double turn_cost;    // cells that a step of turning counts as, 0 .. 1e6; default 3
    double field_cost;   // each step costs so much more for each unit of the obstacles' potential where it ends
                         // (100 at an obstacle), 0 .. 1e6; default 0; more than 0 stays clear of walls
    bool is_shortened;   // goes straight between states of one orientation where that is proven; default false
    bool is_finer_turn;  // where there is no path, searches again with steps of half the angle; default false
    bool is_finer_cells; // and with cells of half the edge; with both, last with both; default false
    uint64_t budget;     // the largest number of states to expand; 0 (default): no limit
    const fr_control *control; // may be NULL
    fr_allocator allocator;    // of the path and of scratch memory; default: the process default
    uint32_t cookie;           // set by fr_default_plan_cells_input
} fr_plan_cells_input;

FR_API fr_plan_cells_input fr_default_plan_cells_input(void);

// Finds a path by A*. The heuristic is the distance to the goal of a point, or of the part of the robot that is the
// same in every orientation. Not found: is_exhausted says that nothing was left to search; else budget or control ended
// the search, and the states are a path to the place nearest to the goal that it reached. FR_ERROR_ARGUMENT with a
// sentence for a start or goal that is in collision (and with which cell) or outside, a robot larger than the world,
// and options outside their limits; FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY. The same input gives the same path. Any
// thread; the world must not change meanwhile.
FR_API fr_status fr_plan_cells(const fr_plan_cells_input *input, fr_cell_path *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Among obstacles that move

// How an agent finds its next step.
typedef enum fr_plan_method {
    FR_PLAN_ASTAR, // plans a path, follows it while it is free, else plans again
    FR_PLAN_RTA,   // Korf's RTA*: looks one step ahead and stores the second best cost; constant time a tick
    FR_PLAN_LRTA,  // LRTA*: stores the best cost: slower, but it learns
    FR_PLAN_DSTAR  // D* Lite: a shortest path that is repaired, not searched from scratch, when something changes
} fr_plan_method;

// The result of a tick.
typedef enum fr_plan_event {
    FR_PLAN_MOVED,
    FR_PLAN_TURNED,
    FR_PLAN_WAIT,   // there is no path now; the robot stays at its state, which is free
    FR_PLAN_GOAL,   // the robot is at its goal and stays there
    FR_PLAN_OVERRUN // an obstacle overlaps the robot, which takes a step towards the nearest free state, if any
} fr_plan_event;

// A robot that moves through a world that changes between its ticks: the agent observes the world as it is at a tick.
// It moves by one cell or one step of turning a tick. One thread at a time.
typedef struct fr_plan_agent fr_plan_agent;

typedef struct fr_plan_agent_def {
    const fr_plan_world *world; // must live longer than the agent
    const fr_plan_robot *robot; // must live longer than the agent
    fr_plan_place start;        // off the lattice: the first tick that can prove it goes to the lattice
    fr_plan_place goal;         // its cell and, where its turn counts, the nearest orientation
    bool is_goal_turn_any;      // default true
    fr_plan_method method;      // default FR_PLAN_ASTAR
    double weight;              // of FR_PLAN_ASTAR, 1 .. 1000; default 1
    double turn_cost;           // cells that a step of turning counts as, 0 .. 1e6; default 3
    const fr_control *control;  // ends a search early; the tick is then a wait, and the next goes on; lives as long as
                                // the agent; may be NULL
    fr_allocator allocator;     // default: the process default
    uint32_t cookie;            // set by fr_default_plan_agent_def
} fr_plan_agent_def;

FR_API fr_plan_agent_def fr_default_plan_agent_def(void);

// Makes an agent. FR_ERROR_ARGUMENT for a start or goal out of the world, dimensions that differ and options outside
// their limits; FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY. Start and goal may be in collision: that may change.
FR_API fr_status fr_plan_agent_create(const fr_plan_agent_def *def, fr_plan_agent **out, fr_error *error);
FR_API void fr_plan_agent_destroy(fr_plan_agent *agent); // NULL is ignored

// One tick. FR_ERROR_MEMORY leaves the robot where it was; then the next tick plans from scratch.
FR_API fr_status fr_plan_agent_tick(fr_plan_agent *agent, fr_plan_event *event, fr_error *error);

// Where the robot is, and the number of ticks so far.
FR_API fr_plan_state fr_plan_agent_state(const fr_plan_agent *agent);

typedef struct fr_plan_agent_stats {
    uint64_t moves, turns, waits, overruns; // ticks of each kind
    uint64_t changes;                       // ticks at which the world had changed
    uint64_t plans;                         // searches from scratch
    uint64_t repairs;                       // of FR_PLAN_DSTAR
    uint64_t expanded, tested;              // states and poses in all of them
    double cost; // of the rest of the path, as last found; of FR_PLAN_ASTAR and FR_PLAN_DSTAR
} fr_plan_agent_stats;

FR_API fr_plan_agent_stats fr_plan_agent_get_stats(const fr_plan_agent *agent);

// ---------------------------------------------------------------------------------------------------------------
// Several robots

#define FR_PLAN_MAX_TEAM 64

typedef struct fr_plan_member {
    const fr_plan_robot *robot; // of the world's dimension
    fr_plan_place start;        // on the lattice: in the middle of a cell, at an orientation of the robot's grid
    fr_plan_place goal;         // its cell and, where its turn counts, the nearest orientation
    bool is_goal_turn_any;
} fr_plan_member;

typedef struct fr_plan_team_input {
    const fr_plan_world *world;
    const fr_plan_member *members; // in order of priority, as long as a plan is found in that order
    uint32_t member_count;         // 1 .. FR_PLAN_MAX_TEAM
    double weight;                 // of each search, 1 .. 1000; default 1.5
    double turn_cost;              // cells that a step of turning counts as, 0 .. 1e6; default 3
    uint32_t orders;               // orders to try; 0, the default: all of up to four robots, else 20
    uint64_t budget;               // the largest number of states that one search expands; default 1,000,000
    uint64_t seed;                 // of orders of more than four robots; default 1
    const fr_control *control;     // may be NULL
    fr_allocator allocator;        // default: the process default
    uint32_t cookie;               // set by fr_default_plan_team_input
} fr_plan_team_input;

FR_API fr_plan_team_input fr_default_plan_team_input(void);

// Paths without collision among robots: state t of each is where its robot is at tick t; after the last it stays there.
typedef struct fr_plan_team {
    bool is_found;
    bool is_joint;     // two robots were planned in one search, since neither could go first
    bool is_exhausted; // not found: no search was ended by its budget or the caller
    fr_cell_path *paths;
    uint32_t path_count;
    uint32_t ticks;    // until the last one arrived
    uint32_t orders;   // tried
    uint64_t expanded; // states in all searches
    fr_allocator allocator;
} fr_plan_team;

// Plans robot after robot in space and time (prioritised planning), each clear of the robots before; where one finds no
// path, in another order; two robots are at last planned in one search. From tick to tick no two robots sweep a common
// cell, and none a black one. FR_ERROR_ARGUMENT with a sentence for starts off the lattice, in collision or in one
// another, goals out of bounds and options outside their limits; FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY. The same input
// gives the same paths.
FR_API fr_status fr_plan_team_find(const fr_plan_team_input *input, fr_plan_team *out, fr_error *error);
FR_API void fr_plan_team_destroy(fr_plan_team *team); // makes it all zeros; NULL is ignored

// ---------------------------------------------------------------------------------------------------------------
// Paths among faces
//
// A body of triangles finds a path through a space. Two trees of states grow towards one another, from the start and
// from the goal. The motion check is fr_collide_move, over the whole motion; a motion that a face stops slides on along
// that face. A coarse field of cells guides the sampling: samples lie along the cheapest line of cells from start to
// goal, where cells cost more near faces and where they were tried without success. A path that is found is proven; a
// path that is not found may still exist.

// What is optimised after a first path is found.
typedef enum fr_path_objective {
    FR_PATH_FIRST,       // the first path there is
    FR_PATH_SHORTEST,    // short for the body's points together: travel, and turning by an arm
    FR_PATH_CLEAREST,    // with the largest clearance that was found
    FR_PATH_FEWEST_TURNS // with as little turning as was found
} fr_path_objective;

// The plane of a body that moves in two dimensions.
typedef enum fr_path_plane {
    FR_PATH_PLANE_XY, // a drawing: it turns about z
    FR_PATH_PLANE_XZ  // a floor: it turns about y, which is up
} fr_path_plane;

#define FR_PATH_MAX_DEPTH 7
#define FR_PATH_MAX_OBSTACLES 4096

// Where an obstacle is at one time.
typedef struct fr_path_sample {
    double time;  // seconds
    fr_pose pose; // its scale is the object's, whatever stands here
} fr_path_sample;

// An object of the space whose motion is known. From sample to sample it goes by fr_motion_between about its pivot;
// before the first and after the last it stands.
typedef struct fr_path_obstacle {
    fr_object_id object;           // where it stands in the space does not count
    const fr_path_sample *samples; // at least one; times are finite and grow
    uint32_t sample_count;
    double period; // seconds after which it begins again with its first sample, at least what its samples span; 0: it
                   // does not
} fr_path_obstacle;

// What a search looked at: the body went free from one state to the next, which the search goes on from.
typedef struct fr_path_branch {
    fr_vec3 from, to; // of the pivot, in the world
    bool is_goal;     // of the tree that grows from the goal; else of the one from the start, a roadmap or a lattice
} fr_path_branch;

// Takes a branch while a search runs, on the thread of its caller. Several trees and roadmaps of one search follow one
// another. The branch is read until the function returns.
typedef void fr_path_branch_fn(const fr_path_branch *branch, void *context);

typedef struct fr_path_input {
    const fr_space *space;         // current; its objects stand where they are, but for those of `obstacles`
    const fr_query_filter *filter; // which of them are obstacles; NULL: all
    const fr_part_def *parts;      // the body: one mesh or more, each with its own pose
    uint32_t part_count;
    fr_vec3 pivot_local;   // the point of the body that moves straight from state to state; default 0
    fr_pose start, goal;   // the scale is the start's
    bool is_goal_turn_any; // the goal's rotation is free; the one given is tried first; default false
    fr_bounds bounds;      // where the pivot may be
    int dimension;         // 3 (default); 2: it stays in the plane that it starts in, where the goal is too, and turns
                           // about the plane's normal alone
    fr_path_plane plane;   // of dimension 2; default FR_PATH_PLANE_XY
    double margin;         // the smallest allowed distance (clearance), 0 .. FR_LENGTH_MAX; default 0
    fr_path_objective objective; // default FR_PATH_FIRST
    uint32_t depth;              // of the field over the bounds, 2 .. FR_PATH_MAX_DEPTH; default 5
    uint64_t seed;               // the same seed, the same path; default 1
    uint64_t max_moves;          // motion checks until a path is found; default 300,000
    uint64_t lattice_moves;      // further ones, at most max_moves, in a lattice of poses where no path was found: to
                                 // find one where there is hardly any room, or to show that there is none; default
                                 // 300,000
    uint64_t optimize_moves;     // further motion checks for the objective; 0, the default: 3,000; 80,000 for
                                 // FR_PATH_CLEAREST, which searches other paths too
    const fr_path_obstacle *obstacles; // objects that move; default none. With any the path is planned in time
    uint32_t obstacle_count;           // up to FR_PATH_MAX_OBSTACLES
    double start_time;                 // seconds: when the body is at the start; default 0
    double max_time;              // when it is at the goal at the latest; 0, the default: a time by which it would have
                                  // been there several times if nothing moved, and all that ends moving has ended
    double goal_seconds;          // how long it must be free at the goal from then on; default 0
    double time_step;             // > 0: it is at its states at whole multiples of this after start_time; default 0
    double speed;                 // of the pivot, metres a second, > 0; default 1
    double turn_speed;            // radians a second, > 0; default pi / 2
    fr_path_branch_fn *on_branch; // takes each state that the search opens, to show it; NULL, the default: none. It
                                  // has no effect on the path
    void *branch_context;         // of on_branch
    const fr_control *control;    // may be NULL
    fr_allocator allocator;       // default: the process default
    uint32_t cookie;              // set by fr_default_path_input
} fr_path_input;

FR_API fr_path_input fr_default_path_input(void);

// What a query came to. "No path" is one of three results.
typedef enum fr_path_outcome {
    FR_PATH_FOUND,
    FR_PATH_NOT_FOUND,          // none was found within the budget; there may be one
    FR_PATH_NONE_AT_RESOLUTION, // a lattice of poses was searched to its end: it has no path. A finer one may
    FR_PATH_IMPOSSIBLE          // proven: the start or the goal is not free, or a ball in the body cannot pass
} fr_path_outcome;

// The result of a query: a path, or that none was found. Destroy it with fr_path_destroy.
typedef struct fr_path {
    bool is_found;
    fr_path_outcome outcome;
    bool is_checked;      // every motion was proven: by fr_plan_check_timed_path where is_timed, else by
                          // fr_plan_check_path, with everything taken where it stands in the space
    bool is_timed;        // the states carry times, and what the input says about motions was looked at
    bool is_partial;      // the caller stopped the search: the best path so far
    bool is_blocked;      // not found: `blocked` says what the start or the goal touches
    bool is_goal_blocked; // the goal is blocked, not the start
    fr_contact blocked;
    fr_pose *states; // start and goal included; motions between them are fr_motion_between with the input's pivot
    double *times;   // when the body is at each state, seconds, growing; at a pose that comes twice it waits. NULL: the
                     // path is not timed
    uint32_t state_count;
    double waiting;     // seconds in all
    double length;      // of the pivot's path, metres
    double turning;     // radians in all
    uint32_t turns;     // motions that turn
    double clearance;   // proven on the whole path: the margin, or more with FR_PATH_CLEAREST; metres
    uint64_t moves;     // motion checks
    uint32_t nodes;     // of both trees
    uint32_t leads;     // lines of cells that were followed
    uint64_t cells;     // states of the lattice that were expanded; 0: it was not searched
    double cell_edge;   // of the lattice, metres
    double cell_turn;   // between its turns, radians
    double field_ms;    // making the field
    double search_ms;   // until a path was found
    double optimize_ms; // after it
    fr_allocator allocator;
} fr_path;

FR_API void fr_path_destroy(fr_path *path); // makes it all zeros; NULL is ignored

// Finds a path. Const on the space, any thread, many at once. A start or goal that touches something, or comes nearer
// than the margin, is reported in `out`, with what it touches, and is not an error. A body that rests on something
// without going into it by more than 1e-6 of the world may begin and end there. FR_ERROR_ARGUMENT (outside its limits,
// empty bounds, start or goal outside the bounds, samples that are not in order), FR_ERROR_NOT_FINITE,
// FR_ERROR_STALE_DATA, FR_ERROR_STALE_ID for an obstacle that is not in the space, FR_ERROR_MEMORY.
//
// With `obstacles` the path is planned in time. Paths among what stands and samples about them make a roadmap; a search
// over its states and the intervals in which each of them is free (safe-interval path planning) finds the earliest
// arrival. Moving, turning and waiting are its steps; each is checked against what moves meanwhile, over its whole
// course.
FR_API fr_status fr_plan_path(const fr_path_input *input, fr_path *out, fr_error *error);

// Repairs a path after obstacles have moved. `at` is the last state of `old` that the body has passed, and the input's
// start is its pose now. Motions that are still free are reused, blocked ones are replaced, and only where that fails
// a path is searched from scratch; so it is with `obstacles`, from the input's start and time. `out->moves` counts the
// motion checks. Statuses as for fr_plan_path; FR_ERROR_ARGUMENT also where `old` was not found or has no such state.
// `out` is not `old`.
FR_API fr_status fr_plan_repair_path(const fr_path_input *input, const fr_path *old, uint32_t at, fr_path *out,
                                     fr_error *error);

typedef struct fr_path_check_output {
    bool is_valid;   // nothing of the body is deeper than 1e-6 of the world's size in anything, anywhere on the path;
                     // with a margin: nothing comes nearer
    uint32_t motion; // not valid: the first bad one, from this state to the next
    double time;     // 0 .. 1 in that motion
    fr_contact contact;     // what the body meets
    bool is_outside_bounds; // not valid because a state lies outside the bounds
    bool is_too_fast;       // not valid because a motion of a timed path is faster than the input allows
    double length, turning;
    uint32_t turns;
} fr_path_check_output;

// Proves a path, or finds where it fails, whatever planner made it. Of the input it reads space, filter, parts, pivot,
// bounds and margin. A body may rest on faces and slide along them: without a margin its own faces may be up to 1e-6 of
// the world inside of things, and corners up to 2.5 times that. FR_ERROR_ARGUMENT for no states, FR_ERROR_NOT_FINITE,
// FR_ERROR_STALE_DATA, FR_ERROR_STOPPED, FR_ERROR_MEMORY.
FR_API fr_status fr_plan_check_path(const fr_path_input *input, const fr_pose *states, uint32_t count,
                                    fr_path_check_output *out, fr_error *error);

// The same for a path in time: the body is at state i at times[i], which grow, and moves evenly between two. Obstacles
// of the input move meanwhile. Of the input speeds are read too. FR_ERROR_ARGUMENT also for times that do not grow.
FR_API fr_status fr_plan_check_timed_path(const fr_path_input *input, const fr_pose *states, const double *times,
                                          uint32_t count, fr_path_check_output *out, fr_error *error);

// The largest clearance of a path up to `max_clearance` (> 0) that is proven, to about a thirtieth; 0 where none is.
// Checks every motion up to thirty times. Statuses as for fr_plan_check_path; FR_ERROR_ARGUMENT also for
// `max_clearance`.
FR_API fr_status fr_plan_path_clearance(const fr_path_input *input, const fr_pose *states, uint32_t count,
                                        double max_clearance, double *out, fr_error *error);

// The same for a path in time, of which fr_plan_check_timed_path says more: from all that stands, and from the input's
// obstacles wherever they are meanwhile.
FR_API fr_status fr_plan_timed_path_clearance(const fr_path_input *input, const fr_pose *states, const double *times,
                                              uint32_t count, double max_clearance, double *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// On the path: an agent among faces
//
// A body that executes its path tick by tick, observes, and plans again while it goes. What it sees of an object that
// moves is the motion of the tick that begins, as the space has it; it expects the object to go on like that for a
// while. What is known of motions (`obstacles` of the query) it uses from the start, as long as it comes true.

typedef struct fr_path_agent fr_path_agent;

typedef struct fr_path_agent_def {
    fr_path_input query; // as for fr_plan_path, but the space comes with each tick and the start with the first. Parts,
                         // filter and obstacles must live as long; max_moves is for one tick
    double step;         // of a tick, seconds, > 0; default 0.02
    double foresight;    // how long an observed motion is expected to go on, seconds, >= 0; default 1
    uint32_t cookie;     // set by fr_default_path_agent_def
} fr_path_agent_def;

FR_API fr_path_agent_def fr_default_path_agent_def(void);

// FR_ERROR_ARGUMENT for a step or foresight out of bounds; FR_ERROR_MEMORY. What the query holds is checked in ticks.
FR_API fr_status fr_path_agent_create(const fr_path_agent_def *def, fr_path_agent **out, fr_error *error);
FR_API void fr_path_agent_destroy(fr_path_agent *agent); // NULL is ignored

// Another goal from the next tick on. Where it is the place that the path began at, the path is gone back.
// FR_ERROR_NOT_FINITE and others of a pose.
FR_API fr_status fr_path_agent_set_goal(fr_path_agent *agent, const fr_pose *goal, bool is_turn_any, fr_error *error);

// The path is forgotten, and planned again in the next tick.
FR_API void fr_path_agent_drop_path(fr_path_agent *agent);

typedef struct fr_path_agent_input {
    const fr_space *space; // current, with the motions of the tick that begins
    double time;           // at its beginning, seconds
    fr_pose pose;          // of the body then
} fr_path_agent_input;

typedef struct fr_path_agent_output {
    fr_plan_event event; // FR_PLAN_WAIT: it stays, since it planned so or has no path; FR_PLAN_OVERRUN: it meets
                         // something in this tick, whatever it does
    fr_pose pose;        // at the end of the tick; it goes there by fr_motion_between
} fr_path_agent_output;

// One tick. Unless it is FR_PLAN_OVERRUN the motion is proven against everything in the space, with its motions. With
// no path the body stays, or goes off where something comes. Statuses as for fr_plan_path; after any the body stays.
FR_API fr_status fr_path_agent_tick(fr_path_agent *agent, const fr_path_agent_input *input, fr_path_agent_output *out,
                                    fr_error *error);

typedef struct fr_path_agent_state {
    const fr_path *path; // with times, to read until the next tick; not found: none
    uint32_t next;       // its state that comes next
    uint64_t plans;      // searches so far
    uint64_t moves;      // motion checks in them
} fr_path_agent_state;

FR_API fr_path_agent_state fr_path_agent_get(const fr_path_agent *agent);

#ifdef __cplusplus
}
#endif

#endif
