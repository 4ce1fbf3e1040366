//! Modifiers: a method for each, on the instructions that have it in some encoding.

use super::Builder;
use super::values::{AtomicHint, DppCtrl, ElementFormat, Hint, MemoryScope, same};
use crate::Generation;
use crate::operands::{ImageDim, Swizzle};
use isa::Code;

/// Which modifiers an instruction has: markers that generated groups of instructions carry.
pub mod has {
    isa::build::markers! {
        Neg "this instruction has no sign bits for its sources, so none can be negated"
            "sources of floats can be negated; negate an integer with a separate instruction";
        Abs "this instruction cannot take absolute values of its sources"
            "sources of floats have this modifier";
        OpSel "this instruction has no `op_sel`"
            "instructions on 16 bits and packed ones (v_pk_…) have it; others take whole registers";
        SourceByte "this instruction does not choose a byte of its source" "conversions from fp8 and bf8 (v_cvt_f32_fp8) do";
        ResultByte "this instruction does not choose a byte of its result" "stochastic conversions to fp8 and bf8 (v_cvt_sr_fp8_f32) do";
        IndexKey "this instruction has no `index_key`" "multiplications of sparse matrices (v_swmmac_…) have it";
        OpSelHi "this instruction has no `op_sel_hi`"
            "packed instructions (v_pk_…) have it";
        NegLo "this instruction has no `neg_lo`"
            "packed instructions (v_pk_…) have it; others may have `.neg(0)`";
        NegHi "this instruction has no `neg_hi`"
            "packed instructions (v_pk_…) have it; others may have `.neg(0)`";
        Clamp "this instruction has no clamp bit"
            "leave `.clamp()` out, and limit the result with v_min, v_max or v_med3";
        Omod "this instruction cannot multiply its result"
            "instructions that write floats can; use a multiplication instead";
        Dpp16 "this instruction does not take data-parallel primitives (DPP)"
            "move the source with v_mov_b32 and `.dpp16(…)` first";
        Dpp8 "this instruction does not take data-parallel primitives (DPP8)"
            "move the source with v_mov_b32 and `.dpp8(…)` first";
        RowMask "this instruction has no row mask, since it takes no DPP" "move the value with v_mov_b32 and `.dpp16(…)` first";
        BankMask "this instruction has no bank mask, since it takes no DPP" "move the value with v_mov_b32 and `.dpp16(…)` first";
        BoundCtrl "this instruction has no `bound_ctrl`, since it takes no DPP" "move the value with v_mov_b32 and `.dpp16(…)` first";
        FetchInactive "this instruction has no `fi`, since it takes no DPP" "move the value with v_mov_b32 and `.dpp16(…)` first";
        Glc "this instruction has no choice of `glc`"
            "atomics that return the old value are separate functions, whose names end in `_glc`; RDNA4 has `_rtn`, `.th(…)` and `.scope(…)` instead";
        Th "this instruction has no temporal hint" "loads and stores have it; atomics have `.atomic_hint(…)`";
        AtomicHint "this instruction has no hint of atomics" "atomics have it; loads and stores have `.th(…)`";
        Scope "this instruction has no scope" "loads, stores and atomics have it";
        Slc "this instruction has no `slc`" "vector memory instructions have it";
        Dlc "this instruction has no `dlc`" "loads and stores have it";
        Offset "this instruction has no `offset`"
            "memory instructions have it; those on two addresses have `.offset0()` and `.offset1()`";
        Offset0 "this instruction has no `offset0`" "instructions on two addresses have it; others have `.offset()`";
        Offset1 "this instruction has no `offset1`" "instructions on two addresses have it; others have `.offset()`";
        Gds "this instruction has no choice of `gds`" "most DS instructions have it";
        Swizzle "this instruction has no swizzle" "ds_swizzle_b32 has it";
        Format "this instruction has no `format`" "typed buffer instructions (tbuffer_…) have it";
        Tfe "this instruction has no `tfe`" "buffer and image loads have it";
        Offen "this instruction has no `offen`" "buffer instructions have it";
        Idxen "this instruction has no `idxen`" "buffer instructions have it";
        Dim "this instruction has no `dim`" "image instructions have it";
        Unorm "this instruction has no `unorm`" "image instructions have it";
        Dmask "this instruction has no `dmask`" "image instructions have it";
        R128 "this instruction has no `r128`" "image instructions have it";
        A16 "this instruction has no `a16`" "image instructions have it";
        D16 "this instruction has no `d16`" "image loads, stores and samples have it";
        Lwe "this instruction has no `lwe`" "image instructions have it";
        Done "this instruction has no `done`" "exports have it";
        RowEn "this instruction has no `row_en`" "exports have it";
        WaitExp "this instruction has no `wait_exp`" "interpolations (v_interp_…) have it";
        WaitVdst "this instruction has no `wait_vdst`" "direct loads from LDS have it";
        WaitVaVdst "this instruction has no `wait_va_vdst`" "direct loads from LDS have it";
        WaitVmVsrc "this instruction has no `wait_vm_vsrc`" "direct loads from LDS have it";
        E32 "this instruction has no short encoding to ask for" "leave `.e32()` out" choice;
        E64 "this instruction has no choice of a long encoding" "leave `.e64()` out" choice;
    }

