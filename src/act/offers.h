// What objects without a class afford by their surfaces, as classes.
#ifndef FUREAI_ACT_OFFERS_H
#define FUREAI_ACT_OFFERS_H

#include "act/director.h"

#define FR__OFFERS_CLASS "surfaces" // the name of such a class

typedef struct fr__offers fr__offers;

fr__offers *fr__offers_create(const fr_allocator *allocator); // NULL without memory
void fr__offers_destroy(fr__offers *offers);                  // NULL is ignored

// What an object offers to a person, or, of NULL, to the first; *out is NULL where that is nothing, or the director
// has no offers. It lives until the next call. Between ticks.
fr_status fr__offers_find(fr_director *d, const fr__director_person *person, fr_object_id object, fr_class **out,
                          fr_error *error);

// The same as it was found last; NULL: it was not.
fr_class *fr__offers_known(const fr__offers *offers, fr_object_id object);

#endif
