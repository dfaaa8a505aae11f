// A checker of JSON Schema, as much of it as our schemas use; another keyword is a failure of the test.
#ifndef FUREAI_TEST_SCENE_SCHEMA_H
#define FUREAI_TEST_SCENE_SCHEMA_H

#include "scene/json_text.h"

// Whether token 0 of a text follows the schema.
bool schema_accepts(const fr__json *schema, const fr__json *text);

#endif
