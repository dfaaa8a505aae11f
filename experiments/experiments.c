// The table of all experiments.
#include "asano.h"
#include "experiment.h"
#include "ichiguchi.h"
#include "ichiguchi_system.h"
#include "kitamura.h"
#include "kitamura_cells.h"
#include "kitamura_hand.h"
#include "kitamura_motion.h"
#include "kitamura_plan.h"
#include "yamachi.h"
#include "yamamoto.h"

const experiment *const experiments[] = {
    &experiment_asano_6,
    &experiment_asano_table_2,
    &experiment_ichiguchi_table_5_4,
#ifdef FUREAI_EXPERIMENTS_HAVE_WORLD
    &experiment_ichiguchi_table_5_5,
    &experiment_ichiguchi_table_5_6,
    &experiment_ichiguchi_table_5_7,
    &experiment_ichiguchi_table_5_8,
#endif
    &experiment_ichiguchi_table_5_9,
    &experiment_kitamura_2_11,
    &experiment_kitamura_2_13,
    &experiment_kitamura_2_15,
    &experiment_kitamura_2_7,
    &experiment_kitamura_2_9,
    &experiment_kitamura_3_5,
    &experiment_kitamura_3_6,
    &experiment_kitamura_3_7,
    &experiment_kitamura_3_8,
    &experiment_kitamura_4_10,
    &experiment_kitamura_4_11,
    &experiment_kitamura_4_12,
    &experiment_kitamura_4_3,
    &experiment_kitamura_4_4,
    &experiment_kitamura_4_5,
    &experiment_kitamura_4_6,
    &experiment_kitamura_4_7,
    &experiment_kitamura_4_8,
    &experiment_kitamura_4_9,
    &experiment_kitamura_5_12,
    &experiment_kitamura_5_13,
    &experiment_kitamura_5_4,
    &experiment_kitamura_6_10,
    &experiment_kitamura_6_11,
    &experiment_kitamura_6_12,
    &experiment_kitamura_6_13,
    &experiment_kitamura_6_14,
    &experiment_kitamura_6_15,
    &experiment_kitamura_6_16,
    &experiment_kitamura_6_17,
    &experiment_kitamura_6_18,
    &experiment_kitamura_6_19,
    &experiment_kitamura_6_2,
    &experiment_kitamura_6_20,
    &experiment_kitamura_6_5_1,
    &experiment_kitamura_6_8,
    &experiment_kitamura_6_9,
    &experiment_kitamura_7_1_1,
    &experiment_kitamura_7_1_3,
    &experiment_kitamura_table_3_1,
    &experiment_kitamura_table_5_1,
    &experiment_kitamura_table_6_2,
    &experiment_yamachi_table_1,
    &experiment_yamachi_table_2,
    &experiment_yamamoto_3_8,
    &experiment_yamamoto_3_9,
    &experiment_yamamoto_table_3_1,
    &experiment_yamamoto_table_3_2,
    &experiment_yamamoto_table_3_3,
    &experiment_yamamoto_table_3_4,
    &experiment_yamamoto_table_3_5,
    &experiment_yamamoto_table_3_6,
};
const size_t experiment_count = sizeof experiments / sizeof experiments[0];

experiment_draw_fn *experiment_picture(const experiment *e) {
    static const struct {
        const experiment *experiment;
        experiment_draw_fn *draw;
    } pictures[] = {{&experiment_kitamura_4_3, draw_kitamura_4_3},
                    {&experiment_kitamura_4_4, draw_kitamura_4_4},
                    {&experiment_kitamura_4_5, draw_kitamura_4_5},
                    {&experiment_kitamura_4_7, draw_kitamura_4_7},
                    {&experiment_kitamura_4_8, draw_kitamura_4_8}};
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        if (pictures[i].experiment == e) { return pictures[i].draw; }
    }
    return NULL;
}
