/* Decodes all words of a buffer through an array of fixed size, as an emulator does. */

#include <amdgpu_isa.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK = 256 };

/* Counts the instructions of `count` words. Words that are not an instruction are counted in `*unknown`. */
static size_t count_instructions(const uint32_t *words, size_t count, size_t *unknown)
{
    isa_instr instrs[CHUNK];
    size_t total = 0;
    while (count > 0) {
        size_t decoded = 0, consumed = 0;
        isa_error *error = NULL;
        isa_status status = isa_decode_many(ISA_ARCH_RDNA3, 32, ISA_DECODE_FLAG_OPCODES, words, count, instrs,
                                            sizeof instrs[0], CHUNK, &decoded, &consumed, &error);
        if (status != ISA_STATUS_OK) {
            fprintf(stderr, "%s: %s\n", isa_status_name(status), isa_error_message(error));
            isa_error_free(error);
            exit(1);
        }
        for (size_t i = 0; i < decoded; i++) {
            /* instrs[i].opcode indexes a table of handlers; instrs[i].words has the fields. */
            if (instrs[i].flags & ISA_INSTR_FLAG_UNKNOWN)
                ++*unknown;
            else
                ++total;
        }
        words += consumed;
        count -= consumed;
    }
    return total;
}

int main(void)
{
    /* v_add_f32_e32 v2, v1, v2; s_load_b64 s[6:7], s[6:7], 0x10; a word that is not an instruction; s_endpgm */
    static const uint32_t code[] = { 0x06040501, 0xf4040183, 0xf8000010, 0xffffffff, 0xbfb00000 };
    size_t unknown = 0;
    size_t total = count_instructions(code, sizeof code / sizeof code[0], &unknown);
    printf("%zu instructions, %zu words that are not one\n", total, unknown);
    return total == 3 && unknown == 1 ? 0 : 1;
}
