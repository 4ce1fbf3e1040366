/*
 * The C library of amdgpu_isa: decodes, prints, assembles, disassembles and lints code of AMD GPUs, and runs kernels on the CPU.
 * cbindgen makes this file; do not edit it. README.md beside the sources has examples.
 *
 * Status. Functions that can fail return an isa_status; ISA_STATUS_OK is 0. Their last parameter `error` may be NULL; otherwise
 * *error is set: to NULL on success, to an error on failure, which the caller frees with isa_error_free.
 *
 * Ownership. Functions that make a handle store it through a pointer and set it to NULL on failure. The caller frees a handle once
 * with the function named after its type. Text and bytes that a handle returns belong to the handle and live as long as it does.
 * The library keeps no pointer to memory of the caller after a function has returned.
 *
 * Sizes. Structs that begin with `size` may grow: the caller sets it to sizeof of the struct that it was compiled with. Functions
 * that fill an array take sizeof of its elements. A wrong size is ISA_STATUS_VERSION. Set the other members of options to 0 for
 * their defaults, as `isa_launch_options options = { .size = sizeof options };` does.
 *
 * Text is UTF-8. Functions that write text into a buffer work like snprintf: they write at most `capacity` bytes with the
 * terminating 0, and return the length of the whole text without it. Text in handles ends with 0 as well; absent text is NULL.
 *
 * Pointers. NULL is an error where a pointer is required, never a crash. Pointers to other memory have to be valid, aligned for
 * their type, and as large as stated.
 *
 * Threads. Handles do not change after they are made, so threads may share them; only the free functions need exclusive access. The
 * library has no state besides idle threads of launches, which isa_end_threads ends. Callbacks must not throw, longjmp or free the
 * handles in use.
 */


#ifndef AMDGPU_ISA_H
#define AMDGPU_ISA_H

#include <stddef.h>
#include <stdint.h>

// The value of `isa_instr.opcode` if it is not filled in.
#define ISA_NO_OPCODE 65535

// The number of `uint64_t`s in a set of registers.
#define ISA_REGISTER_SET_WORDS 9

// The result of a function.
enum isa_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Success.
    ISA_STATUS_OK = 0,
    // A required pointer is NULL.
    ISA_STATUS_NULL_POINTER = 1,
    // An argument has a value that it cannot have.
    ISA_STATUS_INVALID_ARGUMENT = 2,
    // The size of a struct is not one that this version of the library knows.
    ISA_STATUS_VERSION = 3,
    // An index is at or past the end.
    ISA_STATUS_OUT_OF_RANGE = 4,
    // The name of a set, a processor or a target is unknown or not supported.
    ISA_STATUS_UNKNOWN_TARGET = 5,
    // Words are not an instruction.
    ISA_STATUS_DECODE = 6,
    // A line of text is not an instruction.
    ISA_STATUS_PARSE = 7,
    // An instruction breaks a rule between its operands.
    ISA_STATUS_ILLEGAL = 8,
    // A program has errors, which its diagnostics describe, or its output cannot be written.
    ISA_STATUS_ASSEMBLY = 9,
    // A file is not what it should be.
    ISA_STATUS_FORMAT = 10,
    // A file cannot be read.
    ISA_STATUS_IO = 11,
    // A kernel cannot be launched.
    ISA_STATUS_LAUNCH = 12,
    // A kernel has ended with a fault.
    ISA_STATUS_FAULT = 13,
    // A kernel has not ended within the timeout.
    ISA_STATUS_TIMEOUT = 14,
    // The caller has stopped a kernel.
    ISA_STATUS_STOPPED = 15,
    // The library has a bug.
    ISA_STATUS_INTERNAL = 16,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_status isa_status;
#else
typedef uint32_t isa_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// An instruction set.
enum isa_arch
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // RDNA3: gfx1100 to gfx1103.
    ISA_ARCH_RDNA3 = 1,
    // RDNA3.5: gfx1150 to gfx1154.
    ISA_ARCH_RDNA35 = 2,
    // RDNA4: gfx1200 and gfx1201.
    ISA_ARCH_RDNA4 = 3,
    // Graphics Core Next 1.0: gfx6.
    ISA_ARCH_GCN10 = 4,
    // Graphics Core Next 1.1: gfx7.
    ISA_ARCH_GCN11 = 5,
    // Graphics Core Next 1.2: gfx8.
    ISA_ARCH_GCN12 = 6,
    // Graphics Core Next 1.4: gfx900 and its like.
    ISA_ARCH_GCN14 = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_arch isa_arch;
#else
typedef uint32_t isa_arch;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What `isa_instr.flags` may hold.
enum isa_instr_flag
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The first word is not an instruction; `dwords` says how many to skip. Functions print it as `.long`, and refuse the rest.
    ISA_INSTR_FLAG_UNKNOWN = 1,
    // A field holds a reserved code; LLVM prints the instruction all the same.
    ISA_INSTR_FLAG_RESERVED = 2,
    // The words belong to an encoding that the set has and the library does not read. `ISA_INSTR_FLAG_UNKNOWN` is set as well.
    ISA_INSTR_FLAG_OUTSIDE = 4,
    // The input ends inside the instruction. `ISA_INSTR_FLAG_UNKNOWN` is set as well.
    ISA_INSTR_FLAG_TRUNCATED = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_instr_flag isa_instr_flag;
#else
typedef uint32_t isa_instr_flag;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Flags of `isa_decode_many`.
enum isa_decode_flag
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Fill in `isa_instr.opcode`, which takes as long again as decoding.
    ISA_DECODE_FLAG_OPCODES = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_decode_flag isa_decode_flag;
