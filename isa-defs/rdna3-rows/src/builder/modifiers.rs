//! Modifiers: a method for each, on the instructions that have it in some encoding.

use amdgpu_operands::build::list;

use super::values::{DppCtrl, ElementFormat};
use super::{Builder, Length};
use crate::operands::{BUFFER_FORMATS, ImageDim, Swizzle};

/// Which modifiers an instruction has: markers that generated groups of instructions carry.
pub mod has {
    amdgpu_operands::markers! {
        Neg "this instruction has no sign bits for its sources, so none can be negated"
            "sources of floats can be negated; negate an integer with an instruction of its own";
        Abs "this instruction cannot take absolute values of its sources"
            "sources of floats have this modifier";
        OpSel "this instruction has no `op_sel`"
            "instructions on 16 bits and packed ones (v_pk_…) have it; others take whole registers";
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
        RowMask "this instruction has no row mask, since it takes no DPP" "leave it out";
        BankMask "this instruction has no bank mask, since it takes no DPP" "leave it out";
        BoundCtrl "this instruction has no `bound_ctrl`, since it takes no DPP" "leave it out";
        FetchInactive "this instruction has no `fi`, since it takes no DPP" "leave it out";
        Glc "this instruction has no choice of `glc`"
            "atomics that return what was there are functions of their own, whose names end in `_glc`";
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
        E32 "this instruction has no short encoding to ask for" "leave `.e32()` out";
        E64 "this instruction has no choice of a long encoding" "leave `.e64()` out";
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

impl<M> Builder<M> {
    amdgpu_operands::flags! {
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

    amdgpu_operands::numbers! {
        /// Which rows of lanes take part, a bit each.
        row_mask RowMask u8;
        /// Which banks of lanes take part, a bit each.
        bank_mask BankMask u8;
        /// A constant that is added to the address, in bytes.
        offset Offset i32;
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
    }

    amdgpu_operands::lists! {
        /// Halves, 0 the lower and 1 the upper. Of packed instructions: the half of each source that the low half of the
        /// result comes from. Of instructions on 16 bits: the half of each source, then that of the result; vector
        /// registers say theirs themselves (`v(0).hi()`), and the list has to agree, so it is of use for scalar ones. Of
        /// v_permlane16_b32: whether inactive lanes are read, and whether lanes outside give zero.
        op_sel OpSel;
        /// The half of each source that the high half of the result comes from.
        op_sel_hi OpSelHi;
        /// Which sources are negated for the low half of the result.
        neg_lo NegLo;
        /// Which sources are negated for the high half of the result.
        neg_hi NegHi;
    }

    /// Negates the source with this number: 0 is `s0`.
    pub fn neg(mut self, source: u8) -> Self
    where
        M: has::Neg,
    {
        self.line.draft.negate(source);
        self
    }

    /// Takes the absolute value of the source with this number: 0 is `s0`. The sign comes after it.
    pub fn abs(mut self, source: u8) -> Self
    where
        M: has::Abs,
    {
        self.line.draft.absolute(source);
        self
    }

    /// Multiplies the result by 2.
    pub fn omod_mul2(self) -> Self
    where
        M: has::Omod,
    {
        self.omod("mul", b'2')
    }

    /// Multiplies the result by 4.
    pub fn omod_mul4(self) -> Self
    where
        M: has::Omod,
    {
        self.omod("mul", b'4')
    }

    /// Divides the result by 2.
    pub fn omod_div2(self) -> Self
    where
        M: has::Omod,
    {
        self.omod("div", b'2')
    }

    fn omod(mut self, name: &str, factor: u8) -> Self {
        self.line.draft.modifier(name, |out| {
            out.push_ascii(b':');
            out.push_ascii(factor);
        });
        self
    }

    /// Each lane reads `s0` from another one of its row.
    pub fn dpp16(mut self, control: DppCtrl) -> Self
    where
        M: has::Dpp16,
    {
        self.line.dpp = true;
        let mut text = isa::Text::new();
        isa::ToText::write_to(&control, &mut text);
        self.line.draft.modifier(text.as_str(), |_| {});
        self
    }

    /// Each group of eight lanes reads `s0` from these eight of it.
    pub fn dpp8(mut self, lanes: [u8; 8]) -> Self
    where
        M: has::Dpp8,
    {
        self.line.dpp = true;
        self.line.draft.modifier("dpp8", |out| {
            out.push_ascii(b':');
            list(&lanes, out);
        });
        self
    }

    /// Lanes that read from outside their row take zero.
    pub fn bound_ctrl(mut self) -> Self
    where
        M: has::BoundCtrl,
    {
        self.line.draft.modifier("bound_ctrl", |out| out.push(":1"));
        self
    }

    /// Inactive lanes are read too. Behind [`dpp8`](Self::dpp8) it comes right after the lanes.
    pub fn fetch_inactive(mut self) -> Self
    where
        M: has::FetchInactive,
    {
        self.line.draft.modifier("fi", |out| out.push(":1"));
        self
    }

    /// Which lane each lane reads.
    pub fn swizzle(mut self, swizzle: Swizzle) -> Self
    where
        M: has::Swizzle,
    {
        let mut text = isa::Text::new();
        swizzle.write(&mut text);
        // Offset 0, which has no text, is the default.
        if let Some(value) = text.as_str().strip_prefix(" offset") {
            self.line.draft.modifier("offset", |out| out.push(value));
        }
        self
    }

    /// The format of the elements in memory.
    pub fn format(mut self, format: ElementFormat) -> Self
    where
        M: has::Format,
    {
        if let Some(name) = BUFFER_FORMATS.get(usize::from(format.code())) {
            self.line.draft.modifier("format", |out| {
                out.push(":[BUF_FMT_");
                out.push(name);
                out.push_ascii(b']');
            });
        }
        self
    }

    /// The dimension of the image.
    pub fn dim(mut self, dim: ImageDim) -> Self
    where
        M: has::Dim,
    {
        self.line.draft.modifier("dim", |out| {
            out.push_ascii(b':');
            out.push(dim.facts().name);
        });
        self
    }

    /// Asks for the short encoding.
    pub const fn e32(mut self) -> Self
    where
        M: has::E32,
    {
        self.line.length = Some(Length::Short);
        self
    }

    /// Asks for the long encoding.
    pub const fn e64(mut self) -> Self
    where
        M: has::E64,
    {
        self.line.length = Some(Length::Long);
        self
    }
}
