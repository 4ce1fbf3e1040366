//! A made-up set in three generations, which share their rows: what docs/reference/row-language.md says of generations.

use isa::isa;

isa! {
    /// Memory: the opcode grows, a flag moves, an offset comes with the second generation and widens with the third.
    format MEM: 32 of early, middle, late {
        ENCODING [31:28]     = 0b0101,
        OP       [27:24]     = opcode in early | middle,
        OP       [27:23]     = opcode in late,
        WIDE     [23]:         mod wide: Flag in early,
        STAY     [23]          reserved in middle,
        DATA     [22:19]:      data | out d: Reg,
        ADDR     [18:15]:      addr: Reg,
        GLC      [14]:         mod glc: Flag in early,
        GLC      [0]:          mod glc: Flag in middle | late,
        RESERVED [13:0]        reserved in early,
        RESERVED [14]          reserved = 1 in middle | late,
        OFFSET   [8:1]:        offset: Number in middle,
        OFFSET   [13:1]:       offset: Number else 7 in late,
        RESERVED1 [13:9]       reserved in middle,
    }
    flags load, atomic;
    dword MORE when ADDR == 15 if load;
    text "{d}, {data}, [{addr}] late{glc}" if late & !offset;
    text "{d}, {data}, {offset}({addr}){glc}" if offset;
    text "{d}, {data}, {addr}{wide}{glc}";

    //      early middle late
    0                   => LOAD  (d: b32, addr: u32, offset: u12) load;
    1       2      18   => STORE (data: b32, addr: u32, offset: u12);
    -       3      3    => SWAP  (data: inout b32, addr: u32, offset: u12) also "xchg", as "exchange" in late, atomic in late;
    -       7      7    => PEEK  (d: b32 if !GLC, addr: u32, offset: u12);
    -       -      4    => TOUCH (addr: u32) fix GLC = 1, text "[{addr}]";
    for size in [0 B, 1 H] {
        4 + size  8 + size  16 + size => LOAD_{size} (d: u8, addr: u32) load;
    }
    6       -      -    => FLUSH () as "flush.all", fix WIDE = 1, text "";
}

isa! {
    /// A dword that the late generation alone has after an instruction.
    dword MORE of late {
        VALUE [31:0]: addr: Literal,
    }
}

isa! {
    /// A format that comes with the second generation.
    format NEXT: 32 of middle, late {
        ENCODING [31:28] = 0b0110,
        OP       [27:26] = opcode,
        D        [25:18]: out d: Reg,
        S        [17:10]: s: Src,
        SPARE    [9:0]    reserved,
    }
    text "{d}, {s}";

    1    2    => NEG (d: i32, s: i32);
    -    1    => NOT (d: b32, s: b32);
}

isa! {
    /// A format of three dwords in the third generation, whose first two share a column.
    format FAR: 64 96 of (early, middle), late {
        ENCODING [31:28] = 0b0111,
        OP       [27:24] = opcode,
        D        [23:20]: out d: Reg,
        S        [19:16]: s: Reg,
        SPARE    [15:0]   reserved,
        OFFSET   [63:32]: offset: Number in early | middle,
        HINT     [63:33]  ignored = 3 in late,
        GLC      [32]:    mod glc: Flag in late,
        OFFSET   [95:64]: offset: Number in late,
    }
    text "{d}, {offset}({s}){glc}";

    //(early, middle) late
    0                 => FAR_LOAD  (d: b32, s: u32, offset: u32);
    1              2  => FAR_MOVE  (d: b32, s: u32, offset: u32) named FAR_COPY in late, also "far_take" in late;
    3                 => FAR_SWAP  (d: b32, s: u32, offset: u32) in middle | late;
    -              4  => FAR_CLEAR (d: b32, s: u32, offset: u32);
}

macro_rules! age {
    ($(#[$doc:meta])* $module:ident, $name:ident) => {
        $(#[$doc])*
        pub mod $module {
            isa::isa_set! {
                $(#[$doc])*
                set $name of $module;
                mode crate::toy::Mode { Narrow, Wide };
                value crate::toy::Value;
                operands crate::toy::operands;
                // The tables of the classes are in another crate.
                #[cfg(any())]
                inst;
                formats { super::MEM, super::NEXT, super::FAR, super::MORE }
            }
        }
    };
}

age! {
    /// The first generation.
    early, Early
}
age! {
    /// The second generation.
    middle, Middle
}
age! {
    /// The third generation.
    late, Late
}
