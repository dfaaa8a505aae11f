// Reads a model from a file, with the files beside it that it refers to.
#include "fureai/file.h"
#include "fureai/model.h"

// Bytes of a file that fit into memory.
static size_t limit_of(const fr_model_read_input *input) {
    return input->limits.bytes < SIZE_MAX ? (size_t)input->limits.bytes : SIZE_MAX;
}

// Reads the files that the model refers to from the folder of the model.
static fr_status read_with_folder(const char *path, const fr_input_file *file, fr_model_read_input *input,
                                  fr_model **out, fr_error *error) {
    fr_file_folder_def def = fr_default_file_folder_def();
    def.path = path;
    def.of = "model";
    def.limit = limit_of(input);
    def.control = input->control;
    def.allocator = input->allocator;
    fr_file_folder *beside;
    fr_status status = fr_file_folder_create(&def, &beside, error);
    if (status != FR_OK) { return status; }
    input->files = (fr_model_files){fr_file_folder_load, fr_file_folder_unload, beside};
    status = fr_model_read(file->data, file->size, input, out, error);
    fr_file_folder_destroy(beside);
    return status;
}

fr_status fr_model_read_file(const char *path, const fr_model_read_input *input, fr_model **out, fr_error *error) {
    fr_model_read_input mine = input != NULL ? *input : fr_default_model_read_input();
    *out = NULL;
    if (mine.cookie != fr_default_model_read_input().cookie) {
        return fr_error_set_cookie(error, "fr_default_model_read_input");
    }
    fr_input_file_def def = fr_default_input_file_def();
    def.path = path;
    def.limit = limit_of(&mine);
    def.control = mine.control;
    def.allocator = mine.allocator;
    fr_input_file file;
    fr_status status = fr_input_file_read(&def, &file, error);
    if (status != FR_OK) { return status; }
    if (mine.name == NULL) { mine.name = path; }
    status = mine.files.load != NULL ? fr_model_read(file.data, file.size, &mine, out, error)
                                     : read_with_folder(path, &file, &mine, out, error);
    fr_input_file_destroy(&file);
    return status;
}
