//! Scalar comparisons.

use isa::isa;

isa! {
    /// Scalar ALU, two sources that are compared; the result is SCC. Guide §15.1.4, instructions §16.4.
    format SOPC: 32 of rdna3, rdna3_5 {
        ENCODING [31:23] = 0b101111110,
        OP       [22:16] = opcode,
        SSRC1    [15:8]:  s1: Ssrc,
        SSRC0    [7:0]:   s0: Ssrc,
    }
    // `bit_constants`: constants have 16 bits, and text has them as bits: 0x3c00 is a literal.
    words bit_constants;
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

    // rdna3 rdna3_5
    for rel in [1 LT, 2 EQ, 3 LE, 4 GT, 5 LG, 6 GE, 7 O, 8 U, 9 NGE, 10 NLG, 11 NGT, 12 NLE, 13 NEQ, 14 NLT] {
        - 64 + rel => S_CMP_{rel}_F32 (s0: f32, s1: f32);
        - 80 + rel => S_CMP_{rel}_F16 (s0: f16, s1: f16) bit_constants;
    }
}
