// Objects added, removed, moved and deformed in any order: no result is ever that of an earlier moment. A plain model
// of the space, maintained by other means, gives the expected results.
#include "frame.h"
#include "history.h"

#define MODEL_OBJECTS 64

typedef struct model_object {
    bool is_there;
    fr_object_id id;
    fr_pose pose, next;
    bool moving;
    uint32_t part_count;
    const fr_mesh *meshes[3];
    fr_pose parts[3];
    fr_vec3 *vertices; // NULL: the meshes' own
    uint32_t vertex_count;
} model_object;

typedef struct model {
    scene s;
    model_object objects[MODEL_OBJECTS];
} model;

// ---------------------------------------------------------------------------------------------------------------
// Changing both

static void add_object(model *m) {
    fr_part_def parts[3];
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = 1 + scene_below(&m->s, 3);
    def.pose = scene_pose(&m->s);
    def.flags = scene_below(&m->s, 3) == 0 ? (uint32_t)FR_OBJECT_STATIC : 0u;
    model_object object;
    memset(&object, 0, sizeof object);
    for (uint32_t i = 0; i < def.part_count; i++) {
        parts[i] = fr_default_part_def();
        parts[i].mesh = m->s.meshes[scene_below(&m->s, 2)];
        parts[i].pose.position = scene_direction(&m->s);
        object.meshes[i] = parts[i].mesh;
        object.parts[i] = parts[i].pose;
        object.vertex_count += fr_mesh_get(parts[i].mesh)->vertex_count;
    }
    object.is_there = true;
    object.part_count = def.part_count;
    object.pose = object.next = def.pose;
    (void)fr_pose_check(&object.pose, NULL);
    object.next = object.pose;
    uint32_t place = 0;
    while (place < MODEL_OBJECTS && m->objects[place].is_there) {
        place++;
    }
    if (place == MODEL_OBJECTS) { return; }
    assert_int_equal(fr_object_add(m->s.space, &def, &object.id, NULL), FR_OK);
    assert_int_equal(object.id.index1, place + 1);
    m->objects[place] = object;
}

static void remove_object(model *m, model_object *object) {
    assert_int_equal(fr_object_remove(m->s.space, object->id, NULL), FR_OK);
    free(object->vertices);
    memset(object, 0, sizeof *object);
}

static void move_object(model *m, model_object *object) {
    fr_pose pose = scene_pose(&m->s);
    (void)fr_pose_check(&pose, NULL);
    object->next = pose;
    object->moving = scene_below(&m->s, 2) == 0;
    if (object->moving) {
        assert_int_equal(fr_object_set_next(m->s.space, object->id, &pose, NULL), FR_OK);
        return;
    }
    object->pose = pose;
    assert_int_equal(fr_object_set_pose(m->s.space, object->id, &pose, NULL), FR_OK);
}

static void deform_object(model *m, model_object *object) {
    if (object->vertices == NULL) { object->vertices = malloc(object->vertex_count * sizeof *object->vertices); }
    assert_non_null(object->vertices);
    for (uint32_t i = 0; i < object->vertex_count; i++) {
        object->vertices[i] = scene_direction(&m->s);
    }
    assert_int_equal(fr_object_set_vertices(m->s.space, object->id, object->vertices, object->vertex_count, NULL),
                     FR_OK);
}

static void commit_all(model *m) {
    assert_int_equal(fr_space_commit(m->s.space, NULL), FR_OK);
    for (int i = 0; i < MODEL_OBJECTS; i++) {
        if (m->objects[i].moving) { m->objects[i].pose = m->objects[i].next; }
        m->objects[i].moving = false;
    }
}

static void change(model *m) {
    model_object *object = &m->objects[scene_below(&m->s, MODEL_OBJECTS)];
    uint32_t what = scene_below(&m->s, 8);
    if (what == 0 || (what == 1 && fr_space_object_count(m->s.space) < 30)) {
        add_object(m);
    } else if (what == 2) {
        commit_all(m);
    } else if (object->is_there && what == 3) {
        remove_object(m, object);
    } else if (object->is_there && what == 4) {
        deform_object(m, object);
    } else if (object->is_there) {
        move_object(m, object);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Asking both

typedef struct nearest {
    double distance;
    uint32_t object, triangle;
} nearest;

static void look_at_object(const model_object *object, fr_vec3 point, nearest *best) {
    uint32_t triangle = 0, first_vertex = 0;
    for (uint32_t part = 0; part < object->part_count; part++) {
        const fr_mesh_view *mesh = fr_mesh_get(object->meshes[part]);
        for (uint32_t t = 0; t < mesh->triangle_count; t++, triangle++) {
            fr_vec3 corners[3];
            fr_mesh_corners(object->meshes[part], t, corners);
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t vertex = first_vertex + mesh->triangles[3 * t + k];
                if (object->vertices != NULL) { corners[k] = object->vertices[vertex]; }
                corners[k] = fr_pose_apply(&object->pose, fr_pose_apply(&object->parts[part], corners[k]));
            }
            double distance = fr_triangle_closest(corners, point).distance;
            if (!(distance < best->distance)) { continue; }
            best->distance = distance;
            best->object = object->id.index1;
            best->triangle = triangle;
        }
        first_vertex += mesh->vertex_count;
    }
}

static void compare(model *m) {
    fr_vec3 point = scene_point(&m->s);
    nearest best = {INFINITY, 0, 0};
    for (int i = 0; i < MODEL_OBJECTS; i++) {
        if (m->objects[i].is_there) { look_at_object(&m->objects[i], point, &best); }
    }
    fr_space_closest out;
    assert_int_equal(fr_space_closest_point(m->s.space, point, INFINITY, false, NULL, &out, NULL), FR_OK);
    assert_int_equal(out.object.index1, best.object);
    assert_true(out.distance == best.distance);
    if (best.object != 0) { assert_int_equal(out.triangle, best.triangle); }
}

static void no_result_is_stale(void **state) {
    (void)state;
    uint64_t histories = test_count(30, 800);
    for (uint64_t i = 0; i < histories; i++) {
        static model m;
        memset(&m, 0, sizeof m);
        scene_open(&m.s, 700 + i, 4, i % 3 == 0 ? 1e6 : 0, NULL);
        for (int step = 0; step < 60; step++) {
            for (uint32_t k = scene_below(&m.s, 6); k > 0; k--) {
                change(&m);
            }
            fr_space_closest out;
            fr_vec3 zero = {0, 0, 0};
            if (!fr_space_is_current(m.s.space)) {
                assert_int_equal(fr_space_closest_point(m.s.space, zero, 1, false, NULL, &out, NULL),
                                 FR_ERROR_STALE_DATA);
            }
            scene_update(&m.s);
            scene_validate(&m.s);
            for (int k = 0; k < 4; k++) {
                compare(&m);
            }
        }
        for (int k = 0; k < MODEL_OBJECTS; k++) {
            free(m.objects[k].vertices);
        }
        scene_close(&m.s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_result_is_stale)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
