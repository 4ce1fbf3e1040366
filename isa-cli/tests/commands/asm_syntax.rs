//! Lexical rules, macros, repetitions, conditions and directives of data: the bytes that llvm-mc 22 gives for each program, or its refusal.

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::run;
use object::{Object as _, ObjectSection as _};

/// Programs for gfx1100 and the bytes of their `.text` in hex; `None` if llvm-mc 22 refuses them.
#[rustfmt::skip]
const PROGRAMS: &[(&str, Option<&str>)] = &[
    ("s_mov_b32 /* a\nb */ s0, s1\n", Some("010080be")),
    (".ascii \"a\nb\"\n", Some("610a62")),
    ("s_nop 1\rs_nop 2\r\ns_nop 3\r", Some("010080bf020080bf030080bf")),
    ("s_nop 1 \x0b\n", None),
    ("s_nop\x0c 1\n", None),
    ("\x0bs_nop 1\n", None),
    (".byte 1\x0b,2", None),
    ("/* x */ # foo\n.byte 1\n", None),
    ("/* x */ .byte 1\n", Some("01")),
    ("a: # foo\n.byte 1\n", Some("01")),
    ("a: b: /* c */ # \"\n.byte 1\"\n", Some("")),
    ("1: # foo\n.byte 1\n", Some("01")),
    ("a: .byte 2 # foo\n.byte 1\n", None),
    (".byte 2# foo\n.byte 1\n", None),
    (".byte ';', '\"', '/', '#'\n.byte 1\n", Some("3b222f2301")),
    (".byte '\\n', '\\t', '\\b', '\\f', '\\r', '\\q', '\\'', ''', '\\\\', '\"'\n", Some("0a09080c0d7127275c22")),
    (".macro M\n.byte 1\n/* c */ .endm\n.byte 2\n.endm\n.byte 3\n", Some("03")),
    (".macro M\n.byte 1\n.endm /* c */\nM\n", None),
    (".macro M\n.byte 1\n.endm ; c\nM\n", Some("01")),
    (".macro M\n.byte 1\n.endm // c\nM\n", Some("01")),
    (".MACRO M\n.byte 1\n.endm\nM\n", Some("01")),
    (".base64 \"QUJDRA==\", \"QQ==\"  , \"QR==\" ; c\n.BASE64 \"+/8=\"\n.base64\n", Some("414243444141fbff")),
    (".base64 \"\"\n", None),
    (".base64 \"QUJDRA\"\n", None),
    (".base64 \"QQ=A\"\n", None),
    (".base64 \"QQ==QUJD\"\n", None),
    (".base64 \"QUJ DRA=\"\n", None),
    (".base64 \"QU\\112D\"\n", None),
    (".base64 \"QUJD\" \"QUJD\"\n", None),
    (".base64 \"QUJD\",\n", None),
    (".base64 QUJD\n", None),
    (".set x, u\n.set y, u+4\n.set z, 5-u\n.ifdef x\n.byte 1\n.endif\n.ifdef y\n.byte 2\n.endif\n.ifndef z\n.byte 3\n.endif\nu = 1\n", Some("03")),
    (".set x, u-v\n.ifdef x\n.byte 1\n.endif\nu = 5\nv = 6\n", Some("01")),
    (".set x, u\nu:\n.ifdef x\n.byte 1\n.endif\n", Some("01")),
    (".set x, u*2\n.ifdef x\n.byte 1\n.endif\nu = 5\n", Some("")),
    (".weakref r, a\n.ifdef r\n.byte 1\n.endif\na:\n.ifdef r\n.byte 2\n.endif\n", Some("02")),
    (".ifdef .\n.endif\n", None),
    (".type ., @function\n", None),
    (".byte 1\n.p2align 2, 0, 3\n.byte 2\n.p2align 2, 0, 2\n.byte 3\n", Some("010000000203")),
    (".byte 1\n.p2align 2, 0, 0\n", None),
    (".p2align 2, , -1\n", None),
    (".type f@function\n", None),
    (".type f @function\n.type \"f\"@function\n", Some("")),
    (".globl .Lx\n", None),
    (".long .Lx\n", None),
    (".weak .Lx\n.long .Lx\n", None),
    ("s_mov_b32 s0, .Lx@rel32@lo\n", None),
    (".reloc 0, R_AMDGPU_ABS32, .Lx\n.long 0\n", None),
    ("a = 1\n.long a@ abs32@lo\n", None),
    (".weakref e k\n", None),
    (".weakref e, k\ne = 5\n", None),
    (".weakref e, k\n.set e, 5\n", None),
    (".weakref e, k\ne:\n", None),
    ("e = 4\n.weakref e, k\n", None),
    ("e:\n.weakref e, k\n", None),
    (".weakref e, k\ns_branch e\n", None),
    (".weakref e, k\n.if e - k\n.endif\nk:\n", None),
    (".weakref e, k\n.byte e - k, e\n.weakref e, k\nk = 7\n", Some("0007")),
    (".weakref e, k\n.globl k\nk: s_branch e\n", Some("ffffa0bf")),
    (".symver f, f\n", None),
    (".symver f f@V\n", None),
    (".symver f, f@V, keep\n", None),
    (".symver f, f@@V\n", None),
    (".symver f, f@V\n.comm f, 4\n", None),
    (".symver f, f@V1\n.symver f, f@V2\n.long f\n", None),
    ("f:\n.symver f, f@V1, remove\n.symver f, f@V2, remove\n", None),
    (".symver s1, s1@V\ns_mov_b32 s0, 1\n", Some("810080be")),
    (".cg_profile f, g, 10\nf: .byte 1\n.cg_profile .La, \"g h\", 0xffffffffffffffff\n.La:\n", Some("01")),
    (".cg_profile f, g\n", None),
    (".cg_profile f, g, -1\n", None),
    (".cg_profile f, g, 1+2\n", None),
    (".cg_profile f, .Lx, 1\n", None),
    (".BYTE 1\n.IF 1\n.LONG 5U, 6ULL, 0x7L\n.ENDIF", Some("01050000000600000007000000")),
    ("é = 1\n.byte é", None),
    ("$a = 1\n.byte $a", Some("01")),
    ("$1 = 2\n$.a$ = 3\n.byte $1, $.a$", Some("0203")),
    ("$ = 1\n", None),
    ("$$a = 1\n", None),
    ("$?a = 1\n", None),
    (".globl $\n", None),
    (".byte $\n", None),
    ("a?b = 1\n.byte a?b", Some("01")),
    (".ascii \"abc\n", None),
    (".if 0\n.ascii \"abc\n.endif\n.byte 1\n.if 0\n\"\n.endif\n.byte 7\n", Some("07")),
    (".if 0\ndon't do\n.endif\n.byte 1\n", Some("01")),
    (".if 0\ndon'\n.endif\n.byte 1\n", None),
    (".byte 1 \\\n,2\n", None),
    (".byte 1 /* */, 2 /*x*/,/**/3//4\n;c\n  ;d\n.byte 5;6\n .byte 6\n# 12 \"foo.c\"\n .byte 7\n", Some("010203050607")),
    (".byte 1 /* abc", None),
    (".byte 1 // abc */ /*\n.byte 2", Some("0102")),
    (".byte 6/ 2\n.byte 6/2\n.byte 8//2\n", Some("030308")),
    (".byte 1,2 3\n", None),
    (".asciz \"a\" \"b\"\n", None),
    (".ascii \"a\" \"b\", \"c\" \"d\"\n", Some("61626364")),
    (".string \"x\" \"y\"\n", None),
    (".asciz \"a\", \"b\"\n", Some("61006200")),
    (".file \"a.c\"\n.file 1 \"a.c\"\n.loc 1\n.loc 1 2\n.loc 1 2 3 is_stmt 1-1 isa 4 discriminator 5+3\n.byte 1\n", Some("01")),
    (".file 0 \"d\" \"a.c\" md5 0x00112233445566778899aabbccddeeff source \"x\"\n.loc 0 2 prologue_end\n.byte 1\n", Some("01")),
    (".loc 1 2\n", None),
    (".file 1 \"a.c\"\n.loc 0 2\n", None),
    (".file 1 \"a.c\"\n.loc 1 2, 3\n", None),
    (".file 1 \"a.c\"\n.loc 1 -2\n", None),
    (".file 1 \"a.c\"\n.loc 1 1 1 1\n", None),
    (".file 1 \"a.c\"\n.loc 1 1 is_stmt 2\n", None),
    (".file 1 \"a.c\"\n.loc 1 1 isa -1\n", None),
    (".file 1 \"a.c\"\n.loc 1 1 view 3\n", None),
    (".file 1 \"a.c\"\n.file 1 \"a.c\"\n", None),
    (".file 2 \"a.c\"\n", None),
    (".file \"d\" \"a.c\"\n", None),
    (".file 1 \"a.c\" sha 5\n", None),
    (".file 1\n", None),
    (".line\n.line 5\n.byte 1\n", Some("01")),
    (".line foo\n", None),
    (".previous\n", None),
    (".pushsection .a\n.popsection\n.previous\n", None),
    (".data\n.previous\n.byte 1\n.previous\n.long 5\n.previous\n.byte 2\n", Some("0102")),
    (".set a, a+1\n", None),
    ("a = a - a\n", None),
    (".equiv a, a\n", None),
    (".set a, b\n.set b, c\n.set c, a-1\n", None),
    ("a = 1\na = a + 1\na = a * 3\n.byte a\n", Some("06")),
    ("x: a = x\na = a + 4\n.byte a - x\n", Some("04")),
    ("a = b\n.byte c\na = a + 1\nb = 2\nc = a\n", Some("03")),
    (".set a, foo-bar\n", None),
    (".set a, foo-foo\n", None),
    ("l: .byte 1\n.set a, l*2\n", None),
    ("l: .byte 1\n.set a, -l\n", None),
    ("l: .byte 1\n.set a, l==l\n", None),
    (".set a, 1/(m-l)\nl: m: .byte 1\n", None),
    ("l: .byte 1\n.data\nm:\n.set a, m-l\n", None),
    (".set a, max(und, 1)\n", None),
    (".set a, foo@rel32@lo\n", None),
    (".comm c, 4\n.set a, c+1\n", None),
    (".comm c, 4\n.set .La, c\n.long .La\n", None),
    (".set .La, foo-bar\n.set b, und+4\n.set c, (m-l)*2\n.set d, foo-bar\n.set d, 1\n.set e, max(m-l, 1)\nl: .byte 1\nm:\n", Some("01")),
    (".bss\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 1\n.amdhsa_next_free_sgpr 1\n.end_amdhsa_kernel\n", None),
    (".byte occupancy(16, 24, 1536, 9, 16, 20, 97), occupancy(10, 4, 256, 8, 10, 101, 30)\n", Some("0c07")),
    (".data.rel\n", None),
    (".data.rel.ro\n", None),
    (".eh_frame\n", None),
    (".fill -1, 4, 1\n.fill 2, -1, 4\n.byte 1\n", Some("01")),
    (".zero -1\n", None),
    (".amd_amdgpu_isa \"amdgcn-amd-amdhsa--gfx1100\"\n", None),
    (".ascii\n", Some("")),
    (".ascii \"a\",\n", None),
    (".ascii \"\\x\"\n", None),
    (".ascii \"\\400\"\n", None),
    (".ascii \"\\x414\\377\"\n", Some("14ff")),
    (".byte 0b11, 0B1, 0X1f, 010, 0b11U\n", Some("03011f0803")),
    (".byte 09\n", None),
    (".quad 0xffffffffffffffff\n", Some("ffffffffffffffff")),
    (".quad 0x1ffffffffffffffff\n", None),
    (".byte 1U+2LL\n", Some("03")),
    (".byte 0x10u, 1l, 2ul, 3Ull, 0b11uL, 017L, 0u\n", Some("10010203030f00")),
    (".altmacro\n.macro M a,b\n.byte a, \\a, b\n.ascii \"a&b&c \\a&b\"\n.endm\nM %1+2, <4>\n", Some("030304333463203334")),
    (".altmacro\n.macro M a\nLOCAL x\nx: .byte a\n.endm\nM 1\nM 2\n", None),
    (".altmacro\n.macro M a\n.ascii \"a\"\n.endm\nM <x!>y!!>\nM <>\nM \"q\"\n", Some("783e79213c3e71")),
    (".altmacro\n.macro M a,b\n.ascii \"[a|b]\"\n.endm\nM %(1+2)*3 5\nM 5, %-1\nM a=%7, b=<8 9>\nM <x\n", Some("5b397c355d5b357c2d315d5b377c3820395d5b3c787c5d")),
    (".altmacro\n.irp x, <1,2>, %3+4\n.byte x\n.endr\n.irpc c, 123\n.byte c, \\c\n.endr\n.noaltmacro\n.macro N a\n.ascii \"a\\a\"\n.endm\nN <5>\n", Some("010207010102020303613c353e")),
    ("k = 4\n.altmacro\n.macro M a\n.byte a\n.endm\nM %k*2\nM %undefined\n", None),
    ("k = 4\n.altmacro\n.macro M a\n.ascii \"a\"\n.endm\nM %k*2\nM % k -1\n", Some("3833")),
    (".altmacro\n.macro M a\n.ascii \"a\"\n.endm\nM %1/*c*/+2\nM <a/*b*/c> ; d\n", Some("33612f2a622a2f63")),
    (".macro M a\n.ascii \"\\a\"\n.endm\nM %1\n", Some("2531")),
    (".macro M a,b,c\n.ascii \"[\\a|\\b|\\c]\"\n.endm\nM 1 /*c*/ , 2\nM 1 2 /*x*/ 3\nM 1, 2 /*z*/\n", None),
    (".macro M a,b,c\n.ascii \"[\\a|\\b|\\c]\"\n.endm\nM 1/*c*/2 3\n", Some("5b312f2a632a2f327c337c5d")),
    (".macro M a,b,c\n.ascii \"[\\a|\\b|\\c]\"\n.endm\nM /*a*/ 1 /*b*/, /*c*/ 2\n", Some("5b317c327c5d")),
    (".ifc a/*c*/, a\n.byte 1\n.else\n.byte 2\n.endif\n.ifc \"a,b\", \"a,b\"\n.byte 3\n.endif\n.ifb /* */\n.byte 4\n.endif\n", Some("020304")),
    (".ifeqs \"\\x41\", \"A\"\n.byte 1\n.endif\n.ifnes \"a\", \"b\" ; c\n.byte 2\n.endif\n", Some("02")),
    (".macro M x:vararg\n.ascii \"[\\x]\"\n.endm\nM 1, 2  ; c\nM a /* b */ c\n M\n", Some("5b312c203220205d5b61202f2a2062202a2f20635d5b5d")),
    (".irpc x, 1a\n.byte 1\n.endr\n", None),
    (".irpc x, \"12\"\n.byte \\x\n.endr\n", Some("0102")),
    (".irpc x, 12 3\n.byte \\x\n.endr\n", None),
    (".irpc x,\n.byte 1\n.endr\n", None),
    (".irpc x, 1.5\n.byte 1\n.endr\n", Some("010101")),
    (".irp x, 1,,2\n.ascii \"\\x|\"\n.endr\n.irp x, 1,2,\n.ascii \"\\x|\"\n.endr\n", Some("317c7c327c317c327c")),
    (".irp x\n.ascii \"-\"\n.endr\n", None),
    (".irp x,\n.ascii \"[\\x]\"\n.endr\n", Some("")),
    (".rept 2 3\n.endr\n", None),
    (".macro M x=1 /*a*/, y\n.ascii \"\\x|\\y\"\n.endm\nM\nM 2 3\n", Some("317c327c33")),
    (".macro M x:req=5\n.byte \\x\n.endm\nM 1\n", Some("01")),
    (".macro M x\n.ascii \"\\x\"\n.endm\nM é\nM aé\n", Some("c3a961c3a9")),
    (".macro M x\n.ascii \"\\x\"\n.endm\nM 'ab\nM x'a'\n", Some("27616278276127")),
    (".if 0\n/* c */ .endif\n.byte 1\n", Some("01")),
    (".macro M x y\n.ascii \"\\x|\\y\"\n.endm\nM $a @b\nM #a %b\nM {a} [b\nM a:b c?d\nM 1->2 3\nM \"a\" \"b\"c\n", Some("24617c406223617c25627b617d7c5b62613a627c633f64312d3e327c33617c6263")),
    (".macro \"a b\" x\n.byte \\x\n.endm\n\"a b\" 1\n", Some("01")),
    (".macro $c x\n.byte \\x\n.endm\n$c 3\n", Some("03")),
    (".macro M\n.byte 1\n.endm\nM:\n.byte 2\nM\n", Some("0201")),
    (".macro s_nop x\n.byte \\x\n.endm\ns_nop 1\n", Some("01")),
    (".macro .byte x\n.long \\x\n.endm\n.byte 1\n.BYTE 2\n", Some("0100000002")),
    (".macro M\n.byte 1\n.endm\nM = 5\n.byte M\nM\n", Some("0501")),
    (".macro S_NOP x\n.byte \\x\n.endm\ns_nop 1\nS_NOP 2\n", Some("010080bf02")),
    (".macro .if x\n.byte \\x\n.endm\n.if 1\n.endif\n", Some("")),
    ("s_nop:\n s_nop 1\n s_branch s_nop\n", Some("010080bffeffa0bf")),
    (".macro M\n.byte 1\n.exitm\n.byte 2\n.endm\n.rept 2\nM\n.exitm\n.endr\n.byte 3\n", Some("0103")),
    (".macro M\n.if 1\n.byte 1\n.exitm\n.endif\n.byte 2\n.endm\nM\n.byte 3\n", Some("0103")),
    (".macro M\n.macro N\n.byte 5\n.endm\nN\n.endm\nM\nN\n", Some("0505")),
    (".macro M n\n.if \\n\n.byte \\n\nM \\n-1\n.endif\n.endm\nM 5\n", Some("0504030201")),
    (".macro M n\n.if \\n\nM (\\n-1)\n.endif\n.endm\nM 18\n.byte 1\nM 19\n", Some("01")),
    (".macro M n\n.if \\n\nM (\\n-1)\n.endif\n.endm\nM 20\n", None),
    (".macro M\n .if 1\n.endm\nM\n.byte 1\n.endif\n.byte 2\n", Some("0102")),
    (".macro M a\n.byte \\a\\()1, \\@\n.endm\nM 1\nM 2\n.rept 2\n.byte \\+\n.endr\n", Some("0b0015010001")),
    (".exitm\n", None),
    (".macro M\n.exitm\n", None),
    (".end\n.byte 1\n", Some("")),
    (".byte 1\n.end\n.foo \"\n", Some("01")),
    (".macro M\n.byte 1\n.end\n.byte 2\n.endm\nM\n.byte 3\n", Some("01")),
    (".if 1\n.end\n.endif\n", None),
    (".macro M\n.byte 1\n.endm\n.macro M\n.byte 2\n.endm\nM\n", None),
    (".purgem M\n", None),
    (".macro M a=\",\", b\n.ascii \"\\a\\b\"\n.endm\nM\nM b=\"x;y\"\n", Some("2c2c783b79")),
    (".macro M a\n.byte \\a ; \"\n.endm\nM 1\n", Some("01")),
    (".rept 3\n.rept 2\n.byte 1\n.endr\n.endr\n", Some("010101010101")),
    (".rept 0\n.foo\n.endr\n.byte 1\n", Some("01")),
    (".rept -1\n.endr\n", None),
    (".rep 2\n.byte 1\n.endr\n", Some("0101")),
    (".rept 10\n.rept 10\n.endr\n.endr\n.byte 1\n", Some("01")),
    (".float 1, 1.5, -2.5, 1e10, 0x1p3, 0x1.8p-2, inf, -inf, nan, -nan, +1, INFINITY, infinity, NaN, 1e40, 1e-50\n", Some("0000803f0000c03f000020c0f9021550000000410000c03e0000807f000080ffffffff7fffffffff0000803f0000807f0000807fffffff7f0000807f00000000")),
    (".double 1, 1.5, -2.5, 1e10, 0x1p3, inf, nan, 1e400\n", Some("000000000000f03f000000000000f83f00000000000004c0000000205fa002420000000000002040000000000000f07fffffffffffffff7f000000000000f07f")),
    (".single 1.0\n", Some("0000803f")),
    (".half 1.0\n", None),
    (".octa 0x0123456789abcdef0123456789abcdef, 5\n", Some("efcdab8967452301efcdab896745230105000000000000000000000000000000")),
    (".octa -1\n", None),
    (".octa 340282366920938463463374607431768211455\n", Some("ffffffffffffffffffffffffffffffff")),
    (".octa 340282366920938463463374607431768211456\n", None),
    (".octa a\na=1\n", None),
    (".byte 10LU\n", None),
    (".byte 10LLL\n", None),
    (".byte 08U\n", None),
    ("s_mov_b32 s0, 10ULL\ns_mov_b32 s1, 0x10u\ns_mov_b32 s2, 1UL << 4\n", Some("8a0080be900081be900082be")),
    ("s_mov_b32 s1, 'a'\ns_nop 'a'-97\ns_mov_b32 s2, -'\\n'\ns_mov_b32 s3, ';' ; c\n", Some("ff0081be61000000000080bfca0082bebb0083be")),
    ("v_add_f32 v[1U], v2, v3\nds_load_b32 v0, v1 offset:4u\ns_waitcnt vmcnt(1U)\n", Some("020702060400d8d801000000f70789bf")),
    ("k = 2\ns_mov_b32 s0, k+1u\ns_mov_b32 s1, 1u+k\n", Some("830080be830081be")),
    ("s_mov_b32 s0, 10LU\n", None),
    (".float 0x3f800000\n", None),
    (".float 1.0.0\n", None),
    (".float 1.e5, .5, 5.\n", Some("0050c3470000003f0000a040")),
    (".float 5.f\n", None),
    (".float 1 2\n", None),
    (".float a\n", None),
    (".float\n", Some("")),
    (".float 1,\n", None),
    (".float 010, 0x0.8p-1, 0x1.000001p0, 0x1.00000100000000001p0, 0x1.000003p0, 0x1p-149, 0x1p-150, 0x1.8p-150, 0x1.ffffffp-127, 0x1.ffffffp127, 0x0p5, 16777217, 0x1.fffffep127\n", Some("000020410000803e0000803f0100803f0200803f010000000000000001000000000080000000807f000000000000804bffff7f7f")),
    (".double 0x1p-1074, 0x1p-1075, 0x1.8p-1075, 0x1.ffffffffffffffp-1023, 0x1.fffffffffffff8p1023, 0x1.fffffffffffff7p1023, 9007199254740993, 2.2250738585072011e-308, 0X1P3\n", Some("0100000000000000000000000000000001000000000000000000000000001000000000000000f07fffffffffffffef7f0000000000004043ffffffffffff0f000000000000002040")),
    (".float 0x1p99999999999999999999\n", Some("0000807f")),
    (".float 1e99999999999999999999\n", Some("0000807f")),
    (".float - 1, + 2\n", Some("000080bf00000040")),
    (".float 1U\n", Some("0000803f")),
    (".float 'a'\n", None),
    (".float 0b1\n", None),
    (".float \"1\"\n", None),
    (".float 1e5/**/, /**/2\n", Some("0050c34700000040")),
    (".float nanx\n", None),
    (".dc.b 1\n.dc.w 2\n.dc.l 3\n.dc.a 4\n.dc 5\n", Some("0102000300000004000000000000000500")),
    (".dc.d 1.0\n.dc.s 2.0\n", Some("000000000000f03f00000040")),
    (".dc.x 1.0\n", None),
    (".dcb.b 3, 1\n.dcb.w 2, 5\n.dcb.l 2, 6\n.dcb.s 2, 1.5\n.dcb.d 1, 2.5\n.dcb 2, 3\n", Some("0101010500050006000000060000000000c03f0000c03f000000000000044003000300")),
    (".dcb.b 2, 256\n", None),
    (".dcb.b 2, -128\n", Some("8080")),
    (".dcb.b 2\n", None),
    (".dcb.b 2, 1 2\n", None),
    (".ds.b 3\n.ds.w 2\n.ds.l 2\n.ds.d 1\n.ds.s 1\n.ds.x 1\n.ds.p 1\n.ds 1\n", Some("0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000")),
    (".value 1, 2\n", Some("01000200")),
    (".2byte 1\n.4byte 2\n.8byte 3\n", Some("0100020000000300000000000000")),
    (".hword 1\n", None),
    (".word 1\n", None),
    (".single\n", Some("")),
    (".octa\n", Some("")),
    (".FLOAT 1\n.Dc.B 5\n", Some("0000803f05")),
    (".float inf+1\n", None),
    (".octa 1+1\n", None),
    (".octa 'a', 0b11, 017\n", Some("61000000000000000000000000000000030000000000000000000000000000000f000000000000000000000000000000")),
    (".dcb.b 1+1, 2*3\n", Some("0606")),
    (".dcb.b 0, 2\n", Some("")),
    (".ds.b 0\n", Some("")),
    (".reloc 0, R_FOO, a\n", None),
    (".reloc b, R_AMDGPU_ABS32\n", None),
    ("s_nop 0\n.reloc 0, R_AMDGPU_ABS32, a+4\n", Some("000080bf")),
    (".extern a b ;\n.byte 1\n", Some("01")),
    (".cfi_sections .debug_frame\n.cfi_startproc\ns_nop 0\n.cfi_def_cfa_offset 4\n.cfi_endproc\n", Some("000080bf")),
    (".cfi_endproc\n", None),
    (".cfi_sections .debug_frame\n.cfi_startproc\n", None),
    (".cfi_foo\n", None),
    (".line 5\n.byte 1\n", Some("01")),
    (".macros_on\n.byte 1\n", Some("01")),
    (".ident \"a\"\n.byte 1\n", Some("01")),
    (".ident\n", None),
    (".amd_amdgpu_foo\n", None),
    (".hsa_code_object_version 2,1\n", None),
    (".comm a,4,4\n.byte 1\n", Some("01")),
    (".lcomm a,4\n.byte 1\n", Some("01")),
    (".common a,4\n.byte 2\n", Some("02")),
    (".EXTERN x\n.RELOC 0, R_AMDGPU_NONE\n", Some("")),
    (".tdata\n.byte 1\n.text\n.byte 2\n", Some("02")),
    (".abort\n", None),
    (".macro M\n.if \\@ < 3\nM\n.endif\n.byte \\@\n.endm\nM\n", Some("03020100")),
    (".altmacro\n.macro M a:vararg\n.ascii \"[a]\"\n.endm\nM <1,2>\nM %5, 6\n", None),
    (".altmacro\n.macro M a b\n.byte a, b\n.endm\nM %.amdgcn.gfx_generation_number %2\nM %(3) , %4\n", None),
    (".altmacro\n.macro M a\ns_mov_b32 s\\a, &a\n.endm\nM 1\n", None),
    (".altmacro\n.macro M reg\ns_mov_b32 reg, 1\n.endm\nM s5\nM <s6>\n", Some("810085be810086be")),
    (".ascii \"a\r\nb\n\"\n", Some("610d620a")),
    ("k = 4\n.altmacro\n.irpc a, \"12\"\n.byte a\n.endr\n", Some("0102")),
    (".irpc a,é\n.byte 1\n.endr\n", None),
    (".end 1\n", None),
    (".macro M a\n.ascii \"\\a\"\n.endm\nM==1\nM == 1\n", Some("3d3d313d3d31")),
    (".macro M a\n.byte \\a\n.endm\nM@1\n", None),
    (".macro M a\n.byte 1\n.endm\nM= 2\n.byte M\n", Some("02")),
    ("s_add_u32 s0, s0, 1f@rel32@lo+4\n1:\n.long 1b @abs32@lo\n", Some("00ff00800000000000000000")),
    ("1:\n.long 1b@ abs32@lo\n", None),
    // `@` is a part of names, but not in expressions.
    ("x@y: a@b@c : s_nop 0\n.globl x@y\n.type a@b@c,@function\n.size a@b@c, .-\"a@b@c\"\n", Some("000080bf")),
    ("x@y = 5\n.set @z, 6\n.byte \"x@y\", \"@z\"\n", Some("0506")),
    (".ifdef x@y\n.byte 1\n.endif\nx@y:\n.ifdef x@y\n.byte 2\n.endif\n", Some("02")),
    (".macro m@n a\n\\a: s_nop 0\n.endm\nm@n x@y\n", Some("000080bf")),
    ("x@y: s_nop 0\ns_branch x@y\n", None),
    ("@: s_nop 0\n", None),
    (".type f@function\nf:\n", None),
    (".long (x+4)@rel32@lo, x@rel32@lo+4\n.quad [x+4] @ abs64, \"x\" @abs64, x@ABS64\n", Some("0000000000000000000000000000000000000000000000000000000000000000")),
    (".quad x @abs64 + 4\n", None),
    (".quad x@ abs64\n", None),
    (".long (x@rel32@lo)@rel32@lo\n", None),
    (".long 4@rel32@lo\n", None),
    (".long (x-.)@rel32@lo\n", None),
    ("s_mov_b32 s0, (x+4)@abs32@lo\n", Some("ff0080be00000000")),
    // Labels are numbers of any radix.
    ("0x1: s_branch 1b\n010: s_branch 010b\ns_branch 8b\n", Some("ffffa0bfffffa0bffeffa0bf")),
    ("08: s_nop 0\n", None),
    ("08b: s_nop 0\n", None),
    (".byte 0x10 ! ~1, 1 != 2, [1+2]*3, 0\ns_mov_b32 s0, 1 ! ~6\n", Some("11ff0900870080be")),
    (".long [1+2)\n", None),
    // Hexadecimal floating-point numbers.
    ("s_mov_b32 s0, 0x1.8p1\nv_mov_b32 v0, -0x1p-1\nv_add_f32 v0, 0X.8P0, v1\nv_add_f32 v0, |0x1.p0|, v1\n", Some("ff0080be00004040f102007ef0020006f2020006")),
    ("v_add_f32 v0, 0x1.921fb6p+1, v1\nv_add_f64 v[0:1], 0x1.0p1, v[2:3]\nv_add_f16 v0.l, 0x1.234p-1, v1.l\n", Some("ff020006db0f4940000027d7f4040200ff0200648d380000")),
    ("v_add_f32 v0, lit(0x1p1), neg(v1)\ns_mov_b64 s[0:1], 0x1p0\n", Some("000003d5ff02024000000040f20180be")),
    ("v_add_f32 v0, 0e1, v1\n", None),
    ("v_add_f32 v0, 0x1.8, v1\n", None),
    ("v_add_f32 v0, 0x1p, v1\n", None),
    ("s_nop 0x1p1\n", Some("000080bf")),
    (".macro m\n.byte 1\n.endm\nm\n.macros_off\n.macros_on\nm\n", Some("0101")),
    (".macro m\n.byte 1\n.endm\n.macros_off\nm\n", None),
    (".equiv a, 1\n.set a, 2\n", None),
    (".equiv a, u\na = 2\n", None),
    (".data\nx = .-.data\n.text\n.byte 1\n", Some("01")),
    (".globl\n.weak\n.byte 1\n", Some("01")),
    (".addrsig_sym\n", None),
    (".section .a,\"0x2\",@llvm_odrtab\n.section .a,\"a\",@0x6fff4c00\n.text\n.byte 1\n", Some("01")),
    (".section .a,\"0xg\"\n", None),
    (".amdgcn_target \"amdgcn-amd-amdhsa-unknown-gfx1100\"\n", None),
    (".amdgcn_target \"amdgcn--amdhsa--gfx1100\"\n", None),
    (".amdgcn_target \"amdgcn-pc-amdhsa--gfx1100\"\n", None),
    (".amdgcn_target \"amdgcn-amd-amdhsa1--gfx1100\"\n", None),
    (".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100:\"\n", None),
];

