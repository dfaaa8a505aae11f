// The player of a scene's people: their bodies, how they walk, and what they do.
#include "scene/scene.h"

#include <string.h>

// A body that several people of the same measures and speed share.
typedef struct shared_body {
    const fr_scene_person *person; // the first who has it
    fr_skeleton *skeleton;
    fr_figure *figure;
    fr_walk_set *walk_set; // NULL: none of them walks
} shared_body;

FR_ARRAY_TYPE(shared_body_array, shared_body);
FR_ARRAY_TYPE(player_person_array, fr_player_person);
FR_ARRAY_TYPE(player_task_array, fr_player_task);
FR_ARRAY_TYPE(proxy_id_array, fr_object_id);

typedef struct player_preparation {
    const fr_scene *scene;
    fr_world *world;
    const fr_allocator *allocator;
    shared_body_array bodies;
    player_person_array people;
    player_task_array tasks;
    proxy_id_array proxies; // of all people
    fr_error *error;
} player_preparation;

static fr_status no_memory(const player_preparation *p) {
    return fr_error_set(p->error, FR_ERROR_MEMORY, "no memory for the people of a scene");
}

// Who has tasks walks where one of them does, and clips are made by the walk set; who has none may get a command.
static bool may_walk(const fr_scene_person *person) {
    bool is_found = person->task_count == 0;
    for (uint32_t i = 0; i < person->task_count && !is_found; i++) {
        is_found = person->tasks[i].text.skill->has_walk || person->tasks[i].text.clip != NULL;
    }
    return is_found;
}

static bool is_same_body(const fr_scene_person *a, const fr_scene_person *b) {
    const fr_body_def *x = &a->body, *y = &b->body;
    bool is_same = x->stature == y->stature && x->mass == y->mass && x->head == y->head && x->leg == y->leg;
    is_same = is_same && x->arm == y->arm && x->shoulder_width == y->shoulder_width;
    is_same = is_same && x->hip_width == y->hip_width && x->foot == y->foot;
    return is_same && a->curves == b->curves && a->detail == b->detail && a->speed == b->speed;
}

// Its rigid pieces are those that are touched in the world.
static fr_status make_figure(const player_preparation *p, const fr_scene_person *person, shared_body *body) {
    fr_figure_def def = fr_default_figure_def();
    def.skeleton = body->skeleton;
    def.detail = person->detail;
    def.curves = person->curves;
    def.allocator = *p->allocator;
    return fr_figure_create(&def, &body->figure, p->error);
}

// The body of a person, found among those that are there or made.
static fr_status find_body(player_preparation *p, const fr_scene_person *person, const shared_body **out) {
    size_t i = 0;
    while (i < p->bodies.count && !is_same_body(p->bodies.data[i].person, person)) {
        i++;
    }
    fr_status status = FR_OK;
    if (i == p->bodies.count) {
        shared_body *made = shared_body_array_push(&p->bodies, 1);
        if (made == NULL) { return no_memory(p); }
        *made = (shared_body){.person = person};
        status = fr__scene_person_skeleton(person, p->allocator, &made->skeleton, p->error);
        if (status == FR_OK) { status = make_figure(p, person, made); }
        if (status != FR_OK) { return status; }
    }
    shared_body *found = &p->bodies.data[i];
    *out = found;
    if (!may_walk(person) || found->walk_set != NULL) { return FR_OK; }
    fr_walk_set_def def = fr_default_walk_set_def();
    def.skeleton = found->skeleton;
    def.speed = person->speed;
    def.frame_rate = 1.0 / fr_world_step(p->world);
    def.allocator = *p->allocator;
    return fr_walk_set_create(&def, &found->walk_set, p->error);
}

// Says where the scene has what is wrong.
static fr_status locate(const player_preparation *p, fr_status status, int line, int column) {
    if (status != FR_OK && p->error != NULL && p->error->path[0] == '\0') {
        fr_error_locate(p->error, p->scene->view.name, line, column);
    }
    return status;
}

static fr_object_id object_of(const player_preparation *p, uint32_t index) {
    return fr_world_find(p->world, p->scene->view.objects[index].name);
}

// The clip of a task, to be released when the player has retained it.
static fr_status take_clip(const player_preparation *p, const fr_task_text *text, const shared_body *body,
                           fr_skill_fields *fields) {
    if (text->clip == NULL) { return FR_OK; }
    fr_made_clip made = fr_made_clip_find(text->clip);
    if (made == FR_MADE_CLIP_COUNT) {
        return fr_error_set(p->error, FR_ERROR_ARGUMENT, "there is no clip '%s'; there are door, sit, drink and tap",
                            text->clip);
    }
    fr_clip *clip;
    fr_status status = fr_clip_create_made(body->walk_set, made, p->allocator, &clip, p->error);
    if (status != FR_OK) { return status; }
    fields->clip = clip;
    fields->given |= FR_FIELD_CLIP;
    return FR_OK;
}

static fr_status add_task(player_preparation *p, const fr_scene_task *from, const shared_body *body) {
    fr_player_task *to = player_task_array_push(&p->tasks, 1);
    if (to == NULL) { return no_memory(p); }
    *to = (fr_player_task){.list = from->list, .skill = from->text.skill, .fields = from->text.fields};
    to->start = from->text.start;
    if (from->object != FR_NONE) {
        to->fields.given |= FR_FIELD_OBJECT;
        to->fields.object = object_of(p, from->object);
    }
    return locate(p, take_clip(p, &from->text, body, &to->fields), from->line, from->column);
}

