//! Operands that are neither registers nor plain numbers: counters, messages, hardware registers, targets, controls.
//!
//! Names are those of LLVM's text, and are looked up in the tables that text is written from.

use core::fmt;

use amdgpu_operands::build::InstBuilder;
use isa::build::written;
use isa::{Code, Isa, Text, ToText};

use crate::operands::{
    __PARTED_DEPENDENCYCOUNTERS, __PARTED_WAITCOUNTERS, BUFFER_FORMATS, CODE_VERSION_BITS, CODE_VERSIONS, DELAY_IDS,
    DELAY_SKIPS, DPP_CONTROLS, DelayAlu, EXPORT_TARGETS, HW_REGISTERS, HwRegister, MESSAGES, PartOf,
    RDNA4_HW_REGISTERS, RDNA4_MESSAGES, Rdna4HwRegister,
};

/// Why a value is none: its name is unknown, or a number is too large.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueError(&'static str);

impl ValueError {
    /// The rule in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl core::error::Error for ValueError {}

/// Whether two names are the same; `==` cannot be asked in constants.
pub(super) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Where a name stands in a list.
const fn position(names: &[&str], name: &str, fault: &'static str) -> Result<usize, ValueError> {
    let mut i = 0;
    while i < names.len() {
        if same(names[i], name) {
            return Ok(i);
        }
        i += 1;
    }
    Err(ValueError(fault))
}

/// Looks a name up in a table of numbers and names.
macro_rules! look_up {
    ($table:ident, $name:expr, $fault:literal) => {{
        let mut i = 0;
        loop {
            if i == $table.len() {
                break Err(ValueError($fault));
            }
            if same($table[i].1, $name) {
                break Ok($table[i].0);
            }
            i += 1;
        }
    }};
}

/// A constant of counters: each that is not named is not waited for.
macro_rules! counters {
    ($(#[$doc:meta])* $ty:ident $table:ident $($(#[$of:meta])* $method:ident $at:literal;)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $ty {
            code: u16,
            fits: bool,
        }

        impl $ty {
            /// Nothing is waited for.
            pub const NONE: $ty = $ty { code: $table.idle as u16, fits: true };

            $(
                $(#[$of])*
                #[must_use]
                pub const fn $method(self, count: u8) -> Self {
                    self.with(&$table.parts[$at], count)
                }
            )*

            const fn with(self, counter: &PartOf, count: u8) -> Self {
                let bits = (counter.most() << counter.lo) as u16;
                let code = self.code & !bits | (count as u16) << counter.lo & bits;
                $ty { code, fits: self.fits && count as u32 <= counter.most() }
            }

            /// The constant.
            ///
            /// # Errors
            /// If a counter has fewer bits than its count.
            pub const fn code(self) -> Result<u16, ValueError> {
                if self.fits { Ok(self.code) } else { Err(ValueError(isa::class::NARROW_PART)) }
            }
        }

        written! {
            $ty, counts, out => match counts.code() {
                Ok(code) => $table.write(code.into(), out),
                Err(error) => out.push(error.0),
            };
        }
    };
}

counters! {
    /// The counts that S_WAITCNT waits for.
    ///
    /// ```
    /// # use rdna_rows::build::Waits;
    /// assert_eq!(Waits::NONE.vmcnt(0).lgkmcnt(1).to_string(), "vmcnt(0) lgkmcnt(1)");
    /// assert!(Waits::NONE.expcnt(8).code().is_err());
    /// ```
    Waits __PARTED_WAITCOUNTERS
    /// Until this many vector memory operations are under way, at most 63.
    vmcnt 0;
    /// Until this many exports are under way, at most 7.
    expcnt 1;
    /// Until this many accesses to LDS, GDS, constants and messages are under way, at most 63.
    lgkmcnt 2;
}

counters! {
    /// The counts that S_WAITCNT_DEPCTR waits for.
    DependencyWaits __PARTED_DEPENDENCYCOUNTERS
    /// `depctr_hold_cnt`.
    hold_cnt 0;
    /// `depctr_sa_sdst`.
    sa_sdst 1;
    /// `depctr_va_vdst`.
    va_vdst 2;
    /// `depctr_va_sdst`.
    va_sdst 3;
    /// `depctr_va_ssrc`.
    va_ssrc 4;
    /// `depctr_va_vcc`.
    va_vcc 5;
    /// `depctr_vm_vsrc`.
    vm_vsrc 6;
}

const NO_ID: &str = "no dependency of S_DELAY_ALU has this name: VALU_DEP_1, TRANS32_DEP_1, SALU_CYCLE_1, say";

impl DelayAlu {
    /// The next instruction depends on this: `VALU_DEP_1`, say.
    ///
    /// # Errors
    /// If no dependency has this name.
    pub const fn next(id: &str) -> Result<Self, ValueError> {
        match position(&DELAY_IDS, id, NO_ID) {
            Ok(id) => Ok(DelayAlu { id0: id as u8, skip: 0, id1: 0 }),
            Err(error) => Err(error),
        }
    }

    /// And a later one (`SAME`, `NEXT`, `SKIP_1` …) depends on that.
    ///
    /// # Errors
    /// If no distance or no dependency has this name.
    pub const fn then(self, skip: &str, id: &str) -> Result<Self, ValueError> {
        let skip = position(&DELAY_SKIPS, skip, "no distance of S_DELAY_ALU has this name: SAME, NEXT, SKIP_1, say");
        match (skip, position(&DELAY_IDS, id, NO_ID)) {
            (Ok(skip), Ok(id)) => Ok(DelayAlu { skip: skip as u8, id1: id as u8, ..self }),
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
    }
}

/// Adds an operand that is a number, or notes why it is none.
pub(super) fn fill_number<I: Isa>(inst: &mut InstBuilder<I>, number: Result<u16, ValueError>) {
    match number {
        Ok(number) => inst.push(number.into()),
        Err(error) => inst.fail_operand(error.0),
    }
}

/// The constant of S_DELAY_ALU.
pub(super) fn delay_code(delay: DelayAlu) -> Result<u16, ValueError> {
    let fits = DelayAlu::from_code(delay.into_code()) == delay
        && usize::from(delay.id0) < DELAY_IDS.len()
        && usize::from(delay.skip) < DELAY_SKIPS.len()
        && usize::from(delay.id1) < DELAY_IDS.len();
    if fits { Ok(delay.into_code() as u16) } else { Err(ValueError("a number of S_DELAY_ALU has no meaning")) }
}

/// The constructors of a hardware register, and its constant.
macro_rules! hardware_registers {
    ($register:ident $names:ident $code:ident $fault:literal) => {
        impl $register {
            /// The whole of the register that text calls so.
            ///
            /// # Errors
            /// If no register has this name.
            pub const fn named(name: &str) -> Result<Self, ValueError> {
                match look_up!($names, name, $fault) {
                    Ok(id) => Ok($register { id, offset: 0, size: 32 }),
                    Err(error) => Err(error),
                }
            }

            /// Returns `size` bits of the register, from the bit `offset` up.
            ///
            /// # Errors
            /// If it has no such bits.
            pub const fn bits(self, offset: u8, size: u8) -> Result<Self, ValueError> {
                if offset > 31 || size == 0 || size > 32 - offset {
                    return Err(ValueError(
                        "a hardware register has 32 bits: the offset is 0 to 31, and the bits are within",
                    ));
                }
                Ok($register { offset, size, ..self })
            }
        }

        /// The constant of S_GETREG and S_SETREG.
        pub(super) fn $code(register: $register) -> Result<u16, ValueError> {
            if $register::from_code(register.into_code()) == register {
                Ok(register.into_code() as u16)
            } else {
                Err(ValueError("a hardware register has a number below 64, and bits 0 to 31"))
            }
        }
    };
}

hardware_registers! {
    HwRegister HW_REGISTERS hwreg_code "no hardware register has this name: HW_REG_MODE, HW_REG_STATUS, say"
}
hardware_registers! {
    Rdna4HwRegister RDNA4_HW_REGISTERS rdna4_hwreg_code
    "no hardware register has this name: HW_REG_WAVE_MODE, HW_REG_WAVE_STATUS, say"
}

/// A message that S_SENDMSG sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Message(u8);

impl Message {
    /// The message with this number.
    #[must_use]
    pub const fn new(number: u8) -> Self {
        Message(number)
    }

    /// The message that text calls so.
    ///
    /// # Errors
    /// If no message has this name.
    pub const fn named(name: &str) -> Result<Self, ValueError> {
        // A name has the same number in all generations.
        let number = match look_up!(MESSAGES, name, "") {
            Err(_) => look_up!(RDNA4_MESSAGES, name, "no message has this name: MSG_INTERRUPT, MSG_DEALLOC_VGPRS, say"),
            known => known,
        };
        match number {
            Ok(number) => Ok(Message(number)),
            Err(error) => Err(error),
        }
    }
}

/// A version of the microcode, as S_VERSION has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MicrocodeVersion(u16);

impl MicrocodeVersion {
    /// The version that text calls so.
    ///
    /// # Errors
    /// If no version has this name.
    pub const fn named(name: &str) -> Result<Self, ValueError> {
        match look_up!(CODE_VERSIONS, name, "no version has this name: UC_VERSION_GFX11, say") {
            Ok(version) => Ok(MicrocodeVersion(version as u16)),
            Err(error) => Err(error),
        }
    }

    /// The same with a flag set: `UC_VERSION_W32_BIT`, say.
    ///
    /// # Errors
    /// If no flag has this name.
    pub const fn with(self, flag: &str) -> Result<Self, ValueError> {
        match look_up!(CODE_VERSION_BITS, flag, "no flag has this name: UC_VERSION_W32_BIT, say") {
            Ok(bit) => Ok(MicrocodeVersion(self.0 | bit)),
            Err(error) => Err(error),
        }
    }
}

/// A pixel attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attribute(u8);

impl Attribute {
    /// The attribute with this number.
    ///
    /// # Errors
    /// Above 32.
    pub const fn new(number: u8) -> Result<Self, ValueError> {
        if number <= 32 { Ok(Attribute(number)) } else { Err(ValueError("attributes have the numbers 0 to 32")) }
    }
}

/// A channel of a pixel attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Channel {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
    /// The fourth.
    W,
}

/// Where an export goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExportTo(u8);

impl ExportTo {
    /// The target that text calls so: `mrt0` to `mrt7`, `mrtz`, `pos0` to `pos4`, `prim`, `dual_src_blend0` and `1`.
    ///
    /// # Errors
    /// If no target has this name.
    pub const fn named(name: &str) -> Result<Self, ValueError> {
        let mut i = 0;
        while i < EXPORT_TARGETS.len() {
            if same(EXPORT_TARGETS[i].1, name) {
                return Ok(ExportTo(EXPORT_TARGETS[i].0 as u8));
            }
            i += 1;
        }
        Err(ValueError("no target of exports has this name: mrt0, mrtz, pos0, prim, say"))
    }
}

/// The format of a typed buffer's elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ElementFormat(u8);

impl ElementFormat {
    /// The format that the guide calls so: `32_FLOAT`, `8_8_8_8_UNORM`.
    ///
    /// # Errors
    /// If no format has this name.
    pub const fn named(name: &str) -> Result<Self, ValueError> {
        match position(&BUFFER_FORMATS, name, "no format of buffers has this name: 32_FLOAT, 8_8_8_8_UNORM, say") {
            Ok(code) => Ok(ElementFormat(code as u8)),
            Err(error) => Err(error),
        }
    }

    /// The code in the field.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.0
    }
}

written! {
    Message, message, out => out.dec(message.0.into());
    MicrocodeVersion, version, out => out.dec(version.0.into());
    Attribute, attribute, out => {
        out.push("attr");
        out.dec(attribute.0.into());
    };
    Channel, channel, out => out.push([".x", ".y", ".z", ".w"][channel as usize]);
    ExportTo, target, out => {
        let name = EXPORT_TARGETS.iter().find(|(code, _)| *code == u32::from(target.0)).map_or("", |(_, name)| name);
        out.push(name);
    };
}

macro_rules! numbers {
    ($($ty:ty, $self:ident => $number:expr;)*) => {$(
        impl From<$ty> for isa::Op {
            #[inline]
            fn from($self: $ty) -> isa::Op {
                isa::Op::int($number.into())
            }
        }
    )*};
}

numbers! {
    Message, message => message.0;
    MicrocodeVersion, version => version.0;
    Attribute, attribute => attribute.0;
    Channel, channel => channel as u8;
    ExportTo, target => target.0;
}

/// Which lane of a row each lane reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DppCtrl {
    /// Each group of four lanes reads these four of it.
    QuadPerm([u8; 4]),
    /// A control by its index in the table of names, and its number.
    Control(u8, u8),
}

