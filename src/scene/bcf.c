// Writes clashes as issues of BCF 3.0: an archive with a folder an issue, which holds its markup and its viewpoint.
#include "fureai/scene_bcf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BCF_COOKIE 0x42434633u
#define MAX_TOPICS 32000u
#define GUID_BYTES 37u
#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

fr_bcf_input fr_default_bcf_input(void) {
    return (fr_bcf_input){
        .author = "fureai", .date = "1980-01-01T00:00:00Z", .allocator = fr_default_allocator(), .cookie = BCF_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// Text

// A file of the archive that is being made. Without memory it stays as it is, and says so at the end.
typedef struct page {
    fr_byte_array bytes;
    bool has_failed;
} page;

static void put_bytes(page *p, const char *bytes, size_t size) {
    unsigned char *place = fr_byte_array_push(&p->bytes, size);
    p->has_failed |= place == NULL;
    if (place != NULL && size > 0) { memcpy(place, bytes, size); }
}

static void put(page *p, const char *text) { put_bytes(p, text, strlen(text)); }

// Text for XML: characters that XML forbids are written as ?.
static void put_text(page *p, const char *text) {
    for (size_t left = strlen(text); left > 0;) {
        size_t length = fr_utf8_length(text, left);
        unsigned char c = (unsigned char)*text;
        bool is_allowed = length > 1 || (length == 1 && c >= 0x20 && c != 0x7f);
        if (length == 3 && c == 0xef && (unsigned char)text[1] == 0xbf && (unsigned char)text[2] >= 0xbe) {
            is_allowed = false; // U+FFFE and U+FFFF
        }
        length = length > 0 ? length : 1;
        switch (*text) {
        case '&': put(p, "&amp;"); break;
        case '<': put(p, "&lt;"); break;
        case '>': put(p, "&gt;"); break;
        case '"': put(p, "&quot;"); break;
        default:
            if (is_allowed) {
                put_bytes(p, text, length);
            } else {
                put(p, "?");
            }
        }
        text += length;
        left -= length;
    }
}

static void put_element(page *p, const char *name, const char *text) {
    put(p, "<");
    put(p, name);
    put(p, ">");
    put_text(p, text);
    put(p, "</");
    put(p, name);
    put(p, ">");
}

static void put_number(page *p, double value) {
    char text[FR_NUMBER_BYTES];
    put_bytes(p, text, fr_number_write(value, text));
}

// A point or direction of ours in the axes of the format.
static void put_vector(page *p, const char *name, fr_vec3 v) {
    const double numbers[3] = {v.x, 0.0 - v.z, v.y};
    static const char *const axes[3] = {"X", "Y", "Z"};
    put(p, "<");
    put(p, name);
    put(p, ">");
    for (int i = 0; i < 3; i++) {
        put(p, "<");
        put(p, axes[i]);
        put(p, ">");
        put_number(p, numbers[i]);
        put(p, "</");
        put(p, axes[i]);
        put(p, ">");
    }
    put(p, "</");
    put(p, name);
    put(p, ">");
}

// ---------------------------------------------------------------------------------------------------------------
// One issue

typedef struct bcf_writer {
    const fr_bcf_input *input;
    fr_zip_writer *zip;
    page page;
} bcf_writer;

// A number that follows from two names and what it is for, in the form of a random UUID.
static void make_guid(const char *a, const char *b, uint64_t seed, char out[GUID_BYTES]) {
    bool is_turned = strcmp(a, b) > 0;
    const char *first = is_turned ? b : a, *second = is_turned ? a : b;
    uint64_t high = fr_hash(first, strlen(first) + 1, seed), low;
    high = fr_hash(second, strlen(second) + 1, high);
    low = fr_hash(first, strlen(first) + 1, high ^ 0x9e3779b97f4a7c15u);
    low = fr_hash(second, strlen(second) + 1, low);
    high = (high & ~UINT64_C(0xf000)) | UINT64_C(0x4000);
    low = (low & ~(UINT64_C(3) << 62)) | UINT64_C(2) << 62;
    snprintf(out, GUID_BYTES, "%08x-%04x-%04x-%04x-%012llx", (unsigned)(high >> 32), (unsigned)(high >> 16 & 0xffff),
             (unsigned)(high & 0xffff), (unsigned)(low >> 48), (unsigned long long)(low & UINT64_C(0xffffffffffff)));
}

static fr_status add_page(bcf_writer *w, const char *folder, const char *name, fr_error *error) {
    char path[64];
    snprintf(path, sizeof path, "%s%s%s", folder, folder[0] != '\0' ? "/" : "", name);
    if (w->page.has_failed) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the issues"); }
    fr_status status = fr_zip_add(w->zip, path, w->page.bytes.data, w->page.bytes.count, error);
    w->page.bytes.count = 0;
    return status;
}

static const char *status_text(fr_clash_verdict verdict) {
    return verdict == FR_CLASH_ACCEPTED ? "Accepted" : verdict == FR_CLASH_IGNORED ? "Ignored" : "Open";
}

static fr_clash_note note_of(const fr_bcf_input *in, const char *a, const char *b) {
    const fr_clash_note *note = in->notes != NULL ? fr_clash_notes_find(in->notes, a, b) : NULL;
    return note != NULL ? *note : (fr_clash_note){a, b, FR_CLASH_OPEN, ""};
}

static void put_description(page *p, const fr_bcf_input *in, const fr_clash *c) {
    put(p, "<Description>");
    put(p, fr_clash_kind_name(c->kind));
    if (!fr_is_unknown(c->depth)) {
        put(p, ", depth ");
        put_number(p, c->depth);
        put(p, " m");
    }
    if (c->kind == FR_CLASH_CLEARANCE) {
        put(p, ", distance ");
        put_number(p, c->distance);
        put(p, " m");
    }
    put(p, ", pairs of triangles: ");
    put_number(p, (double)c->shared_count);
    if (in->is_grouped) {
        put(p, ", like clashes: ");
        put_number(p, (double)in->found->groups[c->group].count);
    }
    put(p, "</Description>\n");
}

static void put_markup(bcf_writer *w, const fr_clash *c, size_t number, const char *guid) {
    const fr_bcf_input *in = w->input;
    const char *a = in->names[c->a], *b = in->names[c->b];
    fr_clash_note note = note_of(in, a, b);
    char view[GUID_BYTES], comment[GUID_BYTES];
    make_guid(a, b, 2, view);
    make_guid(a, b, 3, comment);
    page *p = &w->page;
    put(p, HEAD "<Markup>\n<Topic Guid=\"");
    put(p, guid);
    put(p, "\" TopicType=\"Clash\" TopicStatus=\"");
    put(p, status_text(note.verdict));
    put(p, "\">\n<Title>");
    put_text(p, a);
    put(p, " and ");
    put_text(p, b);
    put(p, ": ");
    put(p, fr_clash_kind_name(c->kind));
    put(p, "</Title>\n<Index>");
    put_number(p, (double)number);
    put(p, "</Index>\n<Labels>");
    put_element(p, "Label", fr_clash_kind_name(c->kind));
    put(p, "</Labels>\n");
    put_element(p, "CreationDate", in->date);
    put(p, "\n");
    put_element(p, "CreationAuthor", in->author);
    put(p, "\n");
    put_description(p, in, c);
    if (note.text[0] != '\0') {
        put(p, "<Comments><Comment Guid=\"");
        put(p, comment);
        put(p, "\">");
        put_element(p, "Date", in->date);
        put_element(p, "Author", in->author);
        put_element(p, "Comment", note.text);
        put(p, "</Comment></Comments>\n");
    }
    put(p, "<Viewpoints><ViewPoint Guid=\"");
    put(p, view);
    put(p, "\"><Viewpoint>viewpoint.bcfv</Viewpoint></ViewPoint></Viewpoints>\n</Topic>\n</Markup>\n");
}

// A box about a part, in the world.
static fr_bounds bounds_of(const fr_clash_part *part) {
    const fr_bounds local = fr_mesh_get(part->mesh)->bounds;
    fr_bounds box = fr_bounds_empty();
    for (int i = 0; i < 8 && !fr_bounds_is_empty(&local); i++) {
        fr_vec3 corner =
            fr_vec3_make((i & 1) != 0 ? local.max.x : local.min.x, (i & 2) != 0 ? local.max.y : local.min.y,
                         (i & 4) != 0 ? local.max.z : local.min.z);
        box = fr_bounds_with_point(&box, fr_pose_apply(&part->pose, corner));
    }
    return box;
}

// The box about where two parts meet: about the lines, else about what their boxes share, else the smaller part's.
static fr_bounds place_of(const fr_bcf_input *in, const fr_clash *c) {
    fr_bounds box = fr_bounds_of_points(c->region.points, c->region.point_count);
    if (!fr_bounds_is_empty(&box)) { return box; }
    fr_bounds a = bounds_of(&in->parts[c->a]), b = bounds_of(&in->parts[c->b]);
    fr_bounds shared = {fr_vec3_max(a.min, b.min), fr_vec3_min(a.max, b.max)};
    if (!fr_bounds_is_empty(&shared)) { return shared; }
    return fr_vec3_distance(a.min, a.max) < fr_vec3_distance(b.min, b.max) ? a : b;
}

static void put_component(page *p, const char *name) {
    put(p, "<Component>");
    put_element(p, "OriginatingSystem", "fureai");
    put_element(p, "AuthoringToolId", name);
    put(p, "</Component>");
}

// The camera looks down at the place from the front right, from where all of it is in view.
static void put_viewpoint(bcf_writer *w, const fr_clash *c) {
    const fr_bcf_input *in = w->input;
    fr_bounds place = place_of(in, c);
    double size = fr_vec3_distance(place.min, place.max);
    size = size > 1e-3 ? size : 1e-3;
    const fr_vec3 direction = {-0.6, -0.48, -0.64}, up = {-0.328, 0.877, -0.35};
    fr_vec3 eye = fr_vec3_sub(fr_bounds_center(&place), fr_vec3_scale(2.0 * size, direction));
    char view[GUID_BYTES];
    make_guid(in->names[c->a], in->names[c->b], 2, view);
    page *p = &w->page;
    put(p, HEAD "<VisualizationInfo Guid=\"");
    put(p, view);
    put(p, "\">\n<Components><Selection>");
    put_component(p, in->names[c->a]);
    put_component(p, in->names[c->b]);
    put(p, "</Selection><Visibility DefaultVisibility=\"true\"></Visibility></Components>\n<PerspectiveCamera>");
    put_vector(p, "CameraViewPoint", eye);
    put_vector(p, "CameraDirection", direction);
    put_vector(p, "CameraUpVector", up);
    put(p, "<FieldOfView>60</FieldOfView><AspectRatio>1.5</AspectRatio></PerspectiveCamera>\n"
           "</VisualizationInfo>\n");
}

static fr_status write_topic(bcf_writer *w, const fr_clash *c, size_t number, fr_error *error) {
    char guid[GUID_BYTES];
    make_guid(w->input->names[c->a], w->input->names[c->b], 1, guid);
    put_markup(w, c, number, guid);
    fr_status status = add_page(w, guid, "markup.bcf", error);
    if (status != FR_OK) { return status; }
    put_viewpoint(w, c);
    return add_page(w, guid, "viewpoint.bcfv", error);
}

// ---------------------------------------------------------------------------------------------------------------
// The archive

static fr_status write_frame(bcf_writer *w, fr_error *error) {
    page *p = &w->page;
    put(p, HEAD "<Version VersionId=\"3.0\"></Version>\n");
    fr_status status = add_page(w, "", "bcf.version", error);
    if (status != FR_OK) { return status; }
    put(p, HEAD "<Extensions>\n<TopicTypes><TopicType>Clash</TopicType></TopicTypes>\n<TopicStatuses>"
                "<TopicStatus>Open</TopicStatus><TopicStatus>Accepted</TopicStatus><TopicStatus>Ignored</TopicStatus>"
                "</TopicStatuses>\n<TopicLabels>");
    for (int kind = 0; kind < FR_CLASH_KIND_COUNT; kind++) {
        put_element(p, "TopicLabel", fr_clash_kind_name((fr_clash_kind)kind));
    }
    put(p, "</TopicLabels>\n<Users>");
    put_element(p, "User", w->input->author);
    put(p, "</Users>\n</Extensions>\n");
    return add_page(w, "", "extensions.xml", error);
}

static fr_status write_topics(bcf_writer *w, fr_error *error) {
    const fr_bcf_input *in = w->input;
    size_t count = in->is_grouped ? in->found->group_count : in->found->count;
    if (count > MAX_TOPICS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%zu issues; the limit is %u", count, MAX_TOPICS);
    }
    fr_status status = write_frame(w, error);
    for (size_t i = 0; i < count && status == FR_OK; i++) {
        if (fr_control_is_stopped(in->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        size_t clash = in->is_grouped ? in->found->groups[i].first : i;
        status = write_topic(w, &in->found->clashes[clash], i, error);
    }
    return status == FR_OK ? fr_zip_finish(w->zip, error) : status;
}

fr_status fr_bcf_write(const fr_bcf_input *input, fr_zip_sink_fn *sink, void *context, fr_error *error) {
    FR_ASSERT(input != NULL && sink != NULL);
    if (input->cookie != BCF_COOKIE) { return fr_error_set_cookie(error, "fr_default_bcf_input"); }
    bool is_whole = input->found != NULL && input->author != NULL && input->date != NULL &&
                    (input->found->count == 0 || (input->parts != NULL && input->names != NULL));
    if (!is_whole) { return fr_error_set(error, FR_ERROR_ARGUMENT, "clashes, parts and names must be given"); }
    bcf_writer w = {.input = input, .page = {.bytes = fr_byte_array_make(&input->allocator)}};
    fr_status status = fr_zip_writer_create(sink, context, &input->allocator, &w.zip, error);
    if (status == FR_OK) { status = write_topics(&w, error); }
    fr_zip_writer_destroy(w.zip);
    fr_byte_array_destroy(&w.page.bytes);
    return status;
}