static fr_status add_person(player_preparation *p, const fr_scene_person *from) {
    const shared_body *body = NULL;
    fr_status status = find_body(p, from, &body);
    const fr_scene_object *skin = &p->scene->view.objects[from->object];
    if (status != FR_OK) { return locate(p, status, skin->line, skin->column); }
    fr_player_person *to = player_person_array_push(&p->people, 1);
    bool has_pieces = from->solid == FR_SCENE_SOLID_LINKS;
    fr_object_id *proxies = proxy_id_array_push(&p->proxies, has_pieces ? FR_FIGURE_PROXY_COUNT : 0);
    if (to == NULL || (has_pieces && proxies == NULL)) { return no_memory(p); }
    *to = (fr_player_person){.person = fr_default_person_def(), .task_count = from->task_count};
    to->is_loop = from->is_loop;
    to->person.name = from->name;
    to->person.skeleton = body->skeleton;
    to->person.walk_set = body->walk_set;
    to->person.figure = body->figure;
    to->person.skin = object_of(p, from->object);
    to->person.place = from->place;
    to->person.heading = from->heading;
    to->person.seed = from->seed;
    to->person.variety = from->variety;
    to->person.allocator = *p->allocator;
    if (has_pieces) { to->person.proxies = proxies; } // until they stay where they are
    for (uint32_t i = 0; has_pieces && i < FR_FIGURE_PROXY_COUNT; i++) {
        proxies[i] = object_of(p, from->object + 1 + i);
    }
    for (uint32_t i = 0; i < from->task_count && status == FR_OK; i++) {
        status = add_task(p, &from->tasks[i], body);
    }
    return status;
}

// Those who have tasks, or those who have none. Then nothing is added any more: tasks and pieces stay where they are.
static fr_status add_people(player_preparation *p, bool have_tasks) {
    const fr_scene_view *view = &p->scene->view;
    for (uint32_t i = 0; i < view->person_count; i++) {
        if (have_tasks != (view->people[i].task_count > 0)) { continue; }
        fr_status status = add_person(p, &view->people[i]);
        if (status != FR_OK) { return status; }
    }
    size_t task = 0, proxy = 0;
    for (size_t i = 0; i < p->people.count; i++) {
        fr_player_person *person = &p->people.data[i];
        person->tasks = person->task_count > 0 ? &p->tasks.data[task] : NULL;
        task += person->task_count;
        if (person->person.proxies == NULL) { continue; }
        person->person.proxies = &p->proxies.data[proxy];
        proxy += FR_FIGURE_PROXY_COUNT;
    }
    return FR_OK;
}

static player_preparation begin(const fr_scene *scene, fr_world *world, const fr_allocator *allocator,
                                fr_error *error) {
    player_preparation p = {.scene = scene, .world = world, .allocator = allocator, .error = error};
    p.bodies = shared_body_array_make(allocator);
    p.people = player_person_array_make(allocator);
    p.tasks = player_task_array_make(allocator);
    p.proxies = proxy_id_array_make(allocator);
    return p;
}

static void end(player_preparation *p) {
    for (size_t i = 0; i < p->tasks.count; i++) {
        const fr_skill_fields *fields = &p->tasks.data[i].fields;
        if ((fields->given & FR_FIELD_CLIP) != 0) { fr_clip_release(fields->clip); }
    }
    for (size_t i = 0; i < p->bodies.count; i++) {
        fr_walk_set_release(p->bodies.data[i].walk_set);
        fr_figure_release(p->bodies.data[i].figure);
        fr_skeleton_release(p->bodies.data[i].skeleton);
    }
    shared_body_array_destroy(&p->bodies);
    player_person_array_destroy(&p->people);
    player_task_array_destroy(&p->tasks);
    proxy_id_array_destroy(&p->proxies);
}

fr_status fr__scene_add_player(const fr_scene *scene, fr_cast *cast, const fr_allocator *allocator, fr_error *error) {
    player_preparation p = begin(scene, fr_cast_world(cast), allocator, error);
    fr_status status;
    fr_player *player = NULL;
    status = add_people(&p, true);
    if (status == FR_OK && p.people.count > 0) {
        fr_player_def def = fr_default_player_def();
        def.world = p.world;
        def.people = p.people.data;
        def.person_count = (uint32_t)p.people.count;
        def.allocator = *allocator;
        status = fr_player_create(&def, &player, error);
    }
    end(&p);
    if (status != FR_OK || player == NULL) { return status; }
    const fr_actor actor = fr_player_actor(player);
    status = fr_cast_add(cast, &actor, error);
    if (status != FR_OK) { fr_player_destroy(player); }
    return status;
}

fr_status fr_scene_people(const fr_scene *scene, fr_world *world, fr_scene_person_fn *take, void *user,
                          const fr_allocator *allocator, fr_error *error) {
    FR_ASSERT(scene != NULL && world != NULL && take != NULL);
    const fr_allocator taken = fr_allocator_or_default(allocator);
    player_preparation p = begin(scene, world, &taken, error);
    fr_status status = add_people(&p, false);
    for (size_t i = 0; i < p.people.count && status == FR_OK; i++) {
        status = take(&p.people.data[i].person, user, error);
    }
    end(&p);
    return status;
}
