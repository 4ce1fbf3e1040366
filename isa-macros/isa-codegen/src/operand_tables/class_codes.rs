//! The valid codes of each class, which follow from its declaration.

use super::codes::{Bits, Space, WIDTHS};
use super::context::{has, hooked};
use super::facts::Facts;
use super::numbers::{NumberClass, all_named_bits};
use super::valid_codes::{Case, PartCodes, ValidCodes, all_codes};
use crate::ast::{
    Arm, ArmCond, ArmMap, Asked, ClassContent, ClassDecl, Clause, OperandClass, OperandTables, PartDecl, RunKind,
    SetExpr,
};
use crate::spanned::SpannedStr;

/// The operand classes that a set can use.
pub struct Classes<'a> {
    tables: &'a OperandTables,
    /// The code space of the generation.
    space: Space<'a>,
}

impl<'a> Classes<'a> {
    /// Returns the classes of a set of this generation.
    pub fn new(tables: &'a OperandTables, generation: Option<&SpannedStr>) -> Self {
        Classes { tables, space: Space::new(tables, generation) }
    }

    /// Returns a class with the code space. Returns `None` if the tables do not declare the class.
    pub fn class(&self, class: &OperandClass) -> Option<ClassCodes<'_>> {
        let class = self.declaration(class)?;
        Some(ClassCodes { tables: self.tables, space: &self.space, class })
    }

    /// Returns the code of the literal that a class may have or print, and its suffix dword.
    pub fn literal(&self, class: &OperandClass) -> Option<(u32, &'a SpannedStr)> {
        literal_run(&self.space, self.declaration(class)?)
    }

    /// Returns the declaration of a class, if it is in the tables.
    fn declaration(&self, class: &OperandClass) -> Option<&'a ClassDecl> {
        let name = class.name_in_module()?;
        self.tables.classes.iter().find(|declared| declared.name == name)
    }
}

/// A class in one generation.
pub struct ClassCodes<'a> {
    /// The tables of the class.
    pub tables: &'a OperandTables,
    /// The code space of the generation.
    pub space: &'a Space<'a>,
    /// The class.
    pub class: &'a ClassDecl,
}

