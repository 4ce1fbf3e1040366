//! The legality rules, each with its text, help, section of the guide (`later`: of RDNA4's) and authority.

use amdgpu_operands::legality_rules;

legality_rules! {
    /// The instruction exists in the other wave size only, or its masks have other registers there.
    WaveSize Both "3.4.6" later "3.4.7"
        "the other wave size has this instruction, this one has not"
        "use it in code of that wave size, or choose registers that masks of this one can have";
    /// A field holds a reserved code.
    ReservedCode Both "15"
        "every field that the instruction uses holds a code that has a meaning there"
        "build the instruction from operands, or clear the field";

    /// A vector instruction reads at most two different scalar values, a literal among them; 64-bit shifts one.
    ConstantBus Both "7.2.2.3" later "7.2.2.2"
        "an instruction reads at most two different scalar values (a 64-bit shift one), a literal among them"
        "move one of them to a VGPR first";
    /// The first sources of a dual-issue pair are in different VGPR banks.
    BankOfSource0 Both "7.6" later "7.8"
        "the first sources of a pair must be in different VGPR banks (the number modulo 4)"
        "choose other registers, or swap the sources where the operation allows it";
    /// The second sources of a dual-issue pair are in different VGPR banks.
    BankOfSource1 Both "7.6" later "7.8"
        "the second sources of a pair must be in different VGPR banks (the number modulo 4)"
        "choose other registers, or swap the sources where the operation allows it";
    /// The third sources of a dual-issue pair, accumulators among them, are one even and one odd.
    BankOfSource2 Both "7.6" later "7.8"
        "the third sources of a pair (accumulators among them) must be one even and one odd"
        "choose other registers";
    /// Each half of a dual-issue pair reads at most one scalar register.
    PairScalars Guide "7.6" later "7.8"
        "each half of a pair reads at most one scalar register, VCC among them"
        "move one of them to a VGPR first, or issue the instructions apart";
    /// Registers end at v255.
    VgprRange Both "3.3.2.2" "vector registers end at v255" "begin at a lower register";
    /// The second source of an instruction with DPP is a VGPR.
    DppSource Llvm "7.7" later "7.9"
        "the second source beside DPP must be a vector register"
        "move it to a VGPR first";
    /// A literal that a 16-bit operand reads has 16 bits.
    HalfLiteral Llvm "7.2.2.2" later "7.2.2"
        "a literal of a 16-bit operand has nothing but its sign in the upper half"
        "clear the upper half of the literal, or move the constant to a VGPR first";
    /// Vector instructions write scalars to SGPRs, VCC or NULL.
    ScalarDestination Guide "7.1"
        "a vector instruction writes scalars to SGPRs, VCC or null, never to m0, exec, scc or a constant"
        "name SGPRs, and move the value on with a scalar instruction";
    /// A lane mask of wave32 is in the lower half of VCC or EXEC.
    MaskHalf Guide "3.4.6" later "3.4.7"
        "a lane mask of wave32 is not in vcc_hi or exec_hi"
        "name an SGPR or vcc_lo";
    /// In wave64 no lane mask is written over a scalar that the second half of the wave still reads.
    MaskOverwrites Guide "7.2.3.2"
        "an instruction of wave64 must not write a lane mask over a scalar value that it reads"
        "write the mask to other registers";
    /// OPSEL belongs to 16-bit operands.
    HalfSelect Guide "7.1" later "7.2.2.3"
        "op_sel is for operands of 16 bits and zero for all others"
        "shift the register first, or clear the bit";
    /// NEG and ABS belong to floating-point operands.
    IntegerSign Guide "7.2.2.1"
        "the signs of sources are for floating-point operands"
        "negate the integer with a separate instruction";
    /// OMOD belongs to floating-point results.
    OutputScale Guide "7.2.3.1"
        "the output modifier is for single floating-point results"
        "scale the result with a separate instruction";
    /// Integer dot products and matrices know the signs of their first two sources only.
    IntegerMatrixSign Guide "7.5" later "7.7"
        "integer dot products and matrices have neg_lo for the first two sources and no neg_hi"
        "leave the third bit of neg_lo, and neg_hi, at zero";
    /// A matrix that is multiplied can overlap the one that is added only if the result goes elsewhere.
    MatrixOverlap Guide "7.9" later "7.12.1"
        "a matrix that is multiplied overlaps the one that is added only if the result goes elsewhere"
        "choose other registers for the result or for the accumulator";
    /// Pseudo-scalar instructions have scalar registers only, and VCC takes no result.
    PseudoScalar Guide "7.10"
        "this instruction reads scalar registers or constants, and does not write VCC"
        "read a VGPR with v_readfirstlane_b32 first, and name an SGPR for the result";
    /// Lane permutations across all of wave64.
    Wave64Only Guide "16.8"
        "this instruction does something in wave64 only"
        "use a permutation of 32 lanes in wave32";

    /// A counter that is waited for takes NULL beside the number.
    WaitRegister Llvm "15.1.2" "the register beside the count must be null" "write null";
    /// The offset of a buffer load is not negative.
    BufferOffset Both "8.1.2"
        "the offset of a buffer load must not be negative"
        "add to the base or to the register";
    /// EXEC is not a part of the address of a scalar load.
    LoadAddress Guide "8.1"
        "the address of a scalar load is made of SGPRs, VCC, trap temporaries, m0 or null, not of exec"
        "move exec to an SGPR first";
    /// A scalar load needs a destination.
    LoadDestination Guide "8.1"
        "a scalar load goes to SGPRs, VCC or trap temporaries, not to null"
        "name SGPRs";
    /// The register that M0 moves away from is an SGPR.
    IndexedRegister Guide "3.3.1.4" later "3.3.1.3"
        "a register that m0 indexes is an SGPR, VCC or a trap temporary"
        "name a register that others follow";
    /// The copy of the new EXEC does not go to EXEC.
    ExecTwice Guide "6.7"
        "the destination beside EXEC cannot be exec itself"
        "name SGPRs, or null where the copy is of no use";
    /// An instruction that stores the address after it has one dword.
    OneDword Guide "16.3"
        "an instruction that saves the program counter has no literal"
        "move the address to a pair of SGPRs first";
    /// Bits of the constant that must be zero.
    ReservedBits Guide "16.5"
        "the upper bits of this constant are reserved and must be zero"
        "clear them";
    /// A clause has 2 to 63 instructions.
    ClauseLength Guide "16.5"
        "a clause has 2 to 63 instructions: the lowest six bits hold one less, 1 to 62"
        "change the number; one instruction needs no clause";
    /// Trap 0 is the hardware's.
    TrapId Guide "16.5"
        "trap 0 is reserved for the hardware"
        "choose a number from 1 to 255";
    /// A message is one of those that the guide lists.
    Message Guide "5.3" later "5.4"
        "a message is one of those that the guide lists for this instruction"
        "name one, such as sendmsg(MSG_INTERRUPT)";
    /// The bits of a hardware register end at 31.
    RegisterBits Guide "6.8" later "6.9"
        "the first bit and the number of bits of a hardware register make at most 32"
        "name fewer bits";
    /// Some hardware registers can only be read, and one can only be written.
    RegisterAccess Guide "3.4"
        "hardware registers that can only be read are not written, nor those read that can only be written"
        "choose another register";

    /// GDS lacks some operations.
    LocalOnly Guide "12.5"
        "this operation is for LDS; GDS has none like it"
        "use LDS, without `gds`";
    /// Counters that waves append to are aligned, and in GDS M0 alone says where they are.
    AppendOffset Guide "16.15"
        "the offset of an append counter is a multiple of 4, and 0 in GDS"
        "align the counter, or put its address into m0";
    /// Some atomics exist with a return value only.
    MustReturn Guide "9.1"
        "this atomic returns what was in memory, and has to say so"
        "write `glc`, in RDNA4 `th:TH_ATOMIC_RETURN`";
    /// An access to scratch that takes no register has an offset that is not negative.
    ScratchOffset Guide "11.2"
        "an offset in scratch without a register is not negative"
        "use a register for the base";
    /// Only some codes of the scalar offset of a buffer name something.
    BufferRegister Guide "9.1"
        "the scalar offset of a buffer is an SGPR, m0, null or an inline constant"
        "move the offset to an SGPR first";
    /// A typed buffer has a format that is one of buffers.
    ElementFormat Guide "10.7"
        "the format of a typed buffer is one that buffers can have"
        "name one, such as format:[BUF_FMT_32_FLOAT]";
    /// Stores return no status.
    StoreStatus Llvm "9.1"
        "a store to a buffer returns no status"
        "remove `tfe`";

    /// A gather has one component.
    GatherMask Both "10.1"
        "one component is gathered: `dmask` has one bit"
        "write dmask:0x1, 0x2, 0x4 or 0x8";
    /// An image atomic has the mask of one value or a pair.
    AtomicMask Both "10.4" later "10.4.2"
        "the `dmask` of an atomic is 0x1, 0x3 or 0xf"
        "write the mask that has a bit for each register of the data";
    /// The data of an image access have a size that follows from its modifiers.
    ImageData Both "10.4" later "10.4.2"
        "the data are as many registers as `dmask`, `d16` and `tfe` ask for, and the instruction can have"
        "change the modifiers or the number of registers";
    /// The address of an image access has a size that follows from its modifiers.
    ImageAddress Both "10.4" later "10.4.1"
        "the address is as many registers as `dim`, `a16` and the instruction ask for"
        "change the modifiers or the number of registers";
    /// The data of a ray intersection.
    RayData Both "16.18" later "10.9.1"
        "the result of a ray intersection is four registers"
        "name four registers";
    /// The address of a ray intersection.
    RayAddress Both "16.18" later "10.9.2"
        "the address is a node pointer, a length and three vectors, two in one with `a16`"
        "name a group of registers for each";
    /// Samples are loaded from images that have samples.
    SampledImage Both "10.1"
        "samples are loaded from images that have some: 2D_MSAA and 2D_MSAA_ARRAY"
        "write dim:2D_MSAA, or load texels";
    /// Opcodes have addresses of certain dimensions only.
    ImageDimension Guide "10.3"
        "multisampled images have no samples and mip levels, gathers are of 2D, CUBE and 2D_ARRAY, cubes have no atomics"
        "write another `dim`";
    /// Stores and atomics have whole coordinates.
    Unnormalized Guide "10.1"
        "stores to images and atomics have coordinates that are not normalized"
        "write `unorm`";
}