/// Programs of LLVM 23 and later, which LLVM 22 refuses.
const NEWER: &[(&str, &str)] = &[
    (
        ".byte instprefsize(0), instprefsize(128), instprefsize(129), instprefsize(63*128+1), instprefsize(-1)\n",
        "0001023f3f",
    ),
    ("a: s_nop 0\n.byte ((instprefsize(b-a)<<4)&1008)>>4\nb:\n", "000080bf01"),
    (".amdgcn_target \"amdgpu11.00-amd-amdhsa-unknown-gfx1100\"\ns_nop 0\n", "000080bf"),
    (".amdgcn_target \"amdgpu11.00-amd-amdhsa-unknown-\"\ns_nop 0\n", "000080bf"),
    (".amdgcn_target \"amdgpu11-amd-amdhsa-unknown-gfx1100\"\ns_nop 0\n", "000080bf"),
    (
        ".amdgpu_info k\n.amdgpu_flags 1\n.amdgpu_num_vgpr 1+1 ; c\n\n.amdgpu_use l\n.amdgpu_call \"h\"\n\
         .amdgpu_typeid \"vi\"\n.amdgpu_occupancy 4\n.end_amdgpu_info\ns_nop 0\n",
        "000080bf",
    ),
    ("exp mrt0, v0, v1, v2, v3 nodone norow_en\n", "0f0000f800010203"),
    (".amd_amdgpu_isa \"amdgpu11.00-amd-amdpal-unknown-\"\ns_nop 0\n", "000080bf"),
];

