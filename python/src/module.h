// What the files of the Python module share: handles, calls, arrays, records and options, each written once.
//
// A noun of the library is a Python class in a file of its own. Its object begins with a `handle`, its methods run in a
// `call`, what they return is a record or an array made from a table of fields, and their keyword arguments fill an
// input struct by the same kind of table.
#ifndef FUREAI_PYTHON_MODULE_H
#define FUREAI_PYTHON_MODULE_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "fureai/fureai.h"
#include "fureai/model.h"

// ---------------------------------------------------------------------------------------------------------------
// Handles: objects that own a thing of the library

// The head of every object that owns something. A thing is read by several calls at once or changed by one; a second
// thread that comes in between gets BusyError, and after close() every use is ClosedError. All of it is guarded by the
// GIL.
typedef struct handle {
    PyObject_HEAD void *thing; // NULL: closed
    void (*destroy)(void *);   // of the thing
    PyObject *owner;           // lives at least as long as the thing; may be NULL
    uint32_t readers;          // calls that read the thing now, and open views of its memory
    bool is_changing;          // a call changes the thing now
} handle;

// Makes an object of `type` around a thing, which is destroyed when that fails. `owner` may be NULL; it is retained.
PyObject *handle_make(PyTypeObject *type, void *thing, void (*destroy)(void *), PyObject *owner);

// The thing of an object of `type`, for a call that does not release the GIL. NULL with an exception: another type,
// closed, or busy. `may_change`: the call changes it.
void *handle_use(PyObject *object, PyTypeObject *type, bool may_change);

void handle_dealloc(PyObject *self);
PyObject *handle_close(PyObject *self, PyObject *unused);
PyObject *handle_enter(PyObject *self, PyObject *unused);
PyObject *handle_exit(PyObject *self, PyObject *args);
PyObject *handle_closed(PyObject *self, void *unused);

// Refuses to make an object by its class: such objects come from other calls.
int handle_refuse(PyObject *self, PyObject *args, PyObject *keywords);

#define HANDLE_METHODS                                                                                                 \
    {"close", handle_close, METH_NOARGS, "close($self, /)\n--\n\nGives the memory back. Closing twice does nothing."}, \
        {"__enter__", handle_enter, METH_NOARGS, "__enter__($self, /)\n--\n\n"}, {                                     \
        "__exit__", handle_exit, METH_VARARGS, "__exit__($self, /, *error)\n--\n\n"                                    \
    }
#define HANDLE_CLOSED                                                                                                  \
    { "closed", handle_closed, NULL, "Whether close() was called.", NULL }

// Adds a type to the module under its name; false with an exception.
bool module_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **out);

// ---------------------------------------------------------------------------------------------------------------
// Errors

// Sets the exception of a status, with path, line and column of the error. Returns NULL.
PyObject *error_raise(fr_status status, const fr_error *error);

// Sets ArgumentError with a printf-style sentence, as PyErr_Format takes it. Returns NULL.
PyObject *error_argument(const char *format, ...);
extern PyObject *error_closed, *error_busy;
bool error_add(PyObject *module);

// ---------------------------------------------------------------------------------------------------------------
// Calls

#define CALL_MAX_HELD 16
#define CALL_MAX_ARRAYS 8

// An array that came as an argument: the caller's own memory where type and layout allow, else a converted copy.
typedef struct array_input {
    const void *data;
    size_t rows;
    Py_buffer view; // held until the end of the call
    bool has_view;
    void *copy; // NULL: not copied
    char code;  // of `data`: 'f', 'd' or 'I'
} array_input;

// One call of the library that may be long: what it holds, and how it is stopped.
typedef struct call {
    fr_control control;
    fr_error error;
    PyObject *progress;   // borrowed; NULL: none
    PyObject *filter;     // borrowed; NULL: none
    PyObject *failure[3]; // the exception of a callback on any thread; NULL: none
    PyThreadState *thread;
    uint64_t looked_ns;
    bool is_stopped;
    struct {
        handle *object;
        bool may_change;
    } held[CALL_MAX_HELD];
    int held_count;
    array_input arrays[CALL_MAX_ARRAYS];
    int array_count;
} call;

// Begins a call. Its control looks for signals and calls `progress`.
void call_begin(call *c);

// Holds an object of a type until the end of the call; its thing, or NULL with an exception.
void *call_hold(call *c, PyObject *object, PyTypeObject *type, bool may_change);

// Takes an array of rows of `columns` numbers as floats ('f'), doubles ('d'), either ('p') or indices ('I'). A flat
// array of a multiple of the columns will do, and so will a sequence of rows. NULL with an exception.
const array_input *call_array(call *c, PyObject *source, char code, int columns, const char *name);

// Releases the GIL and takes it again, around the call of the library.
void call_leave(call *c);
void call_return(call *c);

// Ends the call and lets go of what it holds. False with an exception: that of a callback, of a signal or of `status`.
bool call_end(call *c, fr_status status);

// For callbacks from any thread of the library: takes the GIL; false, without it, where the call is to end anyhow.
bool call_enter_python(call *c, PyGILState_STATE *state);

// Gives it back. An exception that is set ends the call, which raises it.
void call_leave_python(call *c, PyGILState_STATE state);

// ---------------------------------------------------------------------------------------------------------------
// Fields, records and options

// A field of a struct of the library. Kinds: d double, N double that may be unknown (None), f float, I uint32_t, U
// uint32_t with FR_NONE as None, i int32_t, Q uint64_t or size_t, b bool, V fr_vec3, W fr_vec2, q fr_quat, P fr_pose,
// m fr_motion, B fr_bounds, O fr_object_id, E an enum with names, s a text, C fr_color, M fr_mat3. Of options alone: T
// a task pool, F a filter of the call, X any value, borrowed.
typedef struct field {
    const char *name;
    char kind;
    size_t offset;
    const char *const *names; // of an enum, ended by NULL
} field;

