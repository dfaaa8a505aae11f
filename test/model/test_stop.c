// Stops of long calls: how long a reading, a mesh, a surface and a writing go on between two asks, over large files of
// every format, and what is left behind when one ends.
#include "hostile_file.h"
#include "shared_file.h"

#include <time.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MAX_SECONDS 2.0
#else
#define MAX_SECONDS 0.2
#endif

static bool is_long(void) { return getenv("FUREAI_LONG") != NULL; }

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A control that measures the time between asks, and says yes from the n-th on.
typedef struct watch {
    double last, longest;
    uint64_t asked, stop_at; // 0: never
    fr_control control;
} watch;

static bool ask(void *user) {
    watch *w = user;
    double now = seconds();
    if (now - w->last > w->longest) { w->longest = now - w->last; }
    w->last = now;
    w->asked++;
    return w->stop_at > 0 && w->asked >= w->stop_at;
}

static void begin(watch *w, uint64_t stop_at) {
    *w = (watch){.last = seconds(), .stop_at = stop_at};
    w->control = (fr_control){.stop = ask, .user = w};
}

static bool drop(const void *bytes, size_t size, void *context) {
    (void)bytes;
    (void)size;
    (void)context;
    return true;
}

// What a call went on for at most, the time to its end included.
typedef struct worst {
    double seconds;
    bool is_bad;
} worst;

static void end(watch *w, worst *all, const char *what, const char *file) {
    (void)ask(w);
    if (w->longest > all->seconds) { all->seconds = w->longest; }
    if (w->longest <= MAX_SECONDS && !is_long()) { return; }
    if (w->longest > 0.02) {
        print_message("%-10s %-40s %6.3f s, %llu asks\n", what, file, w->longest, (unsigned long long)w->asked);
    }
    all->is_bad |= w->longest > MAX_SECONDS;
}

static void watch_model(const fr_model *model, const char *name, worst *all) {
    static const fr_model_format formats[] = {FR_MODEL_OBJ, FR_MODEL_STL,  FR_MODEL_STL_ASCII, FR_MODEL_PLY,
                                              FR_MODEL_OFF, FR_MODEL_VRML, FR_MODEL_GLB,       FR_MODEL_FRM};
    const fr_model_view *view = fr_model_get(model);
    watch w;
    fr_model_mesh_input making = fr_default_model_mesh_input();
    making.control = &w.control;
    uint64_t most = is_long() ? 5000000 : 400000;
    if (view->placed_triangle_count <= most) {
        fr_mesh *mesh;
        begin(&w, 0);
        (void)fr_model_whole_mesh(model, &making, &mesh, NULL);
        end(&w, all, "mesh", name);
        fr_mesh_release(mesh);
        fr_model_surface_output surface;
        begin(&w, 0);
        (void)fr_model_surface(model, &making, &surface, NULL);
        end(&w, all, "surface", name);
    }
    for (size_t i = 0; i < sizeof formats / sizeof formats[0] && view->placed_triangle_count <= most / 2; i++) {
        fr_model_write_input writing = fr_default_model_write_input();
        writing.control = &w.control;
        begin(&w, 0);
        (void)fr_model_write(model, formats[i], &writing, drop, NULL, NULL);
        char what[32];
        snprintf(what, sizeof what, "-> %s", fr_model_format_name(formats[i]));
        end(&w, all, what, name);
    }
}

static void watch_bytes(const fr_array *bytes, const char *name, worst *all) {
    watch w;
    fr_model_read_input options = fr_default_model_read_input();
    options.name = name;
    options.control = &w.control;
    fr_model *model;
    fr_error error;
    begin(&w, 0);
    fr_status status = fr_model_read(bytes->data, bytes->count, &options, &model, &error);
    end(&w, all, "read", name);
    if (status == FR_OK) { watch_model(model, name, all); }
    fr_model_destroy(model);
}

