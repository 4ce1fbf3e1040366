//! The values of expressions, before and after layout.
//!
//! A value is a number, or an address that a linker knows: `add - sub + number`, as LLVM's `MCValue`. Which differences are folded
//! into numbers, and which symbol a relocation names, follows `MCExpr::evaluateAsRelocatable`.

use std::collections::HashMap;

use amdgpu_object::{Directive, Family, SymbolType};

use crate::expression::tree::{Expr, Function, Op, Specifier, SymbolId};
use crate::layout::address::Address;
use crate::layout::section::Sections;
use crate::symbol_table::{Definition, Symbols};

/// The address that a value is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// A symbol.
    Symbol(SymbolId),
    /// `.`, an address without a name.
    Address(Address),
}

/// `add - sub + number`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Value {
    /// The address that is added.
    pub add: Option<Term>,
    /// The address that is subtracted.
    pub sub: Option<Term>,
    /// The number.
    pub number: i64,
    /// How a linker is to compute it.
    pub specifier: Option<Specifier>,
}

impl Value {
    fn number(number: i64) -> Self {
        Self { number, ..Self::default() }
    }

    /// The number, if the value is nothing else.
    pub fn absolute(&self) -> Option<i64> {
        (self.add.is_none() && self.sub.is_none() && self.specifier.is_none()).then_some(self.number)
    }

    fn negated(self) -> Self {
        Self { add: self.sub, sub: self.add, number: self.number.wrapping_neg(), specifier: self.specifier }
    }
}

/// The knowledge about addresses.
#[derive(Debug, Clone, Copy)]
pub enum Phase<'a> {
    /// Nothing: only numbers have a value.
    Constant,
    /// Before layout: distances within a fragment.
    Parse,
    /// After layout: distances within a section.
    Layout(&'a Sections),
}

/// Why an expression has no value.
pub type EvalError = &'static str;

const CYCLE: EvalError = "the symbols of this expression are defined by themselves";
const TOO_DEEP: EvalError = "the expression nests too deep";
const TOO_LARGE: EvalError = "the expression depends on too many symbols to be known here";
const NOT_CONSTANT: EvalError = "the expression depends on an address";
const NOT_RELOCATABLE: EvalError = "the operator takes numbers, and one side is an address or not defined";

/// The number of variables that a value may depend on before layout: each statement evaluates them again.
const MAX_VARIABLES: usize = 300;

/// The same for constants: an operand is evaluated to tell a constant from an address.
const MAX_CONSTANTS: usize = 100;

/// Deepest recursion: more than an expression can nest.
const MAX_DEPTH: u32 = 400;

