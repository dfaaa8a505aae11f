// Finding a path among cells. The field: the source's loop over black nodes, with the nodes of the tree and with the
// cubes of compaction, beside the exact transform, whole and after an obstacle moved; numbers of nodes as the source's
// pictures have them.
#include "bench.h"

#include "octree/faithful/cube_list.h"
#include "plan/faithful/clutter.h"
#include "plan/faithful/leaf_search.h"
#include "plan/faithful/node_field.h"

#include <stdlib.h>
#include <string.h>

// A world, its field, and its black part as boxes.
typedef struct field_case {
    fr_plan_world *world;
    fr_plan_field *field;
    fr_task_pool *pool;
    fr_tasks tasks;
    fr_node_box_array nodes;
    uint32_t depth;
    double *p;
} field_case;

static void free_case(field_case *c) {
    fr_node_box_array_destroy(&c->nodes);
    fr_plan_field_destroy(c->field);
    fr_plan_world_destroy(c->world);
    fr_task_pool_destroy(c->pool);
    free(c->p);
}

// Everything of the clutter is obstacle 0; obstacle 1 is a box that moves.
static bool fill_world(field_case *c, uint32_t nodes) {
    fr_octree_def tree_def = fr_octree_get_def(fr_plan_world_octree(c->world));
    fr_octree *tree;
    if (fr_octree_create(&tree_def, &tree, NULL) != FR_OK) { return false; }
    fr_clutter clutter = {1, nodes, 1u + (1u << c->depth) / 4, {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}}};
    bool is_made =
        fr_clutter_fill(&clutter, tree, NULL) == FR_OK && fr_plan_world_set_cells(c->world, 0, tree, NULL) == FR_OK;
    fr_octree_destroy(tree);
    return is_made;
}

static bool add_nodes(field_case *c, bool is_compact) {
    c->nodes = fr_node_box_array_make(NULL);
    const fr_octree *tree = fr_plan_world_octree(c->world);
    if (!is_compact) { return fr_black_nodes(tree, &c->nodes, NULL) == FR_OK; }
    fr_cube_list cubes;
    if (fr_cube_list_compact(tree, NULL, &cubes) != FR_OK) { return false; }
    for (size_t i = 0; i < cubes.array.count; i++) {
        const fr_cube *q = fr_cubes_of(&cubes) + i;
        fr_plan_box *box = fr_node_box_array_push(&c->nodes, 1);
        if (box == NULL) { break; }
        *box = (fr_plan_box){{q->x, q->y, q->z}, {q->x + q->s, q->y + q->s, q->z + q->s}};
    }
    bool is_made = c->nodes.count == cubes.array.count;
    fr_cube_array_destroy(&cubes.array);
    return is_made;
}

static bool make_case(bench *b, uint32_t depth, uint32_t nodes, bool is_compact, field_case *c) {
    memset(c, 0, sizeof *c);
    c->depth = (uint32_t)bench_size(b, 4, depth);
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = bench_threads(b);
    fr_plan_world_def def = fr_default_plan_world_def();
    def.depth = c->depth;
    fr_plan_field_def field_def = fr_default_plan_field_def();
    bool is_made = fr_task_pool_create(&pool_def, &c->pool, NULL) == FR_OK;
    if (is_made) {
        c->tasks = fr_task_pool_tasks(c->pool);
        field_def.tasks = &c->tasks;
        c->p = malloc(((size_t)1 << 3 * c->depth) * sizeof *c->p);
        is_made = c->p != NULL && fr_plan_world_create(&def, &c->world, NULL) == FR_OK &&
                  fill_world(c, (uint32_t)bench_size(b, 40, nodes)) && add_nodes(c, is_compact) &&
                  fr_plan_field_create(&field_def, c->world, &c->field, NULL) == FR_OK;
    }
    if (!is_made) {
        bench_skip(b, "out of memory");
        free_case(c);
    }
    return is_made;
}

static void run_node_loop(bench *b, uint32_t depth, uint32_t nodes, bool is_compact) {
    field_case c;
    if (!make_case(b, depth, nodes, is_compact, &c)) { return; }
    fr_node_field_input input = {.dimension = 3,
                                 .depth = c.depth,
                                 .nodes = c.nodes.data,
                                 .node_count = c.nodes.count,
                                 .pmax = 100.0,
                                 .attraction = 1.0,
                                 .goal = {3.0, 4.0, 5.0},
                                 .tasks = &c.tasks};
    while (bench_repeat(b)) {
        fr_node_field_run(&input, NULL, c.p, NULL);
        bench_keep(c.p);
    }
    bench_count(b, "nodes", (double)c.nodes.count);
    free_case(&c);
}

// g of all cells and, with `is_p`, P of all, as the loop over nodes gives it.
static void run_transform(bench *b, uint32_t depth, uint32_t nodes, bool is_p) {
    field_case c;
    if (!make_case(b, depth, nodes, false, &c)) { return; }
    while (bench_repeat(b)) {
        fr_plan_field_update(c.field, c.world, true, NULL);
        if (is_p) { fr_plan_field_write(c.field, c.p); }
        bench_keep(c.p);
    }
    bench_count(b, "nodes", (double)c.nodes.count);
    free_case(&c);
}

