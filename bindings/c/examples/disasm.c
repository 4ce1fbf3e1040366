/* Decodes words in one call, and prints their text, operands and registers. */

#include <amdgpu_isa.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints an error and ends the program. */
static void check(isa_status status, isa_error *error)
{
    if (status == ISA_STATUS_OK)
        return;
    fprintf(stderr, "%s: %s\n", isa_status_name(status), isa_error_message(error));
    isa_error_free(error);
    exit(1);
}

static void print_registers(const char *title, const uint64_t *set)
{
    char name[32];
    printf("    %s", title);
    for (uint32_t number = 0; number < 64 * ISA_REGISTER_SET_WORDS; number++)
        if (set[number / 64] >> (number % 64) & 1 && isa_register_name(number, name, sizeof name))
            printf(" %s", name);
    printf("\n");
}

static void print_instr(const isa_instr *instr)
{
    static const char *const accesses[] = { "modifies", "reads", "writes", "reads and writes" };
    isa_error *error = NULL;
    char text[256];
    isa_instr_print(instr, text, sizeof text);
    printf("%04x  %s\n", (unsigned)(4 * instr->offset), text);
    if (instr->flags & ISA_INSTR_FLAG_UNKNOWN)
        return;

    isa_operand operands[8];
    size_t count = 0;
    check(isa_instr_operands(instr, operands, sizeof operands[0], 8, &count, &error), error);
    for (size_t i = 0; i < count; i++) {
        const isa_operand *operand = &operands[i];
        printf("    %-6s %s ", operand->role, accesses[operand->access]);
        if (operand->kind == ISA_OPERAND_KIND_REGISTERS)
            printf("%d registers of file %d from %d on\n", operand->count, operand->file, operand->first);
        else
            printf("the constant %lld\n", (long long)operand->value);
    }

    isa_effects effects = { .size = sizeof effects };
    check(isa_instr_effects(instr, &effects, &error), error);
    print_registers("read:", effects.read);
    print_registers("written:", effects.written);

    isa_facts facts = { .size = sizeof facts };
    check(isa_instr_facts(instr, &facts, &error), error);
    if (facts.facts & ISA_FACT_HAS_TARGET)
        printf("    branches to %04llx\n", (long long)(4 * (instr->offset + instr->dwords)) + facts.target);

    /* A violation is not a failure of the program: print it. */
    if (isa_instr_check(instr, NULL, &error) == ISA_STATUS_ILLEGAL) {
        printf("    illegal: %s\n", isa_error_message(error));
        isa_error_free(error);
    }
}

int main(void)
{
    static const uint32_t words[] = {
        0x06040501,             /* v_add_f32_e32 v2, v1, v2 */
        0xd6130000, 0x000c0401, /* v_fma_f32 v0, s1, s2, s3: too many scalar registers */
        0xf4040183, 0xf8000010, /* s_load_b64 s[6:7], s[6:7], 0x10 */
        0xbfa1fffa,             /* s_cbranch_scc0 */
        0xffffffff,             /* not an instruction */
        0xbfb00000,             /* s_endpgm */
    };
    isa_error *error = NULL;
    uint32_t arch = 0;
    check(isa_arch_parse("gfx1100", &arch, &error), error);

    isa_instr instrs[sizeof words / sizeof words[0]];
    size_t count = 0, consumed = 0;
    check(isa_decode_many(arch, 32, 0, words, sizeof words / sizeof words[0], instrs, sizeof instrs[0],
                          sizeof instrs / sizeof instrs[0], &count, &consumed, &error),
          error);
    for (size_t i = 0; i < count; i++)
        print_instr(&instrs[i]);
    printf("%zu instructions in %zu words\n", count, consumed);
    return consumed == sizeof words / sizeof words[0] ? 0 : 1;
}
