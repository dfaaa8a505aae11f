// Reads VRML97 and X3D: the file, then its model.
#include "vrml.h"

#include <string.h>

static fr_status take_geometry_warning(void *context, const char *at, const char *message) {
    return fr__vrml_problem(context, at, "%s", message);
}

static fr_status open_all(fr__vrml *vrml, fr__reader *reader) {
    fr__builder *builder = &reader->builder;
    const fr_allocator *allocator = &builder->allocator;
    *vrml = (fr__vrml){.reader = reader,
                       .sources = fr_array_make(sizeof(fr__source *), allocator),
                       .loaded = fr_array_make(sizeof(fr__source *), allocator),
                       .source_keys = fr__names_make(allocator),
                       .all_protos = fr_array_make(sizeof(fr__proto *), allocator),
                       .frames = fr_array_make(sizeof(fr__frame), allocator),
                       .values = fr_array_make(sizeof(fr__value), allocator),
                       .items = fr_array_make(sizeof(fr__vnode *), allocator),
                       .floats = fr_array_make(sizeof(float), allocator),
                       .doubles = fr_array_make(sizeof(double), allocator),
                       .wholes = fr_array_make(sizeof(int32_t), allocator),
                       .strings = fr_array_make(sizeof(fr__span), allocator),
                       .blocks = fr_array_make(sizeof(fr_array), allocator),
                       .copies = fr_array_make(sizeof(fr__vnode *), allocator),
                       .routes = fr_array_make(sizeof(fr__route), allocator),
                       .kids = fr_array_make(sizeof(fr__kid), allocator),
                       .places = fr_array_make(sizeof(fr__vplace), allocator),
                       .uses = fr_array_make(sizeof(fr__vuse), allocator),
                       .material_keys = fr__names_make(allocator),
                       .texture_keys = fr__names_make(allocator),
                       .file_keys = fr__names_make(allocator),
                       .files_found = fr_array_make(sizeof(bool), allocator)};
    fr__builder_set_double(builder, reader->precision == FR_MODEL_DOUBLE);
    FR__TRY(fr_arena_create(0, allocator, &vrml->arena));
    FR__TRY(fr_arena_create(0, allocator, &vrml->key_arena));
    FR__TRY(fr__geometry_create(builder, take_geometry_warning, vrml, &vrml->geometry));
    if (reader->options->unit > 0.0) { vrml->geometry.unit = reader->options->unit; }
    vrml->geometry.tolerance = reader->options->facet_tolerance / vrml->geometry.unit;
    return FR_OK;
}

static void close_all(fr__vrml *vrml) {
    for (size_t i = 0; i < vrml->sources.count; i++) {
        fr__source_close(vrml, ((fr__source **)vrml->sources.data)[i]);
    }
    for (size_t i = 0; i < vrml->all_protos.count; i++) {
        fr__proto_free(((fr__proto **)vrml->all_protos.data)[i]);
    }
    for (fr__scope *scope = vrml->scopes; scope != NULL; scope = scope->next) {
        fr__scope_clear(scope);
    }
    fr__vrml_free_blocks(vrml, 0);
    fr_array *const arrays[] = {&vrml->sources, &vrml->loaded, &vrml->all_protos, &vrml->frames, &vrml->values,
                                &vrml->items,   &vrml->floats, &vrml->doubles,    &vrml->wholes, &vrml->strings,
                                &vrml->blocks,  &vrml->copies, &vrml->routes,     &vrml->kids,   &vrml->walk,
                                &vrml->places,  &vrml->uses,   &vrml->files_found};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (arrays[i]->capacity > 0) { fr_array_free(arrays[i]); }
    }
    fr__names_free(&vrml->source_keys);
    fr__names_free(&vrml->material_keys);
    fr__names_free(&vrml->texture_keys);
    fr__names_free(&vrml->file_keys);
    if (vrml->geometry.builder != NULL) { fr__geometry_destroy(&vrml->geometry); }
    fr_arena_destroy(vrml->key_arena);
    fr_arena_destroy(vrml->arena);
}

static fr_status read_all(fr__vrml *vrml) {
    fr__reader *reader = vrml->reader;
    const char *name = reader->options->name, *slash = name != NULL ? strrchr(name, '/') : NULL;
    fr__source *source = fr__vrml_alloc(vrml, 1, sizeof *source, _Alignof(fr__source));
    if (source == NULL) { return FR_ERROR_MEMORY; }
    *source = (fr__source){.path = slash != NULL ? slash + 1 : name != NULL ? name : "", .cursor = reader->cursor};
    bool is_listed =
        fr__builder_add(&vrml->sources, &source) != FR_NONE && fr__builder_add(&vrml->loaded, &source) != FR_NONE;
    if (!is_listed) { return FR_ERROR_MEMORY; }
    bool is_new;
    if (fr__vrml_find_key(vrml, &vrml->source_keys, source->path, strlen(source->path), &is_new) == FR_NONE) {
        return FR_ERROR_MEMORY;
    }
    FR__TRY(fr__source_read(vrml, source));
    vrml->source = source;
    vrml->cursor = &source->cursor;
    // The gunzipped text is what messages point into from here on.
    reader->cursor = source->cursor;
    return fr__vrml_build(vrml, source->roots, source->root_count);
}

fr_status fr__read_vrml(fr__reader *reader) {
    fr__vrml vrml;
    fr_status status = open_all(&vrml, reader);
    if (status == FR_OK) { status = read_all(&vrml); }
    if (status == FR_ERROR_MEMORY) {
        vrml.is_file_error = false;
        fr__cursor_fail(&reader->cursor, NULL, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
    }
    if (status != FR_OK && vrml.is_file_error && reader->cursor.error != NULL) {
        *reader->cursor.error = vrml.file_error;
    }
    reader->cursor = fr__cursor_make("", 0, reader->cursor.name, reader->cursor.control, reader->cursor.error);
    close_all(&vrml);
    return status;
}