static void run_baseline(bench *b, uint32_t depth, uint32_t nodes) {
    fr_simd best = fr_simd_get();
    fr_simd_set(FR_SIMD_BASELINE);
    run_transform(b, depth, nodes, false);
    fr_simd_set(best);
}

// A box of 4 cells goes to and fro; the world's own update is not timed with `is_field`, else all of it is.
static void run_change(bench *b, uint32_t depth, uint32_t nodes, bool is_field) {
    field_case c;
    if (!make_case(b, depth, nodes, false, &c)) { return; }
    static const fr_plan_box box = {{2, 2, 2}, {6, 6, 6}};
    fr_plan_shape shape = {&box, 1, {4.0, 4.0, 4.0}};
    fr_plan_place place = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    fr_plan_world_set(c.world, 1, &shape, &place, NULL);
    fr_plan_field_update(c.field, c.world, true, NULL);
    if (is_field) {
        // The change is made before the sample begins: one update is timed, the next made ready.
        fr_plan_world_set(c.world, 1, &shape, &place, NULL);
    }
    int tick = 0;
    for (; bench_repeat(b); tick++) {
        if (!is_field) {
            place.position.x = tick % 2 == 0 ? 1.0 : 0.0;
            place.turn_deg.z = tick % 2 == 0 ? 15.0 : 0.0;
            fr_plan_world_set(c.world, 1, &shape, &place, NULL);
        }
        fr_plan_field_update(c.field, c.world, false, NULL);
        bench_pause(b);
        if (is_field) {
            place.position.x = tick % 2 == 0 ? 1.0 : 0.0;
            place.turn_deg.z = tick % 2 == 0 ? 15.0 : 0.0;
            fr_plan_world_set(c.world, 1, &shape, &place, NULL);
        }
    }
    bench_count(b, "nodes", (double)c.nodes.count);
    free_case(&c);
}

// The sums that weigh robots and leaves.
static void run_sums(bench *b, uint32_t depth, uint32_t nodes) {
    field_case c;
    if (!make_case(b, depth, nodes, false, &c)) { return; }
    while (bench_repeat(b)) {
        fr_plan_field_set_goal(c.field, fr_vec3_make(3.0, 4.0, 5.0), NULL);
        fr_plan_field_sum_up(c.field, NULL);
    }
    free_case(&c);
}

#define NODES(name, depth, nodes, compact)                                                                             \
    static void name(bench *b) { run_node_loop(b, depth, nodes, compact); }
#define TRANSFORM(name, depth, nodes, p)                                                                               \
    static void name(bench *b) { run_transform(b, depth, nodes, p); }
#define CHANGE(name, depth, nodes, field)                                                                              \
    static void name(bench *b) { run_change(b, depth, nodes, field); }

NODES(nodes_303, 5, 303, false)
NODES(nodes_981, 5, 981, false)
NODES(nodes_2689, 5, 2689, false)
NODES(nodes_3760, 5, 3760, false)
NODES(cubes_981, 5, 981, true)
NODES(cubes_3760, 5, 3760, true)
TRANSFORM(transform_303, 5, 303, false)
TRANSFORM(transform_981, 5, 981, false)
TRANSFORM(transform_3760, 5, 3760, false)
TRANSFORM(transform_p_981, 5, 981, true)
TRANSFORM(transform_6, 6, 3760, false)
TRANSFORM(transform_7, 7, 3760, false)
TRANSFORM(transform_8, 8, 3760, false)
CHANGE(change_981, 5, 981, true)
CHANGE(change_world_981, 5, 981, false)
CHANGE(change_7, 7, 3760, true)

static void baseline_981(bench *b) { run_baseline(b, 5, 981); }
static void sums_981(bench *b) { run_sums(b, 5, 981); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"field: nodes 303", nodes_303},
        {"field: nodes 981", nodes_981},
        {"field: nodes 2689", nodes_2689},
        {"field: nodes 3760", nodes_3760},
        {"field: cubes of 981", cubes_981},
        {"field: cubes of 3760", cubes_3760},
        {"field: transform 303", transform_303},
        {"field: transform 981", transform_981},
        {"field: transform 3760", transform_3760},
        {"field: transform 981 baseline", baseline_981},
        {"field: transform and P 981", transform_p_981},
        {"field: sums 981", sums_981},
        {"field: change 981", change_981},
        {"field: world and change 981", change_world_981},
        {"field: transform depth 6", transform_6},
        {"field: transform depth 7", transform_7},
        {"field: change depth 7", change_7},
        {"field: transform depth 8", transform_8},
    };
    return bench_main(argc, argv, "fureai", "plan", cases, sizeof cases / sizeof cases[0]);
}