#else
typedef uint32_t isa_decode_flag;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What an operand is.
enum isa_operand_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // `count` consecutive registers of `file` from `first` on.
    ISA_OPERAND_KIND_REGISTERS = 1,
    // `groups` groups of vector registers, `group_first` and `group_count`: the address of an image instruction.
    ISA_OPERAND_KIND_SCATTERED = 2,
    // An inline integer in `value`.
    ISA_OPERAND_KIND_INTEGER = 3,
    // An inline floating-point constant: `value` has the bits of a float.
    ISA_OPERAND_KIND_FLOAT = 4,
    // A literal constant: `value` has its 32 bits.
    ISA_OPERAND_KIND_LITERAL = 5,
    // A number in the fields of the instruction, in `value`.
    ISA_OPERAND_KIND_IMMEDIATE = 6,
    // A branch target: `value` is the distance from the end of the instruction in bytes.
    ISA_OPERAND_KIND_BRANCH = 7,
    // The operand is disabled.
    ISA_OPERAND_KIND_OFF = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_operand_kind isa_operand_kind;
#else
typedef uint32_t isa_operand_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How an instruction uses an operand.
enum isa_access
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Neither: the operand is a modifier.
    ISA_ACCESS_NONE = 0,
    // It is read.
    ISA_ACCESS_READ = 1,
    // It is written.
    ISA_ACCESS_WRITE = 2,
    // It is read and written.
    ISA_ACCESS_READ_WRITE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_access isa_access;
#else
typedef uint32_t isa_access;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A register file.
enum isa_register_file
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Scalar registers.
    ISA_REGISTER_FILE_SGPR = 0,
    // Vector registers.
    ISA_REGISTER_FILE_VGPR = 1,
    // Trap temporaries.
    ISA_REGISTER_FILE_TTMP = 2,
    // 0 is `vcc_lo`, 1 is `vcc_hi`.
    ISA_REGISTER_FILE_VCC = 3,
    // 0 is `exec_lo`, 1 is `exec_hi`.
    ISA_REGISTER_FILE_EXEC = 4,
    // M0.
    ISA_REGISTER_FILE_M0 = 5,
    // NULL: reads as 0, writes are dropped.
    ISA_REGISTER_FILE_NULL = 6,
    // The scalar condition code.
    ISA_REGISTER_FILE_SCC = 7,
    // Memory apertures and status bits that read as constants: the number is the source code.
    ISA_REGISTER_FILE_SPECIAL = 8,
    // The base of scratch memory for flat instructions.
    ISA_REGISTER_FILE_FLAT_SCRATCH = 9,
    // The lanes that repeat an access after a page fault.
    ISA_REGISTER_FILE_XNACK_MASK = 10,
    // The address of the trap handler.
    ISA_REGISTER_FILE_TBA = 11,
    // The address of the trap handler's memory.
    ISA_REGISTER_FILE_TMA = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_register_file isa_register_file;
#else
typedef uint32_t isa_register_file;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The half of a register that a 16-bit operand means.
enum isa_half
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The whole register, or the one half that the instruction can use.
    ISA_HALF_NONE = 0,
    // Bits 15 to 0.
    ISA_HALF_LOW = 1,
    // Bits 31 to 16.
    ISA_HALF_HIGH = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_half isa_half;
#else
typedef uint32_t isa_half;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Facts about an instruction, as bits.
enum isa_fact
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It may continue elsewhere than at the next instruction, and does not come back.
    ISA_FACT_BRANCH = 1,
    // It is a branch that may also continue at the next instruction.
    ISA_FACT_CONDITIONAL_BRANCH = 2,
    // It branches to an address that does not depend on the program counter.
    ISA_FACT_INDIRECT_BRANCH = 4,
    // It branches and keeps the address of the next instruction.
    ISA_FACT_CALL = 8,
    // It can only be the last instruction of a basic block: it branches, or ends the program.
    ISA_FACT_TERMINATOR = 16,
    // The next instruction may follow, also after a call.
    ISA_FACT_FALLS_THROUGH = 32,
    // It may read memory.
    ISA_FACT_MAY_LOAD = 64,
    // It may write memory.
    ISA_FACT_MAY_STORE = 128,
    // It does something besides writing operands and memory and branching.
    ISA_FACT_SIDE_EFFECTS = 256,
    // It waits for the other waves of the work-group.
    ISA_FACT_BARRIER = 512,
    // It depends on other lanes or waves.
    ISA_FACT_CONVERGENT = 1024,
    // It writes one operand that depends on the sources alone.
    ISA_FACT_REMATERIALIZABLE = 2048,
    // Its words are those that encoding writes.
    ISA_FACT_CANONICAL = 4096,
    // `target` is set.
    ISA_FACT_HAS_TARGET = 8192,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_fact isa_fact;
#else
typedef uint32_t isa_fact;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Address spaces, as bits.
enum isa_space
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Global memory through a 64-bit address.
    ISA_SPACE_GLOBAL = 1,
    // The private memory of a lane.
    ISA_SPACE_SCRATCH = 2,
    // A flat address.
    ISA_SPACE_FLAT = 4,
    // The local data share.
    ISA_SPACE_LDS = 8,
    // The global data share.
    ISA_SPACE_GDS = 16,
    // Memory through the scalar cache.
    ISA_SPACE_SCALAR = 32,
    // Memory through a buffer resource.
    ISA_SPACE_BUFFER = 64,
    // An image.
    ISA_SPACE_IMAGE = 128,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_space isa_space;
