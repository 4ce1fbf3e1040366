//! The slots of builders: for each group of operand classes a trait that the accepted argument types implement.
//!
//! The set's `build` clause maps operand classes to slots.

use amdgpu_operands::build::{Exec, InstBuilder, Vcc, Vgprs, VirtualVgprs};
use isa::Isa;

use super::values::{
    Attribute, Channel, DependencyWaits, ExportTo, Message, MicrocodeVersion, Waits, delay_code, fill_number,
    hwreg_code, rdna4_hwreg_code,
};
use crate::operands::{DelayAlu, HwRegister, Rdna4HwRegister};

amdgpu_operands::slots! {
    /// A vector register, or as many as the type takes; half a register where the type has 16 bits.
    VectorRegister
        "this operand takes vector registers of type `{T}`, not `{Self}`"
        "not a vector register"
        "write `v(0)`; for 64 bits a range, `vgpr!(0..=1)`; for 16 bits a half, `v(0).lo()`. A constant or a scalar register is moved to a vector register first (v_mov_b32)":
        vgprs halves;
    /// As [`VectorRegister`], but registers are whole for any type.
    WholeRegister
        "this operand takes whole vector registers of type `{T}`, not `{Self}`"
        "not a whole vector register"
        "write `v(0)`, or for more than 32 bits a range, `vgpr!(0..=1)`; a constant or a scalar register is moved to a vector register first (v_mov_b32)":
        whole_vgprs;
    /// A source of a vector instruction: vector registers, scalar registers or a constant.
    VectorSource
        "`{Self}` cannot be a source of this instruction (of type `{T}`)"
        "neither a register nor a constant that fits"
        "write `v(0)`, `sgpr!(0)`, an integer, or, where the type is one of bits or floats, a floating-point number (elsewhere its bits, `1.0f32.to_bits()`); 64 bits are a range, `vgpr!(0..=1)`, 16 bits of a vector register a half, `v(0).lo()`, and more than 64 bits vector registers only, `vgpr!(0..=3)`":
        vgprs halves narrow_sgprs vcc exec m0 null readable integers floats;
    /// A source that is the same for all lanes: scalar registers or a constant.
    ScalarSource
        "`{Self}` cannot be a scalar source (of type `{T}`)"
        "neither a scalar register nor a constant that fits"
        "write `sgpr!(0)`, `VCC_LO`, an integer, or, where the type is one of bits or floats, a floating-point number; 64 bits are a pair, `sgpr!(0..=1)`. A vector register's value for one lane comes from v_readlane_b32 or v_readfirstlane_b32":
        sgprs vcc exec m0 null readable integers floats;
    /// Scalar registers that are written, or have to be registers.
    ScalarRegister
        "this operand takes scalar registers of type `{T}`, not `{Self}`"
        "not a scalar register"
        "write `sgpr!(0)`, for 64 bits a pair, `sgpr!(0..=1)`, or VCC, EXEC, M0, NULL; vector registers belong to vector instructions (v_…), and a constant cannot be written to":
        sgprs vcc exec m0 null;
    /// Scalar registers that memory is loaded into.
    LoadTarget
        "`{Self}` cannot be loaded by this instruction (type `{T}`)"
        "not scalar registers that a scalar load can fill"
        "write as many scalar registers as are loaded: `sgpr!(0)`, `sgpr!(0..=1)`, `sgpr!(4..=7)`; M0 and EXEC cannot be loaded, so load another one and move it":
        sgprs vcc null;
    /// A scalar register that takes the value of one lane.
    LaneValue
        "`{Self}` cannot take the value of a lane"
        "not a scalar register that can"
        "the destination is a scalar register: `sgpr!(0)`; M0 cannot be one":
        sgprs vcc exec null;
    /// Scalar registers that are read and hold a bit for each lane: one in wave32, a pair in wave64.
    LaneMask
        "`{Self}` cannot be a lane mask"
        "not scalar registers"
        "a mask has a bit for each lane: in wave32 one scalar register, `sgpr!(0)` or `VCC_LO`, in wave64 a pair, `sgpr!(0..=1)` or `VCC`":
        sgprs vcc exec m0 null readable;
    /// Scalar registers that are written and hold a bit for each lane.
    LaneMaskResult
        "a lane mask cannot be written to `{Self}`"
        "not scalar registers"
        "a mask has a bit for each lane: in wave32 one scalar register, `sgpr!(0)` or `VCC_LO`, in wave64 a pair, `sgpr!(0..=1)` or `VCC`":
        sgprs vcc exec m0 null;
    /// The register beside a count that is waited for.
    WaitRegister
        "`{Self}` cannot be added to the count that is waited for"
        "not NULL"
        "write `NULL`: the register would be added to the count":
        null;
    /// The base of a scalar load's address.
    Base
        "`{Self}` cannot be the base of this address (type `{T}`)"
        "not scalar registers of that width"
        "an address is a pair of scalar registers, `sgpr!(0..=1)`; a buffer resource is four, `sgpr!(4..=7)`":
        sgprs vcc exec null;
    /// The register in the address of a scalar load.
    ScalarOffset
        "`{Self}` cannot be the register of this address"
        "not a scalar register"
        "write one scalar register, or `NULL` where there is none; a constant is the next parameter":
        one_sgpr vcc exec m0 null;
    /// Scalar registers that hold a resource or a sampler.
    Resource
        "`{Self}` cannot be a resource or sampler (of type `{T}`)"
        "not scalar registers of that width"
        "a buffer resource and a sampler are four scalar registers, `sgpr!(4..=7)`, an image resource eight, `sgpr!(8..=15)`":
        sgprs;
    /// The scalar offset of a buffer address.
    BufferOffset
        "`{Self}` cannot be the scalar offset of a buffer address"
        "neither a scalar register nor a constant"
        "write a scalar register, `sgpr!(0)`, or a small integer: `0` where there is none":
        sgprs vcc exec m0 null readable integers floats;
    /// The address of a buffer access.
    BufferAddress
        "`{Self}` cannot be the address of a buffer access"
        "not one or two vector registers"
        "write `OFF` without `.offen()` and `.idxen()`, `v(0)` with one of them, `vgpr!(0..=1)` (index, then offset) with both":
        one_vgpr two_vgprs off;
    /// Vector registers that hold data; modifiers say how many.
    Data
        "`{Self}` cannot be the data of this instruction"
        "not vector registers"
        "write as many vector registers as are moved: `v(0)`, `vgpr!(0..=3)`; `.tfe()` adds one":
        any_vgprs;
    /// The address of an image access.
    ImageAddress
        "`{Self}` cannot be the address of an image access"
        "not vector registers"
        "write a range, `vgpr!(0..=1)`, or up to five registers that need not follow each other, `[v(4), v(9)]`; further ones follow the last, `([v(4), v(9), v(6)], vgpr!(1..=2))`":
        any_vgprs;
    /// The ray that is intersected.
    Ray
        "`{Self}` cannot be the ray of this instruction"
        "not vector registers"
        "write a range, or a tuple of the node, the length, the origin, the direction and, without `.a16()`, its inverse: `(v(0), v(1), vgpr!(2..=4), vgpr!(5..=7), vgpr!(8..=10))`; image_bvh8_intersect_ray takes the base, the length and the mask, the origin, the direction and the offset: `(vgpr!(0..=1), vgpr!(2..=3), vgpr!(4..=6), vgpr!(7..=9), v(10))`":
        any_vgprs;
    /// The vector part of a global address.
    GlobalAddress
        "`{Self}` cannot be the vector part of a global address"
        "not one or two vector registers"
        "write a pair, `vgpr!(0..=1)`, that holds the address, and `OFF` as the scalar part; or one register, `v(0)`, that holds an offset from a pair of scalar registers":
        one_vgpr two_vgprs;
    /// The scalar part of a global address.
    GlobalBase
        "`{Self}` cannot be the scalar part of a global address"
        "not a pair of scalar registers"
        "write a pair, `sgpr!(0..=1)`, or `OFF` where vector registers hold the whole address":
        two_sgprs off;
    /// The vector part of a scratch address.
    ScratchAddress
        "`{Self}` cannot be the vector part of a scratch address"
        "not a vector register"
        "write `v(0)`, or `OFF` where there is none":
        one_vgpr off;
    /// The scalar part of a scratch address.
    ScratchBase
        "`{Self}` cannot be the scalar part of a scratch address"
        "not a scalar register"
        "write `sgpr!(0)`, or `OFF` where there is none":
        one_sgpr vcc exec m0 off;
    /// A source of an export.
    ExportSource
        "`{Self}` cannot be exported"
        "not a vector register"
        "write `v(0)`, or `OFF` where there is none":
        one_vgpr off;
    /// The matrix that a matrix multiplication writes.
    Matrix
        "`{Self}` cannot be the result of a matrix multiplication"
        "not vector registers"
        "write eight vector registers in wave32, `vgpr!(0..=7)`, four in wave64":
        ;
    /// The matrix that a matrix multiplication adds to.
    MatrixSource
        "`{Self}` cannot be added to a matrix (of type `{T}`)"
        "neither vector registers nor a constant"
        "write eight vector registers in wave32, `vgpr!(0..=7)`, four in wave64, or an inline constant, such as 0, for all elements":
        element_constants;
    /// A matrix of RDNA4.
    PartOfMatrix
        "`{Self}` cannot be a matrix"
        "not vector registers"
        "write as many vector registers as the elements of a lane take, `vgpr!(0..=3)`: wave64 has half as many as wave32":
        any_vgprs;
    /// The matrix of RDNA4 that a matrix multiplication adds to.
    PartOfMatrixSource
        "`{Self}` cannot be added to a matrix (of type `{T}`)"
        "neither vector registers nor a constant"
        "write as many vector registers as the elements of a lane take, `vgpr!(0..=7)`, or an inline constant, such as 0, for all elements":
        any_vgprs element_constants;
    /// The number of a barrier.
    Barrier
        "`{Self}` cannot be the number of a barrier"
        "neither M0 nor an inline constant"
        "write `M0`, or the number: `-1` is the barrier of the work-group":
        m0 integers floats;
    /// A constant of 16 bits in the instruction.
    Immediate
        "`{Self}` cannot be the constant of this instruction"
        "not an integer of 16 bits"
        "write an integer, -32768 to 65535":
        sixteen_bits;
    /// Where a branch goes.
    Target
        "`{Self}` cannot be the target of a branch"
        "not a distance"
        "write the distance in dwords from the end of the instruction, an `i16`; labels are for `asm!` and programs":
        sixteen_bits;
    /// The constant of the instruction that ends a program.
    EndCode
        "`{Self}` cannot be the constant of this instruction"
        "not an integer of 16 bits"
        "write `0`":
        sixteen_bits;
    /// The literal constant of an instruction that has one beside its sources.
    Literal
        "`{Self}` cannot be a literal constant of type `{T}`"
        "not a number"
        "write an integer or, where the type is one of bits or floats, a floating-point number; this operand is not a register":
        integers floats;
    /// The constant in the address of a scalar load.
    AddressOffset
        "`{Self}` cannot be the constant in an address"
        "not an `i32`"
        "write an integer, -1048576 to 1048575; `0` where there is none":
        ;
    /// Bits of a hardware register.
    HardwareRegister
        "`{Self}` is not a hardware register"
        "not a `HwRegister`"
        "write `HwRegister::named(\"HW_REG_MODE\")?`, or `.bits(offset, size)?` of it":
        ;
    /// Bits of a hardware register of RDNA4.
    Rdna4HardwareRegister
        "`{Self}` is not a hardware register"
        "not a `Rdna4HwRegister`"
        "write `Rdna4HwRegister::named(\"HW_REG_WAVE_MODE\")?`, or `.bits(offset, size)?` of it":
        ;
    /// The version of the microcode that a program is for.
    Version
        "`{Self}` is not a version of the microcode"
        "not a `MicrocodeVersion`"
        "write `MicrocodeVersion::named(\"UC_VERSION_GFX11\")?`":
        ;
    /// A message.
    MessageCode
        "`{Self}` is not a message"
        "not a `Message`"
        "write `Message::named(\"MSG_INTERRUPT\")?`, or `Message::new(1)` by its number":
        ;
    /// The counters of S_WAITCNT.
    WaitCounts
        "`{Self}` does not say what is waited for"
        "not a `Waits`"
        "write `Waits::NONE.vmcnt(0)`, and so on for each counter":
        ;
    /// The counters of S_WAITCNT_DEPCTR.
    DependencyCounts
        "`{Self}` does not say what is waited for"
        "not a `DependencyWaits`"
        "write `DependencyWaits::NONE.va_vdst(0)`, and so on for each counter":
        ;
    /// The dependencies of S_DELAY_ALU.
    Delay
        "`{Self}` does not say what the next instructions depend on"
        "not a `DelayAlu`"
        "write `DelayAlu::next(\"VALU_DEP_1\")?`, and `.then(\"SKIP_1\", \"SALU_CYCLE_1\")?` for a second dependency":
        ;
    /// Which attribute is loaded.
    AttributeNumber
        "`{Self}` is not an attribute"
        "not an `Attribute`"
        "write `Attribute::new(0)?`":
        ;
    /// Which channel of an attribute is loaded.
    AttributeChannel
        "`{Self}` is not a channel of an attribute"
        "not a `Channel`"
        "write `Channel::X`":
        ;
    /// Where an export goes.
    ExportTarget
        "`{Self}` is not a target of exports"
        "not an `ExportTo`"
        "write `ExportTo::named(\"mrt0\")?`":
        ;
}

