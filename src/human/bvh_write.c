// Writes a clip as BVH: the joints of the skeleton as a tree, then its frames in degrees.
#include "byte_writer.h"

#include <math.h>
#include <string.h>

static void put_vector(fr__byte_writer *w, const char *word, fr_vec3 v) {
    fr__byte_writer_text(w, word);
    fr__byte_writer_number(w, v.x);
    fr__byte_writer_number(w, v.y);
    fr__byte_writer_number(w, v.z);
    fr__byte_writer_text(w, "\n");
}

static void indent(fr__byte_writer *w, uint32_t depth) {
    for (uint32_t i = 0; i < depth; i++) {
        fr__byte_writer_text(w, "\t");
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Hierarchy

static void end_site(fr__byte_writer *w, fr_vec3 tip, uint32_t depth) {
    indent(w, depth);
    fr__byte_writer_text(w, "End Site\n");
    indent(w, depth);
    fr__byte_writer_text(w, "{\n");
    indent(w, depth + 1);
    put_vector(w, "OFFSET", tip);
    indent(w, depth);
    fr__byte_writer_text(w, "}\n");
}

static void joint_begin(fr__byte_writer *w, const fr_skeleton_view *view, uint32_t link, uint32_t depth, double scale) {
    indent(w, depth);
    fr__byte_writer_text(w, link == 0 ? "ROOT " : "JOINT ");
    fr__byte_writer_text(w, view->names[link]);
    fr__byte_writer_text(w, "\n");
    indent(w, depth);
    fr__byte_writer_text(w, "{\n");
    indent(w, depth + 1);
    fr_vec3 none = {0.0, 0.0, 0.0};
    put_vector(w, "OFFSET", link == 0 ? none : fr_vec3_scale(scale, view->offsets[link]));
    indent(w, depth + 1);
    fr__byte_writer_text(w, link == 0 ? "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
                                      : "CHANNELS 3 Zrotation Yrotation Xrotation\n");
}

// The joints below `link`, in the order in which a file has them; `order` gets each link at its place in the file. The
// next child of every link that is open is found by going on from the last one.
static void hierarchy(fr__byte_writer *w, const fr_skeleton_view *view, double scale, uint32_t *order) {
    uint32_t open[FR_MAX_LINKS], next[FR_MAX_LINKS], depth = 0, written = 0;
    bool has_child[FR_MAX_LINKS] = {false};
    joint_begin(w, view, 0, 0, scale);
    open[0] = 0;
    next[0] = 1;
    order[written++] = 0;
    while (depth != UINT32_MAX) {
        uint32_t link = open[depth], child = next[depth];
        while (child < view->link_count && view->parents[child] != link) {
            child++;
        }
        if (child < view->link_count) {
            has_child[link] = true;
            next[depth] = child + 1;
            depth++;
            open[depth] = child;
            next[depth] = child + 1;
            order[written++] = child;
            joint_begin(w, view, child, depth, scale);
            continue;
        }
        if (!has_child[link]) { end_site(w, fr_vec3_scale(scale, view->tips[link]), depth + 1); }
        indent(w, depth);
        fr__byte_writer_text(w, "}\n");
        depth--; // below the root: UINT32_MAX
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

// Degrees about z, y and x of q = Rz Ry Rx.
static void put_turn(fr__byte_writer *w, fr_quat q) {
    fr_mat3 m = fr_quat_to_mat3(q);
    double level = sqrt(m.row[0].x * m.row[0].x + m.row[1].x * m.row[1].x);
    double z, y = fr_atan2(-m.row[2].x, level), x;
    if (level > 1e-9) {
        z = fr_atan2(m.row[1].x, m.row[0].x);
        x = fr_atan2(m.row[2].y, m.row[2].z);
    } else {
        z = fr_atan2(-m.row[0].y, m.row[1].y);
        x = 0.0;
    }
    fr__byte_writer_number(w, fr_degrees(z));
    fr__byte_writer_number(w, fr_degrees(y));
    fr__byte_writer_number(w, fr_degrees(x));
}

static fr_status check(const fr_skeleton_view *view, const fr_clip_view *clip, double scale, fr_error *error) {
    if (clip->link_count > view->link_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the clip has %u links, the skeleton %u", clip->link_count,
                            view->link_count);
    }
    if (!(scale > 0.0) || !(scale <= 1e6)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a scale of %g is not within 0 .. 1e6", scale);
    }
    for (uint32_t i = 0; i < view->link_count; i++) {
        if (strpbrk(view->names[i], "\n\r{}") != NULL) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the name of link %u holds a line break or a brace", i);
        }
    }
    return FR_OK;
}

fr_status fr_bvh_write(const fr_skeleton *skeleton, const fr_clip *clip, double scale, fr_bytes_fn *write,
                       void *context, fr_error *error) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    const fr_clip_view *motion = fr_clip_get(clip);
    fr_status status = check(view, motion, scale, error);
    if (status != FR_OK) { return status; }
    fr__byte_writer w;
    fr__byte_writer_begin(&w, write, context);
    uint32_t order[FR_MAX_LINKS];
    fr__byte_writer_text(&w, "HIERARCHY\n");
    hierarchy(&w, view, scale, order);
    fr__byte_writer_text(&w, "MOTION\nFrames:");
    fr__byte_writer_whole(&w, motion->frame_count);
    fr__byte_writer_text(&w, "\nFrame Time:");
    fr__byte_writer_number(&w, 1.0 / motion->frame_rate);
    fr__byte_writer_text(&w, "\n");

    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = {.turns = turns, .count = view->link_count};
    for (uint32_t frame = 0; frame < motion->frame_count && !w.has_failed; frame++) {
        status = fr_clip_frame(clip, frame, &posture, error);
        if (status != FR_OK) { return status; }
        fr__byte_writer_number(&w, scale * posture.place.x);
        fr__byte_writer_number(&w, scale * posture.place.y);
        fr__byte_writer_number(&w, scale * posture.place.z);
        for (uint32_t i = 0; i < view->link_count; i++) {
            put_turn(&w, turns[order[i]]);
        }
        fr__byte_writer_text(&w, "\n");
    }
    return fr__byte_writer_end(&w, error);
}