/// The bytes of `.text` in hex that `isa asm` writes; `None` if it refuses the program.
fn assembled(nth: usize, source: &str) -> Option<String> {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("syntax-{}-{nth}", std::process::id()));
    let said = run(&["asm", "--arch", "gfx1100", "-", "-o", path.to_str().unwrap()], source.as_bytes());
    assert!(matches!(said.status, Some(0 | 1)), "{source}: {}", said.err);
    let bytes = std::fs::read(&path).ok().filter(|_| said.status == Some(0));
    let _ = std::fs::remove_file(&path);
    bytes.map(|bytes| hex(&bytes))
}

/// Bytes as hex digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[test]
fn programs_give_the_bytes_of_llvm() {
    for (nth, (source, expected)) in PROGRAMS.iter().enumerate() {
        assert_eq!(assembled(nth, source).as_deref(), *expected, "{source:?}");
    }
}

/// Programs that LLVM 23 and later refuse too.
const REFUSED: &[&str] = &[
    ".amdgpu_info\n.end_amdgpu_info\n",
    ".amdgpu_info k\n",
    ".end_amdgpu_info\n",
    ".amdgpu_info k\ns_nop 0\n.end_amdgpu_info\n",
    ".amdgpu_info k\nl: .amdgpu_flags 1\n.end_amdgpu_info\n",
    ".amdgpu_info k\n.amdgpu_num_vgpr x\n.end_amdgpu_info\nx = 1\n",
    ".amdgpu_info k\n.amdgpu_num_vgpr 1 2\n.end_amdgpu_info\n",
    ".amdgpu_info k\n.amdgpu_call\n.end_amdgpu_info\n",
    ".amdgpu_info k\n.amdgpu_typeid vi\n.end_amdgpu_info\n",
    ".amdgpu_resource_usage k\n",
    "exp mrt0 v0, v1, v2, v3 novm\n",
];