// A reading that is stopped at its first, second, fourth, ... ask ends with a status and leaves nothing behind.
static void stop_at_each(const fr_array *bytes, const char *name) {
    fr_status status = FR_ERROR_STOPPED;
    for (uint64_t n = 1; status == FR_ERROR_STOPPED && n < 100000; n *= is_long() ? 2 : 64) {
        watch w;
        fr_probe *probe = fr_probe_create();
        fr_model_read_input options = fr_default_model_read_input();
        options.name = name;
        options.control = &w.control;
        options.allocator = fr_probe_allocator(probe);
        fr_model *model;
        fr_error error;
        begin(&w, n);
        status = fr_model_read(bytes->data, bytes->count, &options, &model, &error);
        assert_true(w.asked <= n || status == FR_ERROR_STOPPED);
        if (w.asked >= n && status != FR_ERROR_STOPPED) {
            fail_msg("%s was not stopped at ask %llu", name, (unsigned long long)n);
        }
        if (status == FR_ERROR_STOPPED) { assert_int_equal(error.status, status); }
        fr_model_destroy(model);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        fr_probe_destroy(probe);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Large files of every format

// Cells of a square grid of each way.
static int grid_size(void) { return is_long() ? 1000 : 250; }

static void put_points(fr_array *out, const char *between) {
    int n = grid_size();
    for (int j = 0; j <= n; j++) {
        for (int i = 0; i <= n; i++) {
            put(out, "%d %d.%d %d%s", i, i * j % 7, j % 10, j, between);
        }
    }
}

static void put_quads(fr_array *out, const char *between, int first) {
    int n = grid_size();
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            int v = j * (n + 1) + i + first;
            put(out, "%d %d %d %d%s", v, v + 1, v + n + 2, v + n + 1, between);
        }
    }
}

static void put_large_vrml(fr_array *out) {
    put(out, "#VRML V2.0 utf8\nShape{geometry IndexedFaceSet{creaseAngle 1 coord Coordinate{point[");
    put_points(out, " ");
    put(out, "]}coordIndex[");
    put_quads(out, " -1 ", 0);
    put(out, "]}}");
}

static void put_large_inventor(fr_array *out) {
    put(out, "#Inventor V2.1 ascii\nSeparator{ShapeHints{creaseAngle 1}Coordinate3{point[");
    put_points(out, ",");
    put(out, "]}IndexedFaceSet{coordIndex[");
    put_quads(out, " -1 ", 0);
    put(out, "]}}");
}

static void put_large_x3d(fr_array *out) {
    put(out, "<X3D><Scene><Shape><IndexedFaceSet creaseAngle='1' coordIndex='");
    put_quads(out, " -1 ", 0);
    put(out, "'><Coordinate point='");
    put_points(out, " ");
    put(out, "'/></IndexedFaceSet></Shape></Scene></X3D>");
}

static void put_large_collada(fr_array *out) {
    int n = grid_size();
    put(out, "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a' count='%d'>",
        3 * (n + 1) * (n + 1));
    put_points(out, " ");
    put(out,
        "</float_array><technique_common><accessor source='#a' count='%d' stride='3'/></technique_common>"
        "</source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices><polylist count='%d'>"
        "<input semantic='VERTEX' source='#v' offset='0'/><vcount>",
        (n + 1) * (n + 1), n * n);
    for (int i = 0; i < n * n; i++) {
        put(out, "4 ");
    }
    put(out, "</vcount><p>");
    put_quads(out, " ", 0);
    put(out, "</p></polylist></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='s'><node>"
             "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
             "url='#s'/></scene></COLLADA>");
}

static void put_large_dxf(fr_array *out) {
    put(out, "0\nSECTION\n2\nENTITIES\n");
    for (int i = 0; i < grid_size() * 100; i++) {
        put(out, "0\n3DFACE\n8\n%d\n10\n%d\n20\n0\n30\n0\n11\n1\n21\n0\n31\n0\n12\n0\n22\n1\n32\n0\n", i * 7919 % 1000,
            i);
    }
    put(out, "0\nENDSEC\n0\nEOF\n");
}

static void put_large_obj(fr_array *out) {
    int n = grid_size();
    for (int j = 0; j <= n; j++) {
        for (int i = 0; i <= n; i++) {
            put(out, "v %d %d.5 %d\n", i, i * j % 7, j);
        }
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            int v = j * (n + 1) + i + 1;
            put(out, "f %d %d %d %d\n", v, v + 1, v + n + 2, v + n + 1);
        }
    }
}

static void put_gzip(fr_array *out) {
    fr_array text = fr_array_make(1, NULL);
    put_large_vrml(&text);
    size_t bound = text.count + 1024;
    unsigned char *packed = malloc(bound);
    z_stream stream = {
        .next_in = text.data, .avail_in = (uInt)text.count, .next_out = packed, .avail_out = (uInt)bound};
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_true(push_bytes(packed, stream.total_out, out));
    deflateEnd(&stream);
    free(packed);
    fr_array_destroy(&text);
}