/// Evaluates expressions. The values of variables are kept.
#[derive(Debug)]
pub struct Evaluator<'a> {
    symbols: &'a Symbols,
    phase: Phase<'a>,
    /// The values of variables, with all variables in them replaced; `None` while one is evaluated.
    variables: HashMap<SymbolId, Option<Result<Value, EvalError>>>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that knows as much as a phase does.
    pub fn new(symbols: &'a Symbols, phase: Phase<'a>) -> Self {
        Self { symbols, phase, variables: HashMap::new() }
    }

    /// The value of an expression.
    pub fn evaluate(&mut self, expr: &Expr) -> Result<Value, EvalError> {
        self.value(expr, false, 0)
    }

    /// The value of an expression with all variables in it replaced.
    pub fn evaluate_in_full(&mut self, expr: &Expr) -> Result<Value, EvalError> {
        self.value(expr, true, 0)
    }

    /// The value of a variable with all variables in it replaced.
    pub fn variable_value(&mut self, id: SymbolId) -> Result<Value, EvalError> {
        self.symbol(id, None, true)
    }

    /// Returns the address of a term and the number that is added to it; `None` if the symbol is not defined in a section.
    pub fn address(&mut self, term: Term) -> Option<(Address, i64)> {
        let id = match term {
            Term::Address(address) => return Some((address, 0)),
            Term::Symbol(id) => id,
        };
        match self.symbols.definition(id)? {
            Definition::Label(address) => Some((*address, 0)),
            // Before layout, a weak reference has no address.
            Definition::Variable(_)
                if self.symbols.weak_target(id).is_some() && !matches!(self.phase, Phase::Layout(_)) =>
            {
                None
            }
            Definition::Variable(_) => {
                let value = self.variable(id).ok()?;
                let (None, Some(add)) = (value.sub, value.add) else { return None };
                // All variables in it are replaced: this is a label or an address.
                let (address, _) = self.address(add)?;
                Some((address, value.number))
            }
            Definition::Common { .. } | Definition::Lds { .. } => None,
        }
    }

    /// Whether a symbol is undefined so far: it has no definition, or is a variable that adds a number to such a symbol.
    pub fn is_undefined(&mut self, id: SymbolId) -> bool {
        let symbols = self.symbols;
        let is_undefined = |id| symbols.definition(symbols.weak_target(id).unwrap_or(id)).is_none();
        let Some(Definition::Variable(expr)) = symbols.definition(id) else { return is_undefined(id) };
        match self.variable(id) {
            Ok(Value { add: Some(Term::Symbol(base)), sub: None, .. })
            | Ok(Value { add: None, sub: Some(Term::Symbol(base)), .. }) => is_undefined(base),
            Ok(_) => false,
            Err(_) => {
                let mut is_any_defined = false;
                expr.symbols(&mut |id, _| is_any_defined |= !is_undefined(id));
                !is_any_defined
            }
        }
    }

    /// Whether a symbol refers to an address of this file which a linker cannot replace.
    pub fn is_replaceable(&self, id: SymbolId) -> bool {
        let symbol = self.symbols.symbol(id);
        symbol.is_none_or(|symbol| !symbol.is_local() || symbol.kind() == SymbolType::IndirectFunction)
    }

    /// The value of a variable with all variables in it replaced. Those that it depends on are evaluated first, each once, on
    /// an explicit stack: chains of definitions can be long.
    fn variable(&mut self, id: SymbolId) -> Result<Value, EvalError> {
        if let Some(known) = self.variables.get(&id) {
            return known.unwrap_or(Err(CYCLE));
        }
        let symbols = self.symbols;
        let most = match self.phase {
            Phase::Constant => MAX_CONSTANTS,
            Phase::Parse => MAX_VARIABLES,
            Phase::Layout(_) => usize::MAX,
        };
        let mut open = vec![id];
        while let Some(&next) = open.last() {
            let Some(expr) = symbols.symbol(next).and_then(|symbol| symbol.variable()) else {
                open.pop();
                continue;
            };
            match self.variables.get(&next) {
                Some(Some(_)) => {
                    open.pop();
                }
                Some(None) => {
                    // All variables that it depends on are evaluated.
                    let value = self.value(expr, true, 0);
                    self.variables.insert(next, Some(value));
                    open.pop();
                }
                None => {
                    if self.variables.len() >= most {
                        return Err(TOO_LARGE);
                    }
                    self.variables.insert(next, None);
                    expr.symbols(&mut |id, _| {
                        let is_variable = symbols.symbol(id).is_some_and(|symbol| symbol.variable().is_some());
                        if is_variable && !self.variables.contains_key(&id) {
                            open.push(id);
                        }
                    });
                }
            }
        }
        self.variables.get(&id).copied().flatten().unwrap_or(Err(CYCLE))
    }

    fn symbol(&mut self, id: SymbolId, specifier: Option<Specifier>, in_full: bool) -> Result<Value, EvalError> {
        let symbol = Value { add: Some(Term::Symbol(id)), specifier, ..Value::default() };
        let value = match self.symbols.definition(id) {
            Some(Definition::Variable(Expr::Number(number))) => Value::number(*number),
            Some(Definition::Variable(_)) => self.variable(id)?,
            Some(_) | None if matches!(self.phase, Phase::Constant) => return Err(NOT_CONSTANT),
            Some(_) => return Ok(symbol),
            None => {
                // The name of a section is its beginning.
                let Phase::Layout(sections) = self.phase else { return Ok(symbol) };
                let start = sections.start_of(&self.symbols.name(id));
                return Ok(Value { add: start.map(Term::Address).or(symbol.add), ..symbol });
            }
        };
        let is_address = value.sub.is_none()
            && value.specifier.is_none()
            && value.add.is_some_and(|add| self.address(add).is_some());
        // A relocation tells weak references from others.
        let is_weak = self.symbols.weak_target(id).is_some() && value.absolute().is_none();
        match specifier {
            _ if is_weak => Ok(symbol),
            // A relocation names the variable, which the object file defines at the same address.
            _ if is_address && !in_full => Ok(symbol),
            None => Ok(value),
            Some(_) if value.absolute().is_some() => Ok(symbol),
            Some(_) if value.sub.is_none() && value.specifier.is_none() && value.number == 0 => {
                Ok(Value { specifier, ..value })
            }
            Some(_) => Err("a relocation specifier follows a symbol that stands for more than another symbol"),
        }
    }

    fn value(&mut self, expr: &Expr, in_full: bool, depth: u32) -> Result<Value, EvalError> {
        if depth > MAX_DEPTH {
            return Err(TOO_DEEP);
        }
        match expr {
            Expr::Number(number) => Ok(Value::number(*number)),
            Expr::Here(_) if matches!(self.phase, Phase::Constant) => Err(NOT_CONSTANT),
            Expr::Here(address) => Ok(Value { add: Some(Term::Address(*address)), ..Value::default() }),
            Expr::Symbol { id, specifier, .. } => self.symbol(*id, *specifier, in_full),
            Expr::Unary(op, x) => {
                let x = self.value(x, in_full, depth + 1)?;
                match (op, x.absolute()) {
                    (b'+', _) => Ok(x),
                    (b'-', _) if x.add.is_none() || x.sub.is_some() => Ok(x.negated()),
                    (b'~', Some(n)) => Ok(Value::number(!n)),
                    (b'!', Some(n)) => Ok(Value::number(i64::from(n == 0))),
                    _ => Err("the operator takes numbers, and this is an address or not defined"),
                }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a, in_full, depth + 1)?, self.value(b, in_full, depth + 1)?);
                match (op, a.absolute(), b.absolute()) {
                    (_, Some(a), Some(b)) => Ok(Value::number(calculate(*op, a, b)?)),
                    (Op::Add, ..) => self.sum(a, b),
                    (Op::Sub, ..) => self.sum(a, b.negated()),
                    _ => Err(NOT_RELOCATABLE),
                }
            }
            Expr::Call(function, arguments) => {
                let mut numbers = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    let value = self.value(argument, in_full, depth + 1)?;
                    numbers.push(value.absolute().ok_or("the function takes numbers")?);
                }
                call(*function, &numbers, self.symbols.family).map(Value::number)
            }
        }
    }

    /// The sum of two values, without the differences that are known.
    fn sum(&mut self, a: Value, b: Value) -> Result<Value, EvalError> {
        let (mut add, mut sub) = ([a.add, b.add], [a.sub, b.sub]);
        let mut number = a.number.wrapping_add(b.number);
        // A specifier leaves the value to the linker.
        let is_plain = a.specifier.or(b.specifier).is_none();
        for x in add.iter_mut().filter(|_| is_plain) {
            for y in &mut sub {
                if let (Some(plus), Some(minus)) = (*x, *y)
                    && let Some(distance) = self.distance(plus, minus)
                {
                    number = number.wrapping_add(distance);
                    (*x, *y) = (None, None);
                }
            }
        }
        let one = |[x, y]: [Option<Term>; 2]| match (x, y) {
            (Some(_), Some(_)) => Err("two addresses cannot be added"),
            (x, y) => Ok(x.or(y)),
        };
        Ok(Value { add: one(add)?, sub: one(sub)?, number, specifier: a.specifier.or(b.specifier) })
    }

    /// `plus - minus`, if it is known.
    fn distance(&mut self, plus: Term, minus: Term) -> Option<i64> {
        let (plus, more) = self.address(plus)?;
        let (minus, less) = self.address(minus)?;
        let (plus, minus) = match self.phase {
            Phase::Constant => return None,
            Phase::Parse if (plus.subsection, plus.fragment) != (minus.subsection, minus.fragment) => return None,
            Phase::Parse => (plus.offset, minus.offset),
            Phase::Layout(sections) => {
                let section = |address: Address| sections.section_of(address.subsection);
                if section(plus) != section(minus) {
                    return None;
                }
                (sections.offset(plus), sections.offset(minus))
            }
        };
        Some(plus.wrapping_sub(minus).cast_signed().wrapping_add(more).wrapping_sub(less))
    }
}

