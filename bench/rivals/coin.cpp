// Coin3D reading the same VRML97 from memory.
#include "bench.h"
#include "model_files.h"

#include <Inventor/SoDB.h>
#include <Inventor/SoFullPath.h>
#include <Inventor/SoInput.h>
#include <Inventor/VRMLnodes/SoVRMLGroup.h>
#include <Inventor/VRMLnodes/SoVRMLIndexedFaceSet.h>
#include <Inventor/actions/SoSearchAction.h>

static const size_t side_full = 708;

static double count_triangles(SoVRMLGroup *group) {
    SoSearchAction search;
    search.setType(SoVRMLIndexedFaceSet::getClassTypeId());
    search.setInterest(SoSearchAction::ALL);
    search.setSearchingAll(TRUE);
    search.apply(group);
    double triangles = 0.0;
    for (int i = 0; i < search.getPaths().getLength(); i++) {
        auto *tail = static_cast<SoFullPath *>(search.getPaths()[i])->getTail();
        triangles += static_cast<SoVRMLIndexedFaceSet *>(tail)->coordIndex.getNum() / 4;
    }
    return triangles;
}

static void read_file(bench *b, model_file file) {
    while (bench_repeat(b)) {
        SoInput input;
        input.setBuffer(file.bytes, file.size);
        SoVRMLGroup *group = SoDB::readAllVRML(&input);
        bench_pause(b);
        if (group == nullptr) {
            bench_skip(b, "Coin cannot read it");
            break;
        }
        group->ref();
        bench_count(b, "triangles", count_triangles(group));
        group->unref();
    }
    bench_items(b, static_cast<double>(file.size));
    bench_count(b, "bytes", static_cast<double>(file.size));
    free(file.bytes);
}

static void read_vrml(bench *b) { read_file(b, model_file_vrml(bench_size(b, 10, side_full))); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"read_vrml", read_vrml}};
    SoDB::init();
    return bench_main(argc, argv, "coin", "model", cases, sizeof cases / sizeof cases[0]);
}
