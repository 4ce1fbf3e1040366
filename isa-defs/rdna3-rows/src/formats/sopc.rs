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
    run wave;

    for rel in [0 EQ { s0 == s1 }, 1 LG { s0 != s1 }, 2 GT { s0 > s1 }, 3 GE { s0 >= s1 }, 4 LT { s0 < s1 }, 5 LE { s0 <= s1 }] {
        0 + rel => S_CMP_{rel}_I32 (s0: i32, s1: i32) { scc = rel; }
        6 + rel => S_CMP_{rel}_U32 (s0: u32, s1: u32) { scc = rel; }
    }
    12 => S_BITCMP0_B32 (s0: b32, s1: u32) { scc = !s0[s1[4:0]]; }
    13 => S_BITCMP1_B32 (s0: b32, s1: u32) { scc = s0[s1[4:0]]; }
    14 => S_BITCMP0_B64 (s0: b64, s1: u32) { scc = !s0[s1[5:0]]; }
    15 => S_BITCMP1_B64 (s0: b64, s1: u32) { scc = s0[s1[5:0]]; }
    16 => S_CMP_EQ_U64  (s0: u64, s1: u64) { scc = s0 == s1; }
    17 => S_CMP_LG_U64  (s0: u64, s1: u64) { scc = s0 != s1; }
}
