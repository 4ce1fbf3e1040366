//! The wave size of functions, which have no descriptor: from the kernels that call them, or from their own code.

use std::collections::{HashMap, HashSet};

use amdgpu_arch::{Arch, InstructionSet, Wave, with_rdna_set};
use amdgpu_object::RelocationKind;
use isa::body::State;
use isa::{Decoder, Isa};
use rdna_rows::{File, Format, Generation, Instruction, Registers, Value, roles};

use crate::file_sections::{FileSections, SectionOffset};
use crate::symbol::{SymbolKind, WaveRule, WaveSource};

/// Sets the wave size of every function. Returns that of code before any kernel or function.
pub fn assign(image: &mut FileSections<'_>, arch: Arch) -> Wave {
    with_rdna_set!(arch, S => assign_in::<S>(image)).unwrap_or_else(|| {
        assign_all(image, Wave::W64, &WaveRule::OnlyOne);
        Wave::W64
    })
}

/// Sets the wave size of every function in code of a generation of RDNA.
fn assign_in<S: InstructionSet + Generation>(image: &mut FileSections<'_>) -> Wave {
    infer_shaders::<S>(image);
    let mut kernels = Vec::new();
    for (section, s) in image.sections.iter().enumerate() {
        kernels.extend(s.symbols.iter().filter_map(|symbol| match symbol.kind {
            SymbolKind::Kernel(wave, _) => {
                Some(Kernel { name: symbol.name.clone(), wave, at: SectionOffset { section, offset: symbol.offset } })
            }
            _ => None,
        }));
    }
    if let Some((first, rest)) = kernels.split_first()
        && rest.iter().all(|kernel| kernel.wave == first.wave)
    {
        let wave = first.wave;
        set_functions(image, |_| (wave, WaveRule::AllKernels));
        return wave;
    }
    let mut known = called_from::<S>(image, &kernels);
    let mut neighbours: HashMap<SectionOffset, Vec<(SectionOffset, Reference)>> = HashMap::new();
    for at in functions(image) {
        if !matches!(known.get(&at), None | Some((_, WaveRule::CalledFromBoth(..)))) {
            continue;
        }
        if let Some(wave) = wave_of_code::<S>(image, at) {
            known.insert(at, (wave, WaveRule::OwnCode));
        }
        for called in functions_referenced::<S>(image, at) {
            neighbours.entry(called).or_default().push((at, Reference::To));
            neighbours.entry(at).or_default().push((called, Reference::From));
        }
    }
    // A function and those that it calls have the same wave size.
    let mut work: Vec<SectionOffset> = known.keys().copied().collect();
    work.sort_unstable();
    while let Some(at) = work.pop() {
        let Some((wave, rule)) = known.get(&at) else { continue };
        if matches!(rule, WaveRule::CalledFromBoth(..)) {
            continue;
        }
        let (wave, name) = (*wave, name_of(image, at));
        for (other, reference) in neighbours.remove(&at).unwrap_or_default() {
            known.entry(other).or_insert_with(|| {
                work.push(other);
                let rule = match reference {
                    Reference::To => WaveRule::Calls(name.clone()),
                    Reference::From => WaveRule::CalledBy(name.clone()),
                };
                (wave, rule)
            });
        }
    }
    set_functions(image, |at| known.get(&at).cloned().unwrap_or((Wave::W32, WaveRule::Unknown)));
    Wave::W32
}

/// Sets the wave size of shaders whose metadata do not state it to that of their code, or else of the code of a function. Code is more
/// certain than the number of VGPRs, since LLVM merges the metadata of all kernels of a file.
fn infer_shaders<S: InstructionSet + Generation>(image: &mut FileSections<'_>) {
    let is_inferred = |kind: &SymbolKind| matches!(kind, SymbolKind::Kernel(_, source) if source.is_inferred());
    let shaders: Vec<SectionOffset> = symbols(image, is_inferred).collect();
    if shaders.is_empty() {
        return;
    }
    let of_functions = functions(image).find_map(|at| wave_of_code::<S>(image, at));
    for at in shaders {
        let Some(wave) = wave_of_code::<S>(image, at).or(of_functions) else { continue };
        for symbol in &mut image.sections[at.section].symbols {
            if symbol.offset == at.offset && is_inferred(&symbol.kind) {
                symbol.kind = SymbolKind::Kernel(wave, WaveSource::Code);
            }
        }
    }
}

/// The direction of a reference between a function and another, as the other sees it.
#[derive(Clone, Copy)]
enum Reference {
    /// The other refers to the function.
    To,
    /// The function refers to the other.
    From,
}

/// Gives every function the same wave size.
pub fn assign_all(image: &mut FileSections<'_>, wave: Wave, rule: &WaveRule) {
    set_functions(image, |_| (wave, rule.clone()));
}