    /// Halves that can be the first of a dual-issue pair.
    #[diagnostic::on_unimplemented(
        message = "this instruction cannot be the first of a pair",
        label = "can be the second only",
        note = "exchange the two: `dual(first, second)`"
    )]
    pub trait X {}

    /// Halves that can be the second of a dual-issue pair.
    #[diagnostic::on_unimplemented(
        message = "this instruction cannot be the second of a pair",
        label = "can be the first only",
        note = "exchange the two: `dual(first, second)`"
    )]
    pub trait Y {}
}

impl<I: Generation, M> Builder<I, M> {
    isa::build::flags! {
        /// Limits the result: floats to 0 to 1, integers to their range.
        clamp Clamp;
        /// Coherent with the whole device.
        glc Glc;
        /// Streamed: not kept in the cache.
        slc Slc;
        /// Coherent with the device's last cache.
        dlc Dlc;
        /// In the global data share instead of the local one.
        gds Gds;
        /// Adds a register with the status of the access to the data.
        tfe Tfe;
        /// The address has an offset in a register.
        offen Offen;
        /// The address has an index in a register.
        idxen Idxen;
        /// Coordinates are not normalized.
        unorm Unorm;
        /// The resource has four registers.
        r128 R128;
        /// Addresses have 16 bits.
        a16 A16;
        /// Data have 16 bits.
        d16 D16;
        /// Warns of missing levels of detail.
        lwe Lwe;
        /// The last export of its kind.
        done Done;
        /// The row is given by M0.
        row_en RowEn;
    }

    isa::build::numbers! {
        /// Which rows of lanes take part, a bit each.
        row_mask RowMask u8;
        /// Which banks of lanes take part, a bit each.
        bank_mask BankMask u8;
        /// The offset of the first address.
        offset0 Offset0 u8;
        /// The offset of the second address.
        offset1 Offset1 u8;
        /// Which components are moved, a bit each.
        dmask Dmask u8;
        /// How many exports may still be under way.
        wait_exp WaitExp u8;
        /// How many vector instructions may still be under way.
        wait_vdst WaitVdst u8;
        /// How many vector instructions may still be under way.
        wait_va_vdst WaitVaVdst u8;
        /// How many vector memory instructions may still read registers: 0 or 1.
        wait_vm_vsrc WaitVmVsrc u8;
    }

    /// A constant that is added to the address, in bytes.
    #[inline]
    pub fn offset(mut self, value: i32) -> Self
    where
        M: has::Offset,
    {
        // DS has one offset in two fields.
        if const { same(M::FIELD.name(), "offset0") } {
            self.split_offset(M::FIELD.modifier(), value.into(), "the offset is a number from 0 to 65535");
        } else {
            self.inst.set_number(M::FIELD, value.into());
        }
        self
    }

    /// States an offset of 16 bits in two fields.
    #[inline]
    fn split_offset(&mut self, low: isa::Modifier, value: i64, rule: &'static str) {
        match u16::try_from(value).map(u16::to_le_bytes) {
            Ok([first, second]) => {
                self.inst.set(low, first.into());
                self.inst.set(I::OFFSET1, second.into());
            }
            Err(_) => self.inst.fail(rule),
        }
    }

