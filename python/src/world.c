// World and what a tick returns: the simulation of a space, with wishes, holds, states and events.
#include "scene.h"

static PyTypeObject *world_type, *snapshot_type;

const char *const sense_names[] = {"static", "continuous", NULL};
const char *const want_names[] = {"pairs", "times", "contacts", "intervals", NULL};

scene_world *world_scene(PyObject *self, bool may_change) { return handle_use(self, world_type, may_change); }

scene_world *world_hold(call *c, PyObject *self) {
    scene_world *scene = call_hold(c, self, world_type, true);
    if (scene == NULL || scene->space_view == NULL) { return scene; }
    return call_hold(c, scene->space_view, space_type, true) != NULL ? scene : NULL;
}

// The last object of Python that holds the world destroys it.
static void release(void *thing) {
    scene_world *scene = thing;
    if (--scene->user_count > 0) { return; }
    scene_world_close(scene);
    PyMem_Free(scene);
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static const field world_fields[] = {FIELD(fr_world_def, origin, 'V'),
                                     FIELD(fr_world_def, step, 'd'),
                                     FIELD_ENUM(fr_world_def, want, want_names),
                                     FIELD_ENUM(fr_world_def, sense, sense_names),
                                     FIELD(fr_world_def, margin, 'd'),
                                     FIELD(fr_world_def, budget, 'Q'),
                                     {NULL, 0, 0, NULL}};

// The mover of tick(moves=...).
static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal;
    scene_world *scene = user;
    fr_status status = FR_OK;
    for (size_t i = 0; i < scene->wishes.count && status == FR_OK; i++) {
        status = fr_wishes_add(wishes, &scene->wishes.data[i], error);
    }
    return status;
}

// Wraps a scene whose world was made; it is closed on failure.
static PyObject *wrap(scene_world *scene, fr_error *error) {
    fr_corrector mover = {"python", propose, scene};
    fr_status status = fr_world_add_mover(scene->world, &mover, error);
    if (status == FR_OK && scene->scene != NULL) {
        status = fr_scene_cast(scene->scene, scene->world, NULL, &scene->cast, error);
    }
    if (status == FR_OK && scene->cast != NULL) { status = scene_world_direct(scene, error); }
    if (status == FR_OK && scene->cast != NULL) { status = fr_cast_begin(scene->cast, error); }
    scene->user_count = 1;
    if (status != FR_OK) {
        release(scene);
        return error_raise(status, error);
    }
    return handle_make(world_type, scene, release, NULL);
}

static PyObject *world_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    if (!PyArg_ParseTuple(args, ":World")) { return NULL; }
    scene_world *scene = PyMem_Calloc(1, sizeof *scene);
    if (scene == NULL) { return PyErr_NoMemory(); }
    call c;
    call_begin(&c);
    fr_world_def def = fr_default_world_def();
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, world_fields, &def)) { status = fr_world_create(&def, &scene->world, &c.error); }
    if (!call_end(&c, status)) {
        PyMem_Free(scene);
        return NULL;
    }
    return wrap(scene, &c.error);
}

static const field read_fields[] = {{"sense", 'E', offsetof(scene_input, def.sense), sense_names},
                                    {"want", 'E', offsetof(scene_input, def.want), want_names},
                                    FIELD(scene_input, objects, 's'),
                                    {NULL, 0, 0, NULL}};

static PyObject *world_read(PyObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&:read", take_path, &path)) { return NULL; }
    scene_world *scene = PyMem_Calloc(1, sizeof *scene);
    call c;
    call_begin(&c);
    scene_input input = {fr_default_world_def(), PyBytes_AsString(path), NULL, &c.control};
    input.def.sense = FR_SENSE_CONTINUOUS;
    input.def.want = FR_WANT_INTERVALS;
    fr_status status = scene == NULL ? FR_ERROR_MEMORY : FR_OK;
    if (status == FR_OK && options_fill(&c, keywords, read_fields, &input)) {
        call_leave(&c);
        status = scene_world_open(&input, scene, &c.error);
        call_return(&c);
    }
    Py_DECREF(path);
    if (!call_end(&c, status)) {
        if (scene != NULL) { scene_world_close(scene); }
        PyMem_Free(scene);
        return NULL;
    }
    return wrap(scene, &c.error);
}

