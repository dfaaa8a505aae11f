// viewer/test/hand_cases.ts: inputs of functions that the viewer computes too, with the results of the library.
#include "text.h"

#include "fureai/hand.h"

// A position, an axis, degrees about it, and a scale.
typedef struct placement {
    fr_vec3 position, axis;
    double degrees, scale;
} placement;

typedef struct two_hand_case {
    const char *name;
    placement object, grasp[2], now[2];
} two_hand_case;

static const two_hand_case two_hand_cases[] = {
    {"ordinary",
     {{0.1, 1.2, -0.3}, {1.0, 2.0, 3.0}, 40.0, 1.0},
     {{{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}, 30.0, 1.0}, {{0.4, 1.1, 0.1}, {1.0, 0.0, 0.0}, -20.0, 1.0}},
     {{{0.3, 1.4, 0.2}, {0.0, 1.0, 1.0}, 70.0, 1.0}, {{0.5, 1.0, 0.5}, {1.0, 1.0, 0.0}, 55.0, 1.0}}},
    {"at rest",
     {{0.1, 1.2, -0.3}, {1.0, 2.0, 3.0}, 40.0, 1.0},
     {{{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}, 30.0, 1.0}, {{0.4, 1.1, 0.1}, {1.0, 0.0, 0.0}, -20.0, 1.0}},
     {{{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}, 30.0, 1.0}, {{0.4, 1.1, 0.1}, {1.0, 0.0, 0.0}, -20.0, 1.0}}},
    {"turns about the line, past half a turn",
     {{0.0, 0.1, 0.0}, {1.0, 0.0, 0.0}, 25.0, 1.0},
     {{{0.0, 0.0, -0.1}, {0.0, 0.0, 1.0}, 0.0, 1.0}, {{0.0, 0.0, 0.3}, {0.0, 0.0, 1.0}, 0.0, 1.0}},
     {{{0.0, 0.0, -0.1}, {0.0, 0.0, 1.0}, 160.0, 1.0}, {{0.0, 0.0, 0.3}, {0.0, 0.0, 1.0}, -165.0, 1.0}}},
    {"hands together when they took it",
     {{0.1, 0.1, 0.0}, {0.0, 0.0, 1.0}, 15.0, 1.0},
     {{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, 0.0, 1.0}, {{0.0, 0.0, 0.0005}, {1.0, 0.0, 0.0}, 0.0, 1.0}},
     {{{0.1, 0.2, 0.3}, {0.0, 1.0, 0.0}, 90.0, 1.0}, {{0.5, 0.2, 0.3}, {0.0, 1.0, 0.0}, -45.0, 1.0}}},
    {"hands together now",
     {{0.1, 0.1, 0.0}, {0.0, 0.0, 1.0}, 15.0, 1.0},
     {{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, 10.0, 1.0}, {{0.2, 0.0, 0.1}, {1.0, 0.0, 0.0}, 20.0, 1.0}},
     {{{0.1, 0.2, 0.3}, {0.0, 1.0, 0.0}, 80.0, 1.0}, {{0.1, 0.2, 0.3}, {0.0, 1.0, 0.0}, -45.0, 1.0}}},
    {"the line turned to nearly its opposite",
     {{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, 0.0, 1.0},
     {{{-0.2, 0.0, 0.0}, {0.0, 0.0, 1.0}, 0.0, 1.0}, {{0.2, 0.0, 0.0}, {0.0, 0.0, 1.0}, 0.0, 1.0}},
     {{{0.2, 0.01, 0.0}, {0.0, 1.0, 0.0}, 170.0, 1.0}, {{-0.2, 0.0, 0.0}, {0.0, 1.0, 0.0}, -175.0, 1.0}}},
    {"the line turned to its opposite",
     {{0.05, 0.1, 0.0}, {0.0, 1.0, 0.0}, 35.0, 1.0},
     {{{-0.25, 0.0, 0.0}, {0.0, 0.0, 1.0}, 0.0, 1.0}, {{0.25, 0.0, 0.0}, {0.0, 0.0, 1.0}, 0.0, 1.0}},
     {{{0.25, 0.0, 0.0}, {0.0, 1.0, 0.0}, 150.0, 1.0}, {{-0.25, 0.0, 0.0}, {0.0, 1.0, 0.0}, 160.0, 1.0}}},
    {"far away",
     {{1000.0, -2000.0, 500.0}, {-1.0, 1.0, 0.0}, 100.0, 1.0},
     {{{1000.0, -2000.0, 500.5}, {1.0, 0.0, 1.0}, 150.0, 1.0}, {{1000.5, -2000.25, 500.0}, {0.0, 1.0, 0.0}, 10.0, 1.0}},
     {{{1001.0, -1999.0, 501.0}, {1.0, 2.0, 0.0}, -160.0, 1.0},
      {{1001.5, -1999.5, 500.5}, {0.0, 0.0, 1.0}, 120.0, 1.0}}},
    {"scaled",
     {{2.0, -1.0, 0.5}, {-1.0, 1.0, 0.0}, 100.0, 2.5},
     {{{2.0, -1.0, 0.4}, {1.0, 0.0, 1.0}, 150.0, 1.0}, {{2.3, -1.2, 0.6}, {0.0, 1.0, 0.0}, 10.0, 1.0}},
     {{{1.0, 1.0, 1.0}, {1.0, 2.0, 0.0}, -160.0, 1.0}, {{1.1, 1.3, 0.6}, {0.0, 0.0, 1.0}, 120.0, 1.0}}},
};

static fr_pose pose_of(const placement *p) {
    fr_vec3 axis = fr_vec3_unit(p->axis, fr_vec3_make(1.0, 0.0, 0.0));
    fr_pose pose = fr_pose_make(p->position, fr_quat_from_axis_angle(axis, fr_radians(p->degrees)));
    pose.scale = p->scale;
    return pose;
}

static void print_tuple(FILE *out, const double *values, int count) {
    for (int i = 0; i < count; i++) {
        fputs(i == 0 ? "[" : ", ", out);
        print_number(out, values[i]);
    }
    fputs("]", out);
}

// The pose with a line for itself; `name` is that of its field, or empty.
static void print_pose(FILE *out, const char *name, const fr_pose *pose) {
    const fr_quat *q = &pose->rotation;
    const double values[8] = {q->w,       q->x, q->y, q->z, pose->position.x, pose->position.y, pose->position.z,
                              pose->scale};
    fprintf(out, "        %s", name);
    print_tuple(out, values, 8);
    fputs(",\n", out);
}

static void print_hands(FILE *out, const char *name, const fr_pose hands[2]) {
    fprintf(out, "        %s: [\n", name);
    print_pose(out, "    ", &hands[0]);
    print_pose(out, "    ", &hands[1]);
    fputs("        ],\n", out);
}

static void print_two_hands(FILE *out) {
    fputs("// w, x, y, z of the rotation, x, y, z of the position, and the scale.\n"
          "export type PoseNumbers = readonly [number, number, number, number, number, number, number, number];\n\n"
          "export interface TwoHandCase {\n"
          "    name: string;\n"
          "    object: PoseNumbers;\n"
          "    grasp: readonly [PoseNumbers, PoseNumbers];\n"
          "    now: readonly [PoseNumbers, PoseNumbers];\n"
          "    result: PoseNumbers;\n"
          "}\n\n"
          "// fr_hands_pose\n"
          "export const twoHandCases: readonly TwoHandCase[] = [\n",
          out);
    for (size_t i = 0; i < sizeof two_hand_cases / sizeof *two_hand_cases; i++) {
        const two_hand_case *c = &two_hand_cases[i];
        fr_pose object = pose_of(&c->object);
        fr_pose grasp[2] = {pose_of(&c->grasp[0]), pose_of(&c->grasp[1])};
        fr_pose now[2] = {pose_of(&c->now[0]), pose_of(&c->now[1])};
        fr_pose result = fr_hands_pose(&object, grasp, now);
        fprintf(out, "    {\n        name: \"%s\",\n", c->name);
        print_pose(out, "object: ", &object);
        print_hands(out, "grasp", grasp);
        print_hands(out, "now", now);
        print_pose(out, "result: ", &result);
        fputs("    },\n", out);
    }
    fputs("];\n", out);
}

typedef double number_fn(double input);

static void print_inputs(FILE *out, const char *function, const char *name, number_fn *fn, const double *inputs,
                         size_t count) {
    fprintf(out, "\n// %s: input, result.\nexport const %s: readonly (readonly [number, number])[] = [\n", function,
            name);
    for (size_t i = 0; i < count; i++) {
        const double values[2] = {inputs[i], fn(inputs[i])};
        fputs("    ", out);
        print_tuple(out, values, 2);
        fputs(",\n", out);
    }
    fputs("];\n", out);
}

static void print_sounds(FILE *out) {
    static const double speeds[] = {0.0, 0.001, 0.002, 0.01, 0.05, 0.1, 0.15, 0.3, 1.0, 1.9, 2.5, 7.0};
    static const double pulls[] = {0.0, 0.3, 0.499, 0.5, 0.55, 0.75, 0.9, 1.0, 1.5};
    static const double areas[] = {0.0, 1e-9, 0.0002, 0.0049, 0.01, 0.0196, 1.0};
    size_t speed_count = sizeof speeds / sizeof *speeds, pull_count = sizeof pulls / sizeof *pulls;
    print_inputs(out, "fr_hand_sound_level", "levelCases", fr_hand_sound_level, speeds, speed_count);
    print_inputs(out, "fr_hand_slide_frequency", "slideCases", fr_hand_slide_frequency, speeds, speed_count);
    print_inputs(out, "fr_hand_pull_rate", "pullCases", fr_hand_pull_rate, pulls, pull_count);

    fputs("\n// fr_hand_snap_frequency: area, count, result.\n"
          "export const snapCases: readonly (readonly [number, number, number])[] = [\n",
          out);
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
        for (uint32_t count = 1; count <= 4; count++) {
            const double values[3] = {areas[i], (double)count, fr_hand_snap_frequency(areas[i], count)};
            fputs("    ", out);
            print_tuple(out, values, 3);
            fputs(",\n", out);
        }
    }
    fputs("];\n", out);
}

