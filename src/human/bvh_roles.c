// Which joint of a foreign skeleton is which link of a body, by the names that capture software gives: CMU's
// conversions, Mixamo, Poser, MotionBuilder and H-Anim.
#include "bvh.h"

#include <string.h>

#define NAME_BYTES (FR_MAX_LINK_NAME + 1)

// Names of a link without its side, the best first.
typedef struct role_names {
    uint32_t right, left; // the same for links in the middle
    const char *names[8];
} role_names;

static const role_names table[] = {
    {FR_LINK_HIP, FR_LINK_HIP, {"hips", "hip", "pelvis", "humanoidroot", "root"}},
    {FR_LINK_CHEST, FR_LINK_CHEST, {"spine1", "chest", "upperchest", "spine2", "spine", "torso", "vl5"}},
    {FR_LINK_HEAD, FR_LINK_HEAD, {"head", "skullbase"}},
    {FR_LINK_RIGHT_UPPER_ARM, FR_LINK_LEFT_UPPER_ARM, {"arm", "upperarm", "uparm", "shldr", "shoulder"}},
    {FR_LINK_RIGHT_FOREARM, FR_LINK_LEFT_FOREARM, {"forearm", "lowerarm", "loarm", "elbow"}},
    {FR_LINK_RIGHT_PALM, FR_LINK_LEFT_PALM, {"fingerbase", "palm", "hand", "wrist"}},
    {FR_LINK_RIGHT_THIGH, FR_LINK_LEFT_THIGH, {"upleg", "thigh", "upperleg", "hip"}},
    {FR_LINK_RIGHT_SHIN, FR_LINK_LEFT_SHIN, {"leg", "shin", "lowerleg", "calf", "knee"}},
    {FR_LINK_RIGHT_FOOT, FR_LINK_LEFT_FOOT, {"foot", "ankle"}},
};

// The name in small letters and digits alone, without what stands before a colon.
static void plain(const char *name, char out[NAME_BYTES]) {
    const char *colon = strrchr(name, ':');
    size_t count = 0;
    for (const char *p = colon != NULL ? colon + 1 : name; *p != '\0' && count + 1 < NAME_BYTES; p++) {
        char c = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) { out[count++] = c; }
    }
    out[count] = '\0';
}

// Whether the name is the base with a mark of its side before or after it.
static bool is_sided(const char *name, const char *base, const char *mark) {
    size_t marks = strlen(mark), bases = strlen(base);
    if (strlen(name) != marks + bases) { return false; }
    return (strncmp(name, mark, marks) == 0 && strcmp(name + marks, base) == 0) ||
           (strncmp(name, base, bases) == 0 && strcmp(name + bases, mark) == 0);
}

static bool fits(const char *name, const char *base, int side) {
    if (side == 0) { return strcmp(name, base) == 0; }
    return is_sided(name, base, side > 0 ? "right" : "left") || is_sided(name, base, side > 0 ? "r" : "l");
}

// The first joint without a role whose name fits the best of the names.
static uint32_t find(const char *const *names, uint32_t count, const bool *is_taken, const role_names *role, int side) {
    for (int k = 0; k < 8 && role->names[k] != NULL; k++) {
        for (uint32_t i = 0; i < count; i++) {
            char name[NAME_BYTES];
            plain(names[i], name);
            if (!is_taken[i] && fits(name, role->names[k], side)) { return i; }
        }
    }
    return FR_NO_LINK;
}

void fr__bvh_roles(const char *const *names, uint32_t count, uint32_t roles[FR_LINK_COUNT]) {
    bool is_taken[FR_MAX_LINKS] = {false};
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        roles[i] = FR_NO_LINK;
    }
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        bool is_pair = table[i].right != table[i].left;
        for (int side = is_pair ? -1 : 0; side <= (is_pair ? 1 : 0); side += 2) {
            uint32_t joint = find(names, count, is_taken, &table[i], side);
            if (joint == FR_NO_LINK) { continue; }
            is_taken[joint] = true;
            roles[side < 0 ? table[i].left : table[i].right] = joint;
        }
    }
}