// ---------------------------------------------------------------------------------------------------------------
// The space, as long as anything shows it

static PyTypeObject *keeper_type;

// The space is the world's: its Space destroys nothing, and a keeper that it owns holds the world.
static void release_space(void *thing) { (void)thing; }

static void release_keeper(void *thing) {
    scene_world *scene = thing;
    scene->space_view = NULL;
    release(scene);
}

static PyObject *world_space(PyObject *self, void *unused) {
    (void)unused;
    scene_world *scene = world_scene(self, false);
    if (scene == NULL) { return NULL; }
    if (scene->space_view != NULL) { return Py_NewRef(scene->space_view); }
    scene->user_count++;
    PyObject *keeper = handle_make(keeper_type, scene, release_keeper, NULL);
    if (keeper == NULL) { return NULL; }
    PyObject *space = handle_make(space_type, fr_world_space(scene->world), release_space, keeper);
    Py_DECREF(keeper);
    scene->space_view = space;
    return space;
}

// ---------------------------------------------------------------------------------------------------------------
// Snapshots

static const char *const hold_names[] = {"free", "held", "placed", NULL};
static const field object_fields[] = {FIELD(fr_snapshot_object, id, 'O'),
                                      FIELD(fr_snapshot_object, pose, 'P'),
                                      FIELD(fr_snapshot_object, flags, 'I'),
                                      FIELD_ENUM(fr_snapshot_object, hold, hold_names),
                                      {NULL, 0, 0, NULL}};
static record object_record = {
    "fureai.SnapshotObject", "An object after a tick.", sizeof(fr_snapshot_object), object_fields, NULL, NULL};

static const char *const relation_names[] = {"near", "touching", "crossing", "a inside", "b inside", NULL};
static const field touch_fields[] = {FIELD(fr_touch, a, 'O'),
                                     FIELD(fr_touch, b, 'O'),
                                     FIELD(fr_touch, id, 'Q'),
                                     FIELD(fr_touch, since, 'Q'),
                                     FIELD_ENUM(fr_touch, relation, relation_names),
                                     FIELD(fr_touch, first, 'Q'),
                                     FIELD(fr_touch, count, 'Q'),
                                     {NULL, 0, 0, NULL}};
static record touch_record = {
    "fureai.Touch", "Two objects that touch now.", sizeof(fr_touch), touch_fields, NULL, NULL};

static const char *const event_names[] = {
    "added", "removed", "touch begin", "touch end", "limit", "state",  "held",  "released", "corrected", "contact",
    "snap",  "slide",   "pull",        "loose",     "done",  "fitted", "force", "named",    NULL};
static const field event_fields[] = {FIELD_ENUM(fr_event, kind, event_names),
                                     FIELD(fr_event, a, 'O'),
                                     FIELD(fr_event, b, 'O'),
                                     FIELD(fr_event, id, 'Q'),
                                     FIELD(fr_event, tick, 'Q'),
                                     FIELD(fr_event, time, 'd'),
                                     FIELD(fr_event, fraction, 'd'),
                                     FIELD(fr_event, value, 'd'),
                                     FIELD(fr_event, point, 'V'),
                                     FIELD(fr_event, name, 't'),
                                     {NULL, 0, 0, NULL}};
static record event_record = {"fureai.Event", "What happened in a tick.", sizeof(fr_event), event_fields, NULL, NULL};

static const char *const snapshot_names[] = {"tick",      "time",    "objects", "pairs",      "contacts", "step_pairs",
                                             "free_time", "touches", "events",  "is_partial", "hash",     NULL};
static named snapshot_tuple = {
    "fureai.Snapshot",
    "The world after a tick; arrays stay as they are for as long as they are held. step_pairs: over the step.",
    snapshot_names, NULL};

static void release_snapshot(void *thing) { fr_snapshot_release(thing); }