impl Symbols {
    /// Returns the number of an expression without addresses, not even ones with a known distance.
    pub fn constant(&self, expr: &Expr) -> Option<i64> {
        Evaluator::new(self, Phase::Constant).evaluate(expr).ok()?.absolute()
    }

    /// Whether the value of an expression is known only later: it names an address or a symbol that is not defined yet, itself or
    /// through other symbols.
    pub fn is_open(&self, expr: &Expr) -> bool {
        let value = Evaluator::new(self, Phase::Constant).evaluate(expr);
        matches!(value, Err(NOT_CONSTANT | TOO_LARGE))
    }

    /// Evaluates an expression before layout.
    pub fn evaluate(&self, expr: &Expr) -> Result<Value, EvalError> {
        Evaluator::new(self, Phase::Parse).evaluate_in_full(expr)
    }
}

fn calculate(op: Op, a: i64, b: i64) -> Result<i64, EvalError> {
    // Relations are all ones where they hold, as in LLVM.
    let holds = |yes: bool| -i64::from(yes);
    // In LLVM the result of other counts depends on the processor that it runs on.
    let shift = |f: fn(u64, u32) -> Option<u64>| {
        let shifted = u32::try_from(b).ok().and_then(|b| f(a.cast_unsigned(), b));
        shifted.map(u64::cast_signed).ok_or("a shift by less than 0 or more than 63")
    };
    Ok(match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Div | Op::Rem if b == 0 => return Err("division by zero"),
        Op::Div => a.wrapping_div(b),
        Op::Rem => a.wrapping_rem(b),
        Op::Shl => shift(u64::checked_shl)?,
        Op::Shr => shift(u64::checked_shr)?,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::OrNot => a | !b,
        Op::Eq => holds(a == b),
        Op::Ne => holds(a != b),
        Op::Lt => holds(a < b),
        Op::Le => holds(a <= b),
        Op::Gt => holds(a > b),
        Op::Ge => holds(a >= b),
        Op::Both => i64::from(a != 0 && b != 0),
        Op::Either => i64::from(a != 0 || b != 0),
    })
}

