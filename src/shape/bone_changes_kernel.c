// Bones in the frames of their parents, compared with what was taken before, four at once.
#include "math/wide.h"
#include "shape/bone_changes.h"

// Four poses by number: w, x, y, z of the turns; x, y, z of the positions and the scales.
typedef struct bone_lanes {
    fr__d4 turn[4], place[4];
} bone_lanes;

_Static_assert(sizeof(fr_pose) == 8 * sizeof(double), "a pose is eight doubles");

FR__WIDE bone_lanes load_poses(const fr_pose *const at[4]) {
    bone_lanes poses;
    for (int i = 0; i < 4; i++) {
        const double *numbers = (const double *)(const void *)at[i];
        poses.turn[i] = fr__d4_load(numbers);
        poses.place[i] = fr__d4_load(numbers + 4);
    }
    fr__d4_transpose(poses.turn);
    fr__d4_transpose(poses.place);
    return poses;
}

// a b - c d.
FR__WIDE fr__d4 cross(fr__d4 a, fr__d4 b, fr__d4 c, fr__d4 d) { return fr__d4_sub(fr__d4_mul(a, b), fr__d4_mul(c, d)); }

// The conjugate of p times q.
FR__WIDE void find_turn(const fr__d4 p[4], const fr__d4 q[4], fr__d4 out[4]) {
    fr__d4 wx = fr__d4_add(fr__d4_mul(p[0], q[0]), fr__d4_mul(p[1], q[1]));
    fr__d4 yz = fr__d4_add(fr__d4_mul(p[2], q[2]), fr__d4_mul(p[3], q[3]));
    out[0] = fr__d4_add(wx, yz);
    out[1] = fr__d4_sub(cross(p[0], q[1], p[1], q[0]), cross(p[2], q[3], p[3], q[2]));
    out[2] = fr__d4_sub(cross(p[0], q[2], p[2], q[0]), cross(p[3], q[1], p[1], q[3]));
    out[3] = fr__d4_sub(cross(p[0], q[3], p[3], q[0]), cross(p[1], q[2], p[2], q[1]));
}

// The place of a bone from its parent, turned back by the parent's turn p and scaled back: v + w c + c x u with
// c = 2 v x u.
FR__WIDE void find_place(const bone_lanes *parent, const bone_lanes *bone, fr__d4 out[4]) {
    const fr__d4 *p = parent->turn, two = fr__d4_splat(2.0);
    fr__d4 x = fr__d4_sub(bone->place[0], parent->place[0]), y = fr__d4_sub(bone->place[1], parent->place[1]);
    fr__d4 z = fr__d4_sub(bone->place[2], parent->place[2]);
    fr__d4 cx = fr__d4_mul(two, cross(y, p[3], z, p[2])), cy = fr__d4_mul(two, cross(z, p[1], x, p[3]));
    fr__d4 cz = fr__d4_mul(two, cross(x, p[2], y, p[1]));
    out[0] = fr__d4_add(fr__d4_add(x, fr__d4_mul(p[0], cx)), cross(cy, p[3], cz, p[2]));
    out[1] = fr__d4_add(fr__d4_add(y, fr__d4_mul(p[0], cy)), cross(cz, p[1], cx, p[3]));
    out[2] = fr__d4_add(fr__d4_add(z, fr__d4_mul(p[0], cz)), cross(cx, p[2], cy, p[1]));
    out[3] = bone->place[3];
    if (fr__m4_bits(fr__d4_eq(parent->place[3], fr__d4_splat(1.0))) == 15) { return; }
    for (int k = 0; k < 4; k++) {
        out[k] = fr__d4_div(out[k], parent->place[3]);
    }
}