// The model of the large OBJ file in another format.
static void put_written(fr_array *out, fr_model_format format) {
    fr_array text = fr_array_make(1, NULL);
    put_large_obj(&text);
    fr_model *model;
    assert_int_equal(fr_model_read(text.data, text.count, NULL, &model, NULL), FR_OK);
    fr_array_destroy(&text);
    fr_array_destroy(out);
    *out = written(model, format);
    fr_model_destroy(model);
}

static void put_large_stl(fr_array *out) { put_written(out, FR_MODEL_STL); }
static void put_large_stl_ascii(fr_array *out) { put_written(out, FR_MODEL_STL_ASCII); }
static void put_large_ply(fr_array *out) { put_written(out, FR_MODEL_PLY); }
static void put_large_ply_ascii(fr_array *out) { put_written(out, FR_MODEL_PLY_ASCII); }
static void put_large_off(fr_array *out) { put_written(out, FR_MODEL_OFF); }
static void put_large_glb(fr_array *out) { put_written(out, FR_MODEL_GLB); }
static void put_large_frm(fr_array *out) { put_written(out, FR_MODEL_FRM); }

static const hostile_file large_files[] = {
    {"large.wrl", put_large_vrml}, {"large.iv", put_large_inventor},   {"large.x3d", put_large_x3d},
    {"large.wrz", put_gzip},       {"large.dae", put_large_collada},   {"large.dxf", put_large_dxf},
    {"large.obj", put_large_obj},  {"large.stl", put_large_stl},       {"ascii.stl", put_large_stl_ascii},
    {"large.ply", put_large_ply},  {"ascii.ply", put_large_ply_ascii}, {"large.off", put_large_off},
    {"large.glb", put_large_glb},  {"large.frm", put_large_frm}};

static void watch_files(const hostile_file *files, size_t count, bool is_each) {
    worst all = {0};
    for (size_t i = 0; i < count; i++) {
        fr_array bytes = fr_array_make(1, NULL);
        files[i].put(&bytes);
        if (is_each) {
            stop_at_each(&bytes, files[i].name);
        } else {
            // A machine that is busy with other things may be slow once.
            worst one = {.is_bad = true};
            for (int attempt = 0; attempt < 3 && one.is_bad; attempt++) {
                one = (worst){0};
                watch_bytes(&bytes, files[i].name, &one);
            }
            all.is_bad |= one.is_bad;
            if (one.seconds > all.seconds) { all.seconds = one.seconds; }
        }
        fr_array_destroy(&bytes);
    }
    if (!is_each) { print_message("the longest: %.3f s\n", all.seconds); }
    assert_false(all.is_bad);
}

static void large_files_are_asked_often(void **state) {
    (void)state;
    watch_files(large_files, sizeof large_files / sizeof large_files[0], false);
}

static void hostile_files_are_asked_often(void **state) {
    (void)state;
    watch_files(hostile_files, HOSTILE_COUNT, false);
}

static void large_files_stop(void **state) {
    (void)state;
    watch_files(large_files, sizeof large_files / sizeof large_files[0], true);
}

static void hostile_files_stop(void **state) {
    (void)state;
    watch_files(hostile_files, HOSTILE_COUNT, true);
}

// ---------------------------------------------------------------------------------------------------------------
// Shared files

static void watch_shared(const char *path, void *context) {
    if (fr_model_format_of_name(path) == FR_MODEL_AUTO) { return; }
    fr_array bytes;
    if (!load(path, &bytes)) { return; }
    if (bytes.count > 200000) { watch_bytes(&bytes, path, context); }
    fr_array_destroy(&bytes);
}

static void shared_files_are_asked_often(void **state) {
    (void)state;
    const char *shared = getenv("FUREAI_SHARED");
    if (!is_long() || shared == NULL) { skip(); }
    char folder[1000];
    snprintf(folder, sizeof folder, "%s/data", shared);
    worst all = {0};
    each_file(folder, watch_shared, &all);
    print_message("the longest: %.3f s\n", all.seconds);
    assert_false(all.is_bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_files_are_asked_often),
        cmocka_unit_test(hostile_files_are_asked_often),
        cmocka_unit_test(large_files_stop),
        cmocka_unit_test(hostile_files_stop),
        cmocka_unit_test(shared_files_are_asked_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
