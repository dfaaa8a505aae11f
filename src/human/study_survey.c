// Bodies by percentiles of a published survey of people.
#include "fureai/human_study.h"

enum { ROWS = 9 };

static const double percentiles[ROWS] = {1.0, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0};

// Millimetres, and tenths of a kilogram, by percentile.
typedef struct survey_table {
    double stature[ROWS], mass[ROWS], trochanterion[ROWS], upper_arm[ROWS], forearm[ROWS], biacromial[ROWS], foot[ROWS];
} survey_table;

static const survey_table tables[FR_SURVEY_SEX_COUNT] = {
    [FR_SURVEY_WOMAN] = {.stature = {1482.5, 1525.0, 1547.0, 1586.2, 1626.0, 1672.0, 1713.0, 1740.0, 1777.6},
                         .mass = {466.6, 513.0, 546.0, 601.0, 668.0, 745.8, 824.0, 870.8, 974.5},
                         .trochanterion = {745.9, 774.2, 790.0, 816.0, 844.0, 874.0, 904.0, 919.0, 952.0},
                         .upper_arm = {271.0, 283.2, 290.0, 300.0, 311.0, 323.0, 333.0, 340.0, 352.3},
                         .forearm = {209.8, 218.0, 223.0, 232.0, 240.5, 251.0, 262.0, 268.0, 279.0},
                         .biacromial = {322.0, 335.0, 342.0, 353.0, 365.0, 378.0, 389.0, 396.0, 406.0},
                         .foot = {219.0, 226.0, 230.0, 238.0, 246.0, 254.0, 263.0, 267.8, 276.0}},
    [FR_SURVEY_MAN] = {.stature = {1601.6, 1648.0, 1669.0, 1710.0, 1755.0, 1802.0, 1844.0, 1870.0, 1927.0},
                       .mass = {578.0, 644.0, 682.0, 756.0, 846.0, 944.0, 1044.0, 1106.9, 1242.1},
                       .trochanterion = {795.0, 824.0, 840.0, 867.0, 899.0, 932.0, 964.0, 985.0, 1022.0},
                       .upper_arm = {296.0, 307.0, 313.0, 324.0, 335.0, 346.0, 358.0, 365.0, 377.0},
                       .forearm = {235.0, 244.0, 248.0, 257.0, 267.0, 278.0, 288.0, 295.0, 308.0},
                       .biacromial = {371.0, 384.0, 392.0, 403.0, 415.0, 428.0, 441.0, 447.0, 463.0},
                       .foot = {242.0, 250.0, 254.0, 263.0, 271.0, 280.0, 288.0, 293.0, 302.0}}};

// Fractions of the stature that the default body has (fr_body_def).
static const double DEFAULT_ARM = 0.564 / 1.70, DEFAULT_SHOULDERS = 0.38 / 1.70;

static double between(const double *rows, double percentile) {
    int i = 1;
    while (i < ROWS - 1 && percentile > percentiles[i]) {
        i++;
    }
    double t = (percentile - percentiles[i - 1]) / (percentiles[i] - percentiles[i - 1]);
    return (1.0 - t) * rows[i - 1] + t * rows[i];
}

fr_status fr_survey_find(fr_survey_sex sex, double percentile, fr_survey_measures *out, fr_error *error) {
    FR_ASSERT((unsigned)sex < FR_SURVEY_SEX_COUNT && out != NULL);
    if (!(percentile >= percentiles[0] && percentile <= percentiles[ROWS - 1])) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the survey has percentiles 1 to 99, not %g", percentile);
    }
    const survey_table *t = &tables[sex];
    *out = (fr_survey_measures){.stature = between(t->stature, percentile) / 1000.0,
                                .mass = between(t->mass, percentile) / 10.0,
                                .trochanterion = between(t->trochanterion, percentile) / 1000.0,
                                .upper_arm = between(t->upper_arm, percentile) / 1000.0,
                                .forearm = between(t->forearm, percentile) / 1000.0,
                                .biacromial = between(t->biacromial, percentile) / 1000.0,
                                .foot = between(t->foot, percentile) / 1000.0};
    return FR_OK;
}

// Arm and shoulders of the survey over the stature.
static void proportions(const fr_survey_measures *m, double out[2]) {
    out[0] = (m->upper_arm + m->forearm) / m->stature;
    out[1] = m->biacromial / m->stature;
}

fr_status fr_survey_body(fr_survey_sex sex, double percentile, fr_body_def *out, fr_error *error) {
    FR_ASSERT(out != NULL);
    fr_survey_measures m, median;
    fr_status status = fr_survey_find(sex, percentile, &m, error);
    if (status != FR_OK) { return status; }
    double own[2], means[2] = {0.0, 0.0};
    proportions(&m, own);
    for (int i = 0; i < FR_SURVEY_SEX_COUNT; i++) {
        double one[2];
        (void)fr_survey_find((fr_survey_sex)i, 50.0, &median, NULL);
        proportions(&median, one);
        means[0] += one[0] / FR_SURVEY_SEX_COUNT;
        means[1] += one[1] / FR_SURVEY_SEX_COUNT;
    }
    *out = fr_default_body_def();
    out->stature = m.stature;
    out->mass = m.mass;
    out->leg = m.trochanterion / m.stature;
    out->foot = m.foot / m.stature;
    out->arm = DEFAULT_ARM * own[0] / means[0];
    out->shoulder_width = DEFAULT_SHOULDERS * own[1] / means[1];
    return FR_OK;
}
