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
const CLASSES: [Class; 8] = [
    ("MTBUF TFE", |d| d.kind == Kind::LlvmRefuses && d.ours.starts_with("tbuffer_") && d.ours.contains(" tfe")),
    ("constants of V_FMAC with DPP", |d| {
        d.kind == Kind::TextDiffers && d.ours.starts_with("v_fmac_") && d.ours.contains("_dpp")
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
];

/// A text without the lists of lanes in it.
fn without_selectors(text: &str) -> String {
    let words = text.split(' ').filter(|w| !w.starts_with("dpp8:") && !w.starts_with("quad_perm:"));
    words.collect::<Vec<_>>().join(" ")
}

/// The class that a difference belongs to.
pub fn class(difference: &Difference) -> Option<&'static str> {
    CLASSES.iter().find(|(_, is)| is(difference)).map(|(name, _)| *name)
}
