// Partners: which link of a skeleton is on the other side of the body, as given, by roles or by names.
#include "human/partners.h"

#include <string.h>

// Whether the parents of a link and of its partner are partners too; the root is its own.
static bool is_consistent(const uint32_t *parents, const uint32_t *partners, uint32_t link) {
    uint32_t parent = parents[link], other = parents[partners[link]];
    if (parent == FR_NO_LINK || other == FR_NO_LINK) { return parent == other; }
    return partners[parent] == other;
}

fr_status fr__partners_check(const fr_skeleton_def *def, fr_error *error) {
    if (def->partners == NULL) { return FR_OK; }
    for (uint32_t i = 0; i < def->link_count; i++) {
        uint32_t partner = def->partners[i];
        if (partner == FR_NO_LINK || (partner < def->link_count && def->partners[partner] == i)) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "link %u has the partner %u, which has another one", i, partner);
    }
    for (uint32_t i = 0; i < def->link_count; i++) {
        if (def->partners[i] == FR_NO_LINK || is_consistent(def->parents, def->partners, i)) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "link %u and its partner %u have parents that are no partners", i,
                            def->partners[i]);
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// By roles

// The role on the other side of the body.
static uint32_t other_side(uint32_t role) {
    if (role < FR_LINK_RIGHT_UPPER_ARM) { return role; }
    if (role < FR_BODY_LINK_COUNT) {
        // Three links of an arm or a leg, right before left.
        bool is_right = (role - FR_LINK_RIGHT_UPPER_ARM) / 3 % 2 == 0;
        return is_right ? role + 3 : role - 3;
    }
    return role < FR_LINK_LEFT_THUMB_1 ? role + 14 : role - 14;
}

static void pair_roles(const fr_skeleton_def *def, uint32_t *partners) {
    for (uint32_t r = 0; def->roles != NULL && r < FR_LINK_COUNT; r++) {
        uint32_t link = def->roles[r], other = def->roles[other_side(r)];
        if (link != FR_NO_LINK && other != FR_NO_LINK) { partners[link] = other; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// By names

typedef enum side_place { SIDE_ANYWHERE, SIDE_FIRST, SIDE_LAST } side_place;

// How names say which side a link is on.
static const struct {
    const char *left, *right;
    side_place place;
} side_words[] = {
    {"Left", "Right", SIDE_ANYWHERE}, {"left", "right", SIDE_ANYWHERE}, {"l_", "r_", SIDE_FIRST},
    {"L", "R", SIDE_FIRST},           {".L", ".R", SIDE_LAST},          {"_L", "_R", SIDE_LAST},
    {".l", ".r", SIDE_LAST},          {"_l", "_r", SIDE_LAST},
};

// Where a word stands in a name in the place that it needs; NULL: nowhere.
static const char *find_word(const char *name, const char *word, side_place place) {
    size_t length = strlen(name), bytes = strlen(word);
    if (place == SIDE_ANYWHERE) { return strstr(name, word); }
    if (length < bytes) { return NULL; }
    const char *at = place == SIDE_FIRST ? name : name + (length - bytes);
    return memcmp(at, word, bytes) == 0 ? at : NULL;
}

// Whether `other` is `name` with the side of its word changed.
static bool is_other_name(const char *name, const char *other) {
    for (size_t i = 0; i < sizeof side_words / sizeof side_words[0]; i++) {
        const char *left = side_words[i].left, *right = side_words[i].right;
        const char *at = find_word(name, left, side_words[i].place);
        if (at == NULL) { continue; }
        size_t before = (size_t)(at - name);
        return strncmp(name, other, before) == 0 && strncmp(other + before, right, strlen(right)) == 0 &&
               strcmp(at + strlen(left), other + before + strlen(right)) == 0;
    }
    return false;
}

static void pair_names(const fr_skeleton_def *def, uint32_t *partners) {
    for (uint32_t i = 0; i < def->link_count; i++) {
        for (uint32_t k = 0; partners[i] == i && k < def->link_count; k++) {
            if (partners[k] != k || !is_other_name(def->names[i], def->names[k])) { continue; }
            partners[i] = k;
            partners[k] = i;
        }
    }
}

void fr__partners_find(const fr_skeleton_def *def, uint32_t *partners) {
    for (uint32_t i = 0; i < def->link_count; i++) {
        partners[i] = i;
    }
    pair_roles(def, partners);
    pair_names(def, partners);
    // A pair whose parents are no pair is none, and neither is what is below it.
    for (uint32_t round = 0; round < def->link_count; round++) {
        bool is_changed = false;
        for (uint32_t i = 0; i < def->link_count; i++) {
            uint32_t partner = partners[i];
            if (partner == FR_NO_LINK || is_consistent(def->parents, partners, i)) { continue; }
            partners[partner] = FR_NO_LINK;
            partners[i] = FR_NO_LINK;
            is_changed = true;
        }
        if (!is_changed) { break; }
    }
}