#else
typedef uint32_t isa_space;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Numbers of registers in `isa_effects`, from which others count on: `ISA_REGISTER_VGPR + 5` is v5.
enum isa_register
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // s0, up to s105.
    ISA_REGISTER_SGPR = 0,
    // `vcc_lo`; `vcc_hi` is the next.
    ISA_REGISTER_VCC = 106,
    // `ttmp0`, up to `ttmp15`.
    ISA_REGISTER_TTMP = 108,
    // M0.
    ISA_REGISTER_M0 = 125,
    // `exec_lo`; `exec_hi` is the next.
    ISA_REGISTER_EXEC = 126,
    // v0, up to v255.
    ISA_REGISTER_VGPR = 256,
    // The scalar condition code.
    ISA_REGISTER_SCC = 512,
    // The mode register.
    ISA_REGISTER_MODE = 513,
    // The status register.
    ISA_REGISTER_STATUS = 514,
    // The program counter.
    ISA_REGISTER_PC = 515,
    // The low dword of FLAT_SCRATCH; the high one is the next.
    ISA_REGISTER_FLAT_SCRATCH = 516,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_register isa_register;
#else
typedef uint32_t isa_register;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The authority for a rule.
enum isa_authority
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The guide and LLVM's assembler.
    ISA_AUTHORITY_BOTH = 1,
    // LLVM's assembler.
    ISA_AUTHORITY_LLVM = 2,
    // The guide; LLVM's assembler accepts violations.
    ISA_AUTHORITY_GUIDE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_authority isa_authority;
#else
typedef uint32_t isa_authority;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// An output of the assembler.
enum isa_output
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A loadable code object, which is linked.
    ISA_OUTPUT_CODE_OBJECT = 0,
    // A relocatable object file.
    ISA_OUTPUT_OBJECT_FILE = 1,
    // The bytes of `.text`.
    ISA_OUTPUT_TEXT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_output isa_output;
#else
typedef uint32_t isa_output;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The severity of a diagnostic.
enum isa_severity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The program is wrong, and has no output.
    ISA_SEVERITY_ERROR = 0,
    // A warning.
    ISA_SEVERITY_WARNING = 1,
    // A message that the program asks for.
    ISA_SEVERITY_NOTE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_severity isa_severity;
#else
typedef uint32_t isa_severity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of a row.
enum isa_row_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // An instruction.
    ISA_ROW_KIND_INSTR = 1,
    // Up to four bytes of data.
    ISA_ROW_KIND_DATA = 2,
    // Up to four bytes in code that are not an instruction.
    ISA_ROW_KIND_UNKNOWN = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_row_kind isa_row_kind;
#else
typedef uint32_t isa_row_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of a symbol.
enum isa_symbol_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The entry point of a kernel or a shader.
    ISA_SYMBOL_KIND_KERNEL = 1,
    // Code that kernels call.
    ISA_SYMBOL_KIND_FUNCTION = 2,
    // A place in code.
    ISA_SYMBOL_KIND_LABEL = 3,
    // Data, also descriptors of kernels.
    ISA_SYMBOL_KIND_DATA = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_symbol_kind isa_symbol_kind;
#else
typedef uint32_t isa_symbol_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Flags of `isa_lint`.
enum isa_lint_flag
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Also report what may be wrong, depending on values.
    ISA_LINT_FLAG_POSSIBLE = 1,
    // Also report missing padding after the code.
    ISA_LINT_FLAG_PADDING = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_lint_flag isa_lint_flag;
#else
typedef uint32_t isa_lint_flag;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of an argument of a launch.
enum isa_argument_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A value: `bytes` bytes at `data`.
    ISA_ARGUMENT_KIND_VALUE = 1,
    // A pointer: the kernel gets the address `data`, and may access `bytes` bytes there.
    ISA_ARGUMENT_KIND_POINTER = 2,
    // Local memory of `bytes` bytes, whose address the kernel gets.
    ISA_ARGUMENT_KIND_LDS = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_argument_kind isa_argument_kind;
#else
typedef uint32_t isa_argument_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Flags of memory.
enum isa_memory_flag
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A kernel may only read it; a store is a fault.
    ISA_MEMORY_FLAG_READ_ONLY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_memory_flag isa_memory_flag;
#else
typedef uint32_t isa_memory_flag;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Flags of a launch.
enum isa_launch_flag
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Look for races, missing waits, wild accesses and undefined values while the kernel runs.
    ISA_LAUNCH_FLAG_CHECK = 1,
    // Draw a random order of waves from `seed`.
    ISA_LAUNCH_FLAG_SEED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_launch_flag isa_launch_flag;
#else
typedef uint32_t isa_launch_flag;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A stream that a kernel prints to.
enum isa_stream
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // Standard output.
    ISA_STREAM_STDOUT = 1,
    // Standard error.
    ISA_STREAM_STDERR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum isa_stream isa_stream;
#else
typedef uint32_t isa_stream;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The result of an assembly: diagnostics, and output unless some are errors. Free it with `isa_assembly_free`.
typedef struct isa_assembly isa_assembly;

// An error: a status with a message. Free it with `isa_error_free`.
typedef struct isa_error isa_error;

// The result of a launch. Free it with `isa_launch_result_free`.
typedef struct isa_launch_result isa_launch_result;

// The findings of a lint. Free it with `isa_lint_result_free`.
typedef struct isa_lint_result isa_lint_result;

// The rows of code, section by section in the order of their addresses. Free it with `isa_listing_free`.
typedef struct isa_listing isa_listing;

