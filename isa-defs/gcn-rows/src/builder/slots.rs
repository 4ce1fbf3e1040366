//! The slots of builders: for each group of operand classes a trait that the accepted argument types implement.
//!
//! The `build` clause of the sets maps operand classes to slots.

amdgpu_operands::slots! {
    /// Vector registers that hold data; the type and modifiers say how many.
    Data
        "`{Self}` cannot be the data of this instruction"
        "not vector registers"
        "write as many vector registers as are moved: `v(0)`, `vgpr!(0..=3)`; `.tfe()` adds one":
        any_vgprs;
    /// The address of a buffer access.
    BufferAddress
        "`{Self}` cannot be the address of a buffer access"
        "not one or two vector registers"
        "write `OFF` without `.offen()` and `.idxen()`, `v(0)` with one of them, `vgpr!(0..=1)` (index, then offset) with both, and also with `.addr64()` of GCN 1.0 and 1.1":
        one_vgpr two_vgprs off;
    /// Scalar registers that hold a resource.
    Resource
        "`{Self}` cannot be a buffer resource (of type `{T}`)"
        "not four scalar registers"
        "a buffer resource is four scalar registers, the first a multiple of four: `sgpr!(4..=7)`":
        sgprs;
    /// The scalar offset of a buffer address.
    BufferOffset
        "`{Self}` cannot be the scalar offset of a buffer address"
        "neither a scalar register nor an integer"
        "write a scalar register, `sgpr!(0)`, or an integer from -16 to 64: `0` where there is none; larger constants go to `.offset(…)`":
        sgprs vcc exec m0 gcn_registers readable gcn_readable integers;
    /// Scalar registers that scalar memory fills or stores.
    ScalarData
        "`{Self}` cannot be the data of this instruction (of type `{T}`)"
        "not scalar registers of that width"
        "write as many scalar registers as are moved: `sgpr!(0)`, `sgpr!(0..=1)`, `sgpr!(4..=7)`; M0 and EXEC are neither loaded nor stored, so move them":
        sgprs vcc gcn_registers;
    /// The base of a scalar address.
    Base
        "`{Self}` cannot be the base of this address (type `{T}`)"
        "not scalar registers of that width"
        "an address is a pair of scalar registers, `sgpr!(0..=1)`; a buffer resource is four, `sgpr!(4..=7)`":
        sgprs vcc exec gcn_registers;
    /// The offset of a scalar address.
    ScalarOffset
        "`{Self}` cannot be the offset of a scalar address"
        "neither a scalar register nor an integer"
        "write an integer of bytes, `0` where there is none, or one scalar register, `sgpr!(0)`; in GCN 1.4 a constant beside a register is `.offset(…)`":
        sgprs vcc exec m0 gcn_registers integers;
    /// The constant of a probe, which selects the access that it tests.
    ProbeCode
        "`{Self}` cannot say what a probe is to find out"
        "not an integer"
        "write an integer from 0 to 127":
        integers;
}
