//! Symbols, and the values of expressions over them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::asm::expr::{Expr, Function, Kind, Op, Place};
use crate::asm::report::Diagnostic;

/// What a symbol stands for.
#[derive(Debug, Clone)]
pub enum Meaning {
    /// A place in a section.
    Label(Place),
    /// An expression, as `.set` has it.
    Variable(Expr),
}

/// A symbol and where it is defined.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// What it stands for.
    pub meaning: Meaning,
    /// Where its name stands.
    pub span: Range<usize>,
}

/// From what a value counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// The beginning of a section.
    Section(usize),
    /// A symbol that is not defined here.
    Undefined(String, Range<usize>),
}

/// `plus + addend - minus`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Value {
    /// What is added, but for the number.
    pub plus: Option<Base>,
    /// What is taken off.
    pub minus: Option<Base>,
    /// The number.
    pub addend: i64,
    /// What a linker is to make of it.
    pub kind: Option<Kind>,
}

/// How deep symbols and operators may stand in each other: a test thread's two megabytes of stack must do unoptimised.
const DEEPEST: u32 = 200;

impl Value {
    fn number(addend: i64) -> Self {
        Self { addend, ..Self::default() }
    }

    /// The number, if it is nothing else.
    pub fn absolute(&self) -> Option<i64> {
        (self.plus.is_none() && self.minus.is_none() && self.kind.is_none()).then_some(self.addend)
    }

    /// A symbol in it that is not defined.
    pub fn undefined(&self) -> Option<(&str, &Range<usize>)> {
        [&self.plus, &self.minus].into_iter().find_map(|base| match base {
            Some(Base::Undefined(name, span)) => Some((name.as_str(), span)),
            _ => None,
        })
    }
}

/// All symbols.
#[derive(Debug, Default)]
pub struct Symbols {
    map: HashMap<String, Symbol>,
    global: HashSet<String>,
    /// How many labels there are so far of each number.
    numbered: HashMap<u64, u64>,
}

impl Symbols {
    /// The symbol of this name.
    pub fn get(&self, name: &str) -> Option<&Symbol> {
        self.map.get(name)
    }

    /// Defines a symbol, whatever it was before.
    pub fn set(&mut self, name: String, symbol: Symbol) {
        self.map.insert(name, symbol);
    }

    /// Makes a symbol known to other files, so that relocations name it and not its section.
    pub fn make_global(&mut self, name: String) {
        self.global.insert(name);
    }