struct Kernel {
    name: String,
    wave: Wave,
    at: SectionOffset,
}

fn set_functions(image: &mut FileSections<'_>, mut wave_of: impl FnMut(SectionOffset) -> (Wave, WaveRule)) {
    for (section, s) in image.sections.iter_mut().enumerate() {
        for symbol in &mut s.symbols {
            if matches!(symbol.kind, SymbolKind::Function(..)) {
                let (wave, rule) = wave_of(SectionOffset { section, offset: symbol.offset });
                symbol.kind = SymbolKind::Function(wave, rule);
            }
        }
    }
}

fn functions(image: &FileSections<'_>) -> impl Iterator<Item = SectionOffset> {
    symbols(image, |kind| matches!(kind, SymbolKind::Function(..)))
}

/// The places of symbols of some kinds.
fn symbols(
    image: &FileSections<'_>,
    is_kind: impl Fn(&SymbolKind) -> bool + Copy,
) -> impl Iterator<Item = SectionOffset> {
    image.sections.iter().enumerate().flat_map(move |(section, s)| {
        let symbols = s.symbols.iter().filter(move |symbol| is_kind(&symbol.kind));
        symbols.map(move |symbol| SectionOffset { section, offset: symbol.offset })
    })
}

fn name_of(image: &FileSections<'_>, at: SectionOffset) -> String {
    image.object_at(at).and_then(|(symbol, _)| symbol).map(|symbol| symbol.name.clone()).unwrap_or_default()
}

/// The wave size of every function that some kernel reaches through calls, branches and tables of addresses.
fn called_from<S: InstructionSet + Generation>(
    image: &FileSections<'_>,
    kernels: &[Kernel],
) -> HashMap<SectionOffset, (Wave, WaveRule)> {
    let mut found: HashMap<SectionOffset, (Wave, WaveRule)> = HashMap::new();
    for wave in [Wave::W32, Wave::W64] {
        let mut visited: HashSet<SectionOffset> = HashSet::new();
        for kernel in kernels.iter().filter(|kernel| kernel.wave == wave) {
            let mut work = vec![kernel.at];
            while let Some(at) = work.pop() {
                if !visited.insert(at) {
                    continue;
                }
                if at != kernel.at {
                    found
                        .entry(at)
                        .and_modify(|(of, rule)| {
                            if let (true, WaveRule::CalledFrom(other)) = (*of != wave, &*rule) {
                                *rule = WaveRule::CalledFromBoth(other.clone(), kernel.name.clone());
                            }
                        })
                        .or_insert_with(|| (wave, WaveRule::CalledFrom(kernel.name.clone())));
                }
                work.extend(references::<S>(image, at));
            }
        }
    }
    found
}

/// The starts of the functions that the function at a place refers to, directly or through tables of addresses.
fn functions_referenced<S: InstructionSet + Generation>(
    image: &FileSections<'_>,
    at: SectionOffset,
) -> Vec<SectionOffset> {
    let is_code = |place: &SectionOffset| image.sections.get(place.section).is_some_and(|s| s.is_executable);
    let mut visited: HashSet<SectionOffset> = HashSet::new();
    let mut found = Vec::new();
    let mut work = references::<S>(image, at);
    while let Some(place) = work.pop() {
        if !visited.insert(place) {
            continue;
        }
        if is_code(&place) {
            found.push(place);
        } else {
            work.extend(references::<S>(image, place));
        }
    }
    found
}

/// The starts of the functions and data that the function or data at a place refers to.
fn references<S: InstructionSet + Generation>(image: &FileSections<'_>, at: SectionOffset) -> Vec<SectionOffset> {
    let (Some(section), Some((_, range))) = (image.sections.get(at.section), image.object_at(at)) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let first = section.relocations.partition_point(|r| r.offset < range.start);
    for relocation in section.relocations[first..].iter().take_while(|r| r.offset < range.end) {
        // The lower half of an address has the same target.
        let is_high = matches!(
            relocation.kind(),
            Some(RelocationKind::Abs32Hi | RelocationKind::Rel32Hi | RelocationKind::Gotpcrel32Hi)
        );
        out.extend(relocation.target.filter(|_| !is_high));
    }
    if section.is_executable {
        let bytes = section.bytes.get(range.clone()).unwrap_or_default();
        let relocated = |offset: usize| section.relocations.binary_search_by_key(&offset, |r| r.offset).is_ok();
        distances::<S>(
            bytes,
            |offset| relocated(range.start + offset),
            |distance| {
                out.extend(image.at(at.section, range.start as i64 + distance));
            },
        );
    }
    out.retain(|target| target.section != at.section || !range.contains(&target.offset));
    // The start of the object at each location, so that each object is visited once.
    let start = |place: SectionOffset| {
        let (_, range) = image.object_at(place)?;
        Some(SectionOffset { offset: range.start, ..place })
    };
    out.into_iter().filter_map(start).collect()
}