static PyObject *give_snapshot(const fr_snapshot *s) {
    union {
        const fr_snapshot *shared;
        void *thing;
    } same = {s};
    PyObject *owner = handle_make(snapshot_type, same.thing, release_snapshot, NULL);
    if (owner == NULL) { return NULL; }
    PyObject *values[] = {PyLong_FromUnsignedLongLong(s->tick),
                          PyFloat_FromDouble(s->time),
                          array_records(owner, s->objects, &object_record, s->object_count),
                          array_records(owner, s->pairs, &face_pair_record, s->pair_count),
                          s->contacts != NULL ? array_records(owner, s->contacts, &contact_record, s->pair_count)
                                              : Py_NewRef(Py_None),
                          array_records(owner, s->step_result.pairs, &face_pair_record, s->step_result.pair_count),
                          PyFloat_FromDouble(s->sense == FR_SENSE_CONTINUOUS ? s->step_result.free_time : 1.0),
                          array_records(owner, s->touches, &touch_record, s->touch_count),
                          array_records(owner, s->events, &event_record, s->event_count),
                          PyBool_FromLong(s->is_partial),
                          PyLong_FromUnsignedLongLong(fr_snapshot_hash(s))};
    Py_DECREF(owner);
    return named_make(&snapshot_tuple, values);
}

static PyObject *world_snapshot(PyObject *self, void *unused) {
    (void)unused;
    scene_world *scene = world_scene(self, false);
    if (scene == NULL) { return NULL; }
    const fr_snapshot *snapshot = fr_world_snapshot(scene->world);
    return snapshot != NULL ? give_snapshot(snapshot) : Py_NewRef(Py_None);
}

// ---------------------------------------------------------------------------------------------------------------
// Ticks

// Takes the moves of a tick: pairs of an object and a Pose, position or Motion.
static bool take_moves(PyObject *moves, wish_array *wishes) {
    wishes->count = 0;
    PyObject *list = moves != Py_None ? PySequence_Tuple(moves) : PyTuple_New(0);
    bool is_done = list != NULL;
    for (Py_ssize_t i = 0; is_done && i < PyTuple_Size(list); i++) {
        PyObject *pair = PyTuple_GetItem(list, i), *object, *where;
        fr_wish *wish = wish_array_push(wishes, 1);
        if (wish == NULL) {
            PyErr_NoMemory();
            is_done = false;
        } else if (!PyTuple_Check(pair)) {
            PyErr_Format(PyExc_TypeError, "a move is (object, pose), not %R", Py_TYPE(pair));
            is_done = false;
        } else if (!PyArg_ParseTuple(pair, "OO", &object, &where) || !take_object_id(object, &wish->object)) {
            is_done = false;
        } else if (PyObject_TypeCheck(where, motion_type)) {
            wish->kind = FR_WISH_MOTION;
            is_done = take_motion(where, &wish->motion) != 0;
            wish->pose = fr_motion_pose(&wish->motion, 1.0);
        } else {
            wish->kind = FR_WISH_NEXT;
            is_done = take_pose(where, &wish->pose) != 0;
        }
    }
    Py_XDECREF(list);
    return is_done;
}

static PyObject *world_tick(PyObject *self, PyObject *args, PyObject *keywords) {
    static const field fields[] = {
        FIELD(fr_tick_input, tasks, 'T'), FIELD(fr_tick_input, is_paused, 'b'), {NULL, 0, 0, NULL}};
    PyObject *moves = Py_None;
    if (!PyArg_ParseTuple(args, "|O:tick", &moves)) { return NULL; }
    call c;
    call_begin(&c);
    fr_tick_input input = fr_default_tick_input();
    fr_status status = FR_OK;
    scene_world *scene = world_hold(&c, self);
    if (scene != NULL && options_fill(&c, keywords, fields, &input) && take_moves(moves, &scene->wishes)) {
        input.control = &c.control;
        call_leave(&c);
        status = scene->cast != NULL ? fr_cast_tick(scene->cast, &input, &c.error)
                                     : fr_world_tick(scene->world, &input, &c.error);
        call_return(&c);
        scene->wishes.count = 0;
    }
    return call_end(&c, status) ? world_snapshot(self, NULL) : NULL;
}