// A file with code objects for one processor. Free it with `isa_object_free`.
typedef struct isa_object isa_object;

// A symbol with a number as its value.
typedef struct isa_define {
    // The name.
    const char *name;
    // The value.
    int64_t value;
} isa_define;

// An included file, as `isa_include_fn` returns it.
typedef struct isa_included {
    // The contents. They have to be valid until the function is called again or `isa_assemble` returns.
    const uint8_t *bytes;
    // Their size.
    size_t size;
    // The path that diagnostics show, or NULL for the name in the program.
    const char *path;
} isa_included;

// Finds an included file: `name` is what the program calls it, `limit` the size above which the library refuses it. Returns 0 if `file`
// is filled in, and another number if the file does not exist. It is called by one thread at a time, which may not be the caller's.
typedef int (*isa_include_fn)(void *data, const char *name, size_t limit, struct isa_included *file);

// The options of an assembly. NULL or 0 are the defaults.
typedef struct isa_assemble_options {
    // The size of the struct.
    uint32_t size;
    // The lanes of a wave: 32 or 64, or 0 for the default of the set.
    uint32_t wave;
    // The name of a processor, a set or a target; gfx1100 by default.
    const char *target;
    // Symbols with numbers as values.
    const struct isa_define *defines;
    // The number of `defines`.
    size_t define_count;
    // Directories with included files. Without them and without `include`, an included file is an error.
    const char *const *directories;
    // The number of `directories`.
    size_t directory_count;
    // Finds included files, instead of `directories`.
    isa_include_fn include;
    // The first argument of `include`.
    void *include_data;
} isa_assemble_options;

// A message of the assembler. Its text lives as long as the assembly.
typedef struct isa_diagnostic {
    // The size of the struct.
    uint32_t size;
    // An `isa_severity`.
    uint32_t severity;
    // The message.
    const char *message;
    // What to write instead, or NULL.
    const char *help;
    // The included file, or NULL for the program.
    const char *file;
    // The line from 1.
    uint64_t line;
    // The column in bytes from 1.
    uint64_t column;
    // The number of related places: see `isa_assembly_label`.
    size_t label_count;
} isa_diagnostic;

// A place that is related to a diagnostic. Its text lives as long as the assembly.
typedef struct isa_label {
    // The size of the struct.
    uint32_t size;
    // 0.
    uint32_t reserved;
    // How the place is related.
    const char *text;
    // The included file, or NULL for the program.
    const char *file;
    // The line from 1.
    uint64_t line;
    // The column in bytes from 1.
    uint64_t column;
} isa_label;

// An instruction. It has no pointers, and may be copied, stored and compared.
typedef struct isa_instr {
    // The words; those past `dwords` are 0.
    uint32_t words[3];
    // The index of the first word in the input.
    uint32_t offset;
    // The index of the opcode in the set, of a dual-issue pair that of the first; or `ISA_NO_OPCODE`.
    uint16_t opcode;
    // The number of words: 1 to 3.
    uint8_t dwords;
    // The index of the microcode format in the set; 0xFF for words that are not an instruction.
    uint8_t format;
    // An `isa_arch`.
    uint8_t arch;
    // The lanes of a wave: 32 or 64.
    uint8_t wave;
    // A set of `isa_instr_flag`.
    uint8_t flags;
    // 0.
    uint8_t reserved;
} isa_instr;

// The members of an error.
typedef struct isa_error_info {
    // The size of the struct.
    uint32_t size;
    // An `isa_status`.
    uint32_t status;
    // What is wrong.
    const char *message;
    // What to do instead, or NULL.
    const char *help;
    // The included file that the error is in, or NULL for the text that was given.
    const char *file;
    // The line from 1, or 0 if the error is not about text.
    uint64_t line;
    // The column in bytes from 1, or 0.
    uint64_t column;
} isa_error_info;

// An operand of an instruction.
typedef struct isa_operand {
    // The value of a constant, as `kind` says.
    int64_t value;
    // The role in the row, such as `d` or `s0`, with a terminating 0.
    char role[16];
    // An `isa_operand_kind`.
    uint8_t kind;
    // An `isa_access`.
    uint8_t access;
    // The instruction of a dual-issue pair that it belongs to: 0 or 1.
    uint8_t component;
    // An `isa_register_file`.
    uint8_t file;
    // The number of the first register.
    uint8_t first;
    // The number of 32-bit registers.
    uint8_t count;
    // An `isa_half`.
    uint8_t half;
    // The number of groups.
    uint8_t groups;
    // The first register of each group.
    uint8_t group_first[5];
    // The number of registers of each group.
    uint8_t group_count[5];
    // The width of the type in bits; 0 for a lane mask, whose width is that of the wave.
    uint16_t bits;
    // 0.
    uint32_t reserved;
} isa_operand;

// The 32-bit registers that an instruction reads and writes, whether its text names them or not. Register N is bit N % 64 of element
// N / 64; `isa_register` has the numbers.
typedef struct isa_effects {
    // The size of the struct.
    uint32_t size;
    // A set of `isa_space` that it loads from.
    uint16_t loads;
    // A set of `isa_space` that it stores to.
    uint16_t stores;
    // The registers that are read.
    uint64_t read[ISA_REGISTER_SET_WORDS];
    // The registers that are written.
    uint64_t written[ISA_REGISTER_SET_WORDS];
    // The written registers that keep a part of their old value, or keep it on some paths; `read` has them, too.
    uint64_t partial[ISA_REGISTER_SET_WORDS];
} isa_effects;

