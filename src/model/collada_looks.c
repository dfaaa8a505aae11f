// Materials and effects of a Collada file.
#include "collada.h"

#include <string.h>

void fr__dae_begin_material(fr__dae *dae, const char **attributes) {
    fr__builder *builder = &dae->reader->builder;
    const char *name = fr__xml_attribute(attributes, "name"), *id = fr__xml_attribute(attributes, "id");
    if (name == NULL) { name = id != NULL ? id : ""; }
    uint32_t *effect = fr_uint32_array_push(&dae->material_effects, 1);
    uint32_t number = id != NULL ? fr__dae_name(dae, id) : FR_NONE;
    if (effect == NULL || !fr__builder_add_material(builder, (fr__span){name, strlen(name)})) {
        fr__dae_no_memory(dae);
        return;
    }
    *effect = FR_NONE;
    if (number != FR_NONE) { fr__dae_id_of(dae, number)->material = (uint32_t)builder->material_list.count - 1; }
}

void fr__dae_begin_effect_use(fr__dae *dae, const char **attributes) {
    uint32_t *effect = &dae->material_effects.data[dae->material_effects.count - 1];
    *effect = fr__dae_target(dae, fr__xml_attribute(attributes, "url"));
}

void fr__dae_begin_effect(fr__dae *dae, const char **attributes) {
    const char *id = fr__xml_attribute(attributes, "id");
    uint32_t index = fr__dae_look_array_add(dae, &dae->effects, fr_default_model_material());
    uint32_t number = id != NULL ? fr__dae_name(dae, id) : FR_NONE;
    if (number != FR_NONE) { fr__dae_id_of(dae, number)->effect = index; }
}

void fr__dae_end_color(fr__dae *dae, int slot) {
    fr_model_material *effect = &dae->effects.data[dae->effects.count - 1];
    float *const slots[3] = {effect->diffuse, effect->emissive, effect->specular};
    const char *at = fr__dae_text(dae), *end = at + dae->text.count;
    for (int k = 0; k < 3; k++) {
        double value = 0.0;
        while (at < end && fr__is_space(*at)) {
            at++;
        }
        if (fr_number_read(&at, end, &value) != FR_NUMBER_OK) { return; }
        slots[slot][k] = value > 0.0 ? (value < 1.0 ? (float)value : 1.0f) : 0.0f;
    }
}

void fr__dae_finish_materials(fr__dae *dae) {
    fr_model_material *materials = dae->reader->builder.material_list.data;
    const uint32_t *effect_ids = dae->material_effects.data;
    for (size_t i = 0; i < dae->material_effects.count; i++) {
        uint32_t effect = effect_ids[i] != FR_NONE ? fr__dae_id_of(dae, effect_ids[i])->effect : FR_NONE;
        if (effect == FR_NONE) { continue; }
        const char *name = materials[i].name;
        materials[i] = dae->effects.data[effect];
        materials[i].name = name;
    }
}
