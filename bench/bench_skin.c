// Vertices that follow bones: a skin of 43 bones, 4 a vertex, by each method and each kind of output.
#include "bench.h"

#include "fureai/shape.h"

#include <stdlib.h>
#include <string.h>

#define BONES 43u
#define INFLUENCES 4u

// A skin with the bones of a moment and room for what comes out.
typedef struct skinned {
    fr_skin *skin;
    fr_arena *scratch;
    fr_pose poses[BONES];
    float *positions, *normals;
    fr_vec3 *vertices;
    fr_vec3f *floats, *turned;
    size_t count;
} skinned;

static void free_skinned(skinned *s) {
    fr_skin_release(s->skin);
    if (s->scratch != NULL) { fr_arena_destroy(s->scratch); }
    free(s->positions);
    free(s->normals);
    free(s->vertices);
    free(s->floats);
    free(s->turned);
}

static fr_vec3 random_point(fr_random *random, double reach) {
    double x = fr_random_between(random, -reach, reach), y = fr_random_between(random, -reach, reach);
    return fr_vec3_make(x, y, fr_random_between(random, -reach, reach));
}

static bool fill(skinned *s, uint32_t *bones, float *weights) {
    fr_random random = fr_random_seed(24);
    for (size_t v = 0; v < s->count; v++) {
        float sum = 0.0f;
        uint32_t first = (uint32_t)fr_random_below(&random, BONES);
        for (uint32_t k = 0; k < INFLUENCES; k++) {
            bones[INFLUENCES * v + k] = (first + k) % BONES;
            weights[INFLUENCES * v + k] = (float)fr_random_between(&random, 0.1, 1.0);
            sum += weights[INFLUENCES * v + k];
        }
        for (uint32_t k = 0; k < INFLUENCES; k++) {
            weights[INFLUENCES * v + k] /= sum;
        }
        fr_vec3 p = random_point(&random, 1.0), n = fr_vec3_unit(random_point(&random, 1.0), fr_vec3_make(0, 0, 1));
        const float numbers[6] = {(float)p.x, (float)p.y, (float)p.z, (float)n.x, (float)n.y, (float)n.z};
        memcpy(s->positions + 3 * v, numbers, 3 * sizeof(float));
        memcpy(s->normals + 3 * v, numbers + 3, 3 * sizeof(float));
    }
    for (uint32_t b = 0; b < BONES; b++) {
        s->poses[b] = fr_pose_make(random_point(&random, 1.0), fr_quat_from_vector(random_point(&random, 2.0)));
    }
    fr_skin_def def = fr_default_skin_def();
    def.vertex_count = (uint32_t)s->count;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = INFLUENCES;
    def.bone_count = BONES;
    return fr_skin_create(&def, &s->skin, NULL) == FR_OK && fr_arena_create(0, NULL, &s->scratch, NULL) == FR_OK;
}

static bool make_skinned(bench *b, size_t count, skinned *s) {
    *s = (skinned){.count = count};
    uint32_t *bones = malloc(INFLUENCES * count * sizeof *bones);
    float *weights = malloc(INFLUENCES * count * sizeof *weights);
    s->positions = malloc(3 * count * sizeof *s->positions);
    s->normals = malloc(3 * count * sizeof *s->normals);
    s->vertices = malloc(count * sizeof *s->vertices);
    s->floats = malloc(count * sizeof *s->floats);
    s->turned = malloc(count * sizeof *s->turned);
    bool is_made = bones != NULL && weights != NULL && s->positions != NULL && s->normals != NULL &&
                   s->vertices != NULL && s->floats != NULL && s->turned != NULL && fill(s, bones, weights);
    free(bones);
    free(weights);
    if (!is_made) { bench_skip(b, "out of memory"); }
    return is_made;
}

typedef enum wanted { DOUBLES, FLOATS, NORMALS } wanted;

static void run(bench *b, size_t count, fr_skin_method method, wanted kind) {
    skinned s;
    if (make_skinned(b, count, &s)) {
        fr_skin_input input = fr_default_skin_input();
        input.skin = s.skin;
        input.poses = s.poses;
        input.bone_count = BONES;
        input.method = method;
        input.positions_float = s.positions;
        input.normals = s.normals;
        input.scratch = s.scratch;
        fr_skin_output output = {.vertices = kind == DOUBLES ? s.vertices : NULL,
                                 .vertices_float = kind != DOUBLES ? s.floats : NULL,
                                 .normals = kind == NORMALS ? s.turned : NULL};
        while (bench_repeat(b)) {
            (void)fr_skin_vertices(&input, &output, NULL);
        }
        bench_items(b, (double)count);
        bench_keep(s.floats);
    }
    free_skinned(&s);
}

static void linear(bench *b) { run(b, bench_size(b, 100, 10000), FR_SKIN_LINEAR, FLOATS); }
static void linear_doubles(bench *b) { run(b, bench_size(b, 100, 10000), FR_SKIN_LINEAR, DOUBLES); }
static void linear_normals(bench *b) { run(b, bench_size(b, 100, 10000), FR_SKIN_LINEAR, NORMALS); }
static void linear_person(bench *b) { run(b, bench_size(b, 100, 482), FR_SKIN_LINEAR, DOUBLES); }
static void dual(bench *b) { run(b, bench_size(b, 100, 10000), FR_SKIN_DUAL_QUATERNIONS, FLOATS); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"linear/10000", linear},
                                       {"linear/10000/doubles", linear_doubles},
                                       {"linear/10000/normals", linear_normals},
                                       {"linear/482/doubles", linear_person},
                                       {"dual_quaternions/10000", dual}};
    return bench_main(argc, argv, "fureai", "skin", cases, sizeof cases / sizeof cases[0]);
}
