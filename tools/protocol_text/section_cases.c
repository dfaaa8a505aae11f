// viewer/test/section_cases.ts: pairs of triangles, and what the library says that they share.
#include "text.h"

#include "fureai/shape.h"

enum { RANDOM_CASES = 120 };

// Corners on a grid of halves, so that they touch, meet in corners and lie in one plane now and then.
static void random_triangles(fr_random *random, bool is_grid, fr_vec3 corners[6]) {
    for (int i = 0; i < 6; i++) {
        double *out = &corners[i].x;
        for (int k = 0; k < 3; k++) {
            double value = fr_random_between(random, -1.0, 1.0);
            out[k] = is_grid ? 0.5 * (double)((int)(3.0 * value)) : value;
        }
    }
}

static bool has_area(const fr_vec3 t[3]) {
    return fr_vec3_length(fr_vec3_cross(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0]))) > 1e-9;
}

static void print_points(FILE *out, const char *name, const fr_vec3 *points, int count) {
    fprintf(out, "        %s: [", name);
    for (int i = 0; i < 3 * count; i++) {
        if (i > 0) { fputs(", ", out); }
        print_number(out, (&points[i / 3].x)[i % 3]);
    }
    fputs("],\n", out);
}

static void print_case(FILE *out, const fr_vec3 corners[6]) {
    fr_section section;
    if (!has_area(corners) || !has_area(corners + 3)) { return; }
    (void)fr_triangle_section(corners, corners + 3, &section);
    fputs("    {\n", out);
    print_points(out, "a", corners, 3);
    print_points(out, "b", corners + 3, 3);
    fprintf(out, "        isCrossing: %s,\n", section.is_crossing ? "true" : "false");
    print_points(out, "points", section.points, section.count);
    fputs("    },\n", out);
}

void print_section_cases(FILE *out) {
    static const fr_vec3 special[][6] = {
        // One plane, one in the other.
        {{-2, 0, -2}, {2, 0, -2}, {0, 0, 2}, {-0.5, 0, -0.5}, {0.5, 0, -0.5}, {0, 0, 0.25}},
        // One plane, a star of six corners.
        {{0, 0, 2}, {-1.75, 0, -1}, {1.75, 0, -1}, {0, 0, -2}, {1.75, 0, 1}, {-1.75, 0, 1}},
        // The same triangle twice.
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        // A common edge.
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}},
        // A corner on a face.
        {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, {0, 0, 0}, {1, 1, 0}, {-1, 1, 0}},
        // Far from zero.
        {{1e6, 0, 0}, {1e6 + 1, 0, 0}, {1e6, 1, 0}, {1e6 + 0.25, 0.25, -1}, {1e6 + 0.25, 0.25, 1}, {1e6 + 2, 0.5, 0}},
        // Thin.
        {{0, 0, 0}, {100, 0.001, 0}, {100, -0.001, 0}, {50, 0, -1}, {50, 0.5, 1}, {50, -0.5, 1}},
    };
    fputs("// Made by tools/protocol_text: pairs of triangles and what they share by the library, with which the "
          "viewer's own\n"
          "// function is compared; not edited by hand.\n\n"
          "// Corners of two triangles, and the points that they share by fr_triangle_section.\n"
          "export interface SectionCase {\n"
          "    a: readonly number[];\n"
          "    b: readonly number[];\n"
          "    isCrossing: boolean;\n"
          "    points: readonly number[];\n"
          "}\n\n"
          "export const sectionCases: readonly SectionCase[] = [\n",
          out);
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        print_case(out, special[i]);
    }
    fr_random random = fr_random_seed(27);
    for (int i = 0; i < RANDOM_CASES; i++) {
        fr_vec3 corners[6];
        random_triangles(&random, i % 2 == 1, corners);
        print_case(out, corners);
    }
    fputs("];\n", out);
}
