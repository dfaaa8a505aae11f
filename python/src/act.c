// People of a world: commands, what objects afford, and scripts; methods of World.
#include "scene.h"

#include "fureai/act_director.h"
#include "fureai/act_script.h"
#include "fureai/file.h"

static const char *const person_names[] = {"name", "object",     "motion",    "waiting",
                                           "head", "right_palm", "left_palm", NULL};
static named person_tuple = {
    "fureai.Person", "A person who carries out commands: the motion that is done now ('': none), places in the world.",
    person_names, NULL};

static const char *const end_names[] = {"ticket", "is_done", "reason", NULL};
static named end_tuple = {"fureai.CommandEnd", "How a command ended; the reason is '' where it was done.", end_names,
                          NULL};

static const char *const result_names[] = {"step", "is_done", "begin", "end", "reason", NULL};
static named result_tuple = {"fureai.ScriptResult", "How a command of a script ended: its step, and ticks.",
                             result_names, NULL};

fr_status scene_world_direct(scene_world *scene, fr_error *error) {
    fr_director_def def = fr_default_director_def();
    (void)fr_library_finder_open(scene->finder, fr_scene_get(scene->scene)->library, NULL); // without: no classes
    def.cast = scene->cast;
    def.library = fr_library_finder_library(scene->finder);
    fr_director *director = NULL; // the cast's
    return fr_director_create_for_scene(&def, scene->scene, &director, error);
}

// The scene of a world that was read from a file; NULL with an exception.
static scene_world *cast_of(PyObject *self, bool may_change) {
    scene_world *scene = world_scene(self, may_change);
    if (scene != NULL && scene->cast == NULL) {
        error_argument("the world has no people: it was not read from a scene file");
        return NULL;
    }
    return scene;
}

// ---------------------------------------------------------------------------------------------------------------
// Commands

static const field command_fields[] = {FIELD(fr_command, object, 'O'), FIELD(fr_command, person, 's'),
                                       FIELD(fr_command, point, 'V'),  FIELD(fr_command, goal, 'V'),
                                       FIELD(fr_command, facing, 'd'), FIELD(fr_command, frames, 'I'),
                                       FIELD(fr_command, start, 'I'),  {NULL, 0, 0, NULL}};

// Takes further fields of a motion as texts; false with an exception.
static bool take_parameters(PyObject *given, fr_command_parameter *out, uint32_t *count) {
    PyObject *key = NULL, *value = NULL;
    Py_ssize_t place = 0;
    if (!PyDict_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "parameters: a dict of texts is needed");
        return false;
    }
    while (PyDict_Next(given, &place, &key, &value)) {
        if (*count == FR_COMMAND_MAX_PARAMETERS) { return error_argument("too many parameters") != NULL; }
        out[*count].key = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
        out[*count].value = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
        if (out[*count].key == NULL || out[*count].value == NULL) {
            if (!PyErr_Occurred()) { PyErr_SetString(PyExc_TypeError, "parameters: a dict of texts is needed"); }
            return false;
        }
        (*count)++;
    }
    return true;
}

static uint32_t given_bit(PyObject *keywords, const char *name, uint32_t bit) {
    return keywords != NULL && PyDict_GetItemString(keywords, name) != NULL ? bit : 0;
}

PyObject *world_command(PyObject *self, PyObject *args, PyObject *keywords) {
    fr_command command = {0};
    fr_command_parameter parameters[FR_COMMAND_MAX_PARAMETERS];
    PyObject *given = NULL;
    if (!PyArg_ParseTuple(args, "s|O:command", &command.name, &given)) { return NULL; }
    scene_world *scene = cast_of(self, true);
    if (scene == NULL || (given != NULL && !take_parameters(given, parameters, &command.parameter_count))) {
        return NULL;
    }
    call c;
    call_begin(&c);
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, command_fields, &command)) {
        command.given = given_bit(keywords, "point", FR_COMMAND_POINT) | given_bit(keywords, "goal", FR_COMMAND_GOAL) |
                        given_bit(keywords, "facing", FR_COMMAND_FACING);
        command.parameters = parameters;
        command.ticket = ++scene->ticket_count;
        status = fr_cast_command(scene->cast, &command, &c.error);
    }
    return call_end(&c, status) ? PyLong_FromUnsignedLongLong(command.ticket) : NULL;
}

PyObject *world_ended(PyObject *self, PyObject *unused) {
    (void)unused;
    scene_world *scene = cast_of(self, true);
    PyObject *list = scene != NULL ? PyList_New(0) : NULL;
    fr_command_end end;
    while (list != NULL && fr_cast_ended(scene->cast, &end)) {
        PyObject *values[] = {PyLong_FromUnsignedLongLong(end.ticket), PyBool_FromLong(end.status == FR_OK),
                              give_text(end.status == FR_OK ? "" : end.message)};
        PyObject *one = named_make(&end_tuple, values);
        if (one == NULL || PyList_Append(list, one) != 0) { Py_CLEAR(list); }
        Py_XDECREF(one);
    }
    return list;
}

