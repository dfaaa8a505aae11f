// Contexts without a window.
#include "gl/atlas.h"

#include <dlfcn.h>
#include <string.h>

#define MOST_DEVICES 16

fr_gl_def fr_default_gl_def(void) {
    return (fr_gl_def){.allocator = fr_default_allocator(), .device = -1, .cookie = FR__GL_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// Displays

// The loader of OpenGL's functions ends the process where a library is missing, so their presence is checked first.
static bool is_there(const char *library) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (handle != NULL) { dlclose(handle); }
    return handle != NULL;
}

static bool has_client(const char *name) { return epoxy_has_egl_extension(EGL_NO_DISPLAY, name); }

static bool start(EGLDisplay display) {
    EGLint major, minor;
    return display != EGL_NO_DISPLAY && eglInitialize(display, &major, &minor) == EGL_TRUE;
}

// The next display to try, by number; EGL_NO_DISPLAY with `more` false: there is none.
static EGLDisplay display_of(const fr_gl_def *def, int number, bool *more) {
    EGLDeviceEXT devices[MOST_DEVICES];
    EGLint count = 0;
    bool has_devices = has_client("EGL_EXT_platform_device") && has_client("EGL_EXT_device_enumeration");
    if (has_devices && eglQueryDevicesEXT(MOST_DEVICES, devices, &count) != EGL_TRUE) { count = 0; }
    *more = true;
    if (def->device >= 0) {
        *more = number == 0;
        bool is_listed = *more && def->device < count;
        return is_listed ? eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[def->device], NULL)
                         : EGL_NO_DISPLAY;
    }
    if (number < count) { return eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[number], NULL); }
    if (number == count) {
        bool has_surfaceless = has_client("EGL_MESA_platform_surfaceless");
        return has_surfaceless ? eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
                               : EGL_NO_DISPLAY;
    }
    *more = number == count + 1;
    return *more ? eglGetDisplay(EGL_DEFAULT_DISPLAY) : EGL_NO_DISPLAY;
}

// ---------------------------------------------------------------------------------------------------------------
// Contexts

static EGLContext context_of(EGLDisplay display, EGLConfig config, EGLint major, EGLint minor) {
    const EGLint wanted[] = {
        EGL_CONTEXT_MAJOR_VERSION,           major,   EGL_CONTEXT_MINOR_VERSION, minor, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    return eglCreateContext(display, config, EGL_NO_CONTEXT, wanted);
}

// A surface of one pixel where the display cannot do without.
static bool find_surface(fr_gl *gl, EGLConfig *config) {
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint one_pixel[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    gl->surface = EGL_NO_SURFACE;
    *config = EGL_NO_CONFIG_KHR;
    if (epoxy_has_egl_extension(gl->display, "EGL_KHR_surfaceless_context") &&
        epoxy_has_egl_extension(gl->display, "EGL_KHR_no_config_context")) {
        return true;
    }
    EGLint count = 0;
    if (eglChooseConfig(gl->display, wanted, config, 1, &count) != EGL_TRUE || count < 1) { return false; }
    gl->surface = eglCreatePbufferSurface(gl->display, *config, one_pixel);
    return gl->surface != EGL_NO_SURFACE;
}

// A context of the display, new enough and current; false: none, and nothing is left.
static bool open_context(fr_gl *gl) {
    EGLConfig config;
    gl->context = EGL_NO_CONTEXT;
    if (eglBindAPI(EGL_OPENGL_API) == EGL_TRUE && find_surface(gl, &config)) {
        gl->context = context_of(gl->display, config, 4, 3);
        if (gl->context == EGL_NO_CONTEXT) { gl->context = context_of(gl->display, config, 3, 3); }
    }
    if (gl->context != EGL_NO_CONTEXT &&
        eglMakeCurrent(gl->display, gl->surface, gl->surface, gl->context) == EGL_TRUE) {
        return true;
    }
    if (gl->context != EGL_NO_CONTEXT) { eglDestroyContext(gl->display, gl->context); }
    if (gl->surface != EGL_NO_SURFACE) { eglDestroySurface(gl->display, gl->surface); }
    return false;
}

static void close_context(fr_gl *gl, const fr__gl_guest *before) {
    eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(gl->display, gl->context);
    if (gl->surface != EGL_NO_SURFACE) { eglDestroySurface(gl->display, gl->surface); }
    // The display is shared by whoever asks for it, so it is not ended here.
    if (before->context != EGL_NO_CONTEXT && before->context != gl->context) {
        eglMakeCurrent(before->display, before->draw, before->read, before->context);
    }
    if (before->interface != EGL_NONE) { eglBindAPI(before->interface); }
}

static bool is_software(const char *renderer) {
    return strstr(renderer, "llvmpipe") != NULL || strstr(renderer, "softpipe") != NULL ||
           strstr(renderer, "swrast") != NULL || strstr(renderer, "SwiftShader") != NULL;
}

static size_t limit_of(GLenum name) {
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value > 0 ? (size_t)value : 0;
}

static void look_around(fr_gl *gl) {
    int version = epoxy_gl_version();
    gl->info = (fr_gl_info){.renderer = (const char *)glGetString(GL_RENDERER),
                            .version = (const char *)glGetString(GL_VERSION),
                            .major = version / 10,
                            .minor = version % 10,
                            .has_compute = version >= 43};
    gl->info.is_software = is_software(gl->info.renderer);
    gl->largest_row = limit_of(GL_MAX_TEXTURE_BUFFER_SIZE);
    gl->largest_image = limit_of(GL_MAX_TEXTURE_SIZE);
    if (gl->info.has_compute) { gl->largest_storage = limit_of(GL_MAX_SHADER_STORAGE_BLOCK_SIZE); }
    glGenVertexArrays(1, &gl->empty_array);
}

static fr__gl_guest guest_now(void) {
    return (fr__gl_guest){eglGetCurrentDisplay(), eglGetCurrentContext(), eglGetCurrentSurface(EGL_DRAW),
                          eglGetCurrentSurface(EGL_READ), eglQueryAPI()};
}

static fr_status find_context(fr_gl *gl, const fr_gl_def *def, fr_error *error) {
    if (!is_there("libEGL.so.1") || !epoxy_has_egl()) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "no EGL on this machine, so no OpenGL without a window");
    }
    if (!is_there("libOpenGL.so.0") && !is_there("libGL.so.1")) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "no OpenGL on this machine");
    }
    fr__gl_guest before = guest_now();
    bool more = true, was_display = false;
    for (int number = 0; more; number++) {
        gl->display = display_of(def, number, &more);
        if (!start(gl->display)) { continue; }
        was_display = true;
        if (!open_context(gl)) { continue; }
        if (epoxy_gl_version() >= 33) {
            look_around(gl);
            fr__gl_leave(gl, &before);
            return FR_OK;
        }
        close_context(gl, &before);
    }
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "%s",
                        was_display ? "no OpenGL 3.3 or later without a window"
                                    : "no display for OpenGL without a window");
}

