//! A made-up instruction set that uses every keyword of docs/reference/row-language.md at least once, in unusual ways where they are
//! legal.
//!
//! Its operand classes work in any set with this mode and these values, and the compile-error cases use them too.

use isa::{isa, isa_set};

/// Makes a set of the caller's blocks with the modes, values and operand classes of this module: `toy_set! { F, G }`, or for one
/// generation `toy_set! { of old; F }`.
#[macro_export]
macro_rules! toy_set {
    (of $generation:ident; $($blocks:tt)+) => { $crate::toy_set! { @ (of $generation) $($blocks)+ } };
    (@ ($($generation:tt)*) $($blocks:tt)+) => {
        ::isa::isa_set! {
            set Set $($generation)*;
            mode $crate::toy::Mode { Narrow, Wide };
            value $crate::toy::Value;
            operands $crate::toy::operands;
            // The tables of the classes are in this crate.
            #[cfg(any())]
            inst;
            formats { $($blocks)+ }
        }
    };
    ($($blocks:tt)+) => { $crate::toy_set! { @ () $($blocks)+ } };
}

/// How wide a lane mask is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// One register.
    Narrow,
    /// Two registers.
    Wide,
}

/// The files of registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    /// The only file.
    Reg,
    /// The carry bit.
    Carry,
}

/// The value of an operand.
pub type Value = isa::Meaning<File>;

/// The operand classes.
pub mod operands {
    use isa::{Class, Cx, Isa, isa};

    use super::{File, Mode, Value};

    /// Any set with this mode and these values.
    pub trait Sets: Isa<Mode = Mode, Value = Value> {}

    impl<I: Isa<Mode = Mode, Value = Value>> Sets for I {}

    isa! {
        operands CLASSES for I: Sets;
        value super::Value of File;
        mode super::Mode { Narrow, Wide };
        masks 1 2 "a lane mask is one register, and two in the wide mode";

        values {
            0..=63   reg     "r{}";
            64..=127 int     0..=63;
            253      nothing as carry "??" printed;
            255      literal LIT;
        }

        wide = reg, called "a register";

        /// Registers, as many as the type takes.
        operand Reg -> u32 = reg, dwords mode;
        /// Registers from an even one on.
        operand Pair -> u32 = reg, dwords mode, check even, says "a pair begins with an even register";
        /// A register below 64, a number from 64 on, or the literal. 253 has no name, and yet others print it.
        operand Src -> u32 = reg | int | literal, dwords mode, prints nothing;
        /// A number.
        number Number = 0..=0xffff, bits 16, any width;
        /// A signed number of 12 bits.
        number Signed = -2048..=2047, signed;
        /// The literal by itself.
        number Literal = -0x8000_0000..=0xffff_ffff, text "{x}";
        /// The carry bit, which no field names.
        number Carry -> () = 0..=0, write write_carry, value carry;
        /// A modifier that writes its name where it is 1.
        modifier Flag = flag;
        /// A modifier that writes its name and value where that is not 0.
        modifier Setting = 0..=255, text " {name}:{}", any width;
    }

    fn even<I: Isa>(cx: &Cx<'_, I>, code: u32) -> bool {
        matches!(cx.ty.class(), Class::Mask) || code.is_multiple_of(2)
    }

    fn write_carry<I: Isa>(_: &Cx<'_, I>, _: u32, out: &mut isa::Text) {
        out.push("cy");
    }

    const fn carry<I: Isa>(_: &Cx<'_, I>, _: u32) -> Value {
        isa::Meaning::Registers { file: File::Carry, first: 0, count: 1, half: None }
    }
}

/// The types behind the typed builders of the set.
pub mod builder {
    use std::marker::PhantomData;

    use isa::build::{Dwords, InstBuilder, Narrow};
    use isa::inst::{File, Reg};

    use super::{Mode, Toy};

    /// `N` registers.
    #[derive(Clone, Copy, Debug)]
    pub struct Regs<const N: usize>(pub u32);

