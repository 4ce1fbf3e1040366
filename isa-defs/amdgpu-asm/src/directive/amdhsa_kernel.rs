//! `.amdhsa_kernel` blocks: the descriptors of kernels.

use std::ops::Range;

use amdgpu_arch::Wave;
use amdgpu_object::{Binding, DescriptorError, Directive, KernelDescriptor, KernelSettings, SymbolType, Visibility};

use crate::diagnostic::Diagnostic;
use crate::expression::evaluate::{Evaluator, Phase};
use crate::expression::tree::{Expr, Op, Specifier};
use crate::layout::address::Address;
use crate::layout::fixup::{Fixup, FixupField};
use crate::layout::section::AppendError;
use crate::lex::cursor::Cursor;
use crate::program::Program;
use crate::state::kernels::{Kernel, KernelBlock, Setting};
use crate::symbol_table::Definition;

/// Where a descriptor has the distance from itself to the code.
const ENTRY_OFFSET: u64 = 16;

impl Program<'_> {
    /// The beginning of an `.amdhsa_kernel` block.
    pub(crate) fn begin_kernel(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let (name, span) = input.raw_name()?;
        let name = name.to_string();
        input.finish()?;
        let kernel = Kernel { name, span, settings: Vec::new(), address: self.here() };
        self.kernels.begin(KernelBlock::Kernel(kernel));
        Ok(())
    }

    /// A line of an `.amdhsa_kernel` block.
    pub(crate) fn setting(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let start = input.place();
        let word = input.word();
        let span = start..input.end();
        if word == ".end_amdhsa_kernel" {
            input.finish()?;
            return self.end_kernel(span);
        }
        let known = word.strip_prefix(".amdhsa_").and_then(|name| Directive::names().find(|known| *known == name));
        let Some(name) = known else {
            return Err(Diagnostic::new(span, "unknown in an `.amdhsa_kernel` block"));
        };
        let directive = Directive::parse(name, self.symbols.family);
        if let Err(error) = &directive
            && self.reader.arch().is_rdna()
        {
            return Err(Diagnostic::new(span, error.to_string()));
        }
        let start = input.place();
        let mut value = self.expression(input)?;
        let value_span = start..input.end();
        input.finish()?;
        if directive.is_ok_and(|directive| !directive.is_deferred()) {
            let number = self.symbols.evaluate(&value).ok().and_then(|value| value.absolute());
            let why = "expected a number that is known here";
            value = Expr::Number(number.ok_or_else(|| Diagnostic::new(value_span.clone(), why))?);
        }
        let Some(KernelBlock::Kernel(kernel)) = self.kernels.open_mut() else { return Ok(()) };
        if let Some(old) = kernel.settings.iter().find(|setting| setting.name == name) {
            return Err(Diagnostic::new(span, "set twice").label(old.span.clone(), "first here"));
        }
        kernel.settings.push(Setting { name, value, span, value_span });
        Ok(())
    }

    /// The end of an `.amdhsa_kernel` block: the descriptor.
    fn end_kernel(&mut self, span: Range<usize>) -> Result<(), Diagnostic> {
        let Some(KernelBlock::Kernel(kernel)) = self.kernels.close() else { return Ok(()) };
        let is_given = |name: &str| kernel.settings.iter().any(|setting| setting.name == name);
        if let Some(missing) = Directive::REQUIRED.iter().find(|directive| !is_given(directive.name())) {
            let why = format!("the block needs `.amdhsa_{missing}`");
            self.report.push(Diagnostic::new(kernel.span.clone(), why));
        }
        if !self.sections.current().has_contents() {
            return Err(self.cannot_append(AppendError::NoContents, span));
        }
        let descriptor = format!("{}.kd", kernel.name);
        let address = self.here();
        self.define(&descriptor, kernel.span.clone(), Definition::Label(address))?;
        // The descriptor is as visible as the code at this point. Then, the code becomes visible to its descriptor alone.
        let code = self.symbols.attributes_mut(&kernel.name).clone();
        let is_defined = self.symbols.get(&kernel.name).is_some();
        let attributes = self.symbols.attributes_mut(&descriptor);
        attributes.binding = code.binding.or(Some(if is_defined { Binding::Local } else { Binding::Global }));
        attributes.visibility = code.visibility;
        attributes.kind = SymbolType::Object;
        attributes.size = Some((Expr::Number(KernelDescriptor::SIZE as i64), span.clone()));
        if code.visibility == Visibility::Default {
            self.symbols.attributes_mut(&kernel.name).visibility = Visibility::Protected;
        }
        let id = self.symbols.intern(&kernel.name);
        let code = Expr::Symbol { id, specifier: Some(Specifier::Rel64), span: kernel.span.clone() };
        let expr = Expr::Binary(Op::Sub, Box::new(code), Box::new(Expr::Here(address)));
        let entry = Address { offset: address.offset + ENTRY_OFFSET, ..address };
        self.fixups.push(Fixup { address: entry, field: FixupField::Data(8), expr, span: kernel.span.clone() });
        self.kernels.push(Kernel { address, ..kernel });
        self.put(&[0; KernelDescriptor::SIZE], span)
    }

    /// Fills in the descriptors of all kernels, after layout. For GCN, they hold zeros.
    pub(crate) fn fill_descriptors(&mut self) {
        let mut evaluator = Evaluator::new(&self.symbols, Phase::Layout(&self.sections));
        let mut descriptors = Vec::new();
        for kernel in self.kernels.list() {
            let mut settings = match self.reader.wave() {
                Wave::W32 => KernelSettings::wave32(),
                Wave::W64 => KernelSettings::wave64(),
            }
            .of(self.symbols.family);
            let mut is_sound = self.reader.arch().is_rdna();
            for setting in &kernel.settings {
                let mut undefined = false;
                setting.value.symbols(&mut |id, at| {
                    if self.symbols.definition(id).is_none() {
                        undefined = true;
                        let why = |name: &str| format!("{name} is not defined");
                        self.report.push(self.symbols.undefined(id, at.clone(), why));
                    }
                });
                let Ok(directive) = Directive::parse(setting.name, self.symbols.family) else { continue };
                if undefined || !self.reader.arch().is_rdna() {
                    is_sound = false;
                    continue;
                }
                let value = evaluator.evaluate_in_full(&setting.value).map_err(str::to_string);
                let number = value.and_then(|value| value.absolute().ok_or("expected a number, not an address".into()));
                if let Err(why) =
                    number.and_then(|number| settings.set(directive, number).map_err(|error| error.to_string()))
                {
                    is_sound = false;
                    self.report.push(Diagnostic::new(setting.value_span.clone(), why));
                }
            }
            match settings.descriptor() {
                Ok(descriptor) => descriptors.push((kernel.address, descriptor.to_bytes())),
                Err(error) if is_sound => {
                    let culprit = match &error {
                        DescriptorError::OutOfRange { directive, .. } => Some(directive.name()),
                        _ => None,
                    };
                    let setting = kernel.settings.iter().find(|setting| Some(setting.name) == culprit);
                    let span = setting.map_or(&kernel.span, |setting| &setting.value_span);
                    self.report.push(Diagnostic::new(span.clone(), error.to_string()));
                }
                Err(_) => {}
            }
        }
        for (address, bytes) in descriptors {
            let start = self.sections.offset(address) as usize;
            let section = self.sections.get_mut(self.sections.section_of(address.subsection));
            if self.reader.arch().is_rdna()
                && let Some(to) = section.and_then(|section| section.bytes.get_mut(start..start + bytes.len()))
            {
                to.copy_from_slice(&bytes);
            }
        }
    }
}
