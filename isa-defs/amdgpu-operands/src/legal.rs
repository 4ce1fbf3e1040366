//! Rules between the operands of an instruction: their texts, the authority for them, and the violation of one.

use core::error::Error;
use core::fmt;

use isa_runtime::Forbidden;

/// The authority for a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Authority {
    /// The guide and LLVM's assembler.
    Both,
    /// LLVM's assembler. The guide does not mention it or allows it.
    Llvm,
    /// The guide. LLVM's assembler and the parser accept violations.
    Guide,
}

/// The properties of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RuleTexts {
    /// The rule in a sentence.
    pub text: &'static str,
    /// The advice that follows the rule in errors.
    pub help: &'static str,
    /// The section of the guide with the rule, or an empty string.
    pub section: &'static str,
    /// The section of the guide of a later generation whose guide has the rule in another section.
    pub later_section: Option<&'static str>,
    /// The authority for the rule.
    pub authority: Authority,
}

/// A rule between the operands of one instruction. [`legality_rules!`](crate::legality_rules) declares those of a set.
pub trait LegalityRule: Copy + fmt::Debug {
    /// Returns the properties of the rule.
    fn texts(self) -> RuleTexts;
}

/// A rule that an instruction breaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Violation<R> {
    /// The rule.
    pub rule: R,
    /// The role of the operand that breaks the rule, or the name of the modifier.
    pub operand: &'static str,
    /// The section of the guide of the instruction's generation with the rule, or an empty string.
    pub section: &'static str,
}

impl<R: LegalityRule> Violation<R> {
    /// Returns the violation of a rule by an operand, with the section of the first generation's guide.
    #[must_use]
    pub fn new(rule: R, operand: &'static str) -> Self {
        Violation { rule, operand, section: rule.texts().section }
    }

    /// Returns the violation with the section of the later generation's guide.
    #[must_use]
    pub fn in_later_guide(self) -> Self {
        Violation { section: self.rule.texts().later_section.unwrap_or(self.section), ..self }
    }

    /// Converts the result of checking rules to that of the parser, which applies only those that LLVM's assembler applies.
    ///
    /// # Errors
    /// The instruction breaks a rule of LLVM's assembler.
    pub fn of_assembler(checked: Result<(), Self>) -> Result<(), Forbidden> {
        let Err(Violation { rule, operand, .. }) = checked else { return Ok(()) };
        let RuleTexts { text, help, authority, .. } = rule.texts();
        if authority == Authority::Guide { Ok(()) } else { Err(Forbidden { operand, rule: text, help }) }
    }
}

impl<R: LegalityRule> fmt::Display for Violation<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RuleTexts { text, help, .. } = self.rule.texts();
        write!(f, "{}: {text}; {help}", self.operand)?;
        if self.section.is_empty() { Ok(()) } else { write!(f, " (guide §{})", self.section) }
    }
}

impl<R: LegalityRule> Error for Violation<R> {}

/// Declares the enum `Rule` of a set. Each line has the name, the authority, the section of the guide, for another section in a later
/// generation's guide `later` and it, the text and the help.
#[macro_export]
macro_rules! legality_rules {
    (@later) => { None };
    (@later $section:literal) => { Some($section) };
    ($($(#[$doc:meta])* $name:ident $authority:ident $section:literal $(later $later:literal)? $text:literal $help:literal;)*) => {
        /// A legality rule, which an instruction can break although each field holds a valid code.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[$doc])* $name,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &[Rule] = &[$(Rule::$name),*];

            const fn texts(self) -> $crate::RuleTexts {
                match self {
                    $(Rule::$name => $crate::RuleTexts {
                        text: $text,
                        help: $help,
                        section: $section,
                        later_section: $crate::legality_rules!(@later $($later)?),
                        authority: $crate::Authority::$authority,
                    },)*
                }
            }

            /// Returns the rule in a sentence.
            #[must_use]
            pub const fn text(self) -> &'static str {
                self.texts().text
            }

            /// Returns the advice that follows the rule in errors.
            #[must_use]
            pub const fn help(self) -> &'static str {
                self.texts().help
            }

            /// Returns the section of the guide with the rule.
            #[must_use]
            pub const fn section(self) -> &'static str {
                self.texts().section
            }

            /// Returns the section of the later generation's guide with the rule.
            #[must_use]
            pub const fn later_section(self) -> &'static str {
                match self.texts().later_section {
                    Some(section) => section,
                    None => self.texts().section,
                }
            }

            /// Returns the authority for the rule.
            #[must_use]
            pub const fn authority(self) -> $crate::Authority {
                self.texts().authority
            }
        }

        impl $crate::LegalityRule for Rule {
            fn texts(self) -> $crate::RuleTexts {
                Rule::texts(self)
            }
        }
    };
}