/// Calls `found` with the places that code branches to or computes from its own address, in bytes from its start.
/// `relocated` tells whether the dword at an offset gets its value from a relocation.
fn distances<S: InstructionSet + Generation>(
    code: &[u8],
    relocated: impl Fn(usize) -> bool,
    mut found: impl FnMut(i64),
) {
    // The value of the program counter in each pair of SGPRs that S_GETPC_B64 has written.
    let mut counters: [Option<i64>; 128] = [None; 128];
    for item in Decoder::<S>::new(code, Wave::W32) {
        let Ok(instr) = item.result else { continue };
        let end = (item.offset + 4 * instr.dword_count()) as i64;
        if let Some(dwords) = instr.branch_offset() {
            if !relocated(item.offset) {
                found(end + 4 * i64::from(dwords));
            }
            continue;
        }
        let written = register(&instr, roles::D);
        if ADDS.contains(&mnemonic(&instr)) {
            let value = |role| instr.operand_infos(Wave::W32).find(|o| o.role == role).map(|o| o.value);
            let constant = match (value(roles::S0), value(roles::S1)) {
                (_, Some(Value::Literal(n))) | (Some(Value::Literal(n)), _) => Some(n as i32),
                (_, Some(Value::Integer(n))) | (Some(Value::Integer(n)), _) => Some(i32::from(n)),
                _ => None,
            };
            let counter = [roles::S0, roles::S1].into_iter().find_map(|role| {
                let source = register(&instr, role)?;
                counters.get(usize::from(source.first)).copied().flatten()
            });
            if let (Some(constant), Some(counter)) = (constant, counter)
                && !relocated(item.offset + 4)
            {
                found(counter + i64::from(constant));
            }
        }
        let Some(written) = written else { continue };
        for register in written.first..written.first.saturating_add(written.count) {
            if let Some(counter) = counters.get_mut(usize::from(register)) {
                *counter = None;
            }
        }
        if mnemonic(&instr) == "S_GETPC_B64"
            && let Some(counter) = counters.get_mut(usize::from(written.first))
        {
            *counter = Some(end);
        }
    }
}

/// The mnemonics of the addition of the low halves of an address and a distance.
const ADDS: [&str; 2] = ["S_ADD_U32", "S_ADD_CO_U32"];

/// Returns the guide's name of an instruction.
fn mnemonic<I: Instruction>(instr: &I) -> &'static str {
    let index = I::Generation::opcode_index(instr.opcode());
    I::Generation::tables().mnemonics.get(usize::from(index)).copied().unwrap_or_default()
}

/// The SGPRs that are the operand of this role.
fn register(instr: &impl Instruction, role: &str) -> Option<Registers> {
    if !matches!(instr.microcode(), Format::Sop1 | Format::Sop2 | Format::Smem | Format::Sopk) {
        return None;
    }
    instr.operand_infos(Wave::W32).find(|o| o.role == role).and_then(|o| match o.value {
        Value::Registers(r) if r.file == File::Sgpr => Some(r),
        _ => None,
    })
}

/// The wave size for which the instructions of a function are written: dual-issue instructions exist in wave32 only; scalar instructions
/// for wave64 use EXEC as a pair, and those for wave32 its lower half alone.
fn wave_of_code<S: InstructionSet + Generation>(image: &FileSections<'_>, at: SectionOffset) -> Option<Wave> {
    let (_, range) = image.object_at(at)?;
    let code = image.sections.get(at.section)?.bytes.get(range)?;
    let mut found = None;
    for item in Decoder::<S>::new(code, Wave::W32) {
        let Ok(instr) = item.result else { continue };
        match instr.microcode() {
            Format::Vopd => return Some(Wave::W32),
            Format::Sop1 | Format::Sop2 => {}
            _ => continue,
        }
        let effects = instr.body_effects();
        let saves = effects.writes(State::Exec) || effects.writes(State::ExecLo);
        let width = instr.operand_infos(Wave::W32).find_map(|operand| match operand.value {
            Value::Registers(r) if r.file == File::Exec || saves && operand.role == roles::D => {
                let high = r.file == File::Exec && r.first > 0;
                Some(if r.count > 1 || high { Wave::W64 } else { Wave::W32 })
            }
            _ => None,
        });
        // A literal of 64 bits is moved to EXEC in two halves.
        if width == Some(Wave::W64) || found.is_none() {
            found = width;
        }
    }
    found
}