macro_rules! fill {
    ($($slot:ident for $ty:ty, $self:ident, $inst:ident => $fill:expr;)*) => {$(
        impl<T> $slot<T> for $ty {
            #[inline]
            fn fill<I: Isa>($self, $inst: &mut InstBuilder<I>) {
                $fill
            }
        }
    )*};
}

fill! {
    AddressOffset for i32, self, inst => inst.push(self.into());
    HardwareRegister for HwRegister, self, inst => fill_number(inst, hwreg_code(self));
    Rdna4HardwareRegister for Rdna4HwRegister, self, inst => fill_number(inst, rdna4_hwreg_code(self));
    Version for MicrocodeVersion, self, inst => inst.push(self.into());
    MessageCode for Message, self, inst => inst.push(self.into());
    WaitCounts for Waits, self, inst => fill_number(inst, self.code());
    DependencyCounts for DependencyWaits, self, inst => fill_number(inst, self.code());
    Delay for DelayAlu, self, inst => fill_number(inst, delay_code(self));
    AttributeNumber for Attribute, self, inst => inst.push(self.into());
    AttributeChannel for Channel, self, inst => inst.push(self.into());
    ExportTarget for ExportTo, self, inst => inst.push(self.into());
    GlobalBase for Vcc, self, inst => inst.push(self.into());
    // Without an address in vector registers: accesses by the number of the lane.
    GlobalBase for Exec, self, inst => inst.push(self.into());
    Matrix for Vgprs<8>, self, inst => inst.push(self.into());
    Matrix for Vgprs<4>, self, inst => inst.push(self.into());
    Matrix for VirtualVgprs<8>, self, inst => inst.push(self.into());
    Matrix for VirtualVgprs<4>, self, inst => inst.push(self.into());
    MatrixSource for Vgprs<8>, self, inst => inst.push(self.into());
    MatrixSource for Vgprs<4>, self, inst => inst.push(self.into());
    MatrixSource for VirtualVgprs<8>, self, inst => inst.push(self.into());
    MatrixSource for VirtualVgprs<4>, self, inst => inst.push(self.into());
    ImageAddress for [Vgprs<1>; 2], self, inst => self.into_iter().for_each(|r| inst.push(r.into()));
    ImageAddress for [Vgprs<1>; 3], self, inst => self.into_iter().for_each(|r| inst.push(r.into()));
    ImageAddress for [Vgprs<1>; 4], self, inst => self.into_iter().for_each(|r| inst.push(r.into()));
    ImageAddress for [Vgprs<1>; 5], self, inst => self.into_iter().for_each(|r| inst.push(r.into()));
}