macro_rules! controls {
    ($($(#[$doc:meta])* $method:ident $at:literal $($n:ident)?;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $method($($n: u8)?) -> Self {
            #[allow(unused_mut, unused_assignments)]
            let mut number = 0;
            $(number = $n;)?
            DppCtrl::Control($at, number)
        }
    )*};
}

impl DppCtrl {
    controls! {
        /// Each lane reads the lane 1 to 15 above it.
        row_shl 0 lanes;
        /// Each lane reads the lane 1 to 15 below it.
        row_shr 1 lanes;
        /// As [`row_shr`](Self::row_shr), round the row.
        row_ror 2 lanes;
        /// The row backwards.
        row_mirror 3;
        /// Each half of the row backwards.
        row_half_mirror 4;
        /// All lanes of a row read this one.
        row_share 5 lane;
        /// Each lane reads the lane whose number is its own xor-ed with this.
        row_xmask 6 mask;
    }

    /// Each group of four lanes reads these four of it.
    #[must_use]
    pub const fn quad_perm(lanes: [u8; 4]) -> Self {
        DppCtrl::QuadPerm(lanes)
    }

    /// The code of the field.
    pub(super) fn code(self) -> Result<u32, ValueError> {
        match self {
            DppCtrl::QuadPerm(lanes) if lanes.iter().any(|lane| *lane > 3) => {
                Err(ValueError("a group has lanes 0 to 3"))
            }
            DppCtrl::QuadPerm(lanes) => Ok(lanes.iter().rev().fold(0, |code, lane| code << 2 | u32::from(*lane))),
            DppCtrl::Control(at, number) => {
                let control = DPP_CONTROLS.get(usize::from(at)).ok_or(ValueError("no control has this index"))?;
                let nth = u32::from(number).checked_sub(control.number.unwrap_or(0));
                nth.filter(|nth| *nth < control.count)
                    .map(|nth| control.first + nth)
                    .ok_or(ValueError("a row has 16 lanes"))
            }
        }
    }
}

