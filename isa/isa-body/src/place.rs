//! The places that bodies read and write besides their operands: state of the wave, and memory.

/// Defines an enum with a name for each variant, and its conversions from numbers and names.
macro_rules! named {
    ($(#[$docs:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$docs])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// All values, in the order of their numbers.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Returns the name in the row language.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// Returns the value with a name of the row language.
            #[must_use]
            pub fn from_name(name: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|value| value.name() == name)
            }

            /// Returns the value with a number.
            #[must_use]
            pub(crate) fn from_number(number: u8) -> Option<$name> {
                $name::ALL.get(usize::from(number)).copied()
            }
        }
    };
}
pub(crate) use named;

named! {
    /// State of a wave that instructions read or write without an operand.
    State {
        /// The scalar condition code, `u1`.
        Scc = "scc",
        /// The vector condition code: the lane's bit, or `u64` once a wave.
        Vcc = "vcc",
        /// The execute mask: the lane's bit, or `u64` once a wave.
        Exec = "exec",
        /// VCC's low dword, `u32`; for bodies that run once a wave.
        VccLo = "vcc_lo",
        /// EXEC's low dword, `u32`; for bodies that run once a wave.
        ExecLo = "exec_lo",
        /// Whether no lane of the wave has a bit in VCC, `u1`; read only.
        Vccz = "vccz",
        /// Whether no lane of the wave has a bit in EXEC, `u1`; read only.
        Execz = "execz",
        /// M0, `u32`.
        M0 = "m0",
        /// The address of the next instruction, `u64` (or the set's address width); writing it branches.
        Pc = "pc",
        /// The mode register, `u32`.
        Mode = "mode",
        /// The status register, `u32`.
        Status = "status",
        /// FLAT_SCRATCH, `u64`.
        FlatScratch = "flat_scratch",
    }
}

named! {
    /// An access to memory, by the name that bodies use. The format's `address` clauses say which address it has.
    Place {
        /// Memory.
        Mem = "mem",
        /// The local data share, or the global one.
        Lds = "lds",
        /// The second address of a two-address LDS instruction.
        Lds1 = "lds1",
        /// An element of a buffer or image whose format converts it: `texel.b32x4` is four components of 32 bits.
        Texel = "texel",
    }
}

named! {
    /// An address space.
    Space {
        /// Global memory through a 64-bit address.
        Global = "global",
        /// The private memory of a lane.
        Scratch = "scratch",
        /// A flat address, which selects global memory, scratch or LDS by its value.
        Flat = "flat",
        /// The local data share.
        Lds = "lds",
        /// The global data share.
        Gds = "gds",
        /// Memory through the scalar cache.
        Scalar = "scalar",
        /// Memory through a buffer resource.
        Buffer = "buffer",
        /// An image.
        Image = "image",
    }
}
