// The Python module fureai._fureai: every noun of the library that Python has, added one after another.
#include "module.h"

static PyObject *module_version(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    fr_version version = fr_get_version();
    return PyUnicode_FromFormat("%d.%d.%d", version.major, version.minor, version.patch);
}

static PyObject *module_simd(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    return PyUnicode_FromString(fr_simd_name(fr_simd_get()));
}

PyMODINIT_FUNC PyInit__fureai(void) {
    static PyMethodDef functions[] = {
        {"version", module_version, METH_NOARGS, "version()\n--\n\nThe version of the library, such as '0.12.0'."},
        {"simd", module_simd, METH_NOARGS, "simd()\n--\n\nThe instruction set in use: 'baseline' or 'avx2'."},
        {"clash", KEYWORDS(module_clash),
         "clash(parts, /, *, tolerance=0.0, clearance=0.0, rules=None, tasks=None, progress=None)\n--\n\n"
         "Every two parts that meet, or are up to clearance apart, as a list of Clash. Parts are meshes, (mesh, pose) "
         "or\n"
         "(name, mesh, pose), such as Model.parts() returns. Rules choose pairs by patterns of the names (*: any text, "
         "?:\n"
         "one byte): ('ignore', a, b), ('only', a, b) and ('clearance', a, b, metres)."},
        {"plan", KEYWORDS(module_plan),
         "plan(space, shape, start, goal, /, *, bounds, pivot=(0, 0, 0), is_goal_turn_any=False, dimension=3, "
         "plane='xy',\n"
         "    margin=0.0, objective='first', depth=5, seed=1, max_moves=300000, lattice_moves=300000, "
         "optimize_moves=0,\n"
         "    mask=0xffffffff, ignore=None, progress=None)\n--\n\n"
         "A path for a body from pose to pose within bounds, every motion of it proven free, as a Path."},
        {"check_path", KEYWORDS(module_check_path),
         "check_path(space, shape, states, /, *, bounds, margin=0.0, **as_of_plan)\n--\n\n"
         "Proves a path, whatever planner made it, or finds where it fails, as a PathCheck."},
        {"_set_folder", module_set_folder, METH_VARARGS, NULL},
        {NULL, NULL, 0, NULL}};
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                            "fureai._fureai",
                                            "Real-time interaction among 3-D objects.",
                                            -1,
                                            functions,
                                            NULL,
                                            NULL,
                                            NULL,
                                            NULL};
    static bool (*const nouns[])(PyObject *) = {error_add, call_add,   array_add,  pose_add,    task_pool_add, mesh_add,
                                                model_add, space_add,  object_add, collide_add, query_add,     move_add,
                                                clash_add, octree_add, sector_add, radar_add,   plan_add,      act_add,
                                                human_add, world_add,  server_add};
    PyObject *module = PyModule_Create(&definition);
    for (size_t i = 0; module != NULL && i < sizeof nouns / sizeof nouns[0]; i++) {
        if (!nouns[i](module)) { Py_CLEAR(module); }
    }
    return module;
}
