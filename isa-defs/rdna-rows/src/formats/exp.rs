//! Exports.

use isa::isa;

isa! {
    /// Hands colours, depth, positions or primitives from a shader to the fixed-function hardware. Guide §15.10.1,
    /// instruction §16.19.
    format EXP: 64 of (rdna3, rdna3_5), rdna4 {
        // Which sources are there; text shows the others as `off`.
        EN        [3:0]:   mod en: ExportEnable,
        TARGET    [9:4]:   mod target: ExportTarget,
        RESERVED1 [10]     reserved,
        DONE      [11]:    mod done: Flag,
        RESERVED2 [12]     reserved,
        ROW       [13]:    mod row_en: Flag,
        RESERVED3 [25:14]  reserved,
        ENCODING  [31:26] = 0b111110,
        VSRC0     [39:32]: s0: ExportSource,
        VSRC1     [47:40]: s1: ExportSource,
        VSRC2     [55:48]: s2: ExportSource,
        VSRC3     [63:56]: s3: ExportSource,
    }
    text "{target} {s0}, {s1}, {s2}, {s3}{done}{row_en}";
    run lanes;
    // The number of the row.
    reads m0 when row_en;

    // There is no opcode field.
    0 => EXPORT (s0: b32, s1: b32, s2: b32, s3: b32) as "exp" in rdna3 | rdna3_5, also "exp" in rdna4 { external(s0, s1, s2, s3); }
}
