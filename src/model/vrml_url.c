// Urls of VRML and X3D files: paths of files beside the model or below it.
#include "file_path.h"
#include "vrml.h"

const char *fr__url_resolve(fr__vrml *vrml, const char *base, fr__span url, const char **why) {
    char *path = fr__vrml_alloc(vrml, fr__path_room(base, url), 1, 1);
    *why = NULL;
    if (path == NULL) { return NULL; }
    *why = fr__path_resolve(base, url, path);
    return *why == NULL ? path : NULL;
}