#[test]
fn what_newer_versions_refuse_is_refused() {
    for (nth, source) in REFUSED.iter().enumerate() {
        assert_eq!(assembled(PROGRAMS.len() + NEWER.len() + nth, source), None, "{source:?}");
    }
}

#[test]
fn programs_of_newer_versions_are_read_too() {
    for (nth, (source, expected)) in NEWER.iter().enumerate() {
        assert_eq!(assembled(PROGRAMS.len() + nth, source).as_deref(), Some(*expected), "{source:?}");
    }
}

/// How long llvm-mc may take for a program: some programs make it run for ever.
const LIMIT: Duration = Duration::from_secs(20);

/// Whether llvm-mc still answers so.
#[test]
fn the_answers_are_those_of_llvm() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (input, object) = (folder.join("syntax.s"), folder.join("syntax.o"));
    let Some(llvm_mc) = isa_tests::needs::llvm_mc("syntax of programs against LLVM") else { return };
    for (source, expected) in PROGRAMS {
        std::fs::write(&input, source).unwrap();
        let mut llvm_mc = Command::new(&llvm_mc)
            .args(["-triple=amdgcn-amd-amdhsa", "-mcpu=gfx1100", "-filetype=obj", "-o"])
            .args([&object, &input])
            .stderr(Stdio::null())
            .spawn()
            .expect("llvm-mc starts");
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = llvm_mc.try_wait().unwrap() {
                break status;
            }
            if begin.elapsed() > LIMIT {
                llvm_mc.kill().unwrap();
                panic!("llvm-mc does not end: {source:?}");
            }
            thread::sleep(Duration::from_millis(1));
        };
        let answer = status.success().then(|| {
            let file = std::fs::read(&object).unwrap();
            let file = object::File::parse(file.as_slice()).unwrap();
            hex(file.section_by_name(".text").unwrap().data().unwrap())
        });
        assert_eq!(answer.as_deref(), *expected, "{source:?}");
    }
}
