//! Turns the body of an instruction into steps: once for each instruction that a program reaches.
//!
//! Operands, modifiers and conditions that are known become constants and vanish; what is left names rows. All reads come
//! before all writes to registers.

mod access;
mod address;
mod body;
mod checked;
mod combine;
mod fuse;
mod parts;
pub(crate) mod polls;
mod prune;
pub(crate) mod runs;
mod values;
mod wide;
mod write;

use alloc::string::String;
use alloc::vec::Vec;

use isa_runtime::body::{Clause, Ops, Run, Type};

use crate::layout::{Bound, Layout};
use crate::lower::values::Value;
use crate::operation::{OperationKind, dwords};
use crate::step::Step;

/// Why an instruction cannot be executed: its body is damaged, or uses something in a way that the executor does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

/// The steps of an instruction.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// Whether they run once for the wave.
    pub is_wave: bool,
    /// In a program that is checked: the same with one operation to a step.
    pub(crate) single: Option<Vec<Step>>,
}

/// The number of rows for temporaries in each file. No body needs more than a few dozen.
pub(crate) const TEMPORARIES: u16 = 256;

/// The constants of a program: rows after the temporaries, which hold the same number in all lanes.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    /// The dwords, in the order of their rows.
    pub dwords: Vec<u32>,
}

impl Constants {
    /// The index of the first of consecutive dwords that hold a number.
    fn index(&mut self, number: u128, count: u16) -> u16 {
        let wanted: Vec<u32> = (0..count.min(4)).map(|n| (number >> (32 * n)) as u32).collect();
        let found = self.dwords.windows(wanted.len().max(1)).position(|window| window == wanted);
        let at = found.unwrap_or_else(|| {
            self.dwords.extend(&wanted);
            self.dwords.len() - wanted.len()
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }
}

/// Lowers the instructions of a program.
#[derive(Clone, Debug)]
pub struct Lowering {
    layout: Layout,
    /// How many vector registers waves have.
    vectors: u16,
    /// Whether waves have 64 lanes.
    wave64: bool,
    /// Whether the program is checked while it runs.
    is_checked: bool,
    /// Constants in all lanes.
    pub wide: Constants,
    /// Constants of scalar rows.
    pub scalar: Constants,
}

/// Scalar registers whose values are in wide rows.
#[derive(Clone, Copy, PartialEq)]
struct Broadcast {
    /// The first scalar register.
    scalar: u16,
    /// The number of registers.
    count: u16,
    /// The first wide row.
    row: u16,
}

/// The state that the bodies of one instruction share: a dual-issue instruction has two, which read before either writes.
struct Context<'a> {
    program: &'a mut Lowering,
    /// The address of the next instruction.
    next: u64,
    steps: Vec<Step>,
    /// Writes to registers, which follow all other steps.
    writes: Vec<write::Write>,
    /// Scalar registers that are in wide rows.
    broadcasts: Vec<Broadcast>,
    /// Temporaries that are in use.
    used: u16,
    run: Run,
    error: Option<String>,
}

impl Lowering {
    /// A lowering for waves with this many vector registers.
    #[must_use]
    pub fn new(layout: Layout, vectors: u16, wave64: bool) -> Self {
        Lowering {
            layout,
            vectors,
            wave64,
            is_checked: false,
            wide: Constants::default(),
            scalar: Constants::default(),
        }
    }

    /// The lowering of a program that is checked while it runs.
    #[must_use]
    pub(crate) fn checked(self) -> Self {
        Lowering { is_checked: true, ..self }
    }

    /// Whether the program is checked while it runs.
    #[must_use]
    pub const fn is_checked(&self) -> bool {
        self.is_checked
    }

    /// Where the registers are.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many times 32 lanes waves have.
    pub(crate) const fn halves(&self) -> u16 {
        if self.wave64 { 2 } else { 1 }
    }

    /// How many vector registers waves have.
    #[must_use]
    pub const fn vectors(&self) -> u16 {
        self.vectors
    }

