// The layer of an octree: what it draws, when it is drawn again, and what it needs.
#include "demo.h"
#include "draw_record.h"

#include "fureai/actor.h"

static const char text[] = "{ \"fureai\": 1, \"step\": 0.02, \"objects\": ["
                           "  { \"name\": \"box\", \"shape\": \"box\", \"position\": [3, 0, 0] },"
                           "  { \"name\": \"ball\", \"shape\": \"sphere_168\", \"position\": [0, 5, 0] } ] }";

// What a viewer would show of a layer.
typedef struct shown_layer {
    draw_record record;
    fr_object_id object;
    char name[80];
    int count; // of calls with a picture
    int removals;
} shown_layer;

static fr_status show(const fr_cast_layer *layer, void *user, fr_error *error) {
    (void)error;
    shown_layer *shown = user;
    if (layer->paint == NULL) {
        shown->removals++;
        return FR_OK;
    }
    fr_draw draw = draw_record_begin(&shown->record);
    layer->paint(&draw, layer->user);
    shown->object = layer->object;
    snprintf(shown->name, sizeof shown->name, "%s", layer->name);
    shown->count++;
    return FR_OK;
}

typedef struct room {
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_object_id box;
    shown_layer shown;
} room;

static void open_room_of(room *r, const char *name, uint32_t depth) {
    *r = (room){.shown = {.count = 0}};
    assert_int_equal(fr_scene_read(text, strlen(text), NULL, &r->scene, NULL), FR_OK);
    r->world = demo_world(r->scene, NULL, FR_SENSE_STATIC);
    r->box = fr_world_find(r->world, name);
    fr_cast_def def = fr_default_cast_def();
    def.draw = show;
    def.draw_user = &r->shown;
    assert_int_equal(fr_scene_cast(r->scene, r->world, &def, &r->cast, NULL), FR_OK);
    fr_octree_layer_def layer = fr_default_octree_layer_def();
    layer.object = r->box;
    layer.name = name;
    layer.depth = depth;
    fr_actor actor;
    assert_int_equal(fr_octree_layer_create(&layer, &actor, NULL), FR_OK);
    assert_int_equal(fr_cast_add(r->cast, &actor, NULL), FR_OK);
}

static void open_room(room *r) { open_room_of(r, "box", 3); }

static void close_room(room *r) {
    fr_cast_destroy(r->cast);
    fr_world_destroy(r->world);
    fr_scene_destroy(r->scene);
}

static void tick(const room *r) { assert_int_equal(fr_world_tick(r->world, NULL, NULL), FR_OK); }

static void an_octree_is_drawn_once_in_the_frame_of_its_object(void **state) {
    (void)state;
    room r;
    open_room(&r);
    tick(&r);
    assert_int_equal(r.shown.count, 1);
    assert_string_equal(r.shown.name, "octree of box");
    assert_true(fr_object_id_equal(r.shown.object, r.box));
    const draw_record *record = &r.shown.record;
    assert_true(record->triangle_count >= 12 && record->triangle_count % 2 == 0 && record->line_count > 0);
    assert_int_equal(record->point_count + record->text_count, 0);
    assert_true(record->triangle_color.a < 255);
    // The cells hold the box of edge 1 about its own origin, not about its place in the world, and are little larger.
    for (int i = 0; i < 3; i++) {
        double min = (&record->bounds.min.x)[i], max = (&record->bounds.max.x)[i];
        assert_true(min <= -0.5 && min > -1.0 && max >= 0.5 && max < 1.0);
    }
    // A box that does not change is not drawn again, wherever it is put.
    fr_pose pose = fr_object_get(fr_world_space(r.world), r.box)->pose;
    pose.position.x = 7.0;
    assert_int_equal(fr_object_set_pose(fr_world_space(r.world), r.box, &pose, NULL), FR_OK);
    tick(&r);
    assert_int_equal(r.shown.count, 1);
    // Another callback is shown everything.
    shown_layer other = {.count = 0};
    fr_cast_set_draw(r.cast, show, &other);
    tick(&r);
    assert_int_equal(other.count, 1);
    assert_int_equal(other.record.triangle_count, record->triangle_count);
    fr_cast_set_draw(r.cast, show, &r.shown);
    tick(&r);
    close_room(&r);
    assert_int_equal(r.shown.removals, 1);
}

static void a_deformed_object_is_drawn_again(void **state) {
    (void)state;
    room r;
    open_room(&r);
    tick(&r);
    fr_space *space = fr_world_space(r.world);
    const fr_mesh_view *mesh = fr_mesh_get(fr_object_part(space, r.box, 0).mesh);
    fr_vec3 vertices[64];
    assert_true(mesh->vertex_count <= 64);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float *f = mesh->positions_float;
        const double *d = mesh->positions_double;
        vertices[i] = f != NULL ? fr_vec3_make(2.0 * (double)f[3 * i], (double)f[3 * i + 1], (double)f[3 * i + 2])
                                : fr_vec3_make(2.0 * d[3 * i], d[3 * i + 1], d[3 * i + 2]);
    }
    assert_int_equal(fr_object_set_vertices(space, r.box, vertices, mesh->vertex_count, NULL), FR_OK);
    tick(&r);
    assert_int_equal(r.shown.count, 2);
    assert_true(r.shown.record.bounds.min.x <= -1.0 && r.shown.record.bounds.max.x >= 1.0);
    tick(&r);
    assert_int_equal(r.shown.count, 2);
    // Without its object nothing is drawn.
    assert_int_equal(fr_object_remove(space, r.box, NULL), FR_OK);
    tick(&r);
    assert_int_equal(r.shown.count, 2);
    close_room(&r);
}

// A ball needs more and more cells. The cells that hold a box may be the same ones at two depths: ten of depth 4 and
// twenty of depth 5 along each edge, which the tree joins. They never are fewer.
static void a_deeper_octree_has_more_triangles(void **state) {
    (void)state;
    static const char *const names[2] = {"box", "ball"};
    for (int k = 0; k < 2; k++) {
        size_t before = 0;
        for (uint32_t depth = FR_OCTREE_LAYER_MIN_DEPTH; depth <= FR_OCTREE_LAYER_MAX_DEPTH; depth++) {
            room r;
            open_room_of(&r, names[k], depth);
            tick(&r);
            size_t count = r.shown.record.triangle_count;
            assert_true(k == 1 ? count > before : count >= before && count > 0);
            before = count;
            close_room(&r);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_octree_is_drawn_once_in_the_frame_of_its_object),
        cmocka_unit_test(a_deformed_object_is_drawn_again),
        cmocka_unit_test(a_deeper_octree_has_more_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
