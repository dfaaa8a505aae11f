// Pairs of colliding faces in a document.
#include "fields.h"

#include "fureai/collide.h"

// Writes the fields of a pair and its contact; the names are those of its objects. `is_static`: at an instant.
static inline void face_pair_write(fr_json_writer *j, const char *a, const char *b, const fr_contact *contact,
                                   bool is_static) {
    json_fields(j, "a", a, "b", b, "triangle_a", contact->triangle_a, "triangle_b", contact->triangle_b, "face_a",
                contact->face_a, "face_b", contact->face_b, "time", contact->time);
    if (!is_static) { fr_json_write_number_field(j, "time_sure", contact->time_sure); }
    json_vec3_field(j, "point", contact->point);
    json_vec3_field(j, "normal", contact->normal);
    fr_json_write_number_field(j, "distance", contact->distance);
    if (!is_static) { fr_json_write_number_field(j, "approach", contact->approach); }
}