static void print_heard(FILE *out) {
    static const char *const kinds[] = {
        [FR_HAND_CONTACT] = "contact", [FR_HAND_SNAP] = "snap", [FR_HAND_SLIDE] = "slide",  [FR_HAND_PULL] = "pull",
        [FR_HAND_RELEASE] = "loose",   [FR_HAND_DONE] = "done", [FR_HAND_FITTED] = "fitted"};
    fputs("\n// fr_hand_is_heard: mode, name of the event, result.\n"
          "export const heardCases: readonly (readonly [number, keyof typeof EventKind, boolean])[] = [\n",
          out);
    for (int mode = FR_AID_MODE_NOTHING; mode <= FR_AID_MODE_SOUND; mode++) {
        for (int kind = FR_HAND_CONTACT; kind <= FR_HAND_FITTED; kind++) {
            bool is_heard = fr_hand_is_heard((fr_aid_mode)mode, (fr_hand_kind)kind);
            fprintf(out, "    [%d, \"%s\", %s],\n", mode, kinds[kind], is_heard ? "true" : "false");
        }
    }
    fputs("];\n", out);
}

void print_hand_cases(FILE *out) {
    fputs(
        "// Made by tools/protocol_text: inputs of functions of room hand and their results in the library, with which "
        "the\n// viewer's own functions are compared; not edited by hand.\n"
        "import type { EventKind } from \"../src/protocol\";\n\n",
        out);
    print_two_hands(out);
    print_sounds(out);
    print_heard(out);
}
