// viewer/src/hand_table.ts: the modes, colours and sounds of a hand, as the library has them.
#include "text.h"

#include "fureai/hand.h"

typedef struct number {
    const char *name;
    double value;
} number;

typedef struct partial {
    double ratio, part, decay;
} partial;

void print_number(FILE *out, double value) {
    char text[FR_NUMBER_BYTES];
    fwrite(text, 1, fr_number_write(value, text), out);
}

static void print_numbers(FILE *out, const char *name, const number *numbers, size_t count) {
    fprintf(out, "\nexport const %s = {\n", name);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "    %s: ", numbers[i].name);
        print_number(out, numbers[i].value);
        fputs(",\n", out);
    }
    fputs("} as const;\n", out);
}

#define PRINT_NUMBERS(name, ...)                                                                                       \
    do {                                                                                                               \
        const number numbers[] = {__VA_ARGS__};                                                                        \
        print_numbers(out, name, numbers, sizeof numbers / sizeof numbers[0]);                                         \
    } while (0)

static void print_partials(FILE *out, const char *name, const partial *partials, size_t count) {
    fprintf(out, "\nexport const %s: readonly TonePartial[] = [\n", name);
    for (size_t i = 0; i < count; i++) {
        const double values[3] = {partials[i].ratio, partials[i].part, partials[i].decay};
        for (int k = 0; k < 3; k++) {
            fputs(k == 0 ? "    [" : ", ", out);
            print_number(out, values[k]);
        }
        fputs("],\n", out);
    }
    fputs("];\n", out);
}

#define PRINT_PARTIALS(name, ...)                                                                                      \
    do {                                                                                                               \
        const partial partials[] = {__VA_ARGS__};                                                                      \
        print_partials(out, name, partials, sizeof partials / sizeof partials[0]);                                     \
    } while (0)

static void print_modes(FILE *out, const char *name, bool (*has)(fr_aid_mode mode)) {
    const char *before = "";
    fprintf(out, "export const %s: readonly number[] = [", name);
    for (int mode = FR_AID_MODE_NOTHING; mode <= FR_AID_MODE_SOUND; mode++) {
        if (!has((fr_aid_mode)mode)) { continue; }
        fprintf(out, "%s%d", before, mode);
        before = ", ";
    }
    fputs("];\n", out);
}

static void print_colors(FILE *out) {
    fputs("\n// The colours of an object by the number of faces that hold it (fr_hand_color).\n"
          "export const heldColors = [",
          out);
    for (uint32_t count = 0; count <= FR_AID_FACES; count++) {
        fr_color color = fr_hand_color(FR_AID_MODE_AID, count, false, false, 0.0);
        fprintf(out, "%s\"#%02x%02x%02x\"", count > 0 ? ", " : "", color.r, color.g, color.b);
    }
    fputs("] as const;\n", out);
}

static void print_sounds(FILE *out) {
    PRINT_NUMBERS("handSound", {"volume", FR_HAND_SOUND_VOLUME}, {"hold", FR_HAND_SOUND_HOLD},
                  {"deadAfter", FR_HAND_SOUND_DEAD_AFTER}, {"fullSpeed", FR_HAND_SOUND_FULL_SPEED},
                  {"faintest", FR_HAND_SOUND_FAINTEST});
    PRINT_NUMBERS("contactSound", {"pause", FR_HAND_CONTACT_PAUSE}, {"frequency", FR_HAND_CONTACT_FREQUENCY},
                  {"level", FR_HAND_CONTACT_LEVEL});
    PRINT_NUMBERS("snapSound", {"frequency", FR_HAND_SNAP_FREQUENCY}, {"area", FR_HAND_SNAP_AREA},
                  {"lowest", FR_HAND_SNAP_LOWEST}, {"highest", FR_HAND_SNAP_HIGHEST}, {"second", FR_HAND_SNAP_SECOND},
                  {"third", FR_HAND_SNAP_THIRD});
    PRINT_NUMBERS("slideSound", {"speed", FR_HAND_SLIDE_SPEED}, {"level", FR_HAND_SLIDE_LEVEL},
                  {"width", FR_HAND_SLIDE_WIDTH}, {"smooth", FR_HAND_SLIDE_SMOOTH},
                  {"frequency", FR_HAND_SLIDE_FREQUENCY}, {"rise", FR_HAND_SLIDE_RISE},
                  {"highest", FR_HAND_SLIDE_HIGHEST});
    PRINT_NUMBERS("pullSound", {"from", FR_HAND_PULL_FROM}, {"rate", FR_HAND_PULL_RATE}, {"rise", FR_HAND_PULL_RISE},
                  {"frequency", FR_HAND_PULL_FREQUENCY}, {"level", FR_HAND_PULL_LEVEL});
    PRINT_NUMBERS("releaseSound", {"first", FR_HAND_RELEASE_FIRST}, {"last", FR_HAND_RELEASE_LAST},
                  {"seconds", FR_HAND_RELEASE_SECONDS}, {"level", FR_HAND_RELEASE_LEVEL});
    PRINT_NUMBERS("doneSound", {"first", FR_HAND_DONE_FIRST}, {"second", FR_HAND_DONE_SECOND},
                  {"later", FR_HAND_DONE_LATER}, {"level", FR_HAND_DONE_LEVEL});
    PRINT_NUMBERS("fittedSound", {"first", FR_HAND_FITTED_FIRST}, {"second", FR_HAND_FITTED_SECOND},
                  {"later", FR_HAND_FITTED_LATER}, {"level", FR_HAND_FITTED_LEVEL});

    fputs("\n// Frequency over that of the tone, part of its level, and seconds until 1 / e is left.\n"
          "export type TonePartial = readonly [ratio: number, part: number, decay: number];\n",
          out);
    PRINT_PARTIALS("contactPartials", FR_HAND_CONTACT_PARTIALS);
    PRINT_PARTIALS("snapPartials", FR_HAND_SNAP_PARTIALS);
    PRINT_PARTIALS("pullPartials", FR_HAND_PULL_PARTIALS);
    PRINT_PARTIALS("donePartials", FR_HAND_DONE_PARTIALS);
    PRINT_PARTIALS("fittedPartials", FR_HAND_FITTED_PARTIALS);
}

void print_hand(FILE *out) {
    fputs("// Made by tools/protocol_text from include/fureai/hand.h and hand_sound.h, where the numbers are "
          "described; not "
          "edited\n// by hand.\n\n// Modes of fr_aid_mode that have sound, and those that have the aid.\n",
          out);
    print_modes(out, "modesWithSound", fr_aid_mode_has_sound);
    print_modes(out, "modesWithAid", fr_aid_mode_has_aid);
    fprintf(out, "export const modeAidBoth = %d;\n", FR_AID_MODE_AID_BOTH);
    fputs("\n// Between hands nearer than this, metres, there is no line (fr_hands_pose).\nexport const handsApart = ",
          out);
    print_number(out, FR_HANDS_APART);
    fputs(";\n", out);
    print_colors(out);
    print_sounds(out);
}
