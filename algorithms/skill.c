// A plug-in around one skill of the tables, of people or of objects: the skill is the one that the program is called
// by. Every skill has a link of its name to this program in the folder of plug-ins. "skill names" prints the names.
#include "fureai/act_plug_in.h"

#include <stdio.h>
#include <string.h>

static int print_names(void) {
    for (uint32_t i = 0; i < fr_skill_count(); i++) {
        printf("%s\n", fr_skill_at(i)->name);
    }
    for (uint32_t i = 0; i < fr_object_skill_count(); i++) {
        printf("%s\n", fr_object_skill_at(i)->name);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "names") == 0) { return print_names(); }
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : (argc > 0 ? argv[0] : "");
    const fr_skill *skill = fr_skill_find(name);
    const fr_object_skill *object_skill = fr_object_skill_find(name);
    if (skill == NULL && object_skill == NULL) {
        fprintf(stderr, "there is no skill %s\n", name);
        return 2;
    }
    fr_error error = {0};
    fr_status status = skill != NULL ? fr_plug_in_serve(skill, &error) : fr_plug_in_serve_object(object_skill, &error);
    if (status == FR_OK) { return 0; }
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
