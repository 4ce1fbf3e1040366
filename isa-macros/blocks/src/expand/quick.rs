//! What `isa::quick` needs: where opcodes are looked up, and what each form asks of its words, as numbers.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::shared::{Pool, Runs, packed};
use super::tables::Window;
use super::{numbers, rows};
use crate::head::Head;
use crate::model::{Fixed, Format, Part, Set, require};
use crate::shape::{Bound, Form, announcing};
use crate::tree::Access;
use crate::ty::Ty;

/// The most bits of the first dword by which an opcode is looked up besides the window.
const WIDEST: u32 = 9;
/// The most tails whose announcements fit the numbers of a question.
const MOST_TAILS: usize = 8;

/// A format with a shape for each of its components.
type Key = (usize, Vec<usize>);

#[derive(Default)]
struct Quick {
    kinds: Pool<String>,
    kind_tokens: Vec<TokenStream>,
    announces: Pool<Vec<(u32, u8)>>,
    asks: Pool<[u32; 11]>,
    lists: Option<Runs<u16>>,
    forms: Vec<[u32; 7]>,
    /// One more than the index of the form, or 0 where the quick way has none.
    by_key: HashMap<Key, u16>,
}

pub(super) fn tables(head: &Head, set: &Set, window: &Window) -> TokenStream {
    let mut quick = Quick::default();
    let isa = &head.name;
    let mut ops: Vec<u16> = vec![0];
    let mut known: HashMap<Vec<u16>, usize> = HashMap::new();
    let (lo, bits) = (window.lo, ((1u32 << window.width) - 1) << window.lo);
    let windows: Vec<[u16; 3]> = (0u32..)
        .zip(&window.candidates)
        .map(|(value, formats)| {
            let Some((shift, index)) = index_bits(set, formats, bits) else { return [0; 3] };
            let list: Vec<u16> = (0..=index)
                .map(|i| quick.entry(head, set, formats, value << lo | i << shift, bits | index << shift))
                .collect();
            let next = ops.len();
            let base = *known.entry(list.clone()).or_insert(next);
            if base == next {
                ops.extend(list);
            }
            [base as u16, shift as u16, index as u16]
        })
        .collect();
    let kinds = &quick.kind_tokens;
    let announces = quick.announces.items.iter().map(|list| {
        let list = list.iter().map(|(code, tail)| quote!((#code, #tail)));
        quote!(&[#(#list),*])
    });
    // Questions that come to the same follow one another: so the compiler answers them once.
    let mut asks: Vec<(usize, &[u32; 11])> = quick.asks.items.iter().enumerate().collect();
    asks.sort_by_key(|(_, asked)| {
        let [kind, ty, w0, w1, w2, w3, tails, announce, first, rest @ ..] = **asked;
        (kind, ty, tails, announce, rest[0] != 0, first & 0xFF, [w0, w1, w2, w3], first, rest)
    });
    let mut place = vec![0; asks.len()];
    for (at, (was, _)) in asks.iter().enumerate() {
        place[*was] = at as u16;
    }
    let (mut groups, mut words, mut runs) = (Pool::default(), Pool::default(), Pool::default());
    let asks: Vec<[u32; 3]> = asks
        .iter()
        .map(|(_, asked)| {
            let [kind, ty, w0, w1, w2, w3, tails, announce, first, rest @ ..] = **asked;
            let row = [w3, w2, w1, w0].iter().fold(0, |all, word| all << 32 | u128::from(*word));
            // Of a field in several runs these are written down apart.
            let several = rest[0] != 0;
            let (width, bits) =
                if several { (u32::MAX, runs.at(&[first, rest[0], rest[1]]) as u32) } else { (first & 0xFF, first) };
            [groups.at(&[kind, ty, tails, announce, width]) as u32, words.at(&row) as u32, bits]
        })
        .collect();
    let (groups, words, runs, asks) = (rows(&groups.items), &words.items, rows(&runs.items), rows(&asks));
    let forms = rows(&quick.forms);
    let lists = quick.lists.iter().flat_map(|lists| &lists.all).map(|was| place[usize::from(*was)]);
    let lists = numbers(&lists.collect::<Vec<u16>>());
    let (windows_list, ops_list) = (rows(&windows), numbers(&ops));
    let (n, m, w, o) = (quick.forms.len(), head.modes.len(), windows.len(), ops.len());
    quote! {
        const SOURCE: unpack::Source<'static> = unpack::Source {
            kinds: &[::isa::Sure::All, #(<#kinds as ::isa::Operand<#isa>>::SURE),*],
            announces: &[#(#announces),*],
            groups: &[#groups],
            words: &[#(#words),*],
            runs: &[#runs],
            asks: &[#asks],
            lists: &[#lists],
            forms: &[#forms],
        };
        const BUILT: unpack::Built<#m, #n> = unpack::build(&SOURCE);
        pub(super) static QUICK: unpack::Tables<#m, #w, #o, { BUILT.more() }, { BUILT.sets() }> =
            unpack::tables(&SOURCE, &BUILT, &[#windows_list], &[#ops_list]);
    }
}

/// Which bits of the first dword tell the opcodes of these formats apart where the window does not: the lowest, and as
/// many ones as they are. `None` where they lie too far apart or elsewhere.
fn index_bits(set: &Set, formats: &[u8], window: u32) -> Option<(u32, u32)> {
    let formats: Vec<&Format> = formats.iter().filter_map(|i| set.formats.get(usize::from(*i))).collect();
    let opcodes = || formats.iter().flat_map(|f| &f.components).flat_map(|c| &c.opcode);
    if formats.is_empty() || opcodes().any(|part| part.word != 0) {
        return None;
    }
    let hull = |bits: u32| match bits {
        0 => (0, 0),
        _ => (bits.trailing_zeros(), u32::MAX >> (bits.leading_zeros() + bits.trailing_zeros())),
    };
    let bits = opcodes().fold(0, |all, part| all | part.mask()) & !window;
    // Formats that share a window often differ in other bits that they all fix.
    let common = formats.iter().fold(!window, |all, f| all & f.fixed.0[0]);
    let with_common = if formats.len() > 1 { hull(bits | common) } else { hull(bits) };
    let narrow = |(_, ones): &(u32, u32)| ones.count_ones() <= WIDEST;
    Some(with_common).filter(narrow).or_else(|| Some(hull(bits)).filter(narrow))
}

impl Quick {
    /// One more than the index of the form of words that have `value` in the bits of `known`; 0 where that is not clear,
    /// and `u16::MAX` where no row has such an opcode.
    fn entry(&mut self, head: &Head, set: &Set, formats: &[u8], value: u32, known: u32) -> u16 {
        let mut clear = true;
        for &id in formats {
            let format = &set.formats[usize::from(id)];
            if (value ^ format.fixed.1[0]) & format.fixed.0[0] & known != 0 {
                continue;
            }
            let mut inside = true;
            let shapes = format.components.iter().map(|c| {
                let number = c.opcode.iter().fold(0u64, |n, p| {
                    n << p.width | u64::from(value >> p.lo) & (u64::MAX >> (64 - u32::from(p.width)))
                });
                inside &= c.opcode.iter().all(|p| p.word == 0 && p.mask() & !known == 0);
                c.slot(number).filter(|_| inside).map(|s| s.shape)
            });
            let shapes = shapes.collect::<Option<Vec<usize>>>();
            // The first format that has such an opcode is the one; bits that are not known yet may still say no.
            if let Some(shapes) = shapes {
                let key = (usize::from(id), shapes);
                if let Some(&index) = self.by_key.get(&key) {
                    return index;
                }
                let index = match self.form(head, format, &key) {
                    None => 0,
                    Some(form) => {
                        self.forms.push(form);
                        self.forms.len() as u16
                    }
                };
                self.by_key.insert(key, index);
                return index;
            }
            clear &= inside;
        }
        if clear { u16::MAX } else { 0 }
    }

    fn form(&mut self, head: &Head, format: &Format, (id, shapes): &Key) -> Option<[u32; 7]> {
        let shapes: Vec<_> = format.components.iter().zip(shapes).map(|(c, s)| &c.shapes[*s]).collect();
        let always = shapes.iter().map(|s| s.always).max()?;
        let forms: Vec<&Form> = shapes.iter().map(|s| s.forms.get(always)?.as_ref()).collect::<Option<_>>()?;
        let mut fixed = format.fixed;
        let add = |fixed: &mut Fixed, more: &Fixed| {
            for w in 0..3 {
                fixed.0[w] |= more.0[w];
                fixed.1[w] |= more.1[w];
            }
        };
        for form in &forms {
            add(&mut fixed, &form.fixed);
        }
        // Of a row that a bit splits, this is the form for 0.
        for split in shapes.iter().filter_map(|s| s.split) {
            require(&mut fixed, &[split], 0);
        }
        if fixed.0[2] != 0 || format.tails.len() > MOST_TAILS {
            return None;
        }
        let only = format.block.only.as_ref().map(ToString::to_string);
        let only = only.into_iter().chain(shapes.iter().filter_map(|s| s.only.clone()));
        let mut modes: Vec<usize> = only.filter_map(|o| head.modes.iter().position(|m| *m == o)).collect();
        modes.dedup();
        if modes.len() > 1 {
            return None;
        }
        let announcers = shapes.iter().fold(0, |all, s| all | s.announcers);
        let tails = tails(format, &forms, &shapes.iter().map(|s| &s.forms[..]).collect::<Vec<_>>(), always);
        let announced: Vec<(usize, u32)> = announcing(format)
            .enumerate()
            .filter(|(nth, _)| announcers >> nth & 1 == 1)
            .map(|(_, (at, field))| {
                let clauses = format.tails.iter().enumerate();
                let codes = clauses.flat_map(|(i, (clause, _))| {
                    let mine = clause.when.iter().filter(|(name, _)| *name == field.decl.name);
                    mine.map(move |(_, code)| (code.value as u32, i as u8 + 1))
                });
                let width = field.parts.first().map_or(0, |p| u32::from(p.width));
                let list = codes.filter(|(code, _)| u64::from(*code) >> width == 0).collect();
                (at, self.announces.at(&list) as u32 + 1)
            })
            .collect();
        let mut asked: Vec<u16> = Vec::new();
        let mut told: Vec<usize> = Vec::new();
        for ((component, form), shape) in format.components.iter().zip(&forms).zip(&shapes) {
            for bound in &form.bound {
                let carrier = &component.carriers[bound.0];
                let nth = self.kinds.at(&carrier.kind.text);
                if nth == self.kind_tokens.len() {
                    self.kind_tokens.push(carrier.kind.tokens.clone());
                }
                let announce = announced.iter().find(|(at, _)| carrier.field == Some(*at)).map_or(0, |(_, a)| *a);
                told.extend(carrier.field);
                let [w0, w1, w2, w3] = [0, 32, 64, 96].map(|from| (shape.words >> from) as u32);
                let tails = if announce == 0 { 0 } else { tails };
                asked.push(
                    self.ask([nth as u32 + 1, type_of(bound), w0, w1, w2, w3, tails, announce], &carrier.field_parts)?,
                );
            }
        }
        // A field that holds no operand of the row may announce a tail all the same.
        for (at, announce) in announced.iter().filter(|(at, _)| !told.contains(at)) {
            let nothing: Bound = (0, Ty::WORD, Access::Modifier);
            asked.push(self.ask([0, type_of(&nothing), 0, 0, 0, 0, tails, *announce], &format.fields[*at].parts)?);
        }
        let (at, len) = self.lists.get_or_insert_with(Runs::new).at(asked);
        let length = u32::from(format.dwords) + u32::from(always != 0);
        let longer = u32::from(format.dwords) + 1;
        let mode = modes.first().map_or(0, |m| *m as u32 + 1);
        let facts = *id as u32 | length << 8 | longer << 16 | mode << 24;
        let ([m0, m1, _], [v0, v1, _]) = fixed;
        Some([m0, m1, v0, v1, facts, at, len])
    }

    /// The index of a question about bits in at most three runs.
    fn ask(&mut self, [kind, ty, w0, w1, w2, w3, tails, announce]: [u32; 8], parts: &[Part]) -> Option<u16> {
        let mut runs = [0; 3];
        if parts.len() > runs.len() {
            return None;
        }
        for (to, p) in runs.iter_mut().zip(parts) {
            *to = u32::from(p.word) << 16 | u32::from(p.lo) << 8 | u32::from(p.width);
        }
        let [a, b, c] = runs;
        Some(self.asks.at(&[kind, ty, w0, w1, w2, w3, tails, announce, a, b, c]) as u16)
    }
}

/// The type alone of a packed operand.
fn type_of(bound: &Bound) -> u32 {
    packed(bound) & !0x3FF
}

/// What comes of a code that announces each tail, two bits for each: 1 where the form stays as it is but for a further
/// dword, 2 where it does not.
fn tails(format: &Format, forms: &[&Form], all: &[&[Option<Form>]], always: usize) -> u32 {
    let mut free = true;
    (1..=format.tails.len()).fold(0, |bits, tail| {
        let same = forms.iter().zip(all).all(|(form, all)| {
            let other = all.get(tail).and_then(Option::as_ref);
            other.is_some_and(|other| other.fixed == form.fixed && other.bound == form.bound)
        });
        // One tail only: two that are announced have to be told apart.
        let plain = free && if always == 0 { same } else { tail == always };
        free &= !plain;
        bits | if plain { 1 } else { 2 } << (2 * (tail - 1))
    })
}
