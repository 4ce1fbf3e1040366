//! Const functions that build the tables from the rows that the macro generates: see [`isa_schema`].

/// The number of elements of a long list that are written at once: const evaluation of a write to an array with pointers takes time
/// proportional to the length of the array.
pub(crate) const CHUNK: usize = 64;

/// Fills a list chunk by chunk ([`CHUNK`]). The function gets a chunk, the index of its first element, and the arguments.
macro_rules! fill_in_chunks {
    ($out:expr, $none:expr, $fill:ident($($argument:expr),*)) => {{
        let ((mut chunks, last), mut first) = ($out.as_chunks_mut::<CHUNK>(), 0);
        while let [chunk, rest @ ..] = chunks {
            let mut elements = [$none; CHUNK];
            $fill(&mut elements, first, $($argument),*);
            *chunk = elements;
            (chunks, first) = (rest, first + CHUNK);
        }
        $fill(last, first, $($argument),*);
    }};
}

#[cfg(feature = "inst")]
pub(crate) use fill_in_chunks;

mod operand_lists;
mod print_plans;
mod slices;

#[cfg(feature = "parse")]
use isa_schema::EntryRow;
use isa_schema::{DefaultSuffixDword, Index, LITERAL_STEP, ModifierList, Rows, ShapeRow, VariantRow};

#[cfg(feature = "parse")]
use crate::Entry;
use crate::operands::class::ClassFacts;
#[cfg(feature = "parse")]
use crate::parse::asm::Reader;
pub use crate::tables::Bounds;
use crate::tables::codes::{Names, Values};
use crate::tables::{
    BitRange, Carrier, EncodingVariant, FieldBits, Format, FormatLookup, Isa, Literal, LowBitRange, OpcodeLookup, Run,
    Shape, Slot, Step, UsedFn, ValidCodes, ValueFn, WriteCodeFn, WriteFn, WriteLiteralFn,
};
use crate::text::{Label, Short};
pub use operand_lists::{operand_lists, operand_steps};
pub use print_plans::{PrintPlans, PrintPlansSource, print_operands, print_plans, print_steps};
use slices::Slices;