impl ClassCodes<'_> {
    /// Returns the codes that decoding accepts without a call. Encoders and parsers accept those of [`valid`](Self::valid) only, which
    /// are fewer if the instruction need not use the operand.
    pub fn decoded(&self) -> ValidCodes {
        let may_be_unused = match &self.class.content {
            ClassContent::Codes(_) => {
                let facts = Facts::new(self.class);
                facts.is_counted && facts.off.is_some() && is_numbered(self.class)
            }
            ClassContent::Hidden => Facts::new(self.class).check.is_none() && hooked(self.class, "used"),
            _ => false,
        };
        if may_be_unused { ValidCodes::All } else { self.valid() }
    }

    /// Returns the codes that are valid without a call.
    pub fn valid(&self) -> ValidCodes {
        match &self.class.content {
            ClassContent::Codes(arms) => match Facts::new(self.class).check {
                None => self.of_space(arms, None),
                Some((_, Asked::Of(set))) => self.of_space(arms, Some(set)),
                Some((_, asked)) => unasked(asked, self.of_space(arms, None)),
            },
            _ => of_content(self.tables, self.class),
        }
    }

    /// Returns the codes of registers and constants, without the codes of a set for which a function decides.
    pub fn of_space(&self, arms: &[Arm], without: Option<&SetExpr>) -> ValidCodes {
        let facts = Facts::new(self.class);
        if facts.is_counted && is_numbered(self.class) {
            return if facts.off.is_some() { ValidCodes::Within(0) } else { ValidCodes::All };
        }
        match arms {
            [arm] => self.of_arm(arm, &facts, without),
            _ => ValidCodes::Cases(
                arms.iter().map(|arm| (Case::of_arm(self.tables, arm), self.of_arm(arm, &facts, without))).collect(),
            ),
        }
    }

    /// Returns the codes of a case of the class, as [`of_space`](Self::of_space) does.
    fn of_arm(&self, arm: &Arm, facts: &Facts, without: Option<&SetExpr>) -> ValidCodes {
        let runs = self.space.list(self.space.resolve(&arm.set));
        let literal = runs.iter().any(|run| matches!(run.kind, RunKind::Literal(_)));
        let is_open = literal || facts.check.is_some();
        let (base, shift) = self.space.map(arm);
        let refused = without.map(|set| self.space.bits(self.space.resolve(set), 1, base, shift)).unwrap_or_default();
        let mut sets: Vec<Bits> = WIDTHS.iter().map(|dwords| self.space.codes(arm, *dwords)).collect();
        for (word, refused) in sets.iter_mut().flat_map(|set| set.iter_mut().zip(refused)) {
            *word &= !refused;
        }
        let width = bits_of(self.tables, self.class);
        let all = all_codes(width);
        let leaf = |bits: Bits| match is_open {
            false if bits == all => ValidCodes::within_bits(width),
            false => ValidCodes::Only(bits),
            true => ValidCodes::With(bits),
        };
        let dwords = if facts.is_counted { Some(1) } else { facts.dwords };
        let fixed = dwords.map(|dwords| WIDTHS.iter().position(|w| u32::from(dwords) <= *w).unwrap_or(4));
        let by_type = match fixed {
            Some(at) => leaf(sets[at]),
            None if sets.iter().all(|set| *set == sets[0]) => leaf(sets[0]),
            None => {
                // The last width whose set differs from the one before stands for all wider operands.
                let last = (1..sets.len()).rev().find(|at| sets[*at] != sets[at - 1]).unwrap_or(0);
                let case = |at: usize| if at == last { Case::Else } else { Case::Dwords(WIDTHS[at] as u8) };
                ValidCodes::Cases((0..=last).map(|at| (case(at), leaf(sets[at]))).collect())
            }
        };
        let Some((counts, _)) = self.tables.masks.as_ref().filter(|_| facts.of_mode) else { return by_type };
        let modes = (0u8..).zip(counts).map(|(mode, count)| {
            let at = WIDTHS.iter().position(|w| u32::from(*count) <= *w).unwrap_or(0);
            (Case::Mode(mode), leaf(sets[at]))
        });
        let masks = ValidCodes::Cases(modes.collect());
        match &arm.cond {
            Some(ArmCond::Mask) => masks,
            _ => ValidCodes::Cases(vec![(Case::Mask, masks), (Case::Else, by_type)]),
        }
    }
}

/// Returns the codes of a class that are valid without a call, if it is not one of registers and constants.
pub fn of_content(tables: &OperandTables, class: &ClassDecl) -> ValidCodes {
    let asked = Facts::new(class).check.map(|(_, asked)| asked);
    match &class.content {
        ClassContent::Number(low, high, _) => match asked {
            Some(asked) => unasked(asked, ValidCodes::All),
            None => NumberClass::new(class, *low, *high).codes(),
        },
        ClassContent::Flag(_) if asked.is_some() || has(class, |c| matches!(c, Clause::ZeroBeside(_))) => {
            ValidCodes::Within(0)
        }
        ClassContent::Names { names, .. } => match all_named_bits(class, names) {
            Some(bits) => ValidCodes::within_bits(bits),
            None => ValidCodes::only(names.iter().map(|named| (named.code, named.code))),
        },
        ClassContent::Parts(parts, _) => of_parts(tables, class, parts),
        ClassContent::List(list) => {
            let codes = ValidCodes::within_bits((list.count * list.width).clamp(1, 32));
            asked.map_or(codes.clone(), |asked| unasked(asked, codes))
        }
        ClassContent::Cases { list, codes, .. } => {
            let of_list = list.iter().map(|(count, _)| (0, count - 1));
            ValidCodes::only(of_list.chain(codes.iter().map(|run| (run.first, run.last))))
        }
        ClassContent::Call(_, arguments) if has(class, |c| matches!(c, Clause::NameAlone)) => {
            let bits = arguments.first().map_or(0, |first| first.bits.0 - first.bits.1 + 1);
            ValidCodes::within_bits(bits)
        }
        ClassContent::Hidden => match asked {
            Some(asked) => unasked(asked, ValidCodes::All),
            // Encoders write 0 where the instruction does not use the modifier.
            None if hooked(class, "used") => ValidCodes::Within(0),
            None => ValidCodes::All,
        },
        ClassContent::Codes(_) | ClassContent::Flag(_) | ClassContent::Call(..) => ValidCodes::All,
    }
}