#define FIELD(type, name, kind)                                                                                        \
    { #name, kind, offsetof(type, name), NULL }
#define FIELD_ENUM(type, name, names)                                                                                  \
    { #name, 'E', offsetof(type, name), names }
#define FIELD_AS(type, text, member, kind)                                                                             \
    { text, kind, offsetof(type, member), NULL }

// A struct of the library as Python sees it: a named tuple, and in arrays a structured type of the buffer protocol.
typedef struct record {
    const char *name; // "fureai.FacePair"
    const char *doc;
    size_t bytes;
    const field *fields; // ended by one without a name
    PyTypeObject *type;  // made at the start
    char *format;        // of the buffer protocol; made at the start
} record;

// Makes the type of a record and adds it to the module; false with an exception.
bool record_add(PyObject *module, record *r);

// A struct as a named tuple; NULL with an exception.
PyObject *record_make(const record *r, const void *data);

// A field's value; NULL with an exception.
PyObject *field_get(const field *f, const void *data);

// A named tuple of Python's own values.
typedef struct named {
    const char *name, *doc;
    const char *const *fields; // ended by NULL
    PyTypeObject *type;
} named;

bool named_add(PyObject *module, named *n);

// Takes over the values; NULL with an exception where one of them is NULL.
PyObject *named_make(const named *n, PyObject **values);

// Fills an input struct from keyword arguments (which may be NULL), `progress` for the call among them. False with
// an exception: an unknown word, or a value of another type.
bool options_fill(call *c, PyObject *keywords, const field *fields, void *input);

// The number of a name among names; -1 with an exception.
int enum_value(PyObject *text, const char *const *names, const char *what);

// ---------------------------------------------------------------------------------------------------------------
// Values

// Converters, as of the "O&" of PyArg_ParseTuple: 1 done, 0 with an exception.
int take_vec3(PyObject *source, void *out);
int take_vec2(PyObject *source, void *out);
int take_quat(PyObject *source, void *out);
int take_pose(PyObject *source, void *out); // a Pose, three numbers (a position), or None for the identity
int take_motion(PyObject *source, void *out);
int take_bounds(PyObject *source, void *out); // (low corner, high corner)
int take_path(PyObject *source, void *out);   // a text or an os.PathLike, as bytes that the caller releases

PyObject *give_vec3(fr_vec3 v);
PyObject *give_quat(fr_quat q);
PyObject *give_pose(const fr_pose *pose);
PyObject *give_motion(const fr_motion *motion);
PyObject *give_bounds(const fr_bounds *bounds);
PyObject *give_text(const char *text); // bytes that are no UTF-8 are replaced

// ---------------------------------------------------------------------------------------------------------------
// Arrays that are returned

// A view of memory that `owner` keeps: rows of `columns` numbers (1: a flat array) of the format of one number.
PyObject *array_view(PyObject *owner, const void *data, char code, size_t rows, int columns);

// A view of records.
PyObject *array_records(PyObject *owner, const void *data, const record *r, size_t rows);

// An array of its own memory, filled from `data` (NULL: zeros); array_data is where it is.
PyObject *array_new(const void *data, char code, size_t rows, int columns);
PyObject *array_new_records(const void *data, const record *r, size_t rows);
void *array_data(PyObject *array);

// ---------------------------------------------------------------------------------------------------------------
// Nouns

extern PyTypeObject *pose_type, *motion_type, *task_pool_type, *mesh_type, *model_type, *space_type, *object_type,
    *array_type;

// Wraps a mesh, whose reference becomes the object's.
PyObject *mesh_wrap(fr_mesh *mesh);
PyObject *model_wrap(fr_model *model);

// The tasks of a pool that a call holds.
const fr_tasks *task_pool_tasks(PyObject *pool);

// The parts of a shape: a Mesh, or a sequence of (mesh, pose) or (name, mesh, pose). The caller frees them by
// PyMem_Free and releases `*items`, which keeps the meshes. NULL with an exception.
fr_part_def *take_parts(PyObject *shape, uint32_t *count, PyObject **items);

// An object of a space by its id.
PyObject *object_make(PyObject *space, fr_object_id id);
int take_object_id(PyObject *source, void *out); // an Object, or a tuple of three numbers

// Records that several nouns return.
extern record contact_record, face_pair_record;

#define KEYWORDS(function) (PyCFunction)(void (*)(void)) function, METH_VARARGS | METH_KEYWORDS
#define CLOSURE(value) ((void *)(uintptr_t)(value))

// Methods of Space that have files of their own, and functions of the module.
PyObject *space_ray(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *space_ray_many(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *space_closest(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *space_closest_many(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *space_distance(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *space_cast_ball(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *space_overlap(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *space_move(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *space_slide(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *module_clash(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *module_plan(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *module_check_path(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *module_set_folder(PyObject *module, PyObject *args);

// Each adds its noun to the module.
bool call_add(PyObject *module);
bool array_add(PyObject *module);
bool pose_add(PyObject *module);
bool task_pool_add(PyObject *module);
bool mesh_add(PyObject *module);
bool model_add(PyObject *module);
bool space_add(PyObject *module);
bool object_add(PyObject *module);
bool collide_add(PyObject *module);
bool query_add(PyObject *module);
bool move_add(PyObject *module);
bool clash_add(PyObject *module);
bool octree_add(PyObject *module);
bool sector_add(PyObject *module);
bool radar_add(PyObject *module);
bool plan_add(PyObject *module);
bool act_add(PyObject *module);
bool human_add(PyObject *module);
bool world_add(PyObject *module);
bool server_add(PyObject *module);

#endif
