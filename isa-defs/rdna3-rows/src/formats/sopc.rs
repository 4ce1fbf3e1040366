//! Scalar comparisons.

use isa::isa;

isa! {
    /// Scalar ALU, two sources that are compared; the result is SCC. Guide §15.1.4, instructions §16.4.
    format SOPC: 32 {
        ENCODING [31:23] = 0b101111110,
        OP       [22:16] = opcode,
        SSRC1    [15:8]:  s1: Ssrc,
        SSRC0    [7:0]:   s0: Ssrc,
    }
    tail LITERAL when SSRC0 == 255 | SSRC1 == 255;
    text "{s0}, {s1}";

    for rel in [0 EQ, 1 LG, 2 GT, 3 GE, 4 LT, 5 LE] {
        0 + rel => S_CMP_{rel}_I32 (s0: i32, s1: i32);
        6 + rel => S_CMP_{rel}_U32 (s0: u32, s1: u32);
    }
    12 => S_BITCMP0_B32 (s0: b32, s1: u32);
    13 => S_BITCMP1_B32 (s0: b32, s1: u32);
    14 => S_BITCMP0_B64 (s0: b64, s1: u32);
    15 => S_BITCMP1_B64 (s0: b64, s1: u32);
    16 => S_CMP_EQ_U64  (s0: u64, s1: u64);
    17 => S_CMP_LG_U64  (s0: u64, s1: u64);
}