    /// Whether waves have 64 lanes.
    #[must_use]
    pub const fn is_wave64(&self) -> bool {
        self.wave64
    }

    /// The number of rows of the wide file.
    #[must_use]
    pub fn wide_rows(&self) -> usize {
        usize::from(self.wide_constants()) + self.wide.dwords.len()
    }

    /// The number of rows of the scalar file.
    #[must_use]
    pub fn scalar_rows(&self) -> usize {
        usize::from(self.scalar_constants()) + self.scalar.dwords.len()
    }

    /// The first row of the wide file that holds a constant.
    #[must_use]
    pub const fn wide_constants(&self) -> u16 {
        self.vectors + TEMPORARIES
    }

    /// The first row of the scalar file that holds a constant.
    #[must_use]
    pub const fn scalar_constants(&self) -> u16 {
        self.layout.scalar_temporaries() + TEMPORARIES
    }

    /// Lowers an instruction of one body, or of several that are issued together.
    ///
    /// # Errors
    /// The instruction cannot be executed.
    pub fn lower(&mut self, bodies: &[Bound<'_>], next: u64) -> Result<Lowered, Unsupported> {
        let mut context = Context {
            program: self,
            next,
            steps: Vec::new(),
            writes: Vec::new(),
            broadcasts: Vec::new(),
            used: 0,
            run: Run::Lanes,
            error: None,
        };
        for bound in bodies {
            context.run = run_of(bound);
            body::lower(&mut context, bound);
        }
        write::commit(&mut context);
        if let Some(error) = context.error {
            return Err(Unsupported(error));
        }
        let is_wave = context.run == Run::Wave;
        let steps = context.steps;
        let mut steps = prune::prune(steps, &self.temporaries());
        let mut single = self.is_checked.then(|| steps.clone());
        let (temporaries, constants) = (self.temporaries(), usize::from(self.wide_constants()));
        let constant = |row: u16| self.wide.dwords.get(usize::from(row).checked_sub(constants)?).copied();
        fuse::fuse(&mut steps, &|row| temporaries.wide.contains(&row), &constant);
        fuse::fuse_scalars(&mut steps, &|row| temporaries.scalar.contains(&row), &|row| self.scalar_dword(row));
        let mut steps = combine::combine(prune::join(steps), &temporaries, &|row| self.scalar_dword(row));
        if steps.iter().any(|step| step.changes_writers(&self.layout)) {
            match steps.last_mut() {
                Some(Step::Test { reloads, .. } | Step::Compare { reloads, .. }) => *reloads = true,
                _ => steps.push(Step::Reload),
            }
            single.iter_mut().for_each(|steps| steps.push(Step::Reload));
        }
        if !is_wave {
            let first = self.wide_constants();
            parts::on_dwords(&mut steps, &mut |dword| first.saturating_add(self.wide.index(dword.into(), 1)));
        }
        if self.wide_rows().max(self.scalar_rows()) > usize::from(u16::MAX) {
            return Err(Unsupported("the program has too many different constants".into()));
        }
        Ok(Lowered { steps, is_wave, single })
    }

    /// The number in two scalar rows, if they hold constants.
    pub(crate) fn scalar_number(&self, row: u16) -> Option<u64> {
        let at = usize::from(row.checked_sub(self.scalar_constants())?);
        let [low, high] = *self.scalar.dwords.get(at..)?.first_chunk::<2>()?;
        Some(u64::from(high) << 32 | u64::from(low))
    }

    /// The dword in a scalar row, if it is a constant.
    fn scalar_dword(&self, row: u16) -> Option<u32> {
        self.scalar.dwords.get(usize::from(row.checked_sub(self.scalar_constants())?)).copied()
    }

    fn temporaries(&self) -> prune::Temporaries {
        let (wide, scalar) = (self.vectors, self.layout.scalar_temporaries());
        prune::Temporaries { wide: wide..wide + TEMPORARIES, scalar: scalar..scalar + TEMPORARIES }
    }
}

/// How often a body runs.
fn run_of(bound: &Bound<'_>) -> Run {
    let mut runs = bound.clauses.iter().filter_map(|clause| match clause {
        Clause::Run(run) => Some(*run),
        _ => None,
    });
    runs.next().unwrap_or_default()
}

impl Context<'_> {
    /// Remembers the first error.
    fn fail(&mut self, error: impl Into<String>) {
        self.error.get_or_insert(error.into());
    }

