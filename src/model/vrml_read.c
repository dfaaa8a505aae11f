// Reads VRML97, X3D, VRML 1.0 and Inventor: the file, then its model.
#include "vrml.h"

#include <string.h>

static fr_status take_geometry_warning(void *context, const char *at, const char *message) {
    return fr__vrml_problem(context, at, "%s", message);
}

static fr_status take_geometry_note(void *context, const char *at, const char *message) {
    fr__vrml_warn(context, at, "%s", message);
    return FR_OK;
}

static fr_status open_all(fr__vrml *vrml, fr__reader *reader) {
    fr__builder *builder = &reader->builder;
    const fr_allocator *allocator = &builder->allocator;
    *vrml = (fr__vrml){.reader = reader,
                       .sources = fr__source_pointer_array_make(allocator),
                       .loaded = fr__source_pointer_array_make(allocator),
                       .source_keys = fr__names_make(allocator),
                       .all_protos = fr__proto_pointer_array_make(allocator),
                       .frames = fr__open_frame_array_make(allocator),
                       .values = fr__value_array_make(allocator),
                       .items = fr__vnode_pointer_array_make(allocator),
                       .floats = fr_array_make(sizeof(float), allocator),
                       .doubles = fr_array_make(sizeof(double), allocator),
                       .wholes = fr_array_make(sizeof(int32_t), allocator),
                       .strings = fr_array_make(sizeof(fr__span), allocator),
                       .blocks = fr__block_array_make(allocator),
                       .copies = fr__vnode_pointer_array_make(allocator),
                       .instance_keys = fr__names_make(allocator),
                       .instances = fr__vnode_pointer_array_make(allocator),
                       .script_fields = fr__field_array_make(allocator),
                       .routes = fr__route_array_make(allocator),
                       .kids = fr__kid_array_make(allocator),
                       .places = fr__vplace_array_make(allocator),
                       .bodies = fr__vbody_array_make(allocator),
                       .displacers = fr__vdisplacer_array_make(allocator),
                       .uses = fr__vuse_array_make(allocator),
                       .material_keys = fr__names_make(allocator),
                       .texture_keys = fr__names_make(allocator),
                       .file_keys = fr__names_make(allocator),
                       .files_found = fr__bool_array_make(allocator)};
    fr__builder_set_double(builder, reader->precision == FR_MODEL_DOUBLE);
    FR__TRY(fr_arena_create(0, allocator, &vrml->arena, NULL));
    FR__TRY(fr_arena_create(0, allocator, &vrml->key_arena, NULL));
    FR__TRY(fr__geometry_create(builder, take_geometry_warning, vrml, &vrml->geometry));
    vrml->geometry.note = take_geometry_note;
    if (reader->input->unit > 0.0) { vrml->geometry.unit = reader->input->unit; }
    vrml->geometry.tolerance = reader->input->facet_tolerance / vrml->geometry.unit;
    return FR_OK;
}

static void close_all(fr__vrml *vrml) {
    for (size_t i = 0; i < vrml->sources.count; i++) {
        fr__source_close(vrml, vrml->sources.data[i]);
    }
    for (size_t i = 0; i < vrml->all_protos.count; i++) {
        fr__proto_free(vrml->all_protos.data[i]);
    }
    for (fr__scope *scope = vrml->scopes; scope != NULL; scope = scope->next) {
        fr__scope_clear(scope);
    }
    fr__vrml_free_blocks(vrml, 0);
    fr__source_pointer_array_destroy(&vrml->sources);
    fr__source_pointer_array_destroy(&vrml->loaded);
    fr__proto_pointer_array_destroy(&vrml->all_protos);
    fr__open_frame_array_destroy(&vrml->frames);
    fr__value_array_destroy(&vrml->values);
    fr__vnode_pointer_array_destroy(&vrml->items);
    fr_array_destroy(&vrml->floats);
    fr_array_destroy(&vrml->doubles);
    fr_array_destroy(&vrml->wholes);
    fr_array_destroy(&vrml->strings);
    fr__block_array_destroy(&vrml->blocks);
    fr__vnode_pointer_array_destroy(&vrml->copies);
    fr__names_free(&vrml->instance_keys);
    fr__vnode_pointer_array_destroy(&vrml->instances);
    fr__field_array_destroy(&vrml->script_fields);
    fr__route_array_destroy(&vrml->routes);
    fr__kid_array_destroy(&vrml->kids);
    fr__walk_step_array_destroy(&vrml->walk);
    fr__vplace_array_destroy(&vrml->places);
    fr__vbody_array_destroy(&vrml->bodies);
    fr__vdisplacer_array_destroy(&vrml->displacers);
    fr__vuse_array_destroy(&vrml->uses);
    fr__bool_array_destroy(&vrml->files_found);
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
    const char *name = reader->input->name, *slash = name != NULL ? strrchr(name, '/') : NULL;
    fr__source *source = fr__vrml_alloc(vrml, 1, sizeof *source, _Alignof(fr__source));
    if (source == NULL) { return FR_ERROR_MEMORY; }
    *source = (fr__source){.path = slash != NULL ? slash + 1 : name != NULL ? name : "", .cursor = reader->cursor};
    bool is_listed = fr__source_pointer_array_add(&vrml->sources, &source) != FR_NONE &&
                     fr__source_pointer_array_add(&vrml->loaded, &source) != FR_NONE;
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
    FR__TRY(fr__inventor_lower(vrml, source));
    return fr__vrml_build(vrml, source->roots, source->root_count);
}

// Says where memory ended: at the place in the text while that is read, at the node while the model is made.
static fr_status fail_memory(fr__vrml *vrml) {
    fr__reader *reader = vrml->reader;
    char text[FR_ERROR_MESSAGE_BYTES];
    const char *message = fr__reader_memory_text(reader, text);
    vrml->place = NULL;
    vrml->is_file_error = false;
    fr_status status = fr__reader_memory_status(reader);
    if (vrml->source == NULL) { return fr__cursor_fail(&reader->cursor, NULL, status, "%s", message); }
    const char *at = vrml->made != NULL && vrml->source->is_read ? vrml->made->at : vrml->source->cursor.at;
    return fr__vrml_fail(vrml, status == FR_ERROR_LIMIT ? at : NULL, status, "%s", message);
}

fr_status fr__read_vrml(fr__reader *reader) {
    fr__vrml vrml;
    fr_status status = open_all(&vrml, reader);
    if (status == FR_OK) { status = read_all(&vrml); }
    if (status == FR_ERROR_MEMORY) { status = fail_memory(&vrml); }
    if (status != FR_OK && vrml.is_file_error && reader->cursor.error != NULL) {
        *reader->cursor.error = vrml.file_error;
    }
    reader->cursor = fr__cursor_make("", 0, reader->cursor.name, reader->cursor.control, reader->cursor.error);
    close_all(&vrml);
    return status;
}
