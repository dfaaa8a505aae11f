// viewer/test/measure_cases.ts: triangles, and how far apart they are by the library.
#include "text.h"

#include "fureai/shape.h"

typedef struct triangle_case {
    const char *name;
    fr_vec3 a[3], b[3];
} triangle_case;

// Each configuration in which two triangles can be nearest, and what has no plane.
static const triangle_case triangle_cases[] = {
    {"corner over a face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 2}, {1, 1, 5}, {2, 1, 5}}},
    {"face over a corner", {{1, 1, 2}, {1, 1, 5}, {2, 1, 5}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}},
    {"two edges", {{0, 0, 0}, {2, 0, 0}, {1, -1, 0}}, {{1, 0, 1}, {1, 2, 1}, {1, 1, 3}}},
    {"two corners", {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}, {{3, 4, 0}, {5, 4, 0}, {3, 6, 0}}},
    {"corner and edge", {{0, 0, 0}, {2, 0, 0}, {1, -1, 0}}, {{1, 3, 0}, {0, 5, 0}, {2, 5, 0}}},
    {"parallel, one above the other", {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, {{0, 0, 0.5}, {2, 0, 0.5}, {0, 2, 0.5}}},
    {"an edge through a face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 1}, {3, 3, 3}}},
    {"a common corner", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {-1, 0, 1}, {0, -1, 1}}},
    {"a common edge", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {1, 0, 0}, {0, -1, 2}}},
    {"the same", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
    {"one inside the other in a plane", {{0, 0, 0}, {9, 0, 0}, {0, 9, 0}}, {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}},
    {"apart in a plane", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{2, 2, 0}, {3, 2, 0}, {2, 3, 0}}},
    {"a segment beside a face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 1}, {2, 1, 2}, {3, 1, 3}}},
    {"two points", {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{0, 3, 4}, {0, 3, 4}, {0, 3, 4}}},
    {"far from the origin",
     {{1e5, 0, 0}, {100001, 0, 0}, {1e5, 1, 0}},
     {{1e5, 0, 0.25}, {100001, 0, 0.25}, {1e5, 1, 1}}},
};

enum { RANDOM_CASES = 60 };

static void print_triangle(FILE *out, const char *name, const fr_vec3 corners[3]) {
    fprintf(out, "        %s: [", name);
    for (int i = 0; i < 3; i++) {
        const double values[3] = {corners[i].x, corners[i].y, corners[i].z};
        for (int k = 0; k < 3; k++) {
            fputs(i + k == 0 ? "" : ", ", out);
            print_number(out, values[k]);
        }
    }
    fputs("],\n", out);
}

static void print_case(FILE *out, const triangle_case *c) {
    fprintf(out, "    {\n        name: \"%s\",\n", c->name);
    print_triangle(out, "a", c->a);
    print_triangle(out, "b", c->b);
    fputs("        result: ", out);
    print_number(out, fr_triangle_distance(c->a, c->b, NULL, NULL));
    fputs(",\n    },\n", out);
}

// Sixteenths: few digits, and many that touch or are in one plane.
static fr_vec3 random_point(fr_random *random) {
    double values[3];
    for (int k = 0; k < 3; k++) {
        values[k] = (double)fr_random_below(random, 65) / 16.0 - 2.0;
    }
    return fr_vec3_make(values[0], values[1], values[2]);
}

void print_measure_cases(FILE *out) {
    fputs("// Made by tools/protocol_text: triangles and their distance by fr_triangle_distance, with which the "
          "viewer's\n"
          "// own function is compared; not edited by hand.\n\n"
          "// The three corners, one after another.\n"
          "export type TriangleNumbers = readonly [number, number, number, number, number, number, number, number, "
          "number];\n\n"
          "export interface TriangleCase {\n"
          "    name: string;\n"
          "    a: TriangleNumbers;\n"
          "    b: TriangleNumbers;\n"
          "    result: number;\n"
          "}\n\n"
          "export const triangleCases: readonly TriangleCase[] = [\n",
          out);
    for (size_t i = 0; i < sizeof triangle_cases / sizeof *triangle_cases; i++) {
        print_case(out, &triangle_cases[i]);
    }
    fr_random random = fr_random_seed(27);
    for (int i = 0; i < RANDOM_CASES; i++) {
        triangle_case c = {.name = "random"};
        for (int k = 0; k < 3; k++) {
            c.a[k] = random_point(&random);
        }
        for (int k = 0; k < 3; k++) {
            c.b[k] = random_point(&random);
        }
        print_case(out, &c);
    }
    fputs("];\n", out);
}