static PyObject *world_drag(PyObject *self, PyObject *args) {
    fr_object_id id;
    fr_pose pose;
    scene_world *scene = world_scene(self, true);
    if (scene == NULL || !PyArg_ParseTuple(args, "O&O&:drag", take_object_id, &id, take_pose, &pose)) { return NULL; }
    fr_error error = {0};
    fr_status status = fr_world_drag(scene->world, id, &pose, &error);
    if (status != FR_OK) { return error_raise(status, &error); }
    Py_RETURN_NONE;
}

static PyObject *world_let_go(PyObject *self, PyObject *object) {
    fr_object_id id;
    scene_world *scene = world_scene(self, true);
    if (scene == NULL || !take_object_id(object, &id)) { return NULL; }
    fr_error error = {0};
    fr_status status = fr_world_let_go(scene->world, id, &error);
    if (status != FR_OK) { return error_raise(status, &error); }
    Py_RETURN_NONE;
}

static PyObject *world_set_state(PyObject *self, PyObject *args) {
    fr_object_id id;
    const char *name;
    double value;
    scene_world *scene = world_scene(self, true);
    if (scene == NULL || !PyArg_ParseTuple(args, "O&sd:set_state", take_object_id, &id, &name, &value)) { return NULL; }
    fr_error error = {0};
    fr_status status = fr_world_set_state(scene->world, id, name, value, &error);
    if (status != FR_OK) { return error_raise(status, &error); }
    Py_RETURN_NONE;
}

static PyObject *world_state(PyObject *self, PyObject *args) {
    static const field value = {"", 'N', 0, NULL};
    fr_object_id id;
    const char *name;
    scene_world *scene = world_scene(self, false);
    if (scene == NULL || !PyArg_ParseTuple(args, "O&s:state", take_object_id, &id, &name)) { return NULL; }
    double state = fr_world_state(scene->world, id, name);
    return field_get(&value, &state);
}

static PyObject *world_set_name(PyObject *self, PyObject *args) {
    fr_object_id id;
    scene_world *scene = world_scene(self, true);
    fr_label label = fr_default_label();
    if (scene == NULL || !PyArg_ParseTuple(args, "O&s:set_name", take_object_id, &id, &label.name)) { return NULL; }
    fr_error error = {0};
    fr_status status = fr_world_set_label(scene->world, id, &label, &error);
    if (status != FR_OK) { return error_raise(status, &error); }
    Py_RETURN_NONE;
}

static PyObject *world_find(PyObject *self, PyObject *args) {
    const char *name;
    scene_world *scene = world_scene(self, false);
    if (scene == NULL || !PyArg_ParseTuple(args, "s:find", &name)) { return NULL; }
    fr_object_id id = fr_world_find(scene->world, name);
    PyObject *space = id.index1 != 0 ? world_space(self, NULL) : NULL;
    if (id.index1 == 0) { Py_RETURN_NONE; }
    PyObject *object = space != NULL ? object_make(space, id) : NULL;
    Py_XDECREF(space);
    return object;
}

static PyObject *world_name(PyObject *self, PyObject *object) {
    fr_object_id id;
    scene_world *scene = world_scene(self, false);
    if (scene == NULL || !take_object_id(object, &id)) { return NULL; }
    return give_text(fr_world_label(scene->world, id).name);
}

static PyObject *world_time(PyObject *self, void *unused) {
    (void)unused;
    scene_world *scene = world_scene(self, false);
    return scene != NULL ? PyFloat_FromDouble(fr_world_time(scene->world)) : NULL;
}

static PyObject *world_step(PyObject *self, void *unused) {
    (void)unused;
    scene_world *scene = world_scene(self, false);
    return scene != NULL ? PyFloat_FromDouble(fr_world_step(scene->world)) : NULL;
}

static PyObject *world_repr(PyObject *self) {
    const handle *h = (const handle *)(const void *)self;
    const scene_world *scene = h->thing;
    if (scene == NULL) { return PyUnicode_FromString("<fureai.World, closed>"); }
    if (h->is_changing) { return PyUnicode_FromString("<fureai.World, in a tick>"); }
    return PyUnicode_FromFormat("<fureai.World of %u objects after %llu ticks>",
                                fr_space_object_count(fr_world_space(scene->world)),
                                (unsigned long long)fr_world_tick_count(scene->world));
}

