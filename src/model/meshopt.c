// A compressed buffer view as a whole: what the extension allows, and which decoder takes it.
#include "meshopt.h"

// Whether the bytes of an element fit the filter.
static bool filter_fits(const fr__meshopt_view *view) {
    switch (view->filter) {
    case FR__MESHOPT_OCTAHEDRAL:
    case FR__MESHOPT_COLOR: return view->stride == 4 || view->stride == 8;
    case FR__MESHOPT_QUATERNION: return view->stride == 8;
    default: return true; // elements have a multiple of 4 bytes, as exponential needs
    }
}

const char *fr__meshopt_check(const fr__meshopt_view *view, size_t size) {
    if (view->count == 0 || view->count > UINT32_MAX) { return "a compressed view has 1 to 2^32 - 1 elements"; }
    if (view->mode == FR__MESHOPT_ATTRIBUTES) {
        if (view->stride < 4 || view->stride > 256 || view->stride % 4 != 0) {
            return "the elements of a compressed view have 4 to 256 bytes, a multiple of 4";
        }
        if (!filter_fits(view)) { return "the filter of a compressed view does not fit the bytes of its elements"; }
        return size >= fr__meshopt_attributes_min(view->count, view->stride)
                   ? NULL
                   : "a compressed view is shorter than its elements need";
    }
    if (view->stride != 2 && view->stride != 4) { return "the indices of a compressed view have 2 or 4 bytes"; }
    if (view->filter != FR__MESHOPT_NO_FILTER) { return "indices of a compressed view have no filter"; }
    bool is_triangles = view->mode == FR__MESHOPT_TRIANGLES;
    if (is_triangles && view->count % 3 != 0) { return "a compressed view of triangles has no whole triangles"; }
    uint64_t min = is_triangles ? 17 + view->count / 3 : 5 + view->count;
    return size >= min ? NULL : "a compressed view is shorter than its elements need";
}

bool fr__meshopt_decode(const fr__meshopt_view *view, const void *bytes, size_t size, void *out) {
    size_t count = (size_t)view->count, stride = (size_t)view->stride;
    switch (view->mode) {
    case FR__MESHOPT_TRIANGLES: return fr__meshopt_triangles(bytes, size, count, stride, out);
    case FR__MESHOPT_INDICES: return fr__meshopt_indices(bytes, size, count, stride, out);
    default: break;
    }
    if (!fr__meshopt_attributes(bytes, size, count, stride, out)) { return false; }
    fr__meshopt_unfilter(view->filter, count, stride, out);
    return true;
}