// Facts about an instruction.
typedef struct isa_facts {
    // The size of the struct.
    uint32_t size;
    // A set of `isa_fact`.
    uint32_t facts;
    // The distance of the target of a direct branch or call from the end of the instruction, in bytes.
    int64_t target;
    // One more than the highest vector register that operands name.
    uint16_t vector_registers;
    // One more than the highest scalar register that operands name.
    uint16_t scalar_registers;
    // The second opcode of a dual-issue pair, or `ISA_NO_OPCODE`.
    uint16_t second_opcode;
    // The opcode, or `ISA_NO_OPCODE`.
    uint16_t opcode;
} isa_facts;

// An explicit argument of a launch. Its layout does not change.
typedef struct isa_argument {
    // An `isa_argument_kind`.
    uint32_t kind;
    // A set of `isa_memory_flag`, for pointers.
    uint32_t flags;
    // The memory or the value.
    void *data;
    // The size. 0 for a pointer: to nothing, or into other memory of the launch.
    uint64_t bytes;
} isa_argument;

// Memory that a kernel can reach through pointers in memory. Its layout does not change.
typedef struct isa_memory {
    // The first byte.
    void *data;
    // The size.
    uint64_t bytes;
    // A set of `isa_memory_flag`.
    uint32_t flags;
    // 0.
    uint32_t reserved;
} isa_memory;

// Gets text that a kernel prints; `stream` is an `isa_stream`. The text has no terminating 0 and is valid during the call. It is called
// on the thread that called `isa_launch`.
typedef void (*isa_print_fn)(void *data, uint32_t stream, const char *text, size_t size);

// Is called every 20 ms on the thread that called `isa_launch`. A result other than 0 stops the kernel.
typedef int (*isa_poll_fn)(void *data);

// The options of a launch. NULL or 0 are the defaults.
typedef struct isa_launch_options {
    // The size of the struct.
    uint32_t size;
    // A set of `isa_launch_flag`.
    uint32_t flags;
    // The number of work-groups in x, y and z; 0 is 1.
    uint32_t grid[3];
    // The number of work-items of a work-group in x, y and z; 0 is 1.
    uint32_t block[3];
    // The explicit arguments.
    const struct isa_argument *arguments;
    // Their number.
    size_t argument_count;
    // Further memory.
    const struct isa_memory *memory;
    // The number of its ranges.
    size_t memory_count;
    // Local memory in bytes that is added to that of the kernel.
    uint32_t lds;
    // The least scratch memory of a work-item in bytes; 0 leaves it to the kernel.
    uint32_t stack;
    // The most instructions that the waves of a work-group execute together; 0 for any number.
    uint64_t max_instructions;
    // The time in nanoseconds after which the kernel is stopped; 0 for any time.
    uint64_t timeout;
    // After how many instructions another wave goes on; 0 for the default.
    uint64_t turn;
    // The seed of the order of waves, with `ISA_LAUNCH_FLAG_SEED`.
    uint64_t seed;
    // How many work-groups make progress together; 0 for as many as the processor holds.
    uint64_t resident;
    // Gets what the kernel prints; NULL drops it.
    isa_print_fn print;
    // The first argument of `print`.
    void *print_data;
    // Is called while the kernel runs.
    isa_poll_fn poll;
    // The argument of `poll`.
    void *poll_data;
} isa_launch_options;

// A missing wait or a hazard. Its text lives as long as the result.
typedef struct isa_lint_finding {
    // The size of the struct.
    uint32_t size;
    // Whether it does not depend on values: 0 or 1.
    uint32_t is_certain;
    // The name of the rule.
    const char *rule;
    // The rule in a sentence.
    const char *message;
    // What to do.
    const char *help;
    // The registers in question, or NULL.
    const char *registers;
    // The symbol before the instruction, or NULL.
    const char *symbol;
    // The text of the instruction that breaks the rule.
    const char *instruction;
    // The text of the earlier instruction that it conflicts with, or NULL.
    const char *earlier_instruction;
    // The address of the instruction.
    uint64_t address;
    // The address of the earlier instruction.
    uint64_t earlier_address;
    // The address of the instruction before which a missing wait has to be inserted, if `has_insert_before`.
    uint64_t insert_before;
    // Whether `insert_before` is set: 0 or 1.
    uint32_t has_insert_before;
    // 0.
    uint32_t reserved;
} isa_lint_finding;

// A row of a listing: an instruction, or data between instructions.
typedef struct isa_row {
    // The address of the first byte.
    uint64_t address;
    // The instruction; its words are 0 for other rows.
    struct isa_instr instr;
    // The bytes of other rows.
    uint8_t bytes[4];
    // The index of the section.
    uint32_t section;
    // The number of bytes.
    uint8_t byte_count;
    // An `isa_row_kind`.
    uint8_t kind;
    // 0.
    uint8_t reserved[6];
} isa_row;

// A symbol of a listing. Its name lives as long as the listing.
typedef struct isa_symbol {
    // The size of the struct.
    uint32_t size;
    // An `isa_symbol_kind`.
    uint32_t kind;
    // The address.
    uint64_t address;
    // The name.
    const char *name;
    // The index of the section.
    uint32_t section;
    // 0.
    uint32_t reserved;
} isa_symbol;

