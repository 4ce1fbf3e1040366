//! The operands of all generations: registers, constants and modifiers by their codes, and how they are written.

mod buffer;
mod printed;
mod registers;
mod scalar;

use isa::isa;

use crate::Generation;
use buffer::read_source;
use printed::{prints_base, prints_data, prints_resource, prints_source};
pub use registers::{File, Registers, Value};

isa! {
    operands CLASSES for I: Generation;
    value crate::Value of File;
    flags crate::flags;
    syntax amdgpu_operands::Llvm;

    values of gcn1_0, gcn1_1, gcn1_2, gcn1_4 {
        0..=103    sgpr         "s{}" aligned                                         in gcn1_0 | gcn1_1;
        0..=101    sgpr         "s{}" aligned                                         in gcn1_2 | gcn1_4;
        104..=105  flat_scratch "flat_scratch_lo" "flat_scratch_hi" "flat_scratch"    in gcn1_1;
        102..=103  flat_scratch "flat_scratch_lo" "flat_scratch_hi" "flat_scratch"    in gcn1_2 | gcn1_4;
        104..=105  xnack_mask   "xnack_mask_lo" "xnack_mask_hi" "xnack_mask"          in gcn1_4 printed in gcn1_2;
        106..=107  vcc          "vcc_lo" "vcc_hi" "vcc";
        108..=109  tba          "tba_lo" "tba_hi" "tba"                               in gcn1_0 | gcn1_1 | gcn1_2;
        110..=111  tma          "tma_lo" "tma_hi" "tma"                               in gcn1_0 | gcn1_1 | gcn1_2;
        112..=123  ttmp         "ttmp{}" aligned                                      in gcn1_0 | gcn1_1 | gcn1_2;
        108..=123  ttmp         "ttmp{}" aligned                                      in gcn1_4;
        124        m0           "m0";
        125        null         "null" any                                            printed in gcn1_2 | gcn1_4;
        126..=127  exec         "exec_lo" "exec_hi" "exec";
        128..=192  int          0..=64;
        193..=208  int          -1..=-16;
        230..=231  scratch_base as special from 230 "src_flat_scratch_base_lo" "src_flat_scratch_base_hi"
                                                                                      printed in gcn1_2 | gcn1_4;
        235..=239  aperture     as special from 235 "src_shared_base" "src_shared_limit" "src_private_base"
                                "src_private_limit" "src_pops_exiting_wave_id" any
                                also "shared_base" also "shared_limit" also "private_base" also "private_limit"
                                also "pops_exiting_wave_id"                           in gcn1_4 printed in gcn1_2;
        240..=247  float        0.5 -0.5 1.0 -1.0 2.0 -2.0 4.0 -4.0;
        248        float        0.15915494309189532                                   in gcn1_2 | gcn1_4;
        251..=252  status       as special from 251 "src_vccz" "src_execz" also "vccz" also "execz";
        253        scc          "src_scc" one also "scc";
        256..=511  vgpr         "v{}";
    }

    scalar = sgpr | flat_scratch | xnack_mask | vcc | tba | tma | ttmp | m0 | exec, called "a scalar register";
    vector = vgpr, called "a vector register";

    /// The registers that scalar memory fills or stores, by the code of the first.
    operand SmemData(code: u8) = scalar - m0 - exec, prints misaligned, printable prints_data;
    /// The base of an address: a pair that holds a pointer, or four registers that hold a buffer resource. The field
    /// leaves out the lowest bit of the register's code.
    operand SmemBase(code: u8) = scalar by 2, prints misaligned, printable prints_base;
    /// A number in the place of the data: what a probe is to find out.
    number Imm7 -> u8 = 0..=127, text "{}" to 64 "{x}", floats bits,
        says "the constant lies between 0 and 127";
    /// A bit that says how others are read; text shows it by what it writes there.
    modifier Choice = hidden;
    /// One scalar register that is part of an address.
    operand AddressRegister -> u8 = scalar, dwords 1;
    /// The addend of an address: a constant if IMM is set, or the register whose code is in the lowest bits; nothing where
    /// SOE names the register of another field instead.
    number SmemOffset -> u32 = -0x10_0000..=0xf_ffff, any width, or scalar unless imm_offset, off,
        says "the offset has 21 bits: it lies between -1048576 and 1048575", expects "a constant or one scalar register",
        used scalar::has_offset, check scalar::is_offset, printable scalar::prints_offset, write scalar::write_offset,
        value scalar::offset_value, read scalar::read_offset, missing scalar::missing_offset,
        depends scalar::offset_operands with scalar::judge_offset;
    /// As [`SmemOffset`], in GCN 1.2.
    number SmemOffset20 -> u32 = 0..=0xf_ffff, any width, or scalar unless imm_offset, off,
        says "the offset has 20 bits: it lies between 0 and 1048575", expects "a constant or one scalar register",
        used scalar::has_offset, check scalar::is_offset, printable scalar::prints_offset, write scalar::write_offset,
        value scalar::offset_value, read scalar::read_offset, missing scalar::missing_offset,
        depends scalar::offset_operands with scalar::judge_offset;
    /// A register that is added to the base besides a constant, or in the place of one, where SOE is set.
    operand SmemSoffset(code: u8) = scalar, there soe, off, without names, without plain,
        check scalar::is_soffset, printable scalar::prints_soffset, write scalar::write_soffset,
        value scalar::soffset_value, read scalar::read_soffset, missing scalar::missing_soffset,
        expects "`off` or a scalar register";

    /// A modifier of one bit that is written as its own name: `glc` sets it, `noglc` says that it is not set.
    modifier Flag = flag;
    /// Whether the address is one of 64 bits, without an index and an offset from registers.
    modifier Addr64 = flag, zero beside offen | idxen;
    /// Whether a status comes back in one more register. What goes to LDS has none.
    modifier Tfe = flag, zero beside lds;
    /// The constant offset of a buffer address: twelve bits, unsigned.
    modifier BufferOffset -> u16 = 0..=0xfff, text " offset:{}", says "the offset is a number from 0 to 4095";
    /// A vector register by its number.
    operand Vgpr(number: u8) = vector by number;
    /// The registers of a buffer address: a 64-bit address, or an index if IDXEN is set, then an offset if OFFEN is set;
    /// `off` without any.
    operand BufferAddr -> Vgpr = vector by number, dwords idxen + offen + 2 * addr64, off,
        says "the address is a register with `offen` or `idxen`, two with both or with `addr64`, `off` without",
        expects "`off` or vector registers";
    /// The registers that a buffer instruction moves: as many as the type has dwords, and one for the status if TFE is set.
    /// GCN 1.2 has a register for each element of 16 bits.
    operand BufferData -> Vgpr = vector by number, dwords type if gcn1_4 else lanes if d16 else type + tfe,
        expects "vector registers";
    /// The four scalar registers of a resource, by the code of the first. The field counts groups of four.
    operand ResourceSgprs -> u8 = scalar by 4, dwords 4, gives register, printable prints_resource,
        says "the scalar registers of a resource begin with a multiple of four",
        expects "scalar registers that begin with a multiple of four";
    /// The scalar offset of a buffer address: a scalar register, a status bit or an inline constant.
    operand BufferSoffset -> u8 = scalar | int | float | status | scc | aperture, dwords 1, constants dword, printable prints_source,
        read read_source, expects "a scalar register or an inline constant";
}
