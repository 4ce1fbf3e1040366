//! Code that the tests share. The tests are in `tests/`.

pub mod ages;
pub mod builders;
pub mod elf;
pub mod guide;
pub mod needs;
pub mod paths;
pub mod property;
pub mod random;
pub mod removal;
pub mod rows;
pub mod rv32i;
pub mod sample;
pub mod seeds;
pub mod sets;
pub mod vectors;

pub use isa_ui_tests::toy;

/// The examples of the README files and docs/guide, which `cargo test --doc` compiles and runs.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../README.md")]
    struct Readme;
    #[doc = include_str!("../../docs/guide/getting-started-compiler.md")]
    struct Compiler;
    #[doc = include_str!("../../docs/guide/getting-started-tools.md")]
    struct Tools;
    #[doc = include_str!("../../docs/guide/operand-level-instructions.md")]
    struct OperandLevel;
    #[doc = include_str!("../../docs/guide/run-kernels.md")]
    struct RunKernels;
    #[doc = include_str!("../../docs/guide/assemble-programs.md")]
    struct AssemblePrograms;
    #[doc = include_str!("../../docs/guide/disassemble-files.md")]
    struct DisassembleFiles;
    #[doc = include_str!("../../docs/guide/sets-at-run-time.md")]
    struct SetsAtRunTime;
    #[doc = include_str!("../../docs/guide/objects-and-bundles.md")]
    struct ObjectsAndBundles;
    #[doc = include_str!("../../docs/guide/memory-of-kernels.md")]
    struct MemoryOfKernels;
    #[doc = include_str!("../../docs/guide/describe-findings.md")]
    struct DescribeFindings;
    #[doc = include_str!("../../docs/guide/define-your-own-isa.md")]
    struct OwnIsa;
    #[doc = include_str!("../../isa-defs/amdgpu-dispatch/README.md")]
    struct Dispatch;
    #[doc = include_str!("../../isa-defs/amdgpu-report/README.md")]
    struct Report;
    #[doc = include_str!("../../isa-defs/rdna3/README.md")]
    struct Rdna3;
    #[doc = include_str!("../../isa-defs/gcn/README.md")]
    struct Gcn;
}