/// Returns the codes that are valid without a call of the function of a `check` clause. `all` are the valid codes of the class
/// without the clause.
fn unasked(asked: &Asked, all: ValidCodes) -> ValidCodes {
    match asked {
        Asked::Always | Asked::Of(_) => ValidCodes::NONE,
        Asked::BesideDword => all,
        Asked::NotZero => ValidCodes::Within(0),
        Asked::InRows(name) => ValidCodes::Cases(vec![(Case::Flag(name.clone()), ValidCodes::NONE), (Case::Else, all)]),
    }
}

/// Returns the valid codes of a class of parts.
fn of_parts(tables: &OperandTables, class: &ClassDecl, parts: &[PartDecl]) -> ValidCodes {
    let bits = parts.iter().fold(0, |bits, part| bits | part.mask());
    if has(class, |c| matches!(c, Clause::OthersHex)) {
        return ValidCodes::All;
    }
    if parts.iter().all(|part| part.values.is_none()) {
        return ValidCodes::Within(bits);
    }
    let named = parts.iter().map(|part| {
        let (lo, width) = (part.bits.1, part.width());
        let count = part.values.as_ref().map_or(1 << width, |(list, _)| tables.name_count(list) as u32);
        PartCodes { lo, width, codes: ValidCodes::only([(0, count - 1)]) }
    });
    let width = (u32::BITS - bits.leading_zeros()) as u8;
    let rest = PartCodes { lo: width, width: 32 - width, codes: ValidCodes::Within(0) };
    ValidCodes::Parts(named.chain([rest]).collect())
}

/// Returns the code of the literal that a class may have or print in a generation, and its suffix dword.
pub fn literal_run<'a>(space: &Space<'a>, class: &ClassDecl) -> Option<(u32, &'a SpannedStr)> {
    let ClassContent::Codes(arms) = &class.content else { return None };
    let printed = class.clauses.iter().filter_map(|clause| match clause {
        Clause::Prints { set, .. } => Some(space.resolve(set)),
        _ => None,
    });
    let runs = printed.fold(space.resolve_all(arms), |all, runs| all | runs);
    space.list(runs).into_iter().find_map(|run| match &run.kind {
        RunKind::Literal(dword) => Some((run.first, dword)),
        _ => None,
    })
}

/// Returns how many bits the codes of a class have, in the generation that needs most.
pub fn bits_of(tables: &OperandTables, class: &ClassDecl) -> u8 {
    let ClassContent::Codes(arms) = &class.content else { return 0 };
    let mut highest = 0;
    for space in Space::each(tables) {
        for arm in arms {
            let (base, shift) = space.map(arm);
            for run in space.list(space.resolve(&arm.set)) {
                highest = highest.max((run.last - base) >> shift);
            }
        }
    }
    (u32::BITS - highest.leading_zeros()) as u8
}

/// Returns whether the field of a class holds the number of a register, so that every code is one.
pub fn is_numbered(class: &ClassDecl) -> bool {
    matches!(&class.content, ClassContent::Codes(arms) if arms.iter().all(|arm| matches!(arm.map, ArmMap::Number(_))))
}