// A kernel. Its text lives as long as the object.
typedef struct isa_kernel {
    // The size of the struct.
    uint32_t size;
    // The lanes of a wave: 32 or 64.
    uint32_t wave;
    // The name.
    const char *name;
    // The address of the first instruction in the code object.
    uint64_t address;
    // The number of explicit arguments; 0 without metadata.
    size_t argument_count;
    // Whether the code object has metadata for the kernel, which state its arguments: 0 or 1.
    uint32_t has_metadata;
    // The number of vector registers: that of the metadata, else that of the descriptor.
    uint32_t vector_registers;
    // The number of scalar registers; 0 without metadata.
    uint32_t scalar_registers;
    // The number of vector registers that are stored in scratch memory.
    uint32_t vector_spills;
    // The number of scalar registers that are stored elsewhere.
    uint32_t scalar_spills;
    // The local memory of a work-group in bytes, without dynamic local memory.
    uint32_t lds;
    // The scratch memory of a work-item in bytes.
    uint32_t scratch;
    // The largest number of work-items in a work-group.
    uint32_t max_block;
    // The only size of work-groups that the kernel works with, or zeros.
    uint32_t required_block[3];
    // 0.
    uint32_t reserved;
} isa_kernel;

// An explicit argument of a kernel. Its text lives as long as the object.
typedef struct isa_kernel_argument {
    // The size of the struct.
    uint32_t size;
    // The offset in the memory of arguments.
    uint32_t offset;
    // The size in bytes.
    uint32_t bytes;
    // 0.
    uint32_t reserved;
    // The kind, as metadata spell it: `global_buffer`, `by_value` and others.
    const char *kind;
    // The name in the source, or NULL.
    const char *name;
    // The type in the source, or NULL.
    const char *type_name;
} isa_kernel_argument;

// Statistics of a launch.
typedef struct isa_launch_statistics {
    // The size of the struct.
    uint32_t size;
    // Whether the launch has ended with a fault: 0 or 1.
    uint32_t has_fault;
    // The number of work-groups.
    uint64_t groups;
    // How many instructions all waves have executed.
    uint64_t instructions;
    // The time of the run in nanoseconds.
    uint64_t nanoseconds;
    // The number of findings of a check.
    size_t finding_count;
} isa_launch_statistics;

// The fault that has ended a launch. Its text lives as long as the result.
typedef struct isa_fault {
    // The size of the struct.
    uint32_t size;
    // Whether `address` is set: 0 or 1.
    uint32_t has_address;
    // The fault in words.
    const char *message;
    // The kind, such as `unmapped`, `trap` or `stopped`.
    const char *kind;
    // The text of the instruction, or NULL.
    const char *instruction;
    // The source line, or NULL.
    const char *source_line;
    // The memory that holds the address or is nearest, or NULL.
    const char *near;
    // What the wave has printed last, if it has ended itself, or NULL.
    const char *text;
    // The work-group in x, y and z.
    uint32_t group[3];
    // The wave in its work-group.
    uint32_t wave;
    // The lane, or -1.
    int32_t lane;
    // The argument whose memory holds the address or is nearest, or -1.
    int32_t argument;
    // The address of the instruction in the code object.
    uint64_t pc;
    // The address in memory.
    uint64_t address;
} isa_fault;

// A finding of a check. Its text lives as long as the result.
typedef struct isa_finding {
    // The size of the struct.
    uint32_t size;
    // Whether it is an error, and not a warning: 0 or 1.
    uint32_t is_error;
    // The kind, such as `race` or `missing-wait`.
    const char *kind;
    // What is wrong, in a sentence.
    const char *message;
    // What to do.
    const char *help;
    // The text of the instruction, or NULL.
    const char *instruction;
    // The source line, or NULL.
    const char *source_line;
    // The registers in question, or NULL.
    const char *registers;
    // The address space, or NULL.
    const char *space;
    // What the access does, or NULL.
    const char *access;
    // The memory that holds the address or is nearest, or NULL.
    const char *near;
    // The text of the other instruction, or NULL.
    const char *other_instruction;
    // The source line of the other instruction, or NULL.
    const char *other_source_line;
    // The work-group in x, y and z.
    uint32_t group[3];
    // The wave in its work-group.
    uint32_t wave;
    // The lanes, as a mask.
    uint64_t lanes;
    // The address of the instruction in the code object.
    uint64_t pc;
    // The address in memory, if `space` is set.
    uint64_t address;
    // The address of the other instruction, if `has_other`.
    uint64_t other_pc;
    // How many accesses of lanes were found.
    uint64_t count;
    // The argument whose memory holds the address or is nearest, or -1.
    int32_t argument;
    // Whether there is another instruction: 0 or 1.
    uint32_t has_other;
} isa_finding;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Reads the name of a set or a processor, such as `rdna3` or `gfx1100`, and stores an `isa_arch`.
isa_status isa_arch_parse(const char *name, uint32_t *arch, struct isa_error **error);

// Writes the name of a set into a buffer. Returns its length, or 0 for a number that is not an `isa_arch`.
size_t isa_arch_name(uint32_t arch,
                     char *buffer,
                     size_t capacity);

// Returns the number of opcodes of a set, or 0 for a number that is not an `isa_arch`.
size_t isa_opcode_count(uint32_t arch);

// Writes the guide's name of an opcode of a set, such as `V_ADD_F32`, into a buffer. Returns its length, or 0 if the set lacks the opcode.
size_t isa_opcode_name(uint32_t arch,
                       uint32_t opcode,
                       char *buffer,
                       size_t capacity);

// Assembles a program of `size` bytes. `options` may be NULL. A program with errors is `ISA_STATUS_ASSEMBLY`; `*assembly` has its
// diagnostics then, as it has warnings on success, and the error is the first of them. Other failures set `*assembly` to NULL.
isa_status isa_assemble(const char *text,
                        size_t size,
                        const struct isa_assemble_options *options,
                        struct isa_assembly **assembly,
                        struct isa_error **error);