    /// The name that is most like this one, if any is like it.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        rdna3::isa::nearest(self.map.keys().map(String::as_str), name)
    }

    /// The name of the next label of this number, which is defined here.
    pub fn number(&mut self, number: u64) -> String {
        let nth = self.numbered.entry(number).or_default();
        *nth += 1;
        numbered(number, *nth)
    }

    /// The name of the nearest label of this number, behind what was read so far or in it.
    pub fn numbered(&self, number: u64, behind: bool) -> Option<String> {
        let nth = self.numbered.get(&number).copied().unwrap_or(0) + u64::from(behind);
        (nth > 0).then(|| numbered(number, nth))
    }

    /// The fault of a symbol that is not defined; `why` says so of what it is called.
    pub fn fault(&self, name: &str, span: &Range<usize>, why: impl FnOnce(&str) -> String) -> Diagnostic {
        if let Some((number, _)) = name.split_once(NUMBERED) {
            return Diagnostic::new(span.clone(), format!("no label `{number}` follows this"));
        }
        let near = self.nearest(name).map(|near| format!("there is `{near}`"));
        Diagnostic::new(span.clone(), why(&format!("`{name}`"))).help(near)
    }

    /// The value of an expression, or why it has none.
    pub fn evaluate(&self, expr: &Expr) -> Result<Value, &'static str> {
        self.value(expr, 0, &mut 10_000)
    }

    /// The number that an expression is whatever the layout: without places, even if their distance is known.
    pub fn constant(&self, expr: &Expr) -> Option<i64> {
        if self.is_open(expr) {
            return None;
        }
        self.evaluate(expr).ok()?.absolute()
    }

    /// Whether the value of an expression is known only later: it names a place in a section or a symbol that is not
    /// defined yet, itself or through other symbols. True also for expressions that take too long to look through.
    pub fn is_open(&self, expr: &Expr) -> bool {
        self.names_open(expr, &mut 100)
    }

    fn names_open(&self, expr: &Expr, left: &mut u32) -> bool {
        if expr.has_here() {
            return true;
        }
        let mut found = false;
        expr.symbols(&mut |name, _| {
            *left = left.saturating_sub(1);
            found = found
                || *left == 0
                || match self.map.get(name).map(|symbol| &symbol.meaning) {
                    Some(Meaning::Label(_)) => true,
                    Some(Meaning::Variable(expr)) => self.names_open(expr, left),
                    None => true,
                };
        });
        found
    }

    fn value(&self, expr: &Expr, depth: u32, left: &mut u32) -> Result<Value, &'static str> {
        *left = left.checked_sub(1).ok_or("the expression is too large")?;
        if depth > DEEPEST {
            return Err("the symbols of this expression are defined by themselves, or by too long a chain of others");
        }
        match expr {
            Expr::Number(number) => Ok(Value::number(*number)),
            Expr::Here(place) => Ok(at(*place)),
            Expr::Symbol { name, kind, span } => {
                let named = kind.is_some() && self.global.contains(name);
                let value = match self.map.get(name).map(|symbol| &symbol.meaning).filter(|_| !named) {
                    Some(Meaning::Label(place)) => at(*place),
                    Some(Meaning::Variable(expr)) => self.value(expr, depth + 1, left)?,
                    None => Value { plus: Some(Base::Undefined(name.clone(), span.clone())), ..Value::default() },
                };
                Ok(Value { kind: kind.or(value.kind), ..value })
            }
            Expr::Unary(op, x) => {
                let x = self.value(x, depth + 1, left)?;
                match (op, x.absolute()) {
                    (b'+', _) => Ok(x),
                    (b'-', Some(n)) => Ok(Value::number(n.wrapping_neg())),
                    (b'~', Some(n)) => Ok(Value::number(!n)),
                    (b'!', Some(n)) => Ok(Value::number(i64::from(n == 0))),
                    (b'-', None) if x.kind.is_none() => {
                        let addend = x.addend.wrapping_neg();
                        Ok(Value { plus: x.minus, minus: x.plus, addend, kind: None })
                    }
                    _ => Err("the operator takes numbers, and this is a place in a section"),
                }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a, depth + 1, left)?, self.value(b, depth + 1, left)?);
                match (op, a.absolute(), b.absolute()) {
                    (_, Some(a), Some(b)) => Ok(Value::number(calculate(*op, a, b)?)),
                    (Op::Add, ..) => sum(a, b),
                    (Op::Sub, ..) if b.kind.is_none() => {
                        let addend = b.addend.wrapping_neg();
                        sum(a, Value { plus: b.minus, minus: b.plus, addend, kind: None })
                    }
                    _ => Err("the operator takes numbers, and one side is a place in a section or not defined"),
                }
            }
            Expr::Call(function, arguments) => {
                let mut numbers = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    let value = self.value(argument, depth + 1, left)?;
                    numbers.push(value.absolute().ok_or("the function takes numbers")?);
                }
                call(*function, &numbers).map(Value::number)
            }
        }
    }
}

/// What stands in the names of numbered labels and in no other name: a string in quotes holds any other character.
const NUMBERED: char = '\u{fdd0}';

fn numbered(number: u64, nth: u64) -> String {
    format!("{number}{NUMBERED}{nth}")
}

fn at(place: Place) -> Value {
    Value { plus: Some(Base::Section(place.section)), addend: place.offset as i64, ..Value::default() }
}

fn sum(a: Value, b: Value) -> Result<Value, &'static str> {
    let (mut plus, mut minus) = ([a.plus, b.plus], [a.minus, b.minus]);
    let same = |x: &Base, y: &Base| match (x, y) {
        (Base::Section(x), Base::Section(y)) => x == y,
        (Base::Undefined(x, _), Base::Undefined(y, _)) => x == y,
        _ => false,
    };
    for x in &mut plus {
        for y in &mut minus {
            if x.as_ref().zip(y.as_ref()).is_some_and(|(x, y)| same(x, y)) {
                (*x, *y) = (None, None);
            }
        }
    }
    let one = |[x, y]: [Option<Base>; 2]| match (x, y) {
        (Some(_), Some(_)) => Err("two places cannot be added"),
        (x, y) => Ok(x.or(y)),
    };
    let kind = a.kind.or(b.kind);
    Ok(Value { plus: one(plus)?, minus: one(minus)?, addend: a.addend.wrapping_add(b.addend), kind })
}