    /// Temporary rows for a value of a type.
    fn temporary(&mut self, ty: Type) -> u16 {
        let count = dwords(ty);
        let first = self.used;
        self.used = self.used.saturating_add(count);
        if self.used > TEMPORARIES {
            self.fail("its body needs too many temporaries");
            self.used = 0;
            return self.first_temporary();
        }
        self.first_temporary() + first
    }

    fn first_temporary(&self) -> u16 {
        match self.run {
            Run::Lanes => self.program.vectors,
            Run::Wave => self.program.layout.scalar_temporaries(),
        }
    }

    /// The first row that holds a constant of this body's file.
    fn constant(&mut self, bits: u128, ty: Type) -> u16 {
        match self.run {
            Run::Lanes => self.program.wide_constants().saturating_add(self.program.wide.index(bits, dwords(ty))),
            Run::Wave => self.scalar_constant(bits, ty),
        }
    }

    /// The first row of the scalar file that holds a constant.
    fn scalar_constant(&mut self, bits: u128, ty: Type) -> u16 {
        self.program.scalar_constants().saturating_add(self.program.scalar.index(bits, dwords(ty)))
    }

    /// The first row of a value, which holds no bits above the type.
    fn row(&mut self, value: &Value) -> u16 {
        if !value.is_loose {
            return self.loose_row(value);
        }
        let cut = self.compute(OperationKind::Slice(0), value.ty, core::slice::from_ref(value));
        self.loose_row(&cut)
    }

    /// The first row of a value, which may hold bits above the type if the value is loose.
    fn loose_row(&mut self, value: &Value) -> u16 {
        match (value.row, value.known) {
            (Some(row), _) => row,
            (None, Some(bits)) => self.constant(bits, value.ty),
            (None, None) => {
                self.fail("its body reads a value where there is none");
                0
            }
        }
    }
}

/// The clauses of an instruction, as a body needs them.
struct Clauses<'c, 'a> {
    all: &'c [Clause<'a>],
}

impl<'a> Clauses<'_, 'a> {
    /// The fragments that change a source, in order.
    fn sources(&self, role: u8) -> impl Iterator<Item = Ops<'a>> + '_ {
        self.all.iter().filter_map(move |clause| match clause {
            Clause::Source(of, code) if *of == role => Some(code.clone()),
            _ => None,
        })
    }

    /// The fragments that change a result, in order.
    fn results(&self, role: u8) -> impl Iterator<Item = Ops<'a>> + '_ {
        self.all.iter().filter_map(move |clause| match clause {
            Clause::Result(of, code) if *of == role => Some(code.clone()),
            _ => None,
        })
    }

    /// The fragment that says whether the integers of the body saturate.
    fn saturates(&self, role: Option<u8>) -> Option<Ops<'a>> {
        self.all.iter().find_map(|clause| match clause {
            Clause::Saturate(of, code) if role.is_none_or(|role| role == *of) => Some(code.clone()),
            _ => None,
        })
    }

    /// The bit of inactive lanes in a mask.
    fn inactive(&self, role: u8) -> Option<bool> {
        self.all.iter().find_map(|clause| match clause {
            Clause::Inactive(of, bit) if *of == role => Some(*bit),
            _ => None,
        })
    }
}

impl Constants {
    /// The index of the first of consecutive dwords that are all the same.
    fn repeated(&mut self, dword: u32, count: u16) -> u16 {
        let at = self.dwords.len();
        self.dwords.extend(core::iter::repeat_n(dword, count.into()));
        u16::try_from(at).unwrap_or(u16::MAX)
    }
}