// Frees an assembly; NULL is allowed.
void isa_assembly_free(struct isa_assembly *assembly);

// Stores an output of an assembly and its size; `output` is an `isa_output`. The bytes live as long as the assembly.
isa_status isa_assembly_output(const struct isa_assembly *assembly,
                               uint32_t output,
                               const uint8_t **bytes,
                               size_t *size,
                               struct isa_error **error);

// Returns the number of diagnostics of an assembly; 0 for NULL.
size_t isa_assembly_diagnostic_count(const struct isa_assembly *assembly);

// Fills in a diagnostic.
isa_status isa_assembly_diagnostic(const struct isa_assembly *assembly,
                                   size_t index,
                                   struct isa_diagnostic *diagnostic);

// Fills in a place that is related to a diagnostic.
isa_status isa_assembly_label(const struct isa_assembly *assembly,
                              size_t diagnostic,
                              size_t index,
                              struct isa_label *label);

// Decodes the first instruction of `count` words. Words that are not an instruction are `ISA_STATUS_DECODE`, but for reserved codes,
// which set a flag. `wave` is 32, 64 or 0 for the default; `instr_size` is sizeof(isa_instr).
isa_status isa_decode(uint32_t arch,
                      uint32_t wave,
                      const uint32_t *words,
                      size_t count,
                      struct isa_instr *instr,
                      size_t instr_size,
                      struct isa_error **error);

// Decodes up to `capacity` instructions from `count` words into an array, without allocating memory. Stores the number of instructions
// and of words that they take. Words that are not an instruction are elements with `ISA_INSTR_FLAG_UNKNOWN`. `flags` is a set of
// `isa_decode_flag`; `wave` is 32, 64 or 0 for the default; `instr_size` is sizeof(isa_instr); `consumed` may be NULL.
isa_status isa_decode_many(uint32_t arch,
                           uint32_t wave,
                           uint32_t flags,
                           const uint32_t *words,
                           size_t count,
                           struct isa_instr *instrs,
                           size_t instr_size,
                           size_t capacity,
                           size_t *decoded,
                           size_t *consumed,
                           struct isa_error **error);

// Parses an instruction in LLVM's syntax. The error has the column. `wave` is 32, 64 or 0 for the default; `instr_size` is
// sizeof(isa_instr).
isa_status isa_parse(uint32_t arch,
                     uint32_t wave,
                     const char *text,
                     size_t size,
                     struct isa_instr *instr,
                     size_t instr_size,
                     struct isa_error **error);

// Frees an error; NULL is allowed.
void isa_error_free(struct isa_error *error);

// Returns the message of an error, which lives as long as the error; an empty text for NULL.
const char *isa_error_message(const struct isa_error *error);

// Fills in the members of an error.
isa_status isa_error_get(const struct isa_error *error, struct isa_error_info *info);

// Returns the name of a status, such as `ISA_STATUS_FORMAT`, or NULL for other numbers. The text is static.
const char *isa_status_name(uint32_t status);

// Returns the version of the library: major, minor and patch in bits 31 to 16, 15 to 8 and 7 to 0.
uint32_t isa_version(void);

// Writes the text of an instruction into a buffer, as LLVM prints it; `.long` and a number for words that are not an instruction.
// Returns the length of the text, or 0 if `instr` is not valid.
size_t isa_instr_print(const struct isa_instr *instr,
                       char *buffer,
                       size_t capacity);

// Writes the name of the microcode format into a buffer. Returns its length, or 0 for words that are not an instruction.
size_t isa_instr_format_name(const struct isa_instr *instr,
                             char *buffer,
                             size_t capacity);

// Writes the guide's name of the opcode, such as `V_ADD_F32`, into a buffer. `component` is 0, or 1 for the second opcode of a dual-issue
// pair. Returns its length, or 0 if the set lacks the opcode.
size_t isa_instr_opcode_name(const struct isa_instr *instr,
                             uint32_t component,
                             char *buffer,
                             size_t capacity);

// Writes the operands that the text names into an array, in the order of the instruction's row, and stores their number, which may be
// larger than `capacity`. An instruction has at most 8. `operand_size` is sizeof(isa_operand).
isa_status isa_instr_operands(const struct isa_instr *instr,
                              struct isa_operand *operands,
                              size_t operand_size,
                              size_t capacity,
                              size_t *count,
                              struct isa_error **error);

// Fills in what an instruction reads and writes.
isa_status isa_instr_effects(const struct isa_instr *instr,
                             struct isa_effects *effects,
                             struct isa_error **error);

// Writes the name of a register of `isa_effects`, such as `v5` or `scc`, into a buffer. Returns its length, or 0 if no register has the
// number.
size_t isa_register_name(uint32_t number,
                         char *buffer,
                         size_t capacity);

// Fills in facts about an instruction.
isa_status isa_instr_facts(const struct isa_instr *instr,
                           struct isa_facts *facts,
                           struct isa_error **error);

// Checks the rules between the operands of an instruction. The first violation is `ISA_STATUS_ILLEGAL`; the error says which operand
// breaks which rule. `authority` may be NULL; otherwise it gets an `isa_authority` for the rule, or 0.
isa_status isa_instr_check(const struct isa_instr *instr,
                           uint32_t *authority,
                           struct isa_error **error);