fr_status fr_gl_create(const fr_gl_def *def, fr_gl **out, fr_error *error) {
    *out = NULL;
    if (def->cookie != FR__GL_COOKIE) { return fr_error_set_cookie(error, "fr_default_gl_def"); }
    fr_allocator chosen = fr_allocator_or_default(&def->allocator);
    fr_gl *gl = fr_allocate(&chosen, 1, sizeof *gl, _Alignof(fr_gl));
    if (gl == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a context"); }
    memset(gl, 0, sizeof *gl);
    gl->allocator = chosen;
    fr_status status = find_context(gl, def, error);
    if (status != FR_OK) {
        fr_deallocate(&chosen, gl, 1, sizeof *gl);
        return status;
    }
    gl->words = fr_uint32_array_make(&chosen);
    gl->slot_words = fr_uint32_array_make(&chosen);
    gl->slot_list = fr__gl_slot_array_make(&chosen);
    gl->mask_list = fr__gl_mask_array_make(&chosen);
    gl->mask_numbers = fr_float_array_make(&chosen);
    gl->pixels = fr_uint32_array_make(&chosen);
    *out = gl;
    return FR_OK;
}

void fr_gl_destroy(fr_gl *gl) {
    if (gl == NULL) { return; }
    fr__gl_guest before;
    if (fr__gl_enter(gl, &before, NULL) == FR_OK) { fr__gl_free_objects(gl); }
    close_context(gl, &before);
    fr_uint32_array_destroy(&gl->words);
    fr_uint32_array_destroy(&gl->slot_words);
    fr__gl_slot_array_destroy(&gl->slot_list);
    fr__gl_mask_array_destroy(&gl->mask_list);
    fr_float_array_destroy(&gl->mask_numbers);
    fr_uint32_array_destroy(&gl->pixels);
    fr_allocator allocator = gl->allocator;
    fr_deallocate(&allocator, gl, 1, sizeof *gl);
}

fr_gl_info fr_gl_get_info(const fr_gl *gl) { return gl->info; }

// ---------------------------------------------------------------------------------------------------------------
// Coming and going

fr_status fr__gl_enter(fr_gl *gl, fr__gl_guest *before, fr_error *error) {
    *before = guest_now();
    eglBindAPI(EGL_OPENGL_API);
    if (before->context != gl->context &&
        eglMakeCurrent(gl->display, gl->surface, gl->surface, gl->context) != EGL_TRUE) {
        return fr_error_set(error, FR_ERROR_SYSTEM, "the context cannot be used by this thread");
    }
    glBindVertexArray(gl->empty_array);
    return FR_OK;
}

void fr__gl_leave(fr_gl *gl, const fr__gl_guest *before) {
    if (before->interface != EGL_NONE) { eglBindAPI(before->interface); }
    if (before->context == EGL_NO_CONTEXT || before->context == gl->context) { return; }
    eglMakeCurrent(before->display, before->draw, before->read, before->context);
}

fr_status fr__gl_check(const char *what, fr_error *error) {
    GLenum wrong = glGetError(), next = wrong;
    // A lost context has no end of errors.
    for (int i = 0; i < 16 && next != GL_NO_ERROR; i++) {
        next = glGetError();
    }
    if (wrong == GL_NO_ERROR) { return FR_OK; }
    bool is_memory = wrong == GL_OUT_OF_MEMORY;
    return fr_error_set(error, is_memory ? FR_ERROR_MEMORY : FR_ERROR_SYSTEM, "OpenGL refuses to %s: error 0x%x", what,
                        (unsigned)wrong);
}