static PyMethodDef world_methods[] = {
    HANDLE_METHODS,
    {"read", KEYWORDS(world_read) | METH_CLASS,
     "read($type, path, /, *, sense='continuous', want='intervals', objects=None, progress=None)\n--\n\n"
     "The world of a scene file, with its models, joints, and hands, pilots and pens; `objects` is a folder of "
     "classes."},
    {"tick", KEYWORDS(world_tick),
     "tick($self, moves=(), /, *, tasks=None, is_paused=False, progress=None)\n--\n\n"
     "Takes a step and returns its Snapshot. `moves` are pairs of an object and a Pose, a position or a Motion from "
     "its pose."},
    {"drag", world_drag, METH_VARARGS,
     "drag($self, object, pose, /)\n--\n\nWhere a hand wants an object to be at the end of the next tick."},
    {"let_go", world_let_go, METH_O, "let_go($self, object, /)\n--\n\nLets an object go."},
    {"set_state", world_set_state, METH_VARARGS,
     "set_state($self, object, name, value, /)\n--\n\nSets a state of an object, such as 'open'."},
    {"state", world_state, METH_VARARGS,
     "state($self, object, name, /)\n--\n\nThe value of a state; None where there is none."},
    {"set_name", world_set_name, METH_VARARGS, "set_name($self, object, name, /)\n--\n\nWhat an object is called."},
    {"name", world_name, METH_O, "name($self, object, /)\n--\n\nWhat an object is called; '' where it has no name."},
    {"find", world_find, METH_VARARGS, "find($self, name, /)\n--\n\nThe first object of this name, or None."},
    {"command", KEYWORDS(world_command),
     "command($self, motion, parameters={}, /, *, object=None, person='', point=None, goal=None, facing=None, "
     "frames=0, start=0)\n--\n\n"
     "Lets a person do a motion, such as 'take', with an object of the scene; returns a ticket. What is refused is "
     "Error."},
    {"ended", world_ended, METH_NOARGS,
     "ended($self, /)\n--\n\nThe commands that ended since the last call, as a list of CommandEnd."},
    {"affords", world_affords, METH_O, "affords($self, object, /)\n--\n\nThe motions that can be done with an object."},
    {"carry_out", KEYWORDS(world_carry_out),
     "carry_out($self, path, /, *, max_ticks=1000000)\n--\n\n"
     "Carries out a script file: ticks until all its commands are over; a list of ScriptResult."},
    {NULL, NULL, 0, NULL}};

bool world_add(PyObject *module) {
    static PyGetSetDef values[] = {
        {"space", world_space, NULL, "The world's Space; change it between ticks.", NULL},
        {"snapshot", world_snapshot, NULL, "The newest Snapshot; None before the first tick.", NULL},
        {"people", world_people, NULL, "Those who carry out commands, as a list of Person.", NULL},
        {"time", world_time, NULL, "Seconds.", NULL},
        {"step", world_step, NULL, "Seconds a tick.", NULL},
        HANDLE_CLOSED,
        {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc,
         "World(*, origin=(0, 0, 0), step=0.01, want='contacts', sense='static', margin=0.0, budget=0)\n--\n\n"
         "The simulation of a space, tick by tick. World.read(path) makes the one of a scene file."},
        {Py_tp_new, world_new},
        {Py_tp_dealloc, handle_dealloc},
        {Py_tp_repr, world_repr},
        {Py_tp_methods, world_methods},
        {Py_tp_getset, values},
        {0, NULL}};
    static PyType_Spec spec = {"fureai.World", sizeof(handle), 0, Py_TPFLAGS_DEFAULT, slots};
    static PyType_Slot plain[] = {{Py_tp_dealloc, handle_dealloc}, {0, NULL}};
    static PyType_Spec keeper = {"fureai._Keeper", sizeof(handle), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, plain};
    keeper_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &keeper, NULL);
    snapshot_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &keeper, NULL);
    return keeper_type != NULL && snapshot_type != NULL && record_add(module, &object_record) &&
           record_add(module, &touch_record) && record_add(module, &event_record) &&
           named_add(module, &snapshot_tuple) && module_add_type(module, &spec, &world_type);
}