PyObject *world_affords(PyObject *self, PyObject *object) {
    fr_object_id id;
    scene_world *scene = cast_of(self, false);
    if (scene == NULL || !take_object_id(object, &id)) { return NULL; }
    PyObject *list = PyList_New(0);
    const fr_affordance *one;
    for (uint32_t i = 0; list != NULL && (one = fr_cast_affords(scene->cast, id, i)) != NULL; i++) {
        PyObject *name = give_text(one->name);
        if (name == NULL || PyList_Append(list, name) != 0) { Py_CLEAR(list); }
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *give_person(const fr_cast_person *person) {
    static const field object = {"", 'O', offsetof(fr_cast_person, object), NULL};
    PyObject *values[] = {give_text(person->name),    field_get(&object, person),
                          give_text(person->motion),  PyLong_FromUnsignedLong(person->waiting),
                          give_vec3(person->head),    give_vec3(person->palms[0]),
                          give_vec3(person->palms[1])};
    return named_make(&person_tuple, values);
}

PyObject *world_people(PyObject *self, void *unused) {
    (void)unused;
    scene_world *scene = world_scene(self, false);
    PyObject *list = scene != NULL ? PyList_New(0) : NULL;
    for (uint32_t a = 0; list != NULL && scene->cast != NULL && a < fr_cast_count(scene->cast); a++) {
        const fr_actor *actor = fr_cast_get(scene->cast, a);
        fr_cast_person person;
        for (uint32_t i = 0; list != NULL && actor->person != NULL && actor->person(i, &person, actor->user); i++) {
            PyObject *one = give_person(&person);
            if (one == NULL || PyList_Append(list, one) != 0) { Py_CLEAR(list); }
            Py_XDECREF(one);
        }
    }
    return list;
}

// ---------------------------------------------------------------------------------------------------------------
// Scripts

static PyObject *give_results(const fr_script_run *run) {
    PyObject *list = PyList_New(0);
    for (uint32_t i = 0; list != NULL && i < run->result_count; i++) {
        const fr_script_result *r = &run->results[i];
        PyObject *values[] = {PyLong_FromUnsignedLong(r->step), PyBool_FromLong(r->is_done),
                              PyLong_FromUnsignedLongLong(r->begin), PyLong_FromUnsignedLongLong(r->end),
                              give_text(r->reason)};
        PyObject *one = named_make(&result_tuple, values);
        if (one == NULL || PyList_Append(list, one) != 0) { Py_CLEAR(list); }
        Py_XDECREF(one);
    }
    return list;
}

// Reads a script and carries it out, without the GIL.
static fr_status carry_out(const char *path, scene_world *scene, uint64_t max_ticks, const fr_control *control,
                           fr_script_run *run, fr_error *error) {
    fr_input_file_def def = fr_default_input_file_def();
    def.path = path;
    def.control = control;
    fr_input_file file;
    fr_status status = fr_input_file_read(&def, &file, error);
    if (status != FR_OK) { return status; }
    fr_script *script = NULL;
    fr_script_read_input reading = fr_default_script_read_input();
    reading.name = path;
    status = fr_script_read(file.data, file.size, &reading, &script, error);
    fr_input_file_destroy(&file);
    if (status == FR_OK) {
        fr_script_run_input input = fr_default_script_run_input();
        fr_tick_input tick = fr_default_tick_input();
        tick.control = control;
        input.script = script;
        input.cast = scene->cast;
        input.max_ticks = max_ticks;
        input.tick = &tick;
        status = fr_script_carry_out(&input, run, error);
    }
    fr_script_destroy(script);
    return status;
}

PyObject *world_carry_out(PyObject *self, PyObject *args, PyObject *keywords) {
    static const field fields[] = {{"max_ticks", 'Q', 0, NULL}, {NULL, 0, 0, NULL}};
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&:carry_out", take_path, &path)) { return NULL; }
    call c;
    call_begin(&c);
    uint64_t max_ticks = 1000000;
    fr_script_run run = {0};
    fr_status status = FR_OK;
    if (cast_of(self, true) != NULL && options_fill(&c, keywords, fields, &max_ticks)) {
        scene_world *scene = world_hold(&c, self);
        if (scene != NULL) {
            const char *name = PyBytes_AsString(path);
            call_leave(&c);
            status = carry_out(name, scene, max_ticks, &c.control, &run, &c.error);
            call_return(&c);
        }
    }
    Py_DECREF(path);
    PyObject *results = call_end(&c, status) ? give_results(&run) : NULL;
    fr_script_run_destroy(&run);
    return results;
}

bool act_add(PyObject *module) {
    return named_add(module, &person_tuple) && named_add(module, &end_tuple) && named_add(module, &result_tuple);
}
