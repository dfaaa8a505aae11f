// The notes of the linker in what is loaded.
#define _GNU_SOURCE
#include "build_id.h"

#include "fureai/base.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static size_t padded(size_t size) { return (size + 3) & ~(size_t)3; }

static void take_notes(const unsigned char *notes, size_t size, uint64_t *hash) {
    ElfW(Nhdr) note;
    while (size >= sizeof note) {
        memcpy(&note, notes, sizeof note);
        size_t name = padded(note.n_namesz), value = padded(note.n_descsz);
        if (name > size - sizeof note || value > size - sizeof note - name) { return; }
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + sizeof note, "GNU", 4) == 0) {
            *hash = fr_hash(notes + sizeof note + name, note.n_descsz, *hash);
        }
        notes += sizeof note + name + value;
        size -= sizeof note + name + value;
    }
}

// The program comes first and has no name.
static int take_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    bool is_ours =
        info->dlpi_name == NULL || info->dlpi_name[0] == '\0' || strstr(info->dlpi_name, "libfureai") != NULL;
    for (int i = 0; is_ours && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE) { continue; }
        take_notes((const unsigned char *)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz, context);
    }
    return 0;
}

uint64_t build_id(void) {
    fr_version version = fr_get_version();
    uint64_t hash = fr_hash(&version, sizeof version, 0);
    (void)dl_iterate_phdr(take_object, &hash);
    return hash;
}
