// The mean of several postures with weights (motion fusion, Ichiguchi 4.11).
#include "human/posture.h"

#include "human/posture_kernel.h"

// A weight as the kernel takes it.
static double brought_weight(double weight) {
    return weight >= FR_MIN_WEIGHT ? (weight < FR_MAX_WEIGHT ? weight : FR_MAX_WEIGHT) : 0.0;
}

// The weighted mean of the places; of one motion alone its own, of none the previous one.
static fr_vec3 mean_place(const fr__mean_work *work) {
    double sum = 0.0, largest = 0.0;
    fr_vec3 place = work->previous->place, total = {0.0, 0.0, 0.0};
    for (size_t m = 0; m < work->count; m++) {
        const fr_weighted_posture *motion = &work->motions[m];
        double weight = brought_weight(motion->weights[motion->posture.count]);
        if (weight == 0.0) { continue; }
        sum += weight;
        total = fr_vec3_add_scaled(total, weight, motion->posture.place);
        if (weight > largest) {
            largest = weight;
            place = motion->posture.place;
        }
    }
    return sum > largest ? fr_vec3_scale(1.0 / sum, total) : place;
}

// The posture whose root counts most.
static const fr_posture *leading_posture(const fr__mean_work *work) {
    const fr_posture *leading = work->previous;
    double largest = 0.0;
    for (size_t m = 0; m < work->count; m++) {
        double weight = brought_weight(work->motions[m].weights[0]);
        if (weight > largest) {
            largest = weight;
            leading = &work->motions[m].posture;
        }
    }
    return leading;
}

fr_status fr_posture_mean(const fr_weighted_posture *motions, size_t count, const fr_posture *previous, fr_posture *out,
                          fr_error *error) {
    FR_ASSERT((motions != NULL || count == 0) && previous != NULL && out != NULL);
    fr_status status = fr__posture_check_count(previous, out->count, error);
    if (status == FR_OK) { status = fr__posture_check_count(out, out->count, error); }
    for (size_t m = 0; status == FR_OK && m < count; m++) {
        bool is_right = motions[m].posture.turns != NULL && motions[m].posture.count == out->count;
        if (is_right && motions[m].weights != NULL) { continue; }
        status = fr_error_set(error, FR_ERROR_ARGUMENT, "motion %zu has %u links or no weights; the body has %u", m,
                              motions[m].posture.count, out->count);
    }
    if (status != FR_OK) { return status; }

    const fr__mean_work work = {motions, count, previous, out};
    const fr_posture *leading = leading_posture(&work);
    uint8_t left = leading->contact_left, right = leading->contact_right;
    fr_vec3 place = mean_place(&work);
    fr__posture_kernel()->mean(&work);
    out->place = place;
    out->contact_left = left;
    out->contact_right = right;
    return FR_OK;
}
