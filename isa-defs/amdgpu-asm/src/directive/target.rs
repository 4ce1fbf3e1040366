//! Directives that name the processor a program is for, and the symbols that count its registers.

use std::ops::Range;

use amdgpu_arch::{Instr, MAX_DWORDS, Processor, Reader};
use amdgpu_bundle::{TargetId, TargetName};
use amdgpu_object::{Note, OsAbi};

use crate::diagnostic::Diagnostic;
use crate::expression::tree::Expr;
use crate::layout::section::Subsection;
use crate::lex::cursor::Cursor;
use crate::program::Program;
use crate::target::{COUNTED_REGISTERS, Llvm, Target};

impl Program<'_> {
    /// `.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"` or, since LLVM 23, `"amdgpu11.00-amd-amdhsa-unknown-gfx1100"`.
    pub(crate) fn amdgcn_target(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let (name, span) = target_name(input)?;
        self.set_target(&name, span).map(|_| ())
    }

    /// `.amd_amdgpu_isa "amdgcn-amd-amdpal--gfx1100"`: the target, which becomes a note.
    pub(crate) fn amd_amdgpu_isa(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let (name, span) = target_name(input)?;
        if TargetName::parse(&name).os == "amdhsa" {
            let help = "`.amdgcn_target` names a target of HSA";
            return Err(Diagnostic::new(span, "`.amd_amdgpu_isa` names no target of HSA").help(Some(help.into())));
        }
        let name = self.set_target(&name, span)?;
        self.metadata.add_notes([Note::isa_name(&name)]);
        Ok(())
    }

    /// Selects the target. Returns its name with the processor that its sub-architecture names.
    fn set_target(&mut self, name: &str, span: Range<usize>) -> Result<String, Diagnostic> {
        let error = |why: String| Diagnostic::new(span.clone(), why);
        let target = TargetName::parse(name);
        let processor = match target.processor() {
            Ok(processor) if name.split('-').count() < 5 => Err(format!("the target of {processor} has too few parts")),
            Ok(processor) if Processor::named(&processor).is_none() => Err(format!("`{processor}` is not a processor")),
            result => result.map_err(|why| why.to_string()),
        };
        let processor = processor.map_err(|why| {
            let forms = "a target is `amdgcn-amd-amdhsa--gfx1100` or `amdgpu11.00-amd-amdhsa-unknown-gfx1100`";
            error(why).help(Some(forms.into()))
        })?;
        check_triple(&target, &processor)
            .map_err(|(why, usual)| error(why).help(Some(format!("LLVM writes `{usual}`"))))?;
        let (processor, features) = (&*processor, target.features);
        let known = Target::parse(processor).map_err(|why| error(format!("the file is for {processor}: {why}")))?;
        self.target.named.get_or_insert(known);
        self.target.llvm.get_or_insert(Llvm::of_target(&target));
        let ours = self.reader.arch();
        if known.arch != ours {
            let (theirs, ours) = (known.arch.name(), ours.name());
            return Err(error(format!("the file is for {theirs}, and `--arch` asks for {ours}")));
        }
        check_features(name, processor, features).map_err(error)?;
        let asked = self.target.processor.filter(|asked| asked.name != processor);
        if let Some(asked) = asked {
            return Err(error(format!("the file is for {processor}, and not for {}", asked.name)));
        }
        if self.target.processor.is_none() {
            for (name, number) in known.version_symbols() {
                self.symbols.predefine(name, number);
            }
        }
        self.target.processor = known.processor;
        self.target.os_abi = match target.os {
            "amdhsa" => OsAbi::Hsa,
            "amdpal" => OsAbi::Pal,
            "mesa3d" => OsAbi::Mesa3d,
            _ => OsAbi::None,
        };
        Ok(TargetName { named_processor: processor, ..target }.to_string())
    }

    /// `.amdhsa_code_object_version N`.
    pub(crate) fn code_object_version(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let start = input.place();
        let version = self.number(input)?;
        let Some(version) = u8::try_from(version).ok().filter(|version| (3..=6).contains(version)) else {
            let error = Diagnostic::new(start..input.end(), "no version of code objects that is known");
            return Err(error.help(Some("there are 3 to 6".into())));
        };
        self.target.code_object_version = version;
        input.finish()
    }
}