/// Some registers one by one, and all the others as a range: after four in RDNA3, after three in RDNA4.
impl<const FIRST: usize, const N: usize, T> ImageAddress<T> for ([Vgprs<1>; FIRST], Vgprs<N>) {
    fn fill<I: Isa>(self, inst: &mut InstBuilder<I>) {
        self.0.into_iter().for_each(|r| inst.push(r.into()));
        inst.push(self.1.into());
    }
}

macro_rules! rays {
    ($($(<const $width:ident: usize>)? ($($group:ty),*) as $($part:ident)*;)*) => {$(
        impl<$(const $width: usize,)? T> Ray<T> for ($($group),*) {
            fn fill<I: Isa>(self, inst: &mut InstBuilder<I>) {
                let ($($part),*) = self;
                [$($part.into()),*].into_iter().for_each(|op| inst.push(op));
            }
        }
    )*};
}

rays! {
    <const N: usize> (Vgprs<N>, Vgprs<1>, Vgprs<3>, Vgprs<3>) as node length origin both;
    <const N: usize> (Vgprs<N>, Vgprs<1>, Vgprs<3>, Vgprs<3>, Vgprs<3>) as node length origin direction inverse;
    // IMAGE_BVH8_INTERSECT_RAY, and IMAGE_BVH_DUAL_INTERSECT_RAY with the offsets of two nodes.
    (Vgprs<2>, Vgprs<2>, Vgprs<3>, Vgprs<3>, Vgprs<1>) as base length_and_mask origin direction offset;
    (Vgprs<2>, Vgprs<2>, Vgprs<3>, Vgprs<3>, Vgprs<2>) as base length_and_mask origin direction offsets;
}