    impl<const N: usize> From<Regs<N>> for isa::Op {
        fn from(registers: Regs<N>) -> isa::Op {
            isa::Op::reg(Reg::new(File(0), registers.0, N as u8))
        }
    }

    /// The traits of what operands admit.
    pub mod slots {
        use isa::Isa;

        use super::{Dwords, InstBuilder, Narrow, Regs};

        macro_rules! slots {
            ($($(#[$doc:meta])* $slot:ident)*) => {$(
                $(#[$doc])*
                pub trait $slot<T> {
                    /// Adds the operand.
                    fn fill<I: Isa>(self, inst: &mut InstBuilder<I>);
                }
            )*};
        }

        slots! {
            /// Registers.
            Registers
            /// A register that holds a mask.
            Mask
            /// Registers or a number.
            Source
            /// A number.
            Constant
        }

        impl<const N: usize, T: Dwords<N>> Registers<T> for Regs<N> {
            fn fill<I: Isa>(self, inst: &mut InstBuilder<I>) {
                inst.push(self.into());
            }
        }

        impl<T> Mask<T> for Regs<1> {
            fn fill<I: Isa>(self, inst: &mut InstBuilder<I>) {
                inst.push(self.into());
            }
        }

        impl<const N: usize, T: Dwords<N>> Source<T> for Regs<N> {
            fn fill<I: Isa>(self, inst: &mut InstBuilder<I>) {
                inst.push(self.into());
            }
        }

        impl<T: Narrow> Source<T> for i32 {
            fn fill<I: Isa>(self, inst: &mut InstBuilder<I>) {
                inst.push(self.into());
            }
        }

        impl<T> Constant<T> for i32 {
            fn fill<I: Isa>(self, inst: &mut InstBuilder<I>) {
                inst.push(self.into());
            }
        }
    }

    /// The markers of modifiers.
    pub mod has {
        macro_rules! markers {
            ($($marker:ident)*) => {$(
                #[doc = "A marker."]
                pub trait $marker {
                    /// The modifier.
                    const FIELD: isa::build::ModifierRange;
                }
            )*};
        }

        macro_rules! choices {
            ($($marker:ident)*) => {$(
                #[doc = "A marker."]
                pub trait $marker {}
            )*};
        }

        markers! { Round Shuffle Clamp Neg Glc Nt }
        choices! { S L X Y }
    }

    macro_rules! builders {
        ($($(#[$doc:meta])* $name:ident)*) => {$(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name<M> {
                /// The instruction.
                pub inst: InstBuilder<Toy>,
                marker: PhantomData<M>,
            }

            impl<M> $name<M> {
                /// An instruction.
                #[must_use]
                pub fn new(inst: InstBuilder<Toy>) -> Self {
                    $name { inst, marker: PhantomData }
                }
            }
        )*};
    }

    builders! {
        /// An instruction under construction.
        Builder
        /// Half of a pair.
        DualHalf
    }

    impl<M> Builder<M> {
        /// The text of the instruction, or the error.
        #[must_use]
        pub fn text(&self) -> String {
            match self.inst.encode_unchecked(Mode::Narrow) {
                Ok(instr) => instr.display(Mode::Narrow).to_string(),
                Err(error) => error.to_string(),
            }
        }

        /// Rounds.
        #[must_use]
        pub fn round(mut self) -> Self
        where
            M: has::Round,
        {
            self.inst.set(M::FIELD.modifier(), 1);
            self
        }

        /// Reads another lane.
        #[must_use]
        pub fn shuffle(mut self, control: u32) -> Self
        where
            M: has::Shuffle,
        {
            self.inst.set_number(M::FIELD, control.into());
            self
        }

        /// Asks for the long encoding.
        #[must_use]
        pub fn long(mut self) -> Self
        where
            M: has::L,
        {
            self.inst.ask_for("_l");
            self
        }
    }
}

isa! {
    /// A constant.
    dword LIT {
        VALUE [31:0]: k: Literal,
    }
}

isa! {
    /// The first source comes from another lane.
    dword SHUF {
        SRC      [7:0]:   s0: Reg,
        CTRL     [15:8]:  mod ctrl: Setting,
        BOUND    [16]:    mod bound: Flag if !(s0 is packed),
        RESERVED [31:17]  reserved,
    }
    text "{bound}{ctrl}" if d is float;
    text "{ctrl}{bound}";
}

isa! {
    /// Two sources. The opcode is in two runs, the lower part in the lowest bits.
    format A2: 32 {
        ENCODING [31:30]      = 0b00,
        OP       [29:26, 1:0] = opcode,
        D        [25:21]: out d: Reg,
        S1       [20:16]: s1: Reg,
        S0       [15:8]:  s0: Src,
        ROUND    [7]:     mod round: Flag if d is float & !(d is 64 | d is packed) else reserved,
        ONE      [6]      reserved = 1,
        ZERO     [5:2]    reserved,
        implied out carry: Carry,
    }
    flags quick, chatty;
    suffix "_s";
    dword LIT when S0 == 255 if !(s0 is 64);
    dword SHUF when S0 == 254 if quick suffix "_shuf";
    promotes to A3 at 0x40 if !(d is mask);
    text "!{s0}" if chatty;
    text "{d}, {carry}, {s0}, {s1}{round}";

    0x00 => ADD    (d: u32, s0: u32, s1: u32) quick;
    0x01 => FADD   (d: f32, s0: f32, s1: f32) quick;
    0x02 => ADDC   (d: u32, carry: b1, s0: u32, s1: u32);
    0x03 => WIDEN  (d: u64 as Pair, s0: u32, s1: u32);
    0x04 => MADK   (d: f32, s0: f32, k: f32, s1: f32) always LIT, no A3, text "{d}, {s0} * {k}, {s1}";
    0x05 => ACC    (d: inout i32, s0: i32) quick, no SHUF;
    0x06 => PACK   (d: f16x2, s0: f16x2, s1: bf16x2) quick;
    0x07 => TOMASK (d: mask, s0: b32);
    0x08 => NOTHING () no A3;
    0x09 => SAY    (s0: b32) chatty, as "say.it", bare;
    0x0A => LONG   (d: u64, s0: u64) only Wide, fix S1 = 0x1F;
    0x0B => ODD    (d: u32, s0: u32 as Pair) quick;
    0x31 => FAR    (s1: b32);
}

isa! {
    /// Three sources, and the rows that are promoted to this format.
    format A3: 64 {
        ENCODING [31:29] = 0b100,
        OP       [28:20] = opcode,
        D        [19:13]: out d: Reg,
        CLAMP    [12]:    mod clamp: Flag if clamps | promoted & d is int else reserved,
        NEG      [11:9]:  mod neg: Setting if s0 is float else reserved,
        SPARE    [8:0]    reserved,
        IDX      [63:56]: mod idx: Setting if s0 is packed else 0xFF,
        S2       [55:48]: s2: Src else 0x7E newer 0xFE,
        S1       [47:40]: s1: Src,
        S0       [39:32]: s0: Src,
        implied out carry: Carry,
    }
    flags clamps, special;
    require s2 | special;
    suffix "_l";
    dword LIT when S0 == 255 | S1 == 255 | S2 == 255;
    text "{d} <- {s0}" if special;
    text "{d}, {carry}, {s0}, {s1}, {s2}{neg}{idx}{clamp}";

    0 => FMA  (d: f32, s0: f32, s1: f32, s2: f32);
    1 => DOT  (d: i32, s0: iu8x4, s1: iu8x4, s2: i32) clamps;
    2 => COPY (d: b32, s0: b32) special;
}

isa! {
    /// Memory. The offset has bits in both dwords; a bit says whether atomics return what they find.
    format MEM: 64 {
        IMM      [63:56, 7:4]: offset: Signed,
        DATA     [55:50]: data | out d: Reg,
        ADDR     [49:44]: addr: Reg,
        OLD      [43:38]: out old: Reg,
        COUNT    [37:32]: count: Number else 1,
        ENCODING [31:30]  = 0b01,
        OP       [29:22]  = opcode,
        GLC      [21]:    mod glc: Flag,
        NT       [20]:    mod nt: Flag if d else reserved,
        RESERVED [19:8]   reserved,
        TAG      [3:0]    = 0b1001,
    }
    text "{d}, {old}, {data}, {offset}({addr}), {count}{glc}{nt}";

    0x01 => LOAD   (d: b32, addr: u64, offset: i12);
    0x02 => STORE  (data: b32, addr: u64, offset: i12) fix GLC = 0;
    0x03 => BLOCK  (d: b96, addr: u64, offset: i12, count: u8);
    for op in [0x10 ADD, 0x20 MAX] {
        for size in [0 X1, 1 X2] {
            0x00 + op + size => SWAP_{op}_{size} (old: u32 if GLC, data: u32, addr: u64, offset: i12);
            0x80 + op + size => UPDATE_{op}_{size}32 (data: u32 out if GLC, addr: u64, offset: i12);
        }
    }
}

isa! {
    /// Comparisons.
    format CMP: 32 {
        ENCODING [31:29] = 0b101,
        OP       [28:25] = opcode,
        D        [24:18]: out d: Reg else reserved = 0x7E,
        FREE     [17:16]  reserved,
        S1       [15:8]:  s1: Src,
        S0       [7:0]:   s0: Src,
    }
    text "{d}, {s0}, {s1}";

    for rel in [0 LT, 1 EQ] {
        0 + rel => CMP_{rel}_U32  (d: mask, s0: u32, s1: u32);
        8 + rel => CMPX_{rel}_U32 (s0: u32, s1: u32);
    }
}

isa! {
    /// Inside the space of comparisons, which have no opcode 15. Without an opcode field: one row.
    format TRAP: 32 {
        ENCODING [31:25]     = 0b1011111,
        MAGIC    [24:20, 3:0] reserved = 0b1_0000_0001,
        CODE     [19:4]:     code: Number,
    }
    text "{code}";

    0 => TRAP (code: u16);
}

isa! {
    /// Two instructions in one, each a row of another format.
    format DUO: 64 {
        ENCODING [31:29] = 0b110,
        OPX      [28:25] = opcode x,
        OPY      [24:21] = opcode y,
        S1X      [20:16]: x.s1: Reg,
        SY       [15:8]:  y.s0: Src,
        SX       [7:0]:   x.s0: Src,
        RESERVED [63:47]  reserved,
        DY       [46:42]: y.out d: Reg,
        DX       [41:37]: x.out d: Reg,
        S1Y      [36:32]: y.s1: Reg,
    }
    components x " :: " y;
    dword LIT when SX == 255 | SY == 255;
    text "{d}, {s0}, {k}, {s1}";

    x 4 => DUO_ADD  = ADD;
    x 5 => DUO_FADD = FADD;
    x 6 => DUO_MADK = MADK;
    y 4 => DUO_ADD  = ADD;
    y 9 => DUO_MADK = MADK;
}

isa! {
    /// There in one mode only.
    format SYNC: 32 {
        ENCODING [31:29] = 0b111,
        OP       [28:27] = opcode,
        RESERVED [26:0]  reserved,
    }
    only Wide;

    1 => SYNC_ALL ();
}

isa_set! {
    /// The made-up set.
    set Toy;
    mode self::Mode { Narrow, Wide };
    value self::Value;
    operands self::operands;
    build self::builder {
        Reg if it is mask => Mask,
        Src if special | chatty => Registers,
        Reg | Pair => Registers,
        Src => Source,
        Number | Signed | Literal => Constant,
        mod ctrl | bound => Shuffle,
        mod idx => _,
        mod Setting if !special => Neg,
    }
    formats { A2, A3, MEM, CMP, TRAP, DUO, SYNC, LIT, SHUF, self::operands::CLASSES }
}
