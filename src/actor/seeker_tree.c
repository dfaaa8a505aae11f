// How a seeker searches: a radar of long range turns until it sees the target. Where it does not, or something stands
// between, a tree of places grows: a radar at each growing point looks along the branch to come, and where something
// is, another direction is tried, eight at most (Yamachi and Shindo: search and contact, growth of a tree).
#include "actor/radar_layer.h"
#include "actor/seeker.h"

#include <math.h>
#include <string.h>

#define TRIES 8                          // directions of one growing point
#define FAILURES_MAX 64                  // growing points in a row that cannot grow
#define CLEARANCE 1.2                    // of a branch, in radii of the body
#define RANGE_SHARE 0.25                 // of the range: width of the radar, which turns by as much
#define BRANCH_SHARE 0.125               // of the range: length of a branch
#define BRANCH_MIN 0.5                   // radii of the body; shorter ones do not grow
#define TOWARDS_TARGET 0.3               // of the branches grow towards the target where it was seen
#define SPHERE_OVERLAP 1.5               // of looks that cover all directions
#define GOLDEN_ANGLE 2.39996322972865332 // radians, between directions that cover a sphere evenly

void fr__seeker_plant(fr_seeker *s, fr_vec3 place) {
    s->nodes[0] = (fr__seeker_node){place, FR_NONE};
    s->node_count = 1;
    s->looking = s->turned = s->failures = s->path_count = 0;
    s->waited = 0.0;
    s->version++;
}

// ---------------------------------------------------------------------------------------------------------------
// Turning the radar

static uint32_t looks_of_turn(const fr_seeker *s) {
    double share = s->is_flat ? 2.0 * FR_PI / RANGE_SHARE : SPHERE_OVERLAP * 4.0 * FR_PI / (RANGE_SHARE * RANGE_SHARE);
    return (uint32_t)ceil(share);
}

// Directions without a gap up to the range: about the vertical, or all of the sphere from above to below.
static fr_vec3 direction_of(const fr_seeker *s, uint32_t look) {
    double count = looks_of_turn(s), sine, cosine;
    if (s->is_flat) {
        fr_sincos(2.0 * FR_PI * look / count, &sine, &cosine);
        return fr_vec3_make(cosine, 0.0, -sine);
    }
    double height = 1.0 - (2.0 * look + 1.0) / count, across = sqrt(1.0 - height * height);
    fr_sincos(GOLDEN_ANGLE * look, &sine, &cosine);
    return fr_vec3_make(across * cosine, height, -across * sine);
}

static void note_seen(fr_seeker *s, const fr_object_view *target, fr_vec3 point) {
    fr_pose inverse = fr_pose_inverse(&target->pose);
    s->seen_at = fr_pose_apply(&inverse, point);
    s->is_seen = true;
    s->version++;
}

// Where it stays at one height it looks at what it can touch.
static double height_of_look(const fr_seeker *s) {
    double width = RANGE_SHARE * s->def.range;
    return s->is_flat ? fmin(2.0 * s->radius, width) : width;
}