/// Bytes of a line of the instruction cache.
const INST_CACHE_LINE: u64 = 128;

/// AMDGPU's functions, for processors of a family.
fn call(function: Function, numbers: &[i64], family: Family) -> Result<i64, EvalError> {
    Ok(match (function, numbers) {
        (Function::Max | Function::TotalNumVgprs, _) => numbers.iter().copied().max().unwrap_or(0),
        (Function::Or, _) => numbers.iter().fold(0, |all, n| all | n),
        (Function::AlignTo, [_, 0]) => return Err("nothing is aligned to 0"),
        (Function::AlignTo, [n, to]) => {
            let up = n.wrapping_add(to.wrapping_sub(1));
            up.wrapping_sub(up.wrapping_rem(*to))
        }
        (Function::ExtraSgprs, [vcc, ..]) => 2 * i64::from(*vcc != 0),
        (Function::InstPrefSize, [bytes]) => {
            let lines = bytes.cast_unsigned().div_ceil(INST_CACHE_LINE);
            let most = Directive::InstPrefSize.max(family);
            lines.min(most).cast_signed()
        }
        (Function::Occupancy, [max_waves, granule, vgprs, generation, waves, used_sgprs, used_vgprs]) => {
            occupancy([*max_waves, *granule, *vgprs], *generation, *waves, [*used_sgprs, *used_vgprs])?
        }
        _ => return Err("the function takes another number of arguments"),
    })
}

