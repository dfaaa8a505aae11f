// The cases of bench_collide.c by their names, for a rival with a run_pair and a run_bodies of its own.
#ifndef FUREAI_BENCH_RIVALS_COLLIDE_CASES_H
#define FUREAI_BENCH_RIVALS_COLLIDE_CASES_H

#include "bench.h"
#include "collide_scenes.h"

#define PAIR_CASE(name, scene)                                                                                         \
    bench_case {                                                                                                       \
        name, [](bench *b) { run_pair(b, scene); }                                                                     \
    }

#define BODIES_CASE(name, bodies)                                                                                      \
    bench_case {                                                                                                       \
        name, [](bench *b) { run_bodies(b, (int)bench_size(b, 100, bodies)); }                                         \
    }

#define W1_CASES PAIR_CASE("W1 960 @1.9 64 poses", scene_w1_960), PAIR_CASE("W1 3968 @1.9 64 poses", scene_w1_3968)
#define W1_APART_CASES                                                                                                 \
    PAIR_CASE("W1 960 @2.5 64 poses", scene_w1_960_apart), PAIR_CASE("W1 3968 @2.5 64 poses", scene_w1_3968_apart)
#define W2_CASES PAIR_CASE("W2 100k @1.9 8 poses", scene_w2_100k), PAIR_CASE("W2 1M @1.9 4 poses", scene_w2_1m)
#define W4_CASES BODIES_CASE("W4 1000 bodies 20 frames", 1000), BODIES_CASE("W4 10000 bodies 20 frames", 10000)

#endif
