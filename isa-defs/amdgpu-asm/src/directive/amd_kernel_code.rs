//! `.amd_kernel_code_t` blocks and `.amdgpu_hsa_kernel`. LLVM accepts them for other operating systems than HSA.

use std::ops::Range;

use amdgpu_arch::Wave;
use amdgpu_object::{OsAbi, SymbolType};

use crate::diagnostic::Diagnostic;
use crate::directive::amd_kernel_code_fields::{
    ENABLE_WAVEFRONT_SIZE32, FIELDS, Field, GFX10, IGNORED, KernelCode, UnknownNumber,
};
use crate::directive::amdgpu_info;
use crate::expression::tree::Expr;
use crate::layout::address::Address;
use crate::layout::fixup::{Fixup, FixupField};
use crate::lex::cursor::Cursor;
use crate::program::Program;
use crate::state::kernels::KernelBlock;
use crate::symbol_table::Symbol;
use crate::target::VERSION_SYMBOLS;

impl Program<'_> {
    /// `.amdgpu_hsa_kernel NAME`: the type of a symbol.
    pub(crate) fn hsa_kernel(&mut self, span: Range<usize>, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let (name, _) = input.name()?;
        let attributes = self.symbols.attributes_mut(&name);
        attributes.kind = SymbolType::IndirectFunction;
        attributes.is_declared = true;
        self.kernels.refuse_for_hsa(span, "`.amdgpu_hsa_kernel`");
        input.finish()
    }

    /// The beginning of an `.amd_kernel_code_t` block.
    pub(crate) fn begin_kernel_code(&mut self, span: Range<usize>, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        input.finish()?;
        let version = VERSION_SYMBOLS.map(|[name, _]| match self.symbols.get(name).and_then(Symbol::variable) {
            Some(Expr::Number(number)) => *number,
            _ => 0,
        });
        let (wave, is_rdna) = (self.reader.wave(), self.reader.arch().is_rdna());
        self.kernels.refuse_for_hsa(span.clone(), "`.amd_kernel_code_t`");
        let code = KernelCode::new(span, wave, is_rdna, version);
        self.kernels.begin(KernelBlock::Code(Box::new(code)));
        Ok(())
    }

    /// A line of an `.amd_kernel_code_t` block: `NAME = VALUE`.
    pub(crate) fn line_of_kernel_code(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let start = input.place();
        let name = input.word();
        let span = start..input.end();
        if name == ".end_amd_kernel_code_t" {
            input.finish()?;
            return self.end_kernel_code(span);
        }
        let field = FIELDS.iter().find(|field| field.names.contains(&name)).copied();
        if field.is_none() && name != IGNORED {
            return Err(Diagnostic::new(span, "unknown in an `.amd_kernel_code_t` block"));
        }
        if !input.eat("=") {
            return Err(input.expected("`=` and a value"));
        }
        let start = input.place();
        let value = self.expression(input)?;
        let span = start..input.end();
        input.finish()?;
        let Some(field) = field else { return Ok(()) };
        let number = self.symbols.evaluate(&value).ok().and_then(|value| value.absolute());
        if number.is_none() && !field.is_deferred {
            return Err(Diagnostic::new(span, "expected a number that is known here"));
        }
        if let Some(number) = number {
            self.check_kernel_code(field, number, &span)?;
        }
        let Some(KernelBlock::Code(code)) = self.kernels.open_mut() else { return Ok(()) };
        match number {
            Some(number) if !code.is_unknown(field) => code.set(field, number),
            _ => code.defer(field, value, span),
        }
        Ok(())
    }

    /// Checks that a number fits its field and the processor.
    fn check_kernel_code(&self, field: Field, number: i64, span: &Range<usize>) -> Result<(), Diagnostic> {
        let error = |why: String| Err(Diagnostic::new(span.clone(), why));
        let (name, width) = (field.names[0], field.bits.1);
        if width < 64 && (number >> width > 0 || number >> (width - 1) < -1) {
            let bits = if width == 1 { "bit" } else { "bits" };
            return error(format!("{number} does not fit the {width} {bits} of `{name}`"));
        }
        let wave = if self.reader.wave() == Wave::W32 { 32 } else { 64 };
        let stated = match (name, number) {
            ("enable_wavefront_size32", 0) | ("wavefront_size", 6) => 64,
            ("enable_wavefront_size32", _) | ("wavefront_size", 5) => 32,
            _ => wave,
        };
        if stated != wave {
            return error(format!("the code is assembled for waves of {wave} lanes, and not of {stated}"));
        }
        let is_new = GFX10.iter().chain([&ENABLE_WAVEFRONT_SIZE32]).any(|new| new.names == field.names);
        if is_new && number != 0 && !self.reader.arch().is_rdna() {
            return error(format!("{} has no `{name}`", self.reader.arch().name()));
        }
        Ok(())
    }

    fn end_kernel_code(&mut self, span: Range<usize>) -> Result<(), Diagnostic> {
        let Some(KernelBlock::Code(code)) = self.kernels.close() else { return Ok(()) };
        let address = self.here();
        self.put(&code.bytes, span)?;
        for UnknownNumber { offset, size, value: expr, span } in code.unknown {
            let at = Address { offset: address.offset + offset as u64, ..address };
            self.fixups.push(Fixup { address: at, field: FixupField::Data(size), expr, span });
        }
        Ok(())
    }

    /// Reports a block without an end, and what a program for HSA must not have.
    pub(crate) fn end_of_kernels(&mut self) {
        let error = self.kernels.close().map(|block| match block {
            KernelBlock::Kernel(kernel) => Diagnostic::new(kernel.span, "the block has no `.end_amdhsa_kernel`"),
            KernelBlock::Code(code) => Diagnostic::new(code.span, "no `.end_amd_kernel_code_t` follows"),
            KernelBlock::Info(span) => Diagnostic::new(span, format!("the block has no `{}`", amdgpu_info::END)),
        });
        self.report.extend(error);
        if let Some((span, name)) = self.kernels.refused_for_hsa().filter(|_| self.target.os_abi == OsAbi::Hsa) {
            let help = "HSA has `.amdhsa_kernel`; `.amd_amdgpu_isa` names another operating system";
            let error = Diagnostic::new(span, format!("{name} is not for HSA"));
            self.report.push(error.help(Some(help.into())));
        }
    }
}