/// LLVM's numbers of the generations that have registers of other numbers of waves.
const VOLCANIC_ISLANDS: i64 = 7;
const GFX10: i64 = 9;

/// The waves of a SIMD that have room for their registers. `limits` are the most waves, the VGPRs that are allocated together and
/// the VGPRs of a SIMD; `generation` is a number of LLVM's `AMDGPUSubtarget::Generation`; `waves` are those that other resources
/// allow; `used` are the SGPRs and VGPRs of a wave, 0 for no limit.
fn occupancy(
    [max_waves, granule, vgprs]: [i64; 3],
    generation: i64,
    waves: i64,
    [used_sgprs, used_vgprs]: [i64; 2],
) -> Result<i64, EvalError> {
    /// Up to how many SGPRs allow how many waves, and how many all others allow.
    const OLD: ([(i64, i64); 5], i64) = ([(48, 10), (56, 9), (64, 8), (72, 7), (80, 6)], 5);
    const NEW: ([(i64, i64); 3], i64) = ([(80, 10), (88, 9), (100, 8)], 7);
    let limit = |(steps, rest): (&[(i64, i64)], i64)| {
        steps.iter().find(|(sgprs, _)| used_sgprs <= *sgprs).map_or(rest, |(_, waves)| *waves)
    };
    let by_sgprs = match generation {
        _ if used_sgprs == 0 => waves,
        GFX10.. => max_waves,
        VOLCANIC_ISLANDS.. => limit((&NEW.0, NEW.1)),
        _ => limit((&OLD.0, OLD.1)),
    };
    let by_vgprs = match (used_vgprs, granule) {
        (0, _) => waves,
        (_, ..=0) | (..=-1, _) => return Err("the function counts registers, and one of the counts is not positive"),
        _ if used_vgprs < granule => max_waves,
        _ => {
            let granules = (used_vgprs - 1) / granule + 1;
            (vgprs / granules.saturating_mul(granule)).max(1).min(max_waves)
        }
    };
    Ok(waves.min(by_sgprs).min(by_vgprs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::parse::Scope;
    use crate::lex::cursor::Cursor;

    fn at(subsection: u32, offset: u64) -> Address {
        Address { subsection, fragment: 0, offset }
    }

    fn symbols() -> Symbols {
        let mut symbols = Symbols::default();
        symbols.define("near", Definition::Label(at(0, 8)), 0..1);
        symbols.define("far", Definition::Label(at(0, 108)), 0..1);
        symbols.define("behind", Definition::Label(Address { fragment: 1, ..at(0, 200) }), 0..1);
        symbols.define("data", Definition::Label(at(1, 4)), 0..1);
        symbols.assign("seven", Expr::Number(7), 0..1);
        let me = parse("me + 1", &symbols);
        symbols.define("me", Definition::Variable(me), 0..1);
        let nearer = parse("near - 4", &symbols);
        symbols.assign("nearer", nearer, 0..1);
        symbols
    }

    fn parse(text: &str, symbols: &Symbols) -> Expr {
        Expr::parse(&mut Cursor::new(text, 0), Scope { here: at(0, 16), symbols }).unwrap()
    }

    fn number(text: &str) -> Option<i64> {
        let symbols = symbols();
        symbols.evaluate(&parse(text, &symbols)).ok()?.absolute()
    }

    #[test]
    fn operators_bind_as_in_llvm() {
        for (text, value) in [
            ("1==1", -1),
            ("1!=2", -1),
            ("4+1<<1", 6),
            ("1||0", 1),
            ("!5", 0),
            ("7&3+1", 4),
            ("-7/2", -3),
            ("-7%3", -1),
            ("2|1*4", 6),
            ("5-3-1", 1),
            ("-1>>63", 1),
            ("1<<63", i64::MIN),
            ("~0", -1),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
    }

    #[test]
    fn symbols_and_functions() {
        for (text, value) in [
            ("seven*2", 14),
            ("far-near", 100),
            (".-near", 8),
            ("-(near-far)", 100),
            ("(near-far)&4294967295", 4_294_967_196),
            ("near-nearer", 4),
            ("max(1, seven, 3)", 7),
            ("max(totalnumvgprs(0, 90), 1)", 90),
            ("alignto(seven, 8)", 8),
            ("extrasgprs(1, 1, 0)", 2),
            ("or(1, 4)", 5),
            ("instprefsize(0)", 0),
            ("instprefsize(far-near)", 1),
            ("instprefsize(129)", 2),
            ("instprefsize(63*128)", 63),
            ("instprefsize(63*128+1)", 63),
            ("instprefsize(-1)", 63),
            ("occupancy(16, 8, 1536, 9, 16, 20, 40)", 16),
            ("occupancy(16, 8, 1536, 9, 16, 0, 300)", 5),
            ("occupancy(16, 24, 1536, 9, 16, 20, 97)", 12),
            ("occupancy(16, 24, 1536, 9, 4, 20, 1)", 4),
            ("occupancy(16, 24, 1536, 9, 16, 20, 2000)", 1),
            ("occupancy(10, 4, 256, 7, 10, 90, 30)", 8),
            ("occupancy(10, 4, 256, 8, 10, 81, 0)", 9),
            ("occupancy(10, 4, 256, 8, 10, 101, 0)", 7),
            ("occupancy(10, 4, 256, 5, 10, 49, 0)", 9),
            ("occupancy(10, 4, 256, 5, 10, 81, 3)", 5),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for text in [
            "near",
            "far-data",
            "nobody",
            "near*2",
            "1/0",
            "me",
            "occupancy(16, 0, 1536, 9, 16, 20, 40)",
            "instprefsize(near)",
            "near+far",
            "behind-far",
            "nobody-nobody",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn constants_hold_no_address() {
        let symbols = symbols();
        let constant = |text| symbols.constant(&parse(text, &symbols));
        assert_eq!((constant("seven+1"), constant("far-near"), constant("nobody")), (Some(8), None, None));
    }

    #[test]
    fn long_chains_have_a_value_and_cycles_have_none() {
        let mut symbols = symbols();
        for n in 0..5000 {
            let next = if n == 0 { parse("near", &symbols) } else { parse(&format!("x{}+1", n - 1), &symbols) };
            symbols.assign(&format!("x{n}"), next, 0..0);
        }
        let value = |text: &str| symbols.evaluate(&parse(text, &symbols));
        assert_eq!(value("x200-near").unwrap().absolute(), Some(200));
        assert_eq!(value("x4999-near"), Err(TOO_LARGE));
        let sections = Sections::new(0, 1 << 28);
        let mut late = Evaluator::new(&symbols, Phase::Layout(&sections));
        assert_eq!(late.evaluate(&parse("x4999-near", &symbols)).unwrap().absolute(), Some(4999));
        assert_eq!(value("me"), Err(CYCLE));
    }

    #[test]
    fn what_is_no_expression() {
        let deep = "(".repeat(1000);
        let long = "1+".repeat(1000) + "1";
        for text in [
            "",
            "+",
            "1+",
            "(1",
            "f(1)",
            "max()",
            "a@nothing",
            "alignto(1)",
            "occupancy(1, 2)",
            "instprefsize(1, 2)",
            "08",
            &deep,
            &long,
        ] {
            let symbols = Symbols::default();
            let scope = Scope { here: at(0, 0), symbols: &symbols };
            assert!(Expr::parse(&mut Cursor::new(text, 0), scope).is_err(), "{text}");
        }
    }
}