// Runs a kernel of an object on the CPU, in the memory of the caller. The kernel reads and writes nothing else but its own memory.
// `*result` is set if the kernel has run, also to its end with `ISA_STATUS_FAULT`, `ISA_STATUS_TIMEOUT` or `ISA_STATUS_STOPPED`.
// Findings of a check are not a failure.
isa_status isa_launch(const struct isa_object *object,
                      size_t kernel,
                      const struct isa_launch_options *options,
                      struct isa_launch_result **result,
                      struct isa_error **error);

// Ends the threads that launches have left, and waits for their end. A program calls it before it unloads the library. Later launches
// start new threads.
void isa_end_threads(void);

// Lints the code in the contents of a file. `target` and `wave` override what the file states, or are NULL and 0; `flags` is a set of
// `isa_lint_flag`. Findings are not a failure.
isa_status isa_lint(const void *bytes,
                    size_t size,
                    const char *target,
                    uint32_t wave,
                    uint32_t flags,
                    struct isa_lint_result **result,
                    struct isa_error **error);

// Frees the result of a lint; NULL is allowed.
void isa_lint_result_free(struct isa_lint_result *result);

// Returns the number of findings; 0 for NULL.
size_t isa_lint_result_count(const struct isa_lint_result *result);

// Fills in a finding.
isa_status isa_lint_result_finding(const struct isa_lint_result *result,
                                   size_t index,
                                   struct isa_lint_finding *finding);

// Disassembles the contents of a file: code objects and object files, also those in bundles, programs and archives. `target` and `wave`
// override what the file states, or are NULL and 0. A file with code objects for several processors needs a target.
isa_status isa_disassemble(const void *bytes,
                           size_t size,
                           const char *target,
                           uint32_t wave,
                           struct isa_listing **listing,
                           struct isa_error **error);

// Disassembles code without a file around it, which begins at `address`. `wave` is 32, 64 or 0 for the default.
isa_status isa_disassemble_code(uint32_t arch,
                                uint32_t wave,
                                uint64_t address,
                                const void *bytes,
                                size_t size,
                                struct isa_listing **listing,
                                struct isa_error **error);

// Frees a listing; NULL is allowed.
void isa_listing_free(struct isa_listing *listing);

// Returns the name of the processor in the file, or of the set, which lives as long as the listing; an empty text for NULL.
const char *isa_listing_processor(const struct isa_listing *listing);

// Returns the number of rows; 0 for NULL.
size_t isa_listing_row_count(const struct isa_listing *listing);

// Copies up to `capacity` rows from the index `first` on, and stores their number. `row_size` is sizeof(isa_row).
isa_status isa_listing_rows(const struct isa_listing *listing,
                            size_t first,
                            struct isa_row *rows,
                            size_t row_size,
                            size_t capacity,
                            size_t *count,
                            struct isa_error **error);

// Writes the text of a row into a buffer. Returns its length.
size_t isa_row_print(const struct isa_row *row, char *buffer, size_t capacity);

// Returns the text of all rows with the symbols: assembly that gives the same bytes again. It lives as long as the listing. NULL for
// NULL. `size` may be NULL; otherwise it gets the length.
const char *isa_listing_text(const struct isa_listing *listing,
                             size_t *size);

// Returns the number of symbols; 0 for NULL.
size_t isa_listing_symbol_count(const struct isa_listing *listing);

// Fills in a symbol.
isa_status isa_listing_symbol(const struct isa_listing *listing,
                              size_t index,
                              struct isa_symbol *symbol);

// Returns the name of a section, which lives as long as the listing; NULL if the index is out of range.
const char *isa_listing_section(const struct isa_listing *listing,
                                size_t index);

// Opens the contents of a file: a code object or an object file, or a bundle, program or archive with code objects. The bytes are
// copied. `target` selects the code objects for a processor, or is NULL if the file has those of one processor only.
isa_status isa_object_load(const void *bytes,
                           size_t size,
                           const char *target,
                           struct isa_object **object,
                           struct isa_error **error);

// Opens a file by its path: see `isa_object_load`.
isa_status isa_object_read(const char *path,
                           const char *target,
                           struct isa_object **object,
                           struct isa_error **error);

// Frees an object; NULL is allowed.
void isa_object_free(struct isa_object *object);

// Returns the name of the processor, which lives as long as the object; an empty text for NULL.
const char *isa_object_processor(const struct isa_object *object);

// Returns the number of kernels; 0 for NULL.
size_t isa_object_kernel_count(const struct isa_object *object);

// Stores the index of the kernel with a name.
isa_status isa_object_find_kernel(const struct isa_object *object,
                                  const char *name,
                                  size_t *index,
                                  struct isa_error **error);

// Fills in a kernel.
isa_status isa_object_kernel(const struct isa_object *object,
                             size_t index,
                             struct isa_kernel *kernel);

// Fills in an argument of a kernel.
isa_status isa_object_kernel_argument(const struct isa_object *object,
                                      size_t kernel,
                                      size_t index,
                                      struct isa_kernel_argument *argument);

// Frees the result of a launch; NULL is allowed.
void isa_launch_result_free(struct isa_launch_result *result);

// Fills in the statistics of a launch.
isa_status isa_launch_result_statistics(const struct isa_launch_result *result,
                                        struct isa_launch_statistics *statistics);

// Fills in the fault of a launch; `ISA_STATUS_OUT_OF_RANGE` without a fault.
isa_status isa_launch_result_fault(const struct isa_launch_result *result, struct isa_fault *fault);

// Fills in a finding of a check.
isa_status isa_launch_result_finding(const struct isa_launch_result *result,
                                     size_t index,
                                     struct isa_finding *finding);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* AMDGPU_ISA_H */