/// Writes ` quad_perm:[0,1,2,3]` and the like.
impl ToText for DppCtrl {
    fn write_to(&self, out: &mut Text) {
        match *self {
            DppCtrl::QuadPerm(lanes) => {
                for (i, lane) in lanes.iter().enumerate() {
                    out.push(if i == 0 { "quad_perm:[" } else { "," });
                    out.dec(u32::from(*lane));
                }
                out.push_ascii(b']');
            }
            DppCtrl::Control(at, number) => {
                if let Some(control) = DPP_CONTROLS.get(usize::from(at)) {
                    out.push(control.name);
                    if control.number.is_some() {
                        out.dec(number.into());
                    }
                }
            }
        }
    }
}
/// How long the data of a load or a store stays in caches: RDNA4's TH.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hint {
    /// As usual.
    Regular = 0,
    /// Not used again soon.
    NonTemporal = 1,
    /// Used again soon.
    HighTemporal = 2,
    /// Of a load: used for the last time. Of a store: written back. With the scope of the system, caches are bypassed.
    LastUse = 3,
    /// Not used again soon in near caches, as usual in far ones.
    NonTemporalNear = 4,
    /// As usual in near caches, not used again soon in far ones.
    NonTemporalFar = 5,
    /// Not used again soon in near caches, used again soon in far ones.
    HighTemporalFar = 6,
    /// Not used again soon in near caches, written back from far ones. Of stores only.
    WriteBackFar = 7,
}

/// Where an atomic is computed, and how long its data stays in caches: the higher bits of RDNA4's TH.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicHint {
    /// In the nearest cache of the scope.
    Regular = 0,
    /// Not used again soon.
    NonTemporal = 1,
    /// In several caches one after the other: of atomics that return nothing, with the scope of the device or the system.
    Cascade = 2,
    /// As [`Cascade`](Self::Cascade), and not used again soon.
    CascadeNonTemporal = 3,
}

/// How far an access reaches: RDNA4's SCOPE.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemoryScope {
    /// The compute unit.
    Cu = 0,
    /// The shader engine.
    Se = 1,
    /// The device.
    Device = 2,
    /// The system.
    System = 3,
}
