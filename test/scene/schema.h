// A checker of JSON Schema, as much of it as our schemas use; another keyword is a failure of the test.
#ifndef FUREAI_TEST_SCENE_SCHEMA_H
#define FUREAI_TEST_SCENE_SCHEMA_H

#include "fureai/json.h"

// Whether the root of a text follows the schema.
bool schema_accepts(const fr_json *schema, const fr_json *text);

// Parses an object or array as the readers of scenes do; NULL where it is refused.
fr_json *schema_parse(const char *text, size_t size);

#endif
