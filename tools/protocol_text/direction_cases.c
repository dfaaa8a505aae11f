// viewer/test/direction_cases.ts: packed directions, and what the library makes of them.
#include "text.h"

#include "fureai/math.h"

enum { RANDOM_CASES = 60 };

static void print_case(FILE *out, uint32_t packed) {
    fr_vec3 d = fr_direction_unpack(packed);
    fprintf(out, "    { packed: %lu, unit: [", (unsigned long)packed);
    print_number(out, d.x);
    fputs(", ", out);
    print_number(out, d.y);
    fputs(", ", out);
    print_number(out, d.z);
    fputs("] },\n", out);
}

void print_direction_cases(FILE *out) {
    fr_random random = fr_random_seed(15);
    fputs("// Made by tools/protocol_text: directions that were packed, and the unit vectors that they are by the "
          "library, with\n"
          "// which the viewer's own function is compared; not edited by hand.\n\n"
          "export const directionCases: { packed: number; unit: [number, number, number] }[] = [\n",
          out);
    for (int axis = 0; axis < 6; axis++) {
        double sign = axis % 2 == 0 ? 1.0 : -1.0;
        print_case(out, fr_direction_pack(fr_vec3_make(axis / 2 == 0 ? sign : 0.0, axis / 2 == 1 ? sign : 0.0,
                                                       axis / 2 == 2 ? sign : 0.0)));
    }
    for (int i = 0; i < RANDOM_CASES; i++) {
        fr_vec3 d;
        d.x = fr_random_between(&random, -1.0, 1.0);
        d.y = fr_random_between(&random, -1.0, 1.0);
        d.z = fr_random_between(&random, -1.0, 1.0);
        print_case(out, fr_direction_pack(d));
    }
    fputs("];\n", out);
}
