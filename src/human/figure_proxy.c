// The rigid pieces under a figure's skin: convex hulls of the skin around each link. The four fingers of a hand are one
// piece, a mitten, which holds them from straight to curled; each phalanx is a finer piece of its own.
#include "human/figure.h"

#include <string.h>

enum { DIRECTIONS = 40, FINGER_CURLS = 4 };

// The farthest points in directions spread evenly over the sphere, by a spiral with the golden angle.
static size_t first_corners(const fr__figure_work *work, fr_vec3 corners[FR_HULL_MAX_POINTS]) {
    for (int i = 0; i < DIRECTIONS; i++) {
        double height = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, across = sqrt(1.0 - height * height), sine, cosine;
        fr_sincos(2.39996322972865332 * i, &sine, &cosine);
        fr_vec3 direction = fr_vec3_make(height, across * cosine, across * sine);
        size_t best = 0;
        for (size_t k = 1; k < work->piece_count; k++) {
            double more = fr_vec3_dot(direction, fr_vec3_sub(work->piece_points[k], work->piece_points[best]));
            if (more > 0.0) { best = k; }
        }
        corners[i] = work->piece_points[best];
    }
    return DIRECTIONS;
}

// The point that is farthest outside a facet of the hull, and how far.
static double farthest_outside(const fr__figure_work *work, const fr_vec3 *corners, const fr_hull *hull, size_t *out) {
    double farthest = 0.0;
    for (int f = 0; f < hull->facet_count; f++) {
        const uint8_t *facet = hull->facets[f];
        fr_vec3 a = corners[facet[0]], b = corners[facet[1]], c = corners[facet[2]];
        fr_vec3 normal = fr_vec3_cross(fr_vec3_sub(b, a), fr_vec3_sub(c, a));
        normal = fr_vec3_unit(normal, fr_vec3_make(0.0, 0.0, 0.0));
        double level = fr_vec3_dot(normal, a);
        for (size_t k = 0; k < work->piece_count; k++) {
            double outside = fr_vec3_dot(normal, work->piece_points[k]) - level;
            if (outside <= farthest) { continue; }
            farthest = outside;
            *out = k;
        }
    }
    return farthest;
}