    /// The bits of a list, the first lowest. A list has 0 and 1 alone.
    fn bits<const N: usize>(&mut self, list: [u8; N]) -> u32 {
        if N > 4 || list.iter().any(|bit| *bit > 1) {
            self.inst.fail("the list has up to four entries, each 0 or 1");
        }
        list.iter().rev().fold(0, |bits, bit| bits << 1 | u32::from(*bit & 1))
    }

    /// Halves, 0 the lower and 1 the upper. Of packed instructions: the half of each source that the low half of the result
    /// comes from. Of instructions on 16 bits: the half of each source, then that of the result; vector registers say theirs
    /// themselves (`v(0).hi()`), and the list has to agree, so it is of use for scalar ones. Of v_permlane16_b32: whether
    /// inactive lanes are read, and whether lanes outside give zero.
    pub fn op_sel<const N: usize>(mut self, bits: [u8; N]) -> Self
    where
        M: has::OpSel,
    {
        let list = self.bits(bits);
        let sources = self.inst.sources().count();
        // The entry after those of the sources is that of the result, whose bit is the fourth.
        let code = if N > sources { list & ((1 << sources) - 1) | (list >> (N - 1) & 1) << 3 } else { list };
        let agrees = |(at, op): (usize, &amdgpu_operands::build::Op)| {
            let nth = self.inst.sources().position(|source| source == at).unwrap_or(3);
            let half = op.as_reg().and_then(|reg| reg.half);
            half.is_none_or(|half| (half == isa::inst::RegHalf::High) == (code >> nth & 1 == 1))
        };
        if list != 0 && !self.inst.ops().iter().enumerate().all(agrees) {
            self.inst.fail("op_sel does not agree with the halves of the registers");
        }
        self.inst.set(M::FIELD.modifier(), code);
        self
    }

    /// The byte of the source that is converted.
    #[inline]
    pub fn source_byte(mut self, byte: u8) -> Self
    where
        M: has::SourceByte,
    {
        if byte > 3 {
            self.inst.fail("a register has the bytes 0 to 3");
        }
        // The field has the bits of the number in reverse order.
        self.inst.set(M::FIELD.modifier(), u32::from(byte >> 1 & 1 | byte << 1 & 2));
        self
    }

    /// The byte of the result that is written.
    #[inline]
    pub fn result_byte(mut self, byte: u8) -> Self
    where
        M: has::ResultByte,
    {
        if byte > 3 {
            self.inst.fail("a register has the bytes 0 to 3");
        }
        self.inst.set(M::FIELD.modifier(), u32::from(byte & 3) << 2);
        self
    }

    /// Which part of the register has the index of the sparse matrix.
    #[inline]
    pub fn index_key(mut self, part: u8) -> Self
    where
        M: has::IndexKey,
    {
        self.inst.set(M::FIELD.modifier(), part.into());
        self
    }

    /// The half of each source that the high half of the result comes from.
    pub fn op_sel_hi<const N: usize>(mut self, bits: [u8; N]) -> Self
    where
        M: has::OpSelHi,
    {
        let list = self.bits(bits);
        self.inst.set(M::FIELD.modifier(), list & 3);
        // The bit of a third source is a separate field.
        let third = I::inst_tables().modifiers.iter().find(|modifier| modifier.name == "op_sel_hi2");
        if let Some(third) = third
            && self.inst.sources().count() == 3
        {
            self.inst.set(*third, list >> 2 & 1);
        }
        self
    }

    /// Which sources are negated for the low half of the result.
    pub fn neg_lo<const N: usize>(mut self, bits: [u8; N]) -> Self
    where
        M: has::NegLo,
    {
        let list = self.bits(bits);
        self.inst.set_number(M::FIELD, list.into());
        self
    }

    /// Which sources are negated for the high half of the result.
    pub fn neg_hi<const N: usize>(mut self, bits: [u8; N]) -> Self
    where
        M: has::NegHi,
    {
        let list = self.bits(bits);
        self.inst.set_number(M::FIELD, list.into());
        self
    }

    /// Negates the source with this number: 0 is `s0`.
    #[inline]
    pub fn neg(mut self, source: u8) -> Self
    where
        M: has::Neg,
    {
        self.inst.negate(source);
        self
    }

    /// Takes the absolute value of the source with this number: 0 is `s0`. The sign comes after it.
    #[inline]
    pub fn abs(mut self, source: u8) -> Self
    where
        M: has::Abs,
    {
        self.inst.absolute(source);
        self
    }