/// Builds the steps of texts.
#[must_use]
pub const fn steps<const N: usize>(packed: [u16; N], literals: &[&'static str]) -> [Step; N] {
    let mut out = [Step::Operand(0); N];
    let mut i = 0;
    while i < N {
        out[i] = if packed[i] & LITERAL_STEP == 0 {
            Step::Operand(packed[i] as u8)
        } else {
            Step::Literal(literals[(packed[i] & !LITERAL_STEP) as usize])
        };
        i += 1;
    }
    out
}

/// Builds a component's carriers.
#[must_use]
pub const fn carriers<I: Isa, const N: usize>(
    packed: [(&'static str, u8, FieldBits); N],
    classes: &[&ClassFacts<I>; N],
) -> [Carrier<I>; N] {
    const { assert!(N <= MAX_CARRIERS, "a component has too many carriers") };
    let mut out =
        [const { Carrier { name: "", field: 0, bits: FieldBits::NONE, valid: None, printable: never::<I> } }; N];
    let mut i = 0;
    while i < N {
        let (name, field, bits) = packed[i];
        let is_checked = bits.width() > classes[i].bits as u32;
        let valid = if is_checked { classes[i].valid } else { None };
        out[i] = Carrier { name, field, bits, valid, printable: classes[i].printable };
        i += 1;
    }
    out
}

/// Returns whether instructions may not use an operand of one of these classes.
#[must_use]
pub const fn may_be_unused<I: Isa>(classes: &[&ClassFacts<I>]) -> bool {
    let mut i = 0;
    while i < classes.len() {
        if classes[i].is_used.is_some() {
            return true;
        }
        i += 1;
    }
    false
}

/// The most carriers of a component: indices have one byte, and 255 means none.
const MAX_CARRIERS: usize = 255;

fn never<I: Isa>(_: &crate::Cx<'_, I>, _: u32) -> bool {
    false
}

/// Const functions that take one property of each operand class. Const functions cannot take closures.
macro_rules! of_each_class {
    ($($(#[$doc:meta])* $name:ident: $type:ty, at first $first:expr, then $class:ident => $take:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $name<I: Isa, const N: usize>(classes: &[&ClassFacts<I>; N]) -> [$type; N] {
            let mut out: [$type; N] = [const { $first }; N];
            let mut i = 0;
            while i < N {
                let $class = classes[i];
                out[i] = $take;
                i += 1;
            }
            out
        }
    )*};
}

of_each_class! {
    /// Returns the functions that print the classes.
    writers: WriteFn<I>, at first writes_nothing::<I>, then class => class.write;
    /// Returns the functions that print the classes from the code alone.
    context_free_writers: Option<WriteCodeFn>, at first None, then class => class.names.context_free;
    /// Returns the codes of literals, and the functions that print these.
    writers_of_literals: Option<(u16, WriteLiteralFn)>, at first None, then class => match class.names.literal {
        Some(Literal { code, make, .. }) => Some((code, make)),
        None => None,
    };
    /// Returns the functions that return the classes' values.
    valuers: ValueFn<I>, at first is_nothing::<I>, then class => class.value;
    /// Returns the precomputed values.
    values: Values<I::Value>, at first Values::NONE, then class => class.values;
    /// Returns the functions that return whether the instruction uses an operand.
    usages: Option<UsedFn<I>>, at first None, then class => class.is_used;
}

#[cfg(feature = "inst")]
of_each_class! {
    /// Returns the functions of classes whose encoding depends on other fields.
    dependents: Option<crate::inst::Dependent<I>>, at first None, then class => class.dependent;
}

#[cfg(feature = "parse")]
of_each_class! {
    /// Returns the parsers of the classes.
    readers: Reader<I>, at first reads_nothing::<I>(), then class => class.reader;
}

fn writes_nothing<I: Isa>(_: &crate::Cx<'_, I>, _: u32, _: &mut crate::Text) {}

fn is_nothing<I: Isa>(_: &crate::Cx<'_, I>, _: u32) -> Option<I::Value> {
    None
}

#[cfg(feature = "parse")]
const fn reads_nothing<I: Isa>() -> Reader<I> {
    Reader { parse: |_| Ok(None), is_deferred: false, default: None, stated_by: "" }
}

/// The facts of a carrier without its functions. Const evaluation of generic functions is several times slower, so functions
/// without type parameters build the long tables from these facts.
#[derive(Clone, Copy)]
pub struct Fact {
    pub(crate) name: &'static str,
    /// Its bits, if they are one range of the first two dwords.
    pub(crate) place: Option<LowBitRange>,
    /// The mask of its bits in the first two dwords and in the third.
    pub(crate) mask: (u64, u32),
    /// Whether the decoder has to check the code.
    pub(crate) checked: bool,
    /// Whether it prints nothing if its code is 0.
    pub(crate) omits_zero: bool,
    /// The precomputed texts.
    pub(crate) names: &'static Names,
    /// The carriers that change its text, a bit each.
    pub(crate) altered_by: [u128; 2],
    /// The flags of rows without precomputed values, and without precomputed literals.
    pub(crate) unless: u128,
    pub(crate) unless_literal: u128,
    /// Whether it is parsed again when the line has been read.
    #[cfg(feature = "parse")]
    pub(crate) is_deferred: bool,
    /// Whether it has another default than 0 if text omits it.
    #[cfg(feature = "parse")]
    pub(crate) has_default: bool,
    /// The fast syntax.
    #[cfg(feature = "parse")]
    pub(crate) syntax: &'static crate::FastSyntax,
    /// The name as a number, eight characters with the first in the lowest byte, if the fast syntax is a flag.
    #[cfg(feature = "parse")]
    pub(crate) flag: u64,
    /// The codes that are valid regardless of the other operands.
    pub(crate) valid_codes: ValidCodes,
    /// The flags that `valid_codes` depends on, and whether it depends on the mode.
    pub(crate) depends: (u128, bool),
}

/// Returns the facts of a component's carriers.
#[must_use]
pub const fn facts<I: Isa, const N: usize>(
    carriers: &[Carrier<I>; N],
    classes: &[&'static ClassFacts<I>; N],
) -> [Fact; N] {
    let none = Fact {
        name: "",
        place: None,
        mask: (0, 0),
        checked: false,
        omits_zero: false,
        names: &Names::NONE,
        altered_by: [0; 2],
        unless: 0,
        unless_literal: 0,
        #[cfg(feature = "parse")]
        is_deferred: false,
        #[cfg(feature = "parse")]
        has_default: false,
        #[cfg(feature = "parse")]
        syntax: &crate::FastSyntax::NONE,
        #[cfg(feature = "parse")]
        flag: 0,
        valid_codes: ValidCodes::NONE,
        depends: (0, false),
    };
    let mut out = [none; N];
    let mut i = 0;
    while i < N {
        let (carrier, class) = (&carriers[i], classes[i]);
        let place = LowBitRange::new(&carrier.bits);
        let mask = mask(&carrier.bits, place);
        out[i] = Fact {
            name: carrier.name,
            place,
            mask,
            checked: carrier.valid.is_some(),
            omits_zero: class.omit_if_zero,
            names: &class.names,
            altered_by: [0; 2],
            unless: class.values.unless,
            unless_literal: match (&class.names.literal, &class.values.literal) {
                (Some(text), Some(value)) => text.unless | value.unless,
                (Some(Literal { unless, .. }), None) | (None, Some(Literal { unless, .. })) => *unless,
                (None, None) => 0,
            },
            #[cfg(feature = "parse")]
            is_deferred: class.reader.is_deferred,
            #[cfg(feature = "parse")]
            has_default: class.reader.default.is_some(),
            #[cfg(feature = "parse")]
            syntax: class.fast_syntax,
            #[cfg(feature = "parse")]
            flag: if class.fast_syntax.flag { crate::Word::new(carrier.name, 0, 1).bytes } else { 0 },
            valid_codes: class.valid_codes,
            depends: class.depends,
        };
        i += 1;
    }
    find_altering(&mut out);
    out
}

/// Returns the mask of a carrier in the first two dwords and in the third.
const fn mask(bits: &FieldBits, place: Option<LowBitRange>) -> (u64, u32) {
    if let Some(LowBitRange { ones, lo }) = place {
        return ((ones as u64) << lo, 0);
    }
    let mut mask = [0; 3];
    bits.set(&mut mask, u32::MAX);
    (mask[0] as u64 | (mask[1] as u64) << 32, mask[2])
}

const fn find_altering(facts: &mut [Fact]) {
    let (mut i, count) = (0, facts.len());
    while i < count {
        let mut names = facts[i].names.altered_by;
        while let [name, more @ ..] = names {
            let (name, mut other) = (name.as_bytes(), 0);
            while other < count {
                if same(facts[other].name.as_bytes(), name) {
                    facts[i].altered_by[other >> 7] |= 1 << (other & 127);
                }
                other += 1;
            }
            names = more;
        }
        i += 1;
    }
}

pub(crate) const fn same(mut a: &[u8], mut b: &[u8]) -> bool {
    // Names differ in their last characters most often.
    while let ([more_a @ .., x], [more_b @ .., y]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (more_a, more_b);
    }
    matches!((a, b), ([], []))
}

/// All encoding variants, and the flags of rows without precomputed texts and values.
pub struct EncodingVariants<const N: usize> {
    /// The variants.
    pub variants: [EncodingVariant; N],
    /// For each variant: the flags of rows without precomputed texts, values and literals.
    pub unless: [[u128; 3]; N],
}

/// Builds all encoding variants. `K` is the number of lists of modifiers.
#[must_use]
pub const fn variants<const N: usize, const K: usize>(
    rows: Rows<VariantRow>,
    modifiers: Rows<ModifierList>,
    bounds: &Bounds<'_>,
    facts: &[&[Fact]],
) -> EncodingVariants<N> {
    let variant = EncodingVariant { fixed: 0, operands: Run::NONE, modifiers: Run::NONE, checked: 0 };
    let mut out = EncodingVariants { variants: [variant; N], unless: [[0; 3]; N] };
    let mut known = [OperandFacts { checked: 0, unless: [0; 3] }; K];
    let mut i = 0;
    while i < K {
        let ModifierList { component, modifiers } = modifiers.get(i);
        known[i] = operand_facts(facts[component as usize], bounds, modifiers);
        i += 1;
    }
    fill_variants(&mut out.variants, &mut out.unless, rows, (modifiers, &known), bounds, facts);
    out
}

/// The operands of a list that the decoder has to check, and the flags of rows without precomputed texts, values and literals.
#[derive(Clone, Copy)]
struct OperandFacts {
    checked: u32,
    unless: [u128; 3],
}

const fn operand_facts(facts: &[Fact], bounds: &Bounds<'_>, operands: Run) -> OperandFacts {
    let (mut checked, mut texts, mut values, mut literals) = (0, 0, 0, 0);
    let (mut nth, from, count) = (0, operands.start as usize, operands.len as usize);
    while nth < count {
        let fact = &facts[bounds.distinct[bounds.all[from + nth] as usize].carrier as usize];
        if fact.checked {
            checked |= 1 << nth;
        }
        texts |= fact.names.unless;
        values |= fact.unless;
        literals |= fact.unless_literal;
        nth += 1;
    }
    OperandFacts { checked, unless: [texts, values, literals] }
}

const fn fill_variants(
    out: &mut [EncodingVariant],
    unless: &mut [[u128; 3]],
    rows: Rows<VariantRow>,
    (lists, known): (Rows<ModifierList>, &[OperandFacts]),
    bounds: &Bounds<'_>,
    facts: &[&[Fact]],
) {
    let (mut i, n_variants) = (0, out.len());
    while i < n_variants {
        let VariantRow { fixed, operands, modifiers: list } = rows.get(i);
        let (ModifierList { component, modifiers }, rest) = (lists.get(list as usize), &known[list as usize]);
        let first = operand_facts(facts[component as usize], bounds, operands);
        let mut checked = first.checked;
        if rest.checked != 0 {
            checked |= rest.checked << operands.len;
        }
        let (a, b) = (&first.unless, &rest.unless);
        unless[i] = [a[0] | b[0], a[1] | b[1], a[2] | b[2]];
        out[i] = EncodingVariant { fixed, operands, modifiers, checked };
        i += 1;
    }
}

/// Builds the labels. Each text is filled up with zeros to [`Label::MOST`] and followed by its length.
#[must_use]
pub const fn labels<const N: usize>(texts: &[u8]) -> [Label; N] {
    let mut out = [Label::NONE; N];
    fill_labels(&mut out, texts);
    out
}

const fn fill_labels(out: &mut [Label], texts: &[u8]) {
    let (texts, rest) = texts.as_chunks();
    assert!(texts.len() == out.len() && rest.is_empty());
    let (mut i, count) = (0, out.len());
    while i < count {
        out[i] = Label::new(texts[i]);
        i += 1;
    }
}

/// Builds the separators.
#[must_use]
pub const fn shorts<const N: usize>(texts: [&str; N]) -> [Short; N] {
    let mut out = [Short::new(""); N];
    let mut i = 0;
    while i < N {
        // The macro splits longer ones.
        assert!(texts[i].len() <= Short::MOST);
        out[i] = Short::new(texts[i]);
        i += 1;
    }
    out
}

/// Builds a component's shapes. `only` has the only mode in which each exists.
#[must_use]
pub const fn shapes<I: Isa, const N: usize>(rows: Rows<ShapeRow>, only: [Option<I::Mode>; N]) -> [Shape<I>; N] {
    let none =
        const { Shape { flags: 0, variants: Run::NONE, variant_bit: None, always: 0, selector_mask: 0, only: None } };
    let mut out = [none; N];
    let mut i = 0;
    while i < N {
        let ShapeRow { flags, variants, variant_bit, always, selector_mask } = rows.get(i);
        out[i] = Shape {
            flags,
            variants,
            variant_bit: match variant_bit {
                Some(bit) => Some(BitRange::new(bit.get() as u8, 1)),
                None => None,
            },
            always: Index::to_number(always) as u8,
            selector_mask,
            only: only[i],
        };
        i += 1;
    }
    out
}

/// The facts about all components that [`opcode_lookups`] uses.
pub struct ShapeVariants<'a> {
    /// See [`Tables::variants_of_shapes`](crate::tables::Tables::variants_of_shapes).
    pub variants: &'a [u16],
    /// See [`Tables::flags_of_shapes`](crate::tables::Tables::flags_of_shapes).
    pub flags: &'a [u128],
    /// See [`EncodingVariants::unless`].
    pub unless: &'a [[u128; 3]],
}

impl ShapeVariants<'_> {
    /// Returns a variant, as an index plus one, if it has precomputed texts, values and, with `literal`, literals for rows with
    /// these flags. Returns 0 otherwise.
    const fn variant(&self, at: usize, flags: u128, literal: bool) -> u16 {
        let variant = self.variants[at];
        if variant == 0 || flags == 0 {
            return variant;
        }
        let [texts, values, literals] = self.unless[variant as usize - 1];
        if flags & (texts | values) == 0 && (!literal || flags & literals == 0) { variant } else { 0 }
    }
}

/// Builds the lookups of all formats. `suffix_dwords` has the default suffix dword of each format.
#[must_use]
pub const fn format_lookups<I: Isa, const N: usize>(
    formats: &[Format<I>; N],
    opcodes: &'static [&'static [OpcodeLookup]],
    suffix_dwords: Rows<DefaultSuffixDword>,
) -> [FormatLookup; N] {
    let (place, none) = (LowBitRange::NONE, 0);
    let none = FormatLookup {
        opcodes: &[],
        suffix_dwords: &[],
        selector: place,
        place,
        dwords: none,
        component: none,
        suffix_dword: none,
    };
    let mut out = [none; N];
    let mut i = 0;
    while i < N {
        if let [one] = formats[i].components
            && let Some(place) = one.place
        {
            let Format { dwords, selectors, .. } = formats[i];
            let DefaultSuffixDword { suffix_dword, selector } = suffix_dwords.get(i);
            let suffix_dword = Index::to_number(suffix_dword) as u8;
            let opcodes = opcodes[one.nth as usize];
            out[i] = FormatLookup { opcodes, place, dwords, component: one.nth, suffix_dword, ..none };
            if let Some(other) = selector
                && let Some(place) = LowBitRange::of(selectors[other.get()].bits)
            {
                (out[i].suffix_dwords, out[i].selector) = (selectors[other.get()].suffix_dwords, place);
            }
        }
        i += 1;
    }
    out
}

/// The facts about a component that [`opcode_lookups`] uses.
pub struct OpcodeLookups<'a, I: Isa, const N: usize, const S: usize> {
    /// For each opcode the index of its slot plus one, or 0.
    pub table: &'a [u16; N],
    /// The slots.
    pub slots: &'a [Slot],
    /// For each slot the index of its mnemonic in [`Tables::labels`](crate::tables::Tables::labels).
    pub labels: &'a [u16],
    /// The shapes of the slots.
    pub shapes: &'a [Shape<I>; S],
    /// The variants of all components.
    pub variants: &'a ShapeVariants<'a>,
    /// The default suffix dword of the format, as an index plus one, or 0.
    pub suffix_dword: u8,
}

/// Builds the lookups of a component's opcodes: the variants without a suffix dword and with the default one.
#[must_use]
pub const fn opcode_lookups<I: Isa, const N: usize, const S: usize>(
    &OpcodeLookups { table, slots, labels, shapes, variants, suffix_dword }: &OpcodeLookups<'_, I, N, S>,
) -> [OpcodeLookup; N] {
    let none = OpcodeLookup { label: 0, variant: 0, variant_with_suffix_dword: 0 };
    let (mut of_shapes, mut i) = ([none; S], 0);
    while i < S {
        let Shape { variant_bit, flags, variants: Run { start, .. }, .. } = &shapes[i];
        if variant_bit.is_none() {
            let flags = variants.flags[*flags as usize];
            of_shapes[i].variant = variants.variant(*start as usize, flags, false);
            if suffix_dword != 0 {
                let at = *start as usize + suffix_dword as usize;
                of_shapes[i].variant_with_suffix_dword = variants.variant(at, flags, true);
            }
        }
        i += 1;
    }
    let mut out = [none; N];
    fill_lookups(&mut out, table, slots, labels, &of_shapes);
    out
}

const fn fill_lookups(
    out: &mut [OpcodeLookup],
    table: &[u16],
    slots: &[Slot],
    labels: &[u16],
    of_shapes: &[OpcodeLookup],
) {
    let (mut i, count) = (0, out.len());
    while i < count {
        if table[i] != 0 {
            let nth = table[i] as usize - 1;
            out[i] = OpcodeLookup { label: labels[nth], ..of_shapes[slots[nth].shape as usize] };
        }
        i += 1;
    }
}

/// Builds the entries of mnemonics.
#[must_use]
#[cfg(feature = "parse")]
pub const fn entries<const N: usize>(rows: Rows<EntryRow>, names: &[&'static str; N]) -> [Entry; N] {
    let mut out = [const { Entry { name: "", format: 0, component: 0, slot: 0 } }; N];
    fill_entries(&mut out, rows, names);
    out
}

#[cfg(feature = "parse")]
const fn fill_entries(out: &mut [Entry], rows: Rows<EntryRow>, names: &[&'static str]) {
    let (mut i, count) = (0, out.len());
    while i < count {
        let EntryRow { format, component, slot } = rows.get(i);
        out[i] = Entry { name: names[i], format, component, slot };
        i += 1;
    }
}
