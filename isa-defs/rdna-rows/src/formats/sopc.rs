//! Scalar comparisons.

use isa::isa;

isa! {
    /// Scalar ALU, two sources that are compared; the result is SCC. Guide §15.1.4, instructions §16.4.
    format SOPC: 32 of (rdna3, rdna3_5), rdna4 {
        ENCODING [31:23] = 0b101111110,
        OP       [22:16] = opcode,
        SSRC1    [15:8]:  s1: Ssrc,
        SSRC0    [7:0]:   s0: Ssrc,
    }
    // `bit_constants`: constants have 16 bits, and text has them as bits: 0x3c00 is a literal.
    flags bit_constants;
    dword LITERAL when SSRC0 == 255 | SSRC1 == 255;
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

    for rel in [1 LT { s0 < s1 }, 2 EQ { s0 == s1 }, 3 LE { s0 <= s1 }, 4 GT { s0 > s1 }, 5 LG { s0 < s1 || s0 > s1 }, 6 GE { s0 >= s1 },
        7 O { s0 == s0 && s1 == s1 }, 8 U { s0 != s0 || s1 != s1 }, 9 NGE { !(s0 >= s1) }, 10 NLG { !(s0 < s1 || s0 > s1) },
        11 NGT { !(s0 > s1) }, 12 NLE { !(s0 <= s1) }, 13 NEQ { s0 != s1 }, 14 NLT { !(s0 < s1) }] {
        64 + rel => S_CMP_{rel}_F32 (s0: f32, s1: f32) in rdna3_5 | rdna4 { scc = rel; }
        80 + rel => S_CMP_{rel}_F16 (s0: f16, s1: f16) in rdna3_5 | rdna4, bit_constants { scc = rel; }
    }
}