    /// Multiplies the result by 2.
    #[inline]
    pub fn omod_mul2(mut self) -> Self
    where
        M: has::Omod,
    {
        self.inst.set(M::FIELD.modifier(), 1);
        self
    }

    /// Multiplies the result by 4.
    #[inline]
    pub fn omod_mul4(mut self) -> Self
    where
        M: has::Omod,
    {
        self.inst.set(M::FIELD.modifier(), 2);
        self
    }

    /// Divides the result by 2.
    #[inline]
    pub fn omod_div2(mut self) -> Self
    where
        M: has::Omod,
    {
        self.inst.set(M::FIELD.modifier(), 3);
        self
    }

    /// Each lane reads `s0` from another one of its row.
    pub fn dpp16(mut self, control: DppCtrl) -> Self
    where
        M: has::Dpp16,
    {
        self.has_dpp = true;
        match control.code() {
            Ok(code) => self.inst.set(M::FIELD.modifier(), code),
            Err(error) => self.inst.fail(error.text()),
        }
        self
    }

    /// Each group of eight lanes reads `s0` from these eight of it.
    pub fn dpp8(mut self, lanes: [u8; 8]) -> Self
    where
        M: has::Dpp8,
    {
        self.has_dpp = true;
        if lanes.iter().any(|lane| *lane > 7) {
            self.inst.fail("a group has lanes 0 to 7");
        }
        let code = lanes.iter().rev().fold(0, |code, lane| code << 3 | u32::from(*lane & 7));
        self.inst.set(M::FIELD.modifier(), code);
        self
    }

    /// Lanes that read from outside their row take zero.
    #[inline]
    pub fn bound_ctrl(mut self) -> Self
    where
        M: has::BoundCtrl,
    {
        self.inst.set(M::FIELD.modifier(), 1);
        self
    }

    /// Inactive lanes are read too.
    #[inline]
    pub fn fetch_inactive(mut self) -> Self
    where
        M: has::FetchInactive,
    {
        self.inst.set(M::FIELD.modifier(), 1);
        self
    }

    /// Which lane each lane reads.
    pub fn swizzle(mut self, swizzle: Swizzle) -> Self
    where
        M: has::Swizzle,
    {
        match swizzle.checked_offset() {
            Some(offset) => self.split_offset(M::FIELD.modifier(), offset.into(), ""),
            None => self.inst.fail("the swizzle has no such lanes, or groups of no such size"),
        }
        self
    }

    /// How long data stays in caches.
    #[inline]
    pub fn th(mut self, hint: Hint) -> Self
    where
        M: has::Th,
    {
        let code = hint as u32;
        // The lowest bit is a separate field.
        if let Some(low) = I::inst_tables().modifiers.iter().find(|modifier| modifier.name == "rtn") {
            self.inst.set(*low, code & 1);
        }
        self.inst.set_number(M::FIELD, (code >> 1).into());
        self
    }

    /// Where an atomic is computed, and how long data stays in caches.
    #[inline]
    pub fn atomic_hint(mut self, hint: AtomicHint) -> Self
    where
        M: has::AtomicHint,
    {
        self.inst.set(M::FIELD.modifier(), hint as u32);
        self
    }

    /// How far the access reaches.
    #[inline]
    pub fn scope(mut self, scope: MemoryScope) -> Self
    where
        M: has::Scope,
    {
        self.inst.set(M::FIELD.modifier(), scope as u32);
        self
    }

    /// The format of the elements in memory.
    #[inline]
    pub fn format(mut self, format: ElementFormat) -> Self
    where
        M: has::Format,
    {
        self.inst.set(M::FIELD.modifier(), format.code().into());
        self
    }

    /// The dimension of the image.
    #[inline]
    pub fn dim(mut self, dim: ImageDim) -> Self
    where
        M: has::Dim,
    {
        self.has_dim = true;
        self.inst.set(M::FIELD.modifier(), dim.into_code());
        self
    }

    /// Asks for the short encoding.
    pub fn e32(mut self) -> Self
    where
        M: has::E32,
    {
        self.is_short = true;
        self.inst.ask_for("_e32");
        self
    }

    /// Asks for the long encoding.
    pub fn e64(mut self) -> Self
    where
        M: has::E64,
    {
        self.is_short = false;
        self.inst.ask_for("_e64");
        self
    }
}
