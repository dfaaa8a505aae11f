// Objects that are added to a world while it runs. Each comes as a scene of one object, so that classes, joints and
// looks are read as those of any scene.
#include "fureai/act_additions.h"

#include <stdalign.h>
#include <string.h>

#define ADDITIONS_COOKIE UINT32_C(0x61646474)

typedef struct addition_object {
    fr_object_id object;
    fr_scene *scene; // whose only object it is
} addition_object;

FR_ARRAY_TYPE(addition_array, addition_object);

struct fr_additions {
    fr_additions_def def;
    fr_allocator allocator;
    addition_array list;
};

fr_additions_def fr_default_additions_def(void) {
    fr_additions_def def;
    memset(&def, 0, sizeof def);
    def.cookie = ADDITIONS_COOKIE;
    return def;
}

fr_status fr_additions_create(const fr_additions_def *def, fr_additions **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != ADDITIONS_COOKIE) { return fr_error_set_cookie(error, "fr_default_additions_def"); }
    if (def->cast == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "additions need a cast"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_additions *a = fr_allocate(&allocator, 1, sizeof *a, alignof(fr_additions));
    if (a == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for additions"); }
    *a = (fr_additions){.def = *def, .allocator = allocator, .list = addition_array_make(&allocator)};
    *out = a;
    return FR_OK;
}

void fr_additions_destroy(fr_additions *additions) {
    if (additions == NULL) { return; }
    for (size_t i = 0; i < additions->list.count; i++) {
        fr_scene_destroy(additions->list.data[i].scene);
    }
    addition_array_destroy(&additions->list);
    fr_allocator allocator = additions->allocator;
    fr_deallocate(&allocator, additions, 1, sizeof *additions);
}

// ---------------------------------------------------------------------------------------------------------------
// Listing

enum { MOTIONS_BYTES = 1024 };

// Names of motions with commas between, each once, as many as fit.
static void list_motions(const fr_library_entry *entry, char out[MOTIONS_BYTES]) {
    size_t length = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < entry->motion_count; i++) {
        const char *name = entry->motions[i].name;
        bool is_again = false;
        for (uint32_t k = 0; k < i && !is_again; k++) {
            is_again = strcmp(entry->motions[k].name, name) == 0;
        }
        size_t bytes = strlen(name);
        if (is_again || length + bytes + 3 > MOTIONS_BYTES) { continue; }
        if (length > 0) {
            memcpy(out + length, ", ", 2);
            length += 2;
        }
        memcpy(out + length, name, bytes + 1);
        length += bytes;
    }
}

static fr_status refuse(fr_error *error) {
    return fr_error_set(error, FR_ERROR_FILE, "there is no library of objects for this scene");
}

