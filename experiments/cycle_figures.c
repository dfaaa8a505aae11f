// The cycles of two spheres that the figures of chapter 2 and 3 count.
#include "cycle_figures.h"

static double least(double a, double b) { return a < b ? a : b; }

fr_status measure_cycle(experiment_run *run, two_movers *movers, const fr_face_cycle_input *like, int repeats,
                        cycle_figures *out) {
    *out = (cycle_figures){0};
    for (int i = 0; i < repeats; i++) {
        fr_face_cycle_output output;
        fr_status status = two_movers_cycle(movers, like, &output, run->error);
        if (status != FR_OK) { return status; }
        out->overlaps = (double)output.overlaps;
        out->listed = (double)output.listed;
        out->found = (double)output.pair_count;
        out->accesses = (double)output.accesses;
        for (int k = 0; k < 4; k++) {
            out->ms[k] = i == 0 ? output.ms[k] : least(out->ms[k], output.ms[k]);
        }
        out->total = i == 0 ? output.ms_total : least(out->total, output.ms_total);
    }
    return FR_OK;
}

fr_status measure_fast(experiment_run *run, two_movers *movers, fr_narrow narrow, int repeats, fast_figures *out) {
    *out = (fast_figures){0};
    for (int i = 0; i < repeats; i++) {
        fr_collide_output output;
        uint64_t start = experiment_cpu_ns();
        fr_status status = two_movers_fast(movers, narrow, run->control, &output, run->error);
        double ms = 1e-6 * (double)(experiment_cpu_ns() - start);
        if (status != FR_OK) { return status; }
        out->found = (double)output.pair_count;
        out->ms = i == 0 ? ms : least(out->ms, ms);
    }
    return FR_OK;
}

bool put(experiment_row *row, double printed, double measured) {
    if (row == NULL) { return false; }
    row->printed = printed;
    row->measured = measured;
    return true;
}

bool put_mean(experiment_row *row, double printed, const sample_mean *sample) {
    if (!put(row, printed, sample->mean)) { return false; }
    row->error = sample_mean_error(sample);
    return true;
}

bool put_fast(experiment_row *row, double measured, double faithful_ms, double fast_ms) {
    if (!put(row, NAN, measured)) { return false; }
    row->speedup = fast_ms > 0.0 ? faithful_ms / fast_ms : NAN;
    return true;
}