// One look of a turn.
static fr_status look_about(fr_seeker *s, const fr_space *space, const fr_object_view *target, fr_error *error) {
    fr_radar_search_input input = fr_default_radar_search_input();
    input.space = space;
    input.eye = s->nodes[s->looking].place;
    input.direction = s->direction = direction_of(s, s->turned++);
    input.width = RANGE_SHARE * s->def.range;
    input.height = height_of_look(s);
    input.depth = s->def.range;
    input.pixel = 0.25 * s->radius;
    input.passes = 2;
    input.filter.ignore = s->def.object;
    fr_radar_search_output seen;
    s->looks++;
    s->version++;
    fr_status status = fr_radar_search(s->radar, &input, &seen, error);
    for (uint32_t i = 0; status == FR_OK && i < seen.count; i++) {
        if (fr_object_id_equal(seen.sights[i].object, s->def.target)) { note_seen(s, target, seen.sights[i].point); }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Growing

// What a look along a branch has met.
typedef struct branch_look {
    double free_length;   // metres that the body can go; 0 or all of them where the look is from afar
    bool is_target_first; // the target is met, and nothing before it
} branch_look;

// Looks along a branch from afar, as wide as the body and a little more.
static fr_status look_along(fr_seeker *s, const fr_space *space, fr_vec3 from, fr_vec3 to, branch_look *out,
                            fr_error *error) {
    fr_vec3 travel = fr_vec3_sub(to, from);
    double length = fr_vec3_length(travel), beside = CLEARANCE * s->radius;
    fr_radar_search_input input = fr_default_radar_search_input();
    input.space = space;
    input.direction = s->direction = fr_vec3_scale(1.0 / length, travel);
    input.eye = fr_vec3_add_scaled(from, -beside, input.direction);
    input.width = input.height = 2.0 * beside;
    input.depth = length + 2.0 * beside;
    input.look = FR_RADAR_CONSERVATIVE;
    input.resolution = 4;
    input.filter.as_object = s->def.object;
    fr_radar_search_output seen;
    fr_status status = fr_radar_search(s->radar, &input, &seen, error);
    if (status != FR_OK) { return status; }
    out->is_target_first = seen.count == 1 && fr_object_id_equal(seen.sights[0].object, s->def.target);
    out->free_length = seen.count == 0 ? length : 0.0;
    return FR_OK;
}

// From where the body stands the radar looks with the body's own front: exact, however near something is beside it.
static fr_status look_ahead(fr_seeker *s, const fr_space *space, fr_vec3 to, branch_look *out, fr_error *error) {
    fr_radar_input input = fr_default_radar_input();
    input.space = space;
    input.mover = s->def.object;
    input.travel = fr_vec3_sub(to, fr_object_get(space, s->def.object)->pose.position);
    input.look = FR_RADAR_EXACT;
    input.filter.as_object = s->def.object;
    fr_radar_output met;
    fr_status status = fr_radar_move(s->radar, &input, &met, error);
    if (status != FR_OK) { return status; }
    const fr_contact *c = &met.contact;
    fr_object_id other = fr_object_id_equal(c->a, s->def.object) ? c->b : c->a;
    out->is_target_first = met.is_hit && fr_object_id_equal(other, s->def.target);
    out->free_length = met.is_hit ? fmax(met.distance - (CLEARANCE - 1.0) * s->radius, 0.0) : met.distance;
    return FR_OK;
}

static fr_status look_from(fr_seeker *s, const fr_space *space, fr_vec3 from, fr_vec3 to, branch_look *out,
                           fr_error *error) {
    *out = (branch_look){0.0, false};
    s->looks++;
    if (fr_vec3_equal(from, to)) { return FR_OK; }
    bool is_body = fr_vec3_equal(from, fr_object_get(space, s->def.object)->pose.position);
    return is_body ? look_ahead(s, space, to, out, error) : look_along(s, space, from, to, out, error);
}

fr_vec3 fr__seeker_aim(const fr_seeker *s, const fr_object_view *target) {
    fr_vec3 aim = fr_pose_apply(&target->pose, s->seen_at);
    if (s->is_flat) { aim.y = s->bounds.min.y; }
    return aim;
}

fr_status fr__seeker_sees_target(fr_seeker *s, const fr_space *space, fr_vec3 from, fr_vec3 aim, bool *out,
                                 fr_error *error) {
    branch_look look;
    fr_status status = look_from(s, space, from, aim, &look, error);
    *out = look.is_target_first;
    return status;
}

static fr_vec3 random_place(fr_seeker *s) {
    fr_vec3 place;
    place.x = fr_random_between(&s->random, s->bounds.min.x, s->bounds.max.x);
    place.y = s->is_flat ? s->bounds.min.y : fr_random_between(&s->random, s->bounds.min.y, s->bounds.max.y);
    place.z = fr_random_between(&s->random, s->bounds.min.z, s->bounds.max.z);
    return place;
}

static uint32_t nearest_node(const fr_seeker *s, fr_vec3 place) {
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < s->node_count; i++) {
        double distance = fr_vec3_distance(s->nodes[i].place, place);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

// The end of a branch from a node towards a place; false: it is too short to grow.
static bool branch_towards(const fr_seeker *s, uint32_t node, fr_vec3 place, fr_vec3 *out) {
    fr_vec3 from = s->nodes[node].place, travel = fr_vec3_sub(place, from);
    if (s->is_flat) { travel.y = 0.0; }
    double far = fr_vec3_length(travel), length = fmin(far, fmax(BRANCH_SHARE * s->def.range, 2.0 * s->radius));
    if (!(length > BRANCH_MIN * s->radius)) { return false; }
    *out = fr_vec3_add_scaled(from, length / far, travel);
    return out->x >= s->bounds.min.x && out->x <= s->bounds.max.x && out->y >= s->bounds.min.y &&
           out->y <= s->bounds.max.y && out->z >= s->bounds.min.z && out->z <= s->bounds.max.z;
}

// A growing point looks along the branch to come; up to eight directions are tried, each a look.
static fr_status grow(fr_seeker *s, const fr_space *space, fr_vec3 target, uint32_t *looks, fr_error *error) {
    for (uint32_t i = 0; i<TRIES && * looks> 0; i++) {
        bool is_towards = s->is_seen && fr_random_unit(&s->random) < TOWARDS_TARGET;
        fr_vec3 place = is_towards ? target : random_place(s), end;
        uint32_t node = nearest_node(s, place);
        if (!branch_towards(s, node, place, &end)) { continue; }
        branch_look look;
        fr_vec3 from = s->nodes[node].place;
        (*looks)--;
        fr_status status = look_from(s, space, from, end, &look, error);
        if (status != FR_OK) { return status; }
        if (!(look.free_length > BRANCH_MIN * s->radius)) { continue; }
        double length = fr_vec3_distance(from, end);
        if (look.free_length < length) { end = fr_vec3_lerp(from, end, look.free_length / length); }
        s->nodes[s->node_count++] = (fr__seeker_node){end, node};
        s->failures = 0;
        s->version++;
        if (!s->is_seen) {
            s->looking = s->node_count - 1;
            s->turned = 0;
        }
        return FR_OK;
    }
    s->failures += *looks > 0;
    return FR_OK;
}

// The path back from a node to the body.
static void take_path(fr_seeker *s, uint32_t node) {
    s->path_count = 0;
    for (uint32_t i = node; s->nodes[i].parent != FR_NONE; i = s->nodes[i].parent) {
        s->path[s->path_count++] = i;
    }
    s->version++;
}

// Whether the last place of the tree can see a path to the target.
static fr_status connect(fr_seeker *s, const fr_space *space, fr_vec3 target, bool *out, fr_error *error) {
    uint32_t node = s->node_count - 1;
    fr_status status = fr__seeker_sees_target(s, space, s->nodes[node].place, target, out, error);
    if (status == FR_OK && *out) { take_path(s, node); }
    return status;
}

fr_status fr__seeker_search(fr_seeker *s, const fr_space *space, const fr_object_view *target, uint32_t looks,
                            fr__seeker_step *out, fr_error *error) {
    *out = FR__SEEKER_GROWS;
    fr_status status = FR_OK;
    // What is tried and needs no look counts too, so that a tick ends.
    for (uint32_t rounds = 4 * looks + TRIES; looks > 0 && rounds > 0 && status == FR_OK; rounds--) {
        if (!s->is_seen && s->turned < looks_of_turn(s)) {
            looks--;
            status = look_about(s, space, target, error);
            if (s->is_seen) { s->looking = 0; }
            continue;
        }
        fr_vec3 place = s->is_seen ? fr__seeker_aim(s, target) : s->nodes[0].place;
        uint32_t known = s->node_count;
        if (s->is_seen && s->turned != UINT32_MAX) {
            // It was just seen: every place that was grown so far may see a path.
            s->turned = UINT32_MAX;
            known = 0;
        } else {
            status = grow(s, space, place, &looks, error);
        }
        bool is_connected = false;
        if (status == FR_OK && s->is_seen && s->node_count > known) {
            looks -= looks > 0;
            status = connect(s, space, place, &is_connected, error);
        }
        if (is_connected) {
            *out = FR__SEEKER_HAS_PATH;
            return FR_OK;
        }
        if (s->node_count == FR_SEEKER_MAX_NODES || s->failures >= FAILURES_MAX) {
            *out = FR__SEEKER_IS_FULL;
            return status;
        }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Drawing

static void draw_segment(const fr_draw *draw, fr_vec3 a, fr_vec3 b, fr_color color, double width) {
    const double points[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    fr_draw_lines(draw, points, 1, color, width);
}

static void paint_tree(const fr_draw *draw, void *user) {
    static const fr_color branch = {70, 150, 200, 220}, look = {240, 190, 90, 160}, path = {220, 70, 40, 255};
    const fr_seeker *s = user;
    for (uint32_t i = 1; i < s->node_count; i++) {
        draw_segment(draw, s->nodes[s->nodes[i].parent].place, s->nodes[i].place, branch, 1.5);
    }
    for (uint32_t i = 0; i < s->path_count; i++) {
        uint32_t node = s->path[i];
        draw_segment(draw, s->nodes[s->nodes[node].parent].place, s->nodes[node].place, path, 3.0);
    }
    if (s->phase == FR_SEEKER_SEARCHING && !s->is_seen) {
        fr__radar_volume volume = {.eye = s->nodes[s->looking].place, .depth = s->def.range};
        volume.width = RANGE_SHARE * s->def.range;
        volume.height = height_of_look(s);
        fr__radar_volume_turn(&volume, s->direction);
        fr__radar_volume_draw(&volume, draw, look, 2.0);
    }
}

void fr__seeker_paint(fr_painter *painter, const fr_proposal *proposal, void *user) {
    (void)proposal;
    fr_seeker *s = user;
    if (s->drawn == s->version && !fr_painter_is_new(painter)) { return; }
    fr_error error = {0};
    const fr_cast_layer layer = {.name = FR_SEEKER_LAYER, .paint = paint_tree, .user = s};
    if (fr_painter_draw(painter, &layer, &error) != FR_OK) {
        fr_log(FR_LOG_WARNING, "the tree of a search is not drawn: %s", error.message);
        return;
    }
    s->drawn = s->version;
}