/// Checks the parts of a target between the architecture and the processor. LLVM compares the text of the directive with the name of its
/// own target, in which each operating system has one spelling.
///
/// # Errors
/// They are not spelled as LLVM does: what is wrong, and the right name.
fn check_triple(target: &TargetName<'_>, processor: &str) -> Result<(), (String, String)> {
    let is_newer = Llvm::of_target(target) == Llvm::V23;
    let TargetName { arch, vendor, os, environment, .. } = *target;
    // llc writes the vendor of its triple, and `unknown` for `amdgcn--amdpal`.
    let (vendors, oss): (&[&str], &[&str]) = match os {
        "amdhsa" | "amdpal" => (&["amd", "unknown", "mesa"], &[os]),
        "mesa3d" => (&["mesa", "amd", "unknown"], &[os]),
        // A triple without an operating system.
        _ => (&["amd", "unknown", "mesa", ""], &["unknown", ""]),
    };
    let environments: &[&str] = match os {
        _ if is_newer => &["unknown", ""],
        // llc writes `unknown` for `amdgcn-amd--`.
        "unknown" => &["", "unknown"],
        _ => &[""],
    };
    let wrong = [
        ("an operating system", os, oss, "amdhsa"),
        ("the vendor", vendor, vendors, vendors[0]),
        ("the environment", environment, environments, environments[0]),
    ];
    let Some((what, found, ..)) = wrong.iter().find(|(_, found, known, _)| !known.contains(found)) else {
        return Ok(());
    };
    let [os, vendor, environment] =
        wrong.map(|(_, found, known, usual)| if known.contains(&found) { found } else { usual });
    let usual = TargetName { arch, vendor, os, environment, named_processor: processor, features: target.features };
    let why = match *found {
        "" => format!("the target lacks {what}"),
        _ => format!("`{found}` is not {what} of this target"),
    };
    Err((why, usual.to_string()))
}

/// Checks the features after a processor: those that it has, in alphabetical order.
fn check_features(name: &str, processor: &str, features: &str) -> Result<(), String> {
    if !name.contains(':') {
        return Ok(());
    }
    let target = TargetId::with_features(processor, features).map_err(|why| why.to_string())?;
    let has_xnack = processor.starts_with("gfx9") || matches!(processor, "gfx801" | "gfx810");
    let has_sramecc = matches!(processor, "gfx906" | "gfx908" | "gfx90a") || processor.starts_with("gfx94");
    if target.xnack.is_some() && !has_xnack || target.sramecc.is_some() && !has_sramecc {
        return Err(format!("{processor} has no target feature `{features}`"));
    }
    let usual = target.to_string();
    let written = format!("{processor}:{features}");
    if usual == written { Ok(()) } else { Err(format!("the target `{written}` is written `{usual}`")) }
}

/// Takes a target in quotes.
fn target_name(input: &mut Cursor<'_>) -> Result<(String, Range<usize>), Diagnostic> {
    let start = input.place();
    let name = String::from_utf8_lossy(&input.string()?).into_owned();
    let span = start..input.end();
    input.finish()?;
    Ok((name, span))
}

impl Program<'_> {
    /// Counts the registers up to the end of the program if it gave one of the counts a value: only then is the symbol written to
    /// an object file, with its last value.
    pub(crate) fn count_remaining_registers(&mut self) {
        if COUNTED_REGISTERS.iter().any(|name| self.symbols.get(name).is_some_and(|symbol| !symbol.is_predefined)) {
            self.count_registers();
        }
    }

    /// Counts the registers of the instructions since the last time that somebody asked: one more than the highest number of
    /// each file, unless the program gave the symbol a higher value.
    pub(crate) fn count_registers(&mut self) {
        let reader = self.reader;
        let mut most = [0, 0];
        for subsection in self.sections.subsections_mut() {
            for (_, instr) in instructions(subsection, subsection.counted, reader) {
                let counts = instr.register_counts();
                most = [most[0].max(counts.vector.into()), most[1].max(counts.scalar.into())];
            }
            subsection.counted = subsection.bytes.len();
        }
        for (name, most) in COUNTED_REGISTERS.into_iter().zip(most) {
            let Some(symbol) = self.symbols.get(name) else { continue };
            let Some(Expr::Number(set)) = symbol.variable() else { continue };
            let (count, span, is_predefined) = ((*set).max(most), symbol.span.clone(), symbol.is_predefined);
            if is_predefined {
                self.symbols.predefine(name, count);
            } else {
                self.symbols.assign(name, Expr::Number(count), span);
            }
        }
    }

    /// Writes into the fields that instructions do not use what the program's version of LLVM writes there.
    pub(crate) fn fill_unused_fields(&mut self) {
        if self.target.llvm != Some(Llvm::V23) {
            return;
        }
        let reader = self.reader;
        for subsection in self.sections.subsections_mut() {
            let instrs: Vec<(usize, Instr)> = instructions(subsection, 0, reader).collect();
            for (at, instr) in instrs {
                let bytes = instr.with_newer_unused_fields().bytes();
                if let Some(to) = subsection.bytes.get_mut(at..at + bytes.len()) {
                    to.copy_from_slice(&bytes);
                }
            }
        }
    }
}

/// The instructions of a subsection from an offset on, and their offsets, up to the first that cannot be read.
fn instructions(subsection: &Subsection, from: usize, reader: Reader) -> impl Iterator<Item = (usize, Instr)> {
    let mut data = subsection.data.iter().skip_while(move |part| part.end <= from).peekable();
    let mut next = from;
    std::iter::from_fn(move || {
        while let Some(part) = data.next_if(|part| part.start <= next) {
            next = next.max(part.end);
        }
        let (dwords, _) = subsection.bytes.get(next..)?.as_chunks::<4>();
        let words: Vec<u32> = dwords.iter().take(MAX_DWORDS).map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let (instr, dwords) = reader.decode(&words).ok()?;
        let at = next;
        next += 4 * dwords;
        Some((at, instr))
    })
}
