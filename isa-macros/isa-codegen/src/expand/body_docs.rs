//! Generation of the methods of `Opcode` that return facts for compilers, and of the documentation of bodies.

use isa_body::{Fidelity, ops, write_body};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::ast::{CompiledBody, SetHeader};

/// Returns the documentation of a body.
pub(super) fn body_doc(body: &CompiledBody, dispute: Option<&str>) -> String {
    let roles: Vec<&str> = body.roles.iter().map(String::as_str).collect();
    let mut text = String::new();
    // Writing to a String does not fail.
    let _ = write_body(ops(&body.code), &roles, &mut text);
    if text.is_empty() {
        return "\n\nComputes nothing.".into();
    }
    let fidelity = match Fidelity::of(ops(&body.code)) {
        Fidelity::Exact | Fidelity::Disputed => "Exactly".into(),
        Fidelity::Within(ulps) => format!("Within {ulps}"),
        Fidelity::Approximate => "Approximately".into(),
        Fidelity::External => "In part (`external` stands for what is not described)".into(),
    };
    let fidelity = match dispute {
        Some(dispute) => format!("{fidelity}, but disputed ({dispute})"),
        None => fidelity,
    };
    format!("\n\n{fidelity}: `{text}`")
}

/// Generates the methods of `Opcode` that return what a compiler asks.
pub(super) fn opcode_facts(header: &SetHeader) -> TokenStream {
    let (isa, mode) = (&header.name, &header.mode);
    let predicates = [
        ("is_branch", "isBranch", "may continue elsewhere than at the next one and does not come back"),
        ("is_conditional_branch", "isConditionalBranch", "is a branch that may also continue at the next one"),
        (
            "is_terminator",
            "isTerminator",
            "can only be the last one of a basic block: it branches, or ends the program",
        ),
        ("falls_through", "canFallThrough", "may be followed by the next one, also after a call"),
        ("may_load", "mayLoad", "may read memory"),
        ("may_store", "mayStore", "may write memory"),
        (
            "has_side_effects",
            "hasUnmodeledSideEffects",
            "does something besides writing operands and memory and branching",
        ),
        (
            "is_convergent",
            "isConvergent",
            "depends on other lanes or waves. DPP controls make any instruction convergent",
        ),
        ("is_rematerializable", "isReMaterializable", "writes one operand that depends on the sources alone"),
    ];
    let predicates = predicates.map(|(name, alias, text)| {
        let (name, doc) = (format_ident!("{name}"), format!("Returns whether the instruction {text}."));
        quote! {
            #[doc = #doc]
            #[doc(alias = #alias)]
            #[must_use]
            pub fn #name(self) -> bool {
                ::isa::facts::#name::<#isa>(self)
            }
        }
    });
    let relations = [
        (
            "commuted",
            "Commuted",
            "that computes the same with the first two sources exchanged, perhaps the opcode itself. \
            Which of two NaNs a result is does not count",
        ),
        ("inverse", "Inverse", "with the opposite condition: of a comparison or a conditional branch"),
        ("two_address", "TwoAddress", "that computes the same with the destination as its last source"),
        ("three_address", "ThreeAddress", "that has a source of its own where this one reads the destination"),
        ("without_literal", "WithoutLiteral", "that has any source where this one always has a literal"),
        ("without_constant", "WithoutConstant", "that has any source where this one has a field for a constant"),
    ];
    let relations = relations.map(|(name, relation, text)| {
        let (name, relation) = (format_ident!("{name}"), format_ident!("{relation}"));
        let doc = format!("Returns the opcode {text}.");
        quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #name(self) -> ::core::option::Option<Opcode> {
                ::isa::facts::related::<#isa>(self, ::isa::body::Relation::#relation)
            }
        }
    });
    quote! {
        impl Opcode {
            #(#predicates)*

            /// Returns whether the instruction is a branch whose target does not depend on the program counter.
            #[doc(alias = "isIndirectBranch")]
            #[must_use]
            pub fn is_indirect_branch(self) -> bool {
                self.is_branch() && self.effects().jumps_indirectly()
            }

            /// Returns whether the instruction branches and keeps the address of the next one.
            #[doc(alias = "isCall")]
            #[must_use]
            pub fn is_call(self) -> bool {
                self.effects().saves_pc()
            }

            /// Returns whether the instruction waits for the other waves of the work-group.
            #[must_use]
            pub fn is_barrier(self) -> bool {
                self.effects().is_barrier()
            }

            /// Returns whether the first two sources can be exchanged.
            #[doc(alias = "isCommutable")]
            #[must_use]
            pub fn is_commutative(self) -> bool {
                self.commuted() == ::core::option::Option::Some(self)
            }

            #(#relations)*

            /// Returns the opcode that always has a literal in place of a source, which is given by its index among the
            /// operands.
            #[must_use]
            pub fn with_literal(self, operand: usize) -> ::core::option::Option<Opcode> {
                ::isa::facts::related_at::<#isa>(self, ::isa::body::Relation::WithLiteral, operand)
            }

            /// Returns the opcode that has a field for a constant in place of a source, which is given by its index among
            /// the operands.
            #[must_use]
            pub fn with_constant(self, operand: usize) -> ::core::option::Option<Opcode> {
                ::isa::facts::related_at::<#isa>(self, ::isa::body::Relation::WithConstant, operand)
            }

            /// Returns the operands in the order of the row: their roles, types and accesses.
            pub fn operands(self) -> impl ::core::iter::Iterator<Item = &'static ::isa::RowOperand> {
                ::isa::facts::operands::<#isa>(self)
            }

            /// Returns what the instruction computes, if it is one operator on two operands: an addition, a comparison, a
            /// shift. [`ALL`](Self::ALL) searched for an operation yields the opcodes that compute it.
            #[must_use]
            pub fn operation(self) -> ::core::option::Option<::isa::facts::Operation> {
                ::isa::facts::operation::<#isa>(self)
            }

            /// Returns the registers that an operand can be, by its index among the operands. `None` if there is no such
            /// operand.
            #[must_use]
            pub fn register_class(self, operand: usize, mode: #mode) -> ::core::option::Option<::isa::inst::plan::RegisterClass> {
                ::isa::facts::register_class::<#isa>(self, operand, mode)
            }

            /// Returns the encodings, in the order in which the parser tries them.
            pub fn encodings(self) -> impl ::core::iter::Iterator<Item = ::isa::facts::Encoding<#isa>> {
                ::isa::facts::encodings::<#isa>(self)
            }

            /// Returns whether the instruction can be the first and the second one of a dual-issue pair.
            #[must_use]
            pub fn dual_components(self) -> [bool; 2] {
                ::isa::facts::dual_components::<#isa>(self)
            }
        }
    }
}
