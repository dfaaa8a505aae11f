// The finder of clashes: its memory, the checks of its queries, and meshes placed in the world.
#include "clash/finder.h"

#include "clash/motion_record.h"
#include "clash/solid.h"

const char *fr_clash_kind_name(fr_clash_kind kind) {
    static const char *const names[] = {"touching", "protrusion", "piercing", "enclosed", "duplicate", "clearance"};
    return (unsigned)kind < FR_CLASH_KIND_COUNT ? names[kind] : "unknown";
}

fr_status fr__clash_no_memory(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for clashes"); }

fr_status fr__clash_check_tolerance(double tolerance, fr_error *error) {
    if (tolerance >= 0.0 && tolerance <= FR_LENGTH_MAX) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "tolerance %g is not in 0 .. 2^300", tolerance);
}

fr_control fr__stop_only(const fr_control *control) {
    return control != NULL ? (fr_control){.stop = control->stop, .user = control->user} : (fr_control){0};
}

// ---------------------------------------------------------------------------------------------------------------
// The finder

fr_status fr_clash_finder_create(const fr_allocator *given, fr_clash_finder **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    fr_allocator allocator = fr_allocator_or_default(given);
    fr_clash_finder *finder = fr_allocate(&allocator, 1, sizeof *finder, 16);
    if (finder == NULL) { return fr__clash_no_memory(error); }
    *finder = (fr_clash_finder){.allocator = allocator};
    finder->placed = fr__rest_part_array_make(&allocator);
    finder->solids = fr__clash_solid_array_make(&allocator);
    finder->matches = fr__rule_match_array_make(&allocator);
    finder->clashes = fr__clash_array_make(&allocator);
    finder->groups = fr__clash_group_array_make(&allocator);
    finder->lines = fr__contact_lines_array_make(&allocator);
    finder->results = fr__status_array_make(&allocator);
    finder->kept_pairs = fr__kept_pair_array_make(&allocator);
    finder->kept_points = fr__vec3_array_make(&allocator);
    finder->kept_lines = fr__contact_line_array_make(&allocator);
    finder->kept_regions = fr__kept_region_array_make(&allocator);
    finder->distances = fr_double_array_make(&allocator);
    fr__share_make(&finder->share, &allocator);
    finder->parts = fr__moving_parts_make(&allocator);
    finder->records = fr__motion_record_array_make(&allocator);
    finder->moving = fr__motion_clash_array_make(&allocator);
    finder->drives = fr__joint_drive_array_make(&allocator);
    fr_status status = fr_collide_create(&allocator, &finder->collide, error);
    if (status != FR_OK) {
        fr_clash_finder_destroy(finder);
        return status;
    }
    *out = finder;
    return FR_OK;
}

void fr_clash_finder_destroy(fr_clash_finder *finder) {
    if (finder == NULL) { return; }
    fr__motion_clear(finder);
    fr__rest_clear(finder);
    fr_collide_destroy(finder->collide);
    fr__rest_part_array_destroy(&finder->placed);
    fr__clash_solid_array_destroy(&finder->solids);
    fr__rule_match_array_destroy(&finder->matches);
    fr__clash_array_destroy(&finder->clashes);
    fr__clash_group_array_destroy(&finder->groups);
    fr__contact_lines_array_destroy(&finder->lines);
    fr__status_array_destroy(&finder->results);
    fr__kept_pair_array_destroy(&finder->kept_pairs);
    fr__vec3_array_destroy(&finder->kept_points);
    fr__contact_line_array_destroy(&finder->kept_lines);
    fr__kept_region_array_destroy(&finder->kept_regions);
    fr_double_array_destroy(&finder->distances);
    fr__share_free(&finder->share);
    fr__motion_record_array_destroy(&finder->records);
    fr__motion_clash_array_destroy(&finder->moving);
    fr__joint_drive_array_destroy(&finder->drives);
    fr_allocator allocator = finder->allocator;
    fr_deallocate(&allocator, finder, 1, sizeof *finder);
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes in the world

static void place_corners(const fr_mesh *mesh, const fr_pose *inner, const fr_pose *outer, fr_vec3 *corners,
                          uint32_t *indices) {
    uint32_t count = fr_mesh_get(mesh)->triangle_count;
    for (uint32_t i = 0; i < count; i++) {
        fr_mesh_corners(mesh, i, &corners[3 * (size_t)i]);
    }
    for (size_t k = 0; k < 3 * (size_t)count; k++) {
        if (inner != NULL) { corners[k] = fr_pose_apply(inner, corners[k]); }
        corners[k] = fr_pose_apply(outer, corners[k]);
        indices[k] = (uint32_t)k;
    }
}

fr_status fr__placed_mesh(const fr_mesh *mesh, const fr_pose *inner, const fr_pose *outer,
                          const fr_allocator *allocator, fr_mesh **out, fr_error *error) {
    uint32_t count = fr_mesh_get(mesh)->triangle_count;
    size_t corner_count = 3 * (size_t)count;
    fr_vec3 *corners = fr_allocate(allocator, corner_count, sizeof *corners, 16);
    uint32_t *indices = fr_allocate(allocator, corner_count, sizeof *indices, 16);
    fr_status status = FR_OK;
    if (corners != NULL && indices != NULL) {
        place_corners(mesh, inner, outer, corners, indices);
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_double = &corners[0].x;
        def.vertex_count = 3 * count;
        def.triangles = indices;
        def.triangle_count = count;
        def.is_double = true;
        def.allocator = *allocator;
        status = fr_mesh_create(&def, out, error);
    } else {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a part of %u triangles", count);
    }
    fr_deallocate(allocator, corners, corner_count, sizeof *corners);
    fr_deallocate(allocator, indices, corner_count, sizeof *indices);
    return status;
}
