//! Classes of difference from LLVM that docs/disagreements.md describes as a whole rather than mnemonic by mnemonic.

use crate::diff::Kind;

/// One difference, as `diff` sees it.
pub struct Difference<'a> {
    pub kind: Kind,
    /// Our text, if we print any.
    pub ours: &'a str,
    /// LLVM's text, if it prints any.
    pub llvm: &'a str,
    /// What we say is wrong.
    pub reason: &'a str,
}

type Class = (&'static str, fn(&Difference) -> bool);

/// The classes: the page's words for each, and how it is told.
const CLASSES: [Class; 12] = [
    ("MTBUF TFE", |d| d.kind == Kind::LlvmRefuses && d.ours.starts_with("tbuffer_") && d.ours.contains(" tfe")),
    ("constants of V_FMAC with DPP", |d| {
        let literal = d.kind == Kind::WeRefuse && d.reason.contains("tail cannot follow") && d.llvm.contains("0xff");
        let ours = if literal { d.llvm } else { d.ours };
        (literal || d.kind == Kind::TextDiffers) && ours.starts_with("v_fmac_") && ours.contains("_dpp")
    }),
    ("DPP controls of V_FMA_MIX*", |d| {
        let invalid = d.llvm.contains("/* Invalid dpp_ctrl value */");
        d.kind == Kind::LlvmRefuses && d.ours.starts_with("v_fma_mix") && d.ours.contains("quad_perm") && invalid
    }),
    ("literals as SOFFSET", |d| {
        let buffer = d.reason.starts_with("MUBUF SOFFSET: no such") || d.reason.starts_with("MTBUF SOFFSET: no such");
        d.kind == Kind::WeRefuse && buffer && (d.llvm.contains(", 0x") || d.llvm.contains(", lit("))
    }),
    ("apertures and null where a VGPR must stand", |d| {
        let place = ["VOP1 SRC0: no such", "VOP3 SRC0: no such"].iter().any(|place| d.reason.starts_with(place));
        let named =
            ["src_shared_", "src_private_", "src_flat_scratch_base", "null"].iter().any(|name| d.llvm.contains(name));
        let row = ["v_movrel", "v_permlane", "v_swap"].iter().any(|row| d.llvm.starts_with(row));
        d.kind == Kind::WeRefuse && place && named && row
    }),
    ("DPP selectors", |d| d.kind == Kind::TextDiffers && without_selectors(d.ours) == without_selectors(d.llvm)),
    ("OPSEL of absent operands", |d| d.kind == Kind::WeRefuse && d.reason.contains(" OPSEL:")),
    ("lane masks in misaligned or reserved registers", |d| {
        let fields = [" VDST:", " SDST:", " SRC2:"];
        d.kind == Kind::WeRefuse && fields.iter().any(|f| d.reason.contains(f))
    }),
    ("VINTERP sources that are no VGPRs", |d| d.kind == Kind::WeRefuse && d.reason.starts_with("VINTERP SRC")),
    ("VOP3P under an older ENCODING", |d| {
        d.kind == Kind::WeRefuse && (d.llvm.starts_with("v_fma_mix") || d.reason == "no such format")
    }),
    ("inline constants and literals of packed and matrix operands", |d| {
        d.kind == Kind::TextDiffers && (d.ours.starts_with("v_wmma_") || d.ours.contains("lit("))
    }),
    ("mandatory literals below 256", |d| {
        let row = d.ours.contains("fmaak") || d.ours.contains("fmamk");
        d.kind == Kind::TextDiffers && row && same_but_small_literals(d.ours, d.llvm)
    }),
];

/// Whether two texts differ only where ours has a number from 0x80 to 0xff: LLVM takes it for the code of a constant.
fn same_but_small_literals(ours: &str, llvm: &str) -> bool {
    let small = |word: &str| {
        let digits = word.trim_end_matches(',').strip_prefix("0x").unwrap_or_default();
        u32::from_str_radix(digits, 16).is_ok_and(|n| (0x80..0x100).contains(&n))
    };
    let (ours, llvm): (Vec<_>, Vec<_>) = (ours.split(' ').collect(), llvm.split(' ').collect());
    ours.len() == llvm.len() && ours.iter().zip(&llvm).all(|(ours, llvm)| ours == llvm || small(ours))
}

/// A text without the lists of lanes in it.
fn without_selectors(text: &str) -> String {
    let words = text.split(' ').filter(|w| !w.starts_with("dpp8:") && !w.starts_with("quad_perm:"));
    words.collect::<Vec<_>>().join(" ")
}

/// The class that a difference belongs to.
pub fn class(difference: &Difference) -> Option<&'static str> {
    CLASSES.iter().find(|(_, is)| is(difference)).map(|(name, _)| *name)
}