// The hull of the piece's points, of as many of them as a hull may have, the ones first that stand out most.
static fr_status make_hull(const fr__figure_work *work, const fr_allocator *allocator, const fr_mesh **out,
                           fr_error *error) {
    fr_vec3 corners[FR_HULL_MAX_POINTS];
    fr_hull hull = {.dimension = -1};
    if (work->piece_count > 0) {
        size_t count = first_corners(work, corners), next = 0;
        fr_hull_of_points(corners, count, &hull);
        while (count < FR_HULL_MAX_POINTS && farthest_outside(work, corners, &hull, &next) > 0.002) {
            corners[count++] = work->piece_points[next];
            fr_hull_of_points(corners, count, &hull);
        }
    }
    if (hull.dimension != 3) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a link of the skeleton has no length"); }
    uint32_t triangles[2 * FR_HULL_MAX_POINTS][3], numbers[FR_HULL_MAX_POINTS];
    double positions[FR_HULL_MAX_POINTS][3];
    for (int i = 0; i < hull.vertex_count; i++) {
        fr_vec3 p = corners[hull.vertices[i]];
        numbers[hull.vertices[i]] = (uint32_t)i;
        positions[i][0] = p.x;
        positions[i][1] = p.y;
        positions[i][2] = p.z;
    }
    for (int f = 0; f < hull.facet_count; f++) {
        for (int k = 0; k < 3; k++) {
            triangles[f][k] = numbers[hull.facets[f][k]];
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = &positions[0][0];
    def.vertex_count = (uint32_t)hull.vertex_count;
    def.triangles = &triangles[0][0];
    def.triangle_count = (uint32_t)hull.facet_count;
    def.allocator = *allocator;
    fr_mesh *mesh = NULL;
    fr_status status = fr_mesh_create(&def, &mesh, error);
    *out = mesh;
    return status;
}

static void add_point(fr__figure_work *work, fr_vec3 point) {
    FR_ASSERT(work->piece_count < FR__PIECE_MAX_POINTS);
    work->piece_points[work->piece_count++] = point;
}

static fr_vec3 to_local(const fr_pose *pose, fr_vec3 point) {
    fr_pose back = {fr_quat_conjugate(pose->rotation), fr_vec3_make(0.0, 0.0, 0.0), 1.0};
    return fr_pose_apply(&back, fr_vec3_sub(point, pose->position));
}

// How much a vertex follows a role.
static double weight_of(const fr__figure_vertex *v, uint32_t role) {
    for (int k = 0; k < FR__FIGURE_INFLUENCES; k++) {
        if (v->roles[k] == role && v->weights[k] > 0.0f) { return (double)v->weights[k]; }
    }
    return 0.0;
}

// The joints that bend far about y, the main axis of their links. Skin that follows both links bulges there.
typedef struct bend {
    fr_link link, parent;
    double angle_deg;
} bend;

static const bend bends[] = {
    {FR_LINK_RIGHT_FOREARM, FR_LINK_RIGHT_UPPER_ARM, 150.0},
    {FR_LINK_LEFT_FOREARM, FR_LINK_LEFT_UPPER_ARM, 150.0},
    {FR_LINK_RIGHT_SHIN, FR_LINK_RIGHT_THIGH, 150.0},
    {FR_LINK_LEFT_SHIN, FR_LINK_LEFT_THIGH, 150.0},
};

// The fine skin around one link: where it is bound, and where it goes when its joint bends by half and by all of its
// range.
static void add_link(fr__figure_work *work, uint32_t role, const fr_pose *bind) {
    bend joint = {FR_LINK_HIP, FR_LINK_HIP, 0.0};
    for (size_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        if (bends[i].link == role) { joint = bends[i]; }
    }
    for (uint32_t v = 0; v < work->surface.vertex_count; v++) {
        const fr__figure_vertex *vertex = &work->vertices[v];
        double weight = weight_of(vertex, role), other = weight_of(vertex, joint.parent);
        if (weight < 0.25 && vertex->roles[0] != role) { continue; }
        fr_vec3 local = to_local(bind, work->warped[v]);
        add_point(work, local);
        if (joint.angle_deg == 0.0 || other < 0.1 || weight + other < 0.9) { continue; }
        for (int i = 1; i < 3; i++) {
            double angle = -0.5 * i * other / (weight + other) * fr_radians(joint.angle_deg);
            fr_pose turned = fr_pose_identity();
            turned.rotation = fr_quat_from_vector(fr_vec3_make(0.0, angle, 0.0));
            add_point(work, fr_pose_apply(&turned, local));
        }
    }
}

// The skin of a finger with its outer joints bent by several angles. All of it is in the frame of another link.
static void add_finger(fr__figure_work *work, const fr_pose *binds[3], uint32_t first, uint32_t links,
                       const fr_pose *frame, double sign) {
    for (int curl = 0; curl < FINGER_CURLS; curl++) {
        fr_quat flexion = fr_quat_from_vector(fr_vec3_make(0.0, 0.0, sign * fr_radians(30.0 * curl)));
        fr_pose poses[3] = {*binds[0], *binds[1], *binds[links - 1]};
        for (uint32_t k = 1; k < links; k++) {
            fr_pose before = fr_pose_inverse(binds[k - 1]), step = fr_pose_compose(&before, binds[k]);
            step.rotation = fr_quat_multiply(step.rotation, flexion);
            poses[k] = fr_pose_compose(&poses[k - 1], &step);
        }
        for (uint32_t v = 0; v < work->surface.vertex_count; v++) {
            for (uint32_t k = 0; k < links; k++) {
                if (weight_of(&work->vertices[v], first + k) < 0.34) { continue; }
                fr_vec3 local = to_local(binds[k], work->warped[v]);
                add_point(work, to_local(frame, fr_pose_apply(&poses[k], local)));
            }
        }
    }
}

static const fr_pose *bind_of(const fr__figure_work *work, const fr_figure_view *view, uint32_t role) {
    return &work->binds[fr_skeleton_get(view->skeleton)->roles[role]];
}

static void add_fingers(fr__figure_work *work, const fr_figure_view *view, uint32_t first, uint32_t finger_count,
                        uint32_t links, uint32_t frame, double sign) {
    for (uint32_t f = 0; f < finger_count; f++) {
        uint32_t role = first + links * f;
        const fr_pose *binds[3] = {bind_of(work, view, role), bind_of(work, view, role + 1),
                                   bind_of(work, view, role + links - 1)};
        add_finger(work, binds, role, links, bind_of(work, view, frame), sign);
    }
}

#define LINK_NAME(name, parent, text, h_anim, bvh) text,
static const char *const proxy_names[] = {FR_LINK_TABLE(LINK_NAME)};
static const char *const hand_names[4] = {"right_mitten", "right_thumb", "left_mitten", "left_thumb"};

const char *fr_figure_proxy_name(uint32_t index) {
    FR_ASSERT(index < FR_FIGURE_PROXY_COUNT);
    return index < FR_BODY_LINK_COUNT ? proxy_names[index] : hand_names[index - FR_BODY_LINK_COUNT];
}

// A mitten is fixed to the first phalanx of the middle finger.
fr_link fr_figure_proxy_link(uint32_t index) {
    FR_ASSERT(index < FR_FIGURE_PROXY_COUNT);
    static const fr_link hands[4] = {FR_LINK_RIGHT_MIDDLE_1, FR_LINK_RIGHT_THUMB_1, FR_LINK_LEFT_MIDDLE_1,
                                     FR_LINK_LEFT_THUMB_1};
    return index < FR_BODY_LINK_COUNT ? (fr_link)index : hands[index - FR_BODY_LINK_COUNT];
}

fr_status fr__figure_add_proxies(fr__figure_work *work, const fr_allocator *allocator, fr_figure_view *view,
                                 fr_error *error) {
    const fr_skeleton_view *skeleton = fr_skeleton_get(view->skeleton);
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT && status == FR_OK; i++) {
        fr_figure_proxy *proxy = &view->proxies[i];
        uint32_t hand = i - FR_BODY_LINK_COUNT, role = fr_figure_proxy_link(i);
        work->piece_count = 0;
        if (i < FR_BODY_LINK_COUNT) {
            add_link(work, i, bind_of(work, view, i));
        } else {
            bool is_left = hand >= 2, is_thumb = hand % 2 == 1;
            uint32_t thumb = is_left ? FR_LINK_LEFT_THUMB_1 : FR_LINK_RIGHT_THUMB_1;
            double sign = is_left ? -1.0 : 1.0; // of flexion
            if (is_thumb) { add_fingers(work, view, thumb, 1, 2, role, sign); }
            if (!is_thumb) { add_fingers(work, view, thumb + 2, 4, 3, role, sign); }
        }
        proxy->link = skeleton->roles[role];
        proxy->name = i < FR_BODY_LINK_COUNT ? skeleton->names[proxy->link] : hand_names[hand];
        status = make_hull(work, allocator, &proxy->mesh, error);
    }
    for (uint32_t i = 0; i < FR_FIGURE_PHALANX_COUNT && status == FR_OK; i++) {
        fr_figure_proxy *phalanx = &view->phalanxes[i];
        uint32_t role = FR_LINK_RIGHT_THUMB_1 + i;
        work->piece_count = 0;
        add_link(work, role, bind_of(work, view, role));
        phalanx->link = skeleton->roles[role];
        phalanx->name = skeleton->names[phalanx->link];
        status = make_hull(work, allocator, &phalanx->mesh, error);
    }
    return status;
}
