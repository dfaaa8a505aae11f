#include "path_problem.h"

#include "fureai/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The window

// Room for the boxes of one mesh, six sides of `cuts` x `cuts` squares each.
static bool reserve(path_mesh *m, uint32_t boxes, uint32_t cuts) {
    m->positions = malloc((size_t)boxes * 6 * (cuts + 1) * (cuts + 1) * 3 * sizeof *m->positions);
    m->triangles = malloc((size_t)boxes * 12 * cuts * cuts * 3 * sizeof *m->triangles);
    return m->positions != NULL && m->triangles != NULL;
}

static void add_side(path_mesh *m, const double low[3], const double high[3], uint32_t cuts, int side) {
    int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t base = m->vertex_count;
    for (uint32_t i = 0; i < (cuts + 1) * (cuts + 1); i++) {
        double *p = m->positions + 3 * (size_t)m->vertex_count++;
        p[axis] = side % 2 != 0 ? high[axis] : low[axis];
        p[u] = low[u] + (high[u] - low[u]) * (i / (cuts + 1)) / cuts;
        p[v] = low[v] + (high[v] - low[v]) * (i % (cuts + 1)) / cuts;
    }
    for (uint32_t i = 0; i < cuts * cuts; i++) {
        uint32_t a = base + i / cuts * (cuts + 1) + i % cuts, b = a + cuts + 1;
        const uint32_t corners[6] = {a, b, b + 1, a, b + 1, a + 1};
        memcpy(m->triangles + 3 * (size_t)m->triangle_count, corners, sizeof corners);
        m->triangle_count += 2;
    }
}

static void add_box(path_mesh *m, const double low[3], const double high[3], uint32_t cuts) {
    for (int side = 0; side < 6; side++) {
        add_side(m, low, high, cuts, side);
    }
}

bool path_problem_window(double side, path_problem *out) {
    static const double bars[2][2][3] = {{{-0.6, -0.4, -0.2}, {1.4, 0.0, 0.2}}, {{-0.6, 0.0, -0.2}, {-0.2, 0.8, 0.2}}};
    const double w = side / 2.0, b = 7.0, t = 0.15;
    const double wall[4][2][3] = {
        {{-t, -b, -b}, {t, b, -w}}, {{-t, -b, w}, {t, b, b}}, {{-t, -b, -w}, {t, -w, w}}, {{-t, w, -w}, {t, b, w}}};
    *out = (path_problem){.start = {-3.0, 0.5, -0.5, 1.0, 0.0, 0.0, 0.0},
                          .goal = {3.0, -0.5, 0.5, 0.8775825618903728, 0.0, 0.0, 0.479425538604203},
                          .low = {-4.0, -4.0, -4.0},
                          .high = {4.0, 4.0, 4.0}};
    if (!reserve(&out->robot, 2, 4) || !reserve(&out->world, 4, 6)) {
        path_problem_free(out);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        add_box(&out->robot, bars[i][0], bars[i][1], 4);
    }
    for (int i = 0; i < 4; i++) {
        add_box(&out->world, wall[i][0], wall[i][1], 6);
    }
    return true;
}

void path_problem_free(path_problem *problem) {
    free(problem->robot.positions);
    free(problem->robot.triangles);
    free(problem->world.positions);
    free(problem->world.triangles);
    memset(problem, 0, sizeof *problem);
}

// ---------------------------------------------------------------------------------------------------------------
// OMPL's own

static char *read_shared(const char *name, const char *ending, size_t *size) {
    const char *shared = getenv("FUREAI_SHARED");
    char path[1024];
    if (shared == NULL) { return NULL; }
    snprintf(path, sizeof path, "%s/data/plan-ompl/3D/%s%s", shared, name, ending);
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return NULL; }
    char *bytes = malloc(1 << 22);
    *size = bytes != NULL ? fread(bytes, 1, 1 << 22, file) : 0;
    fclose(file);
    return bytes;
}

// `mean`, the point that a state places, may be NULL.
static fr_mesh *read_mesh(const char *file, fr_vec3 *mean) {
    size_t size = 0;
    char *bytes = read_shared(file, "", &size);
    if (bytes == NULL) { return NULL; }
    fr_model_read_input reading = fr_default_model_read_input();
    reading.name = file;
    fr_model *model = NULL;
    fr_mesh *mesh = NULL;
    fr_model_mesh_input making = fr_default_model_mesh_input();
    making.is_double = true;
    if (fr_model_read(bytes, size, &reading, &model, NULL) == FR_OK) {
        (void)fr_model_whole_mesh(model, &making, &mesh, NULL);
        if (mean != NULL) { (void)fr_ompl_mean(model, NULL, mean, NULL); }
        fr_model_destroy(model);
    }
    free(bytes);
    return mesh;
}

// The mesh's numbers, less an origin.
static bool copy_mesh(const fr_mesh *mesh, fr_vec3 origin, path_mesh *out) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    const double from[3] = {origin.x, origin.y, origin.z};
    out->vertex_count = view->vertex_count;
    out->triangle_count = view->triangle_count;
    out->positions = malloc(3 * (size_t)view->vertex_count * sizeof *out->positions);
    out->triangles = malloc(3 * (size_t)view->triangle_count * sizeof *out->triangles);
    if (out->positions == NULL || out->triangles == NULL) { return false; }
    for (size_t i = 0; i < 3 * (size_t)view->vertex_count; i++) {
        out->positions[i] = view->positions_double[i] - from[i % 3];
    }
    memcpy(out->triangles, view->triangles, 3 * (size_t)view->triangle_count * sizeof *out->triangles);
    return true;
}

static void put_pose(const fr_pose *pose, double out[7]) {
    const double numbers[7] = {pose->position.x, pose->position.y, pose->position.z, pose->rotation.w,
                               pose->rotation.x, pose->rotation.y, pose->rotation.z};
    memcpy(out, numbers, sizeof numbers);
}

static bool fill(const fr_ompl_problem *file, const fr_mesh *robot, fr_vec3 mean, const fr_mesh *world,
                 path_problem *out) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    bool is_made = copy_mesh(robot, mean, &out->robot) && copy_mesh(world, zero, &out->world);
    put_pose(&file->start, out->start);
    put_pose(&file->goal, out->goal);
    const fr_bounds *b = &file->bounds;
    memcpy(out->low, (const double[3]){b->min.x, b->min.y, b->min.z}, sizeof out->low);
    memcpy(out->high, (const double[3]){b->max.x, b->max.y, b->max.z}, sizeof out->high);
    return is_made;
}

bool path_problem_ompl(const char *name, path_problem *out) {
    memset(out, 0, sizeof *out);
    size_t size = 0;
    char *bytes = read_shared(name, ".cfg", &size);
    if (bytes == NULL) { return false; }
    fr_ompl_problem file;
    bool is_read = fr_ompl_read_problem(bytes, size, name, &file, NULL) == FR_OK;
    free(bytes);
    fr_vec3 mean = {0.0, 0.0, 0.0};
    fr_mesh *robot = is_read ? read_mesh(file.robot, &mean) : NULL;
    fr_mesh *world = is_read ? read_mesh(file.world, NULL) : NULL;
    bool is_made = robot != NULL && world != NULL && fill(&file, robot, mean, world, out);
    fr_mesh_release(robot);
    fr_mesh_release(world);
    if (!is_made) { path_problem_free(out); }
    return is_made;
}