fn calculate(op: Op, a: i64, b: i64) -> Result<i64, &'static str> {
    // Relations are all ones where they hold, as in LLVM.
    let holds = |yes: bool| -i64::from(yes);
    let shift = |f: fn(u64, u32) -> Option<u64>| u32::try_from(b).ok().and_then(|b| f(a as u64, b)).unwrap_or(0) as i64;
    Ok(match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Div | Op::Rem if b == 0 => return Err("division by zero"),
        Op::Div => a.wrapping_div(b),
        Op::Rem => a.wrapping_rem(b),
        Op::Shl => shift(u64::checked_shl),
        Op::Shr => shift(u64::checked_shr),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
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

/// AMDGPU's functions, for processors of GFX10 and later.
fn call(function: Function, numbers: &[i64]) -> Result<i64, &'static str> {
    Ok(match (function, numbers) {
        (Function::Max | Function::TotalNumVgprs, _) => numbers.iter().copied().max().unwrap_or(0),
        (Function::Or, _) => numbers.iter().fold(0, |all, n| all | n),
        (Function::AlignTo, [_, 0]) => return Err("nothing is aligned to 0"),
        (Function::AlignTo, [n, to]) => {
            let up = n.wrapping_add(to.wrapping_sub(1));
            up.wrapping_sub(up.wrapping_rem(*to))
        }
        (Function::ExtraSgprs, [vcc, ..]) => 2 * i64::from(*vcc != 0),
        // In lines of 128 bytes; the field has six bits.
        (Function::InstPrefSize, [bytes]) => ((*bytes).clamp(0, 1 << 20) + 127).div_euclid(128).min(63),
        _ => return Err("the value of this function is not known here"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::cursor::Cursor;
    use crate::asm::expr::Scope;

    fn symbols() -> Symbols {
        let mut symbols = Symbols::default();
        let mut set = |name: &str, meaning| symbols.set(name.into(), Symbol { meaning, span: 0..1 });
        set("near", Meaning::Label(Place { section: 0, offset: 8 }));
        set("far", Meaning::Label(Place { section: 0, offset: 108 }));
        set("data", Meaning::Label(Place { section: 1, offset: 4 }));
        set("seven", Meaning::Variable(Expr::Number(7)));
        set("me", Meaning::Variable(parse("me + 1")));
        symbols
    }

    fn parse(text: &str) -> Expr {
        let here = Place { section: 0, offset: 16 };
        Expr::parse(&mut Cursor::new(text, 0), Scope { here, symbols: &Symbols::default() }).unwrap()
    }

    fn number(text: &str) -> Option<i64> {
        symbols().evaluate(&parse(text)).ok()?.absolute()
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
            ("1<<64", 0),
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
            ("max(1, seven, 3)", 7),
            ("max(totalnumvgprs(0, 90), 1)", 90),
            ("alignto(seven, 8)", 8),
            ("extrasgprs(1, 1, 0)", 2),
            ("instprefsize(129)", 2),
            ("or(1, 4)", 5),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for text in ["near", "far-data", "nobody", "near*2", "1/0", "me", "occupancy(1, 2)", "near+far"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_expression() {
        let deep = "(".repeat(1000);
        let long = "1+".repeat(1000) + "1";
        for text in ["", "+", "1+", "(1", "f(1)", "max()", "a@nothing", "alignto(1)", "08", &deep, &long] {
            let scope = Scope { here: Place { section: 0, offset: 0 }, symbols: &Symbols::default() };
            assert!(Expr::parse(&mut Cursor::new(text, 0), scope).is_err(), "{text}");
        }
    }

    #[test]
    fn similar_names_are_found() {
        let symbols = symbols();
        assert_eq!(symbols.nearest("sevn"), Some("seven"));
        assert_eq!(symbols.nearest("nothing"), None);
        assert_eq!(symbols.nearest("m"), None);
    }
}
