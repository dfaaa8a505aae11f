// Server: a scene file for people at browsers, served on a thread of the caller's.
#include "scene.h"

#include "fureai/server.h"

#include <string.h>

static PyTypeObject *server_type;

// A server with all that its definition points to.
typedef struct served {
    fr_server *server;
    fr_scene_entry entry;
    char *path, *objects, *address, *viewer, *store; // copies; NULL where not given
    fr_library_finder *finder;                       // of the scene that is open
} served;

static void destroy(void *thing) {
    served *s = thing;
    fr_server_destroy(s->server);
    fr_library_finder_destroy(s->finder);
    PyMem_Free(s->path);
    PyMem_Free(s->objects);
    PyMem_Free(s->address);
    PyMem_Free(s->viewer);
    PyMem_Free(s->store);
    PyMem_Free(s);
}

// Opens the scene file on the server's thread, without Python.
static fr_status open_scene(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    (void)name;
    served *s = user;
    scene_world scene = {0};
    scene_input input = {fr_default_world_def(), s->path, s->objects, NULL};
    input.def.sense = FR_SENSE_CONTINUOUS;
    input.def.want = FR_WANT_INTERVALS;
    fr_status status = scene_world_open(&input, &scene, error);
    if (status != FR_OK) { return status; }
    fr_served_scene_def def = fr_default_served_scene_def();
    def.scene = scene.scene;
    def.player = scene.player;
    def.world = scene.world;
    status = fr_served_scene_create(&def, out, error);
    if (status != FR_OK) {
        scene_world_close(&scene);
        return status;
    }
    out->title = s->path;
    fr_library_finder_destroy(s->finder);
    s->finder = scene.finder;
    return FR_OK;
}

static void close_scene(fr_served_scene *scene, void *user) {
    (void)user;
    fr_served_scene_destroy(scene);
}

typedef struct server_input {
    const char *address, *viewer, *store, *objects;
    uint32_t port;
    double speed;
    bool is_paused, is_always_ticking;
    uint32_t max_clients;
} server_input;

static const field server_fields[] = {FIELD(server_input, address, 's'),
                                      FIELD_AS(server_input, "viewer_folder", viewer, 's'),
                                      FIELD_AS(server_input, "store", store, 's'),
                                      FIELD(server_input, objects, 's'),
                                      FIELD(server_input, port, 'I'),
                                      FIELD(server_input, speed, 'd'),
                                      FIELD(server_input, is_paused, 'b'),
                                      FIELD(server_input, is_always_ticking, 'b'),
                                      FIELD(server_input, max_clients, 'I'),
                                      {NULL, 0, 0, NULL}};

// A copy of a text; false with an exception where there is no memory.
static bool copy(const char *text, char **out) {
    if (text == NULL) { return true; }
    size_t size = strlen(text) + 1;
    *out = PyMem_Malloc(size);
    if (*out == NULL) { return PyErr_NoMemory() != NULL; }
    memcpy(*out, text, size);
    return true;
}

static PyObject *server_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&:Server", take_path, &path)) { return NULL; }
    fr_server_def def = fr_default_server_def();
    server_input input = {NULL, NULL, NULL, NULL, 0, def.speed, false, def.is_always_ticking, def.max_clients};
    served *s = PyMem_Calloc(1, sizeof *s);
    call c;
    call_begin(&c);
    fr_status status = s == NULL ? FR_ERROR_MEMORY : FR_OK;
    if (s != NULL && options_fill(&c, keywords, server_fields, &input) && copy(PyBytes_AsString(path), &s->path) &&
        copy(input.objects, &s->objects) && copy(input.address, &s->address) && copy(input.viewer, &s->viewer) &&
        copy(input.store, &s->store)) {
        s->entry = (fr_scene_entry){.name = "scene", .title = s->path, .about = ""};
        def.provider = (fr_scene_provider){&s->entry, 1, "scene", open_scene, close_scene, s};
        if (s->address != NULL) { def.address = s->address; }
        if (s->viewer != NULL) { def.viewer_folder = s->viewer; }
        def.store_path = s->store;
        def.port = (uint16_t)input.port;
        def.speed = input.speed;
        def.is_paused = input.is_paused;
        def.is_always_ticking = input.is_always_ticking;
        def.max_clients = input.max_clients;
        def.control = &c.control;
        if (input.port > UINT16_MAX) {
            status = fr_error_set(&c.error, FR_ERROR_ARGUMENT, "port: %u is over 65535", input.port);
        } else {
            call_leave(&c);
            status = fr_server_create(&def, &s->server, &c.error);
            call_return(&c);
        }
    }
    Py_DECREF(path);
    if (!call_end(&c, status)) {
        if (s != NULL) { destroy(s); }
        return NULL;
    }
    return handle_make(type, s, destroy, NULL);
}

static PyObject *server_run(PyObject *self, PyObject *args, PyObject *keywords) {
    static const field none[] = {{NULL, 0, 0, NULL}};
    if (!PyArg_ParseTuple(args, ":run")) { return NULL; }
    call c;
    call_begin(&c);
    fr_status status = FR_OK;
    served *s = call_hold(&c, self, server_type, true);
    if (s != NULL && options_fill(&c, keywords, none, NULL)) {
        call_leave(&c);
        status = fr_server_run(s->server, &c.control, &c.error);
        call_return(&c);
    }
    if (!call_end(&c, status)) { return NULL; }
    Py_RETURN_NONE;
}

// Any thread may stop a server that runs.
static PyObject *server_stop(PyObject *self, PyObject *unused) {
    (void)unused;
    served *s = ((handle *)(void *)self)->thing;
    if (s == NULL) {
        PyErr_SetString(error_closed, "the server was closed");
        return NULL;
    }
    fr_server_stop(s->server);
    Py_RETURN_NONE;
}

static PyObject *server_port(PyObject *self, void *unused) {
    (void)unused;
    const served *s = ((handle *)(void *)self)->thing;
    if (s == NULL) {
        PyErr_SetString(error_closed, "the server was closed");
        return NULL;
    }
    return PyLong_FromLong(fr_server_port(s->server));
}

static PyObject *server_repr(PyObject *self) {
    const served *s = ((handle *)(void *)self)->thing;
    if (s == NULL) { return PyUnicode_FromString("<fureai.Server, closed>"); }
    return PyUnicode_FromFormat("<fureai.Server of %s at port %d>", s->path, (int)fr_server_port(s->server));
}

bool server_add(PyObject *module) {
    static PyMethodDef methods[] = {
        HANDLE_METHODS,
        {"run", KEYWORDS(server_run),
         "run($self, /)\n--\n\nServes until stop() is called or a signal comes; the GIL is released."},
        {"stop", server_stop, METH_NOARGS, "stop($self, /)\n--\n\nEnds run(), from any thread."},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef values[] = {{"port", server_port, NULL, "The port that it listens on.", NULL},
                                   HANDLE_CLOSED,
                                   {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc,
         "Server(path, /, *, address='127.0.0.1', port=0, viewer_folder=None, store=None, objects=None, speed=1.0,\n"
         "    is_paused=False, is_always_ticking=False, max_clients=64)\n--\n\n"
         "Serves a scene file with the viewer to browsers; port 0 is any free one."},
        {Py_tp_new, server_new},
        {Py_tp_dealloc, handle_dealloc},
        {Py_tp_repr, server_repr},
        {Py_tp_methods, methods},
        {Py_tp_getset, values},
        {0, NULL}};
    static PyType_Spec spec = {"fureai.Server", sizeof(handle), 0, Py_TPFLAGS_DEFAULT, slots};
    return module_add_type(module, &spec, &server_type);
}
