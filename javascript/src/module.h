// What the page of WebAssembly calls: plain numbers in and out. fureai.mjs makes classes of it. A handle is the address
// of an object of ours; 0 with fureai_error_* set: it could not be made. Arrays that come in belong to the caller, what
// goes out stays until the next call about the same handle.
#ifndef FUREAI_JAVASCRIPT_MODULE_H
#define FUREAI_JAVASCRIPT_MODULE_H

#include "fureai/clash.h"
#include "fureai/model.h"

#define EXPORT(name) __attribute__((used, visibility("default"), export_name(#name)))

// The error of the last call that failed.
extern fr_error module_error;

// A pose of 8 numbers: position, rotation w x y z, scale.
fr_pose module_pose(const double *numbers);

// Of space.c: a space with what its queries need.
typedef struct module_space module_space;
fr_space *module_space_get(module_space *s);

// A vector of 3 numbers.
static inline fr_vec3 module_vec3(const double *numbers) { return fr_vec3_make(numbers[0], numbers[1], numbers[2]); }

#endif
