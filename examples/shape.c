// What a shape knows of itself: makes a chair, weighs it, looks at its flat faces, and asks it where a ray hits, which
// point is closest, and what lies inside.
#include "fureai/shape.h"

#include <stdio.h>

static int fail(const fr_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(void) {
    fr_error error;
    fr_mesh *chair;
    if (fr_mesh_create_named("chair", NULL, &chair, &error) != FR_OK) { return fail(&error); }
    fr_mass mass = fr_mesh_mass(chair);
    printf("chair: %u triangles, %.4f m3, centre %.3f m high\n", fr_mesh_get(chair)->triangle_count, mass.volume,
           mass.center.y);

    // Flat faces: the triangles of a plane as one polygon. The largest that looks up is the seat.
    fr_topology_def topology_def = fr_default_topology_def();
    fr_topology *topology;
    if (fr_topology_create(chair, &topology_def, &topology, &error) != FR_OK) { return fail(&error); }
    fr_planar_def def = fr_default_planar_def();
    def.topology = topology;
    fr_planar_faces *flat;
    if (fr_planar_create(chair, &def, &flat, &error) != FR_OK) { return fail(&error); }
    uint32_t seat = 0;
    for (uint32_t i = 0; i < flat->face_count; i++) {
        const fr_planar_face *face = &flat->faces[i];
        if (face->normal.y > 0.9 && face->area > flat->faces[seat].area * (flat->faces[seat].normal.y > 0.9)) {
            seat = i;
        }
    }
    printf("%s, %u flat faces; the seat has %.3f m2 at %.2f m\n", topology->is_closed ? "closed" : "open",
           flat->face_count, flat->faces[seat].area, flat->faces[seat].offset);

    // A ray from above meets the seat; a point below it is closest to its underside.
    fr_ray down = {{0.0, 2.0, 0.0}, {0.0, -1.0, 0.0}, (double)INFINITY};
    fr_ray_hit hit = fr_mesh_ray(chair, &down);
    printf("from 2 m above the seat is %.2f m away, triangle %u of the seat: %s\n", hit.distance, hit.triangle,
           flat->face_of[hit.triangle] == seat ? "yes" : "no");
    fr_closest closest = fr_mesh_closest(chair, fr_vec3_make(0.0, 0.3, 0.0), (double)INFINITY);
    printf("under the seat the closest point is %.2f m away, at height %.2f m\n", closest.distance, closest.point.y);
    printf("inside the wood: %s, between the legs: %s\n",
           fr_mesh_contains(chair, fr_vec3_make(0.0, 0.44, 0.0)) ? "yes" : "no",
           fr_mesh_contains(chair, fr_vec3_make(0.0, 0.2, 0.0)) ? "yes" : "no");

    fr_planar_destroy(flat);
    fr_topology_destroy(topology);
    fr_mesh_release(chair);
    return 0;
}