// A bone without a parent stays as it is, to the sign of a zero.
FR__WIDE void leave_roots(int roots, const bone_lanes *bones, bone_lanes *local) {
    static const double flags[16][4] = {
        {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 0},
        {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1}, {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
    fr__m4 is_root = fr__d4_gt(fr__d4_load(flags[roots]), fr__d4_splat(0.0));
    for (int k = 0; k < 4; k++) {
        local->turn[k] = fr__d4_select(is_root, bones->turn[k], local->turn[k]);
        local->place[k] = fr__d4_select(is_root, bones->place[k], local->place[k]);
    }
}

// The bones from `first` on in their parents' frames; the last stands in for those beyond it.
FR__WIDE bone_lanes find_local(const fr_bone_changes_input *input, uint32_t first) {
    const fr_pose *own[4], *above[4];
    int roots = 0;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t bone = first + k < input->bone_count ? first + k : input->bone_count - 1;
        uint32_t parent = input->parents[bone];
        bool is_root = parent >= input->bone_count;
        roots |= (is_root ? 1 : 0) << k;
        own[k] = &input->bones[bone];
        above[k] = is_root ? own[k] : &input->bones[parent];
    }
    bone_lanes bones = load_poses(own), parents = load_poses(above), local;
    find_turn(parents.turn, bones.turn, local.turn);
    find_place(&parents, &bones, local.place);
    if (roots != 0) { leave_roots(roots, &bones, &local); }
    return local;
}

FR__WIDE fr__d4 squares_of(const fr__d4 d[4]) {
    return fr__d4_add(fr__d4_add(fr__d4_mul(d[0], d[0]), fr__d4_mul(d[1], d[1])),
                      fr__d4_add(fr__d4_mul(d[2], d[2]), fr__d4_mul(d[3], d[3])));
}

// The lanes whose turn is not the one that was taken, nor its opposite, which is the same turn.
FR__WIDE int turned_lanes(const bone_lanes *local, const fr_bone_group *group, double same) {
    fr__d4 minus[4], plus[4], limit = fr__d4_splat(same * same);
    for (int k = 0; k < 4; k++) {
        fr__d4 taken = fr__d4_load_floats(group->turn[k]);
        minus[k] = fr__d4_sub(local->turn[k], taken);
        plus[k] = fr__d4_add(local->turn[k], taken);
    }
    fr__m4 is_same = fr__m4_or(fr__d4_le(squares_of(minus), limit), fr__d4_le(squares_of(plus), limit));
    return 15 & ~fr__m4_bits(is_same);
}

FR__WIDE int placed_lanes(const bone_lanes *local, const fr_bone_group *group, const fr_bone_changes_input *input) {
    fr__d4 apart[4], limit = fr__d4_splat(input->same_place * input->same_place);
    for (int k = 0; k < 4; k++) {
        apart[k] = fr__d4_sub(local->place[k], fr__d4_load_floats(group->place[k]));
    }
    fr__d4 scale_limit = fr__d4_mul(fr__d4_splat(input->same_scale), local->place[3]);
    fr__m4 is_scale = fr__d4_le(fr__d4_abs(apart[3]), scale_limit);
    apart[3] = fr__d4_splat(0.0);
    return 15 & ~fr__m4_bits(fr__m4_and(fr__d4_le(squares_of(apart), limit), is_scale));
}

// Takes the lanes of `changed` over as floats within `limit`.
FR__WIDE void take_lanes(const fr__d4 from[4], int changed, double limit, uint32_t stamp, float to[4][4],
                         uint32_t stamps[4]) {
    _Alignas(32) double numbers[4][4];
    for (int k = 0; k < 4; k++) {
        fr__d4 held = fr__d4_max(from[k], fr__d4_splat(-limit));
        fr__d4_store_aligned(numbers[k], fr__d4_min(held, fr__d4_splat(limit)));
    }
    for (int lane = 0; lane < 4; lane++) {
        if ((changed >> lane & 1) == 0) { continue; }
        for (int k = 0; k < 4; k++) {
            to[k][lane] = (float)numbers[k][lane];
        }
        stamps[lane] = stamp;
    }
}

static bool take(const fr_bone_changes_input *input, fr_bone_group *groups) {
    const double limit = 3.4e38; // a little below the largest float
    bool is_changed = false;
    for (uint32_t first = 0; first < input->bone_count; first += 4) {
        fr_bone_group *group = &groups[first / 4];
        bone_lanes local = find_local(input, first);
        uint32_t rest = input->bone_count - first;
        int there = rest < 4 ? (1 << rest) - 1 : 15;
        int turned = there & turned_lanes(&local, group, input->same_turn);
        int placed = there & placed_lanes(&local, group, input);
        if (turned != 0) { take_lanes(local.turn, turned, limit, input->stamp, group->turn, group->turned); }
        if (placed != 0) { take_lanes(local.place, placed, limit, input->stamp, group->place, group->placed); }
        is_changed = is_changed || turned != 0 || placed != 0;
    }
    return is_changed;
}

const fr__bone_changes_kernel_table FR_KERNEL_NAME(fr__bone_changes_kernel) = {take};