static fr_status list_classes(fr_stock_fn *take, void *context, void *user, fr_error *error) {
    const fr_additions *a = user;
    if (a->def.library == NULL) { return refuse(error); }
    fr_status status = fr_library_refresh(a->def.library, NULL, error);
    bool is_wanted = status == FR_OK;
    for (uint32_t i = 0; is_wanted && i < fr_library_count(a->def.library); i++) {
        const fr_library_entry *entry = fr_library_get(a->def.library, i);
        if (entry->place.kind != FR_CLASS_OBJECT || entry->message[0] != '\0') { continue; }
        char motions[MOTIONS_BYTES];
        list_motions(entry, motions);
        const fr_stock_entry listed = {entry->place.name, entry->title, motions};
        is_wanted = take(&listed, context);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Adding

static bool push_bytes(const void *bytes, size_t size, void *context) {
    unsigned char *place = fr_byte_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

// The text of a scene with the object alone.
static bool write_scene(const fr_additions *a, const fr_scene_addition *addition, fr_byte_array *text) {
    const fr_pose *pose = &addition->pose;
    const double position[3] = {pose->position.x, pose->position.y, pose->position.z};
    const double rotation[4] = {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z};
    fr_json_writer j = fr_json_writer_make(push_bytes, text, 0, &a->allocator);
    fr_json_write_object(&j);
    fr_json_write_uint_field(&j, "fureai", 1);
    fr_json_write_number_field(&j, "step", fr_world_step(fr_cast_world(a->def.cast)));
    fr_json_write_key(&j, "objects");
    fr_json_write_array(&j);
    fr_json_write_object(&j);
    fr_json_write_string_field(&j, "name", addition->name);
    fr_json_write_string_field(&j, "class", addition->class_name);
    fr_json_write_numbers_field(&j, "position", position, 3);
    fr_json_write_numbers_field(&j, "rotation", rotation, 4);
    fr_json_write_number_field(&j, "scale", pose->scale);
    fr_json_write_object_end(&j);
    fr_json_write_array_end(&j);
    fr_json_write_object_end(&j);
    return fr_json_writer_end(&j);
}

static fr_status read_scene(const fr_additions *a, const fr_scene_addition *addition, fr_scene **out, fr_error *error) {
    fr_byte_array text = fr_byte_array_make(&a->allocator);
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = fr_library_classes(a->def.library);
    reading.allocator = a->allocator;
    fr_status status = FR_ERROR_MEMORY;
    if (write_scene(a, addition, &text)) {
        status = fr_scene_read(text.data, text.count, &reading, out, error);
    } else {
        fr_error_set(error, status, "no memory for an object that is added");
    }
    fr_byte_array_destroy(&text);
    if (status != FR_OK && error != NULL && error->path[0] == '\0') { error->line = error->column = 0; }
    return status;
}

// Lifts an object so that the lowest point of it is at the height of its place; what hangs on a joint stays.
static fr_status stand(fr_space *space, const fr_scene *scene, fr_object_id object, fr_error *error) {
    fr_bounds box;
    if (fr_scene_get(scene)->joint_count > 0) { return FR_OK; }
    fr_status status = fr_space_update(space, NULL, error);
    if (status == FR_OK) { status = fr_object_bounds(space, object, &box, error); }
    if (status != FR_OK || fr_bounds_is_empty(&box)) { return status; }
    fr_pose pose = fr_object_get(space, object)->pose;
    pose.position.y += pose.position.y - box.min.y;
    return fr_object_set_pose(space, object, &pose, error);
}

static fr_status build(const fr_additions *a, const fr_scene_addition *addition, const fr_scene *scene,
                       fr_object_id *out, fr_error *error) {
    fr_world *world = fr_cast_world(a->def.cast);
    fr_space *space = fr_world_space(world);
    fr_scene_build_input input = fr_default_scene_build_input();
    input.classes = fr_library_classes(a->def.library);
    input.player = a->def.player;
    input.is_added = true;
    input.is_double = true;
    input.memory = a->def.memory;
    input.allocator = a->allocator;
    fr_status status = fr_scene_build_world(scene, &input, world, out, error);
    if (status != FR_OK) { return status; }
    if (addition->is_standing) { status = stand(space, scene, *out, error); }
    fr_class *c = NULL;
    if (status == FR_OK && a->def.director != NULL) {
        status = fr_library_find(a->def.library, addition->class_name, &c, error);
    }
    if (c != NULL) { status = fr_director_set_class(a->def.director, *out, c, error); }
    fr_class_release(c);
    if (status != FR_OK) { fr_object_remove(space, *out, NULL); }
    if (a->def.player != NULL) { (void)fr_scene_player_looks(a->def.player); }
    return status;
}

static fr_status add_object(const fr_scene_addition *addition, void *user, fr_error *error) {
    fr_additions *a = user;
    if (a->def.library == NULL) { return refuse(error); }
    if (fr_world_find(fr_cast_world(a->def.cast), addition->name).index1 != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is an object '%.64s' already", addition->name);
    }
    if (a->list.count == FR_ADDITIONS_MAX) {
        return fr_error_set(error, FR_ERROR_LIMIT, "at most %u objects are added", FR_ADDITIONS_MAX);
    }
    fr_scene *scene;
    fr_status status = read_scene(a, addition, &scene, error);
    if (status != FR_OK) { return status; }
    addition_object *place = addition_array_push(&a->list, 1);
    if (place == NULL) {
        fr_scene_destroy(scene);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an object that is added");
    }
    *place = (addition_object){.scene = scene};
    status = build(a, addition, scene, &place->object, error);
    if (status != FR_OK) {
        a->list.count--;
        fr_scene_destroy(scene);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Removing

static fr_status remove_object(fr_object_id object, void *user, fr_error *error) {
    fr_additions *a = user;
    fr_world *world = fr_cast_world(a->def.cast);
    size_t i = 0;
    while (i < a->list.count && !fr_object_id_equal(a->list.data[i].object, object)) {
        i++;
    }
    if (i == a->list.count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "only what was added can be removed, and '%.64s' was not",
                            fr_world_label(world, object).name);
    }
    const fr_claim *claim = fr_cast_claim(a->def.cast, object);
    if (claim != NULL) {
        return fr_error_set(error, FR_ERROR_BUSY, "%s holds it", claim->name[0] != '\0' ? claim->name : "a person");
    }
    if (a->def.director != NULL) { (void)fr_director_set_class(a->def.director, object, NULL, NULL); }
    fr_status status = fr_object_remove(fr_world_space(world), object, error);
    if (status != FR_OK) { return status; }
    fr_scene_destroy(a->list.data[i].scene);
    a->list.data[i] = a->list.data[--a->list.count];
    return FR_OK;
}

fr_scene_stock fr_additions_stock(fr_additions *additions) {
    FR_ASSERT(additions != NULL);
    return (fr_scene_stock){.list = list_classes, .add = add_object, .remove = remove_object, .user = additions};
}
