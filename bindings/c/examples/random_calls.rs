//! Calls the functions of the header at random: random words and texts, changed files, NULL, wrong sizes, short buffers, and kernels with
//! random arguments. Memory of the caller lies between guard bytes, which must not change, and read-only memory must not either.
//!
//! `random_calls CALLS [SEED]` ends with 1 if a guard has changed or the library has panicked; a crash or an endless loop shows itself.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::process::ExitCode;
use std::ptr;

use amdgpu_isa::*;

const HISTOGRAM: &[u8] = include_bytes!("../../../examples/histogram.gfx1100.co");
const SAXPY: &str = include_str!("../../python/examples/saxpy.s");
const GUARD: usize = 64;
const PATTERN: u8 = 0xA7;

/// A generator of random numbers: SplitMix64.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// Returns a number that is often small, or near the end of its range.
    fn number(&mut self) -> u64 {
        match self.below(4) {
            0 => self.next() % 8,
            1 => self.next() % 300,
            2 => u64::MAX - self.next() % 4,
            _ => self.next() >> self.below(64),
        }
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Bytes between guards.
struct Guarded {
    all: Vec<u64>,
    size: usize,
}

impl Guarded {
    fn new(size: usize) -> Self {
        Self { all: vec![u64::from_ne_bytes([PATTERN; 8]); (size.next_multiple_of(8) + 2 * GUARD) / 8], size }
    }

    fn of(bytes: &[u8]) -> Self {
        let mut all = Self::new(bytes.len());
        // SAFETY: the memory between the guards has the size of the bytes.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), all.data(), bytes.len()) };
        all
    }

    fn data<T>(&mut self) -> *mut T {
        self.all.as_mut_ptr().cast::<u8>().wrapping_add(GUARD).cast()
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the memory is initialised and belongs to the vector.
        unsafe { std::slice::from_raw_parts(self.all.as_ptr().cast::<u8>(), self.all.len() * 8) }
    }

    fn is_intact(&self) -> bool {
        let (before, rest) = self.bytes().split_at(GUARD);
        before.iter().chain(&rest[self.size..]).all(|byte| *byte == PATTERN)
    }

    fn contents(&self) -> &[u8] {
        &self.bytes()[GUARD..GUARD + self.size]
    }
}

/// What a run has seen.
#[derive(Default)]
struct Seen {
    statuses: [u64; 17],
    wrong: Vec<String>,
}

struct Caller {
    rng: Rng,
    seen: Seen,
    code: Vec<u8>,
    object: *mut isa_object,
}

const NAMES: &[&CStr] =
    &[c"gfx1100", c"rdna4", c"gfx1151", c"gcn1.4", c"gfx803", c"gfx900", c"gfx1200:xnack+", c"nonsense", c""];

impl Caller {
    fn note(&mut self, status: isa_status, error: *mut isa_error) {
        self.seen.statuses[status as usize] += 1;
        if status == isa_status::Internal {
            // SAFETY: an error of the library, or NULL.
            let message = unsafe { CStr::from_ptr(isa_error_message(error)) };
            self.seen.wrong.push(format!("a panic: {message:?}"));
        }
        if (status == isa_status::Ok) != error.is_null() {
            self.seen.wrong.push(format!("{status:?} with error {error:?}"));
        }
        let mut info = isa_error_info {
            size: size_of::<isa_error_info>() as u32,
            status: 0,
            message: ptr::null(),
            help: ptr::null(),
            file: ptr::null(),
            line: 0,
            column: 0,
        };
        // SAFETY: an error of the library or NULL, and a struct with its size.
        unsafe {
            isa_error_get(error, &raw mut info);
            isa_error_free(error);
        }
    }

    fn expect(&mut self, holds: bool, what: &str) {
        if !holds && self.seen.wrong.len() < 20 {
            self.seen.wrong.push(what.into());
        }
    }

    fn arch(&mut self) -> u32 {
        if self.rng.one_in(12) { self.rng.next() as u32 } else { 1 + self.rng.below(7) as u32 }
    }

    fn wave(&mut self) -> u32 {
        *self.rng.pick(&[0, 32, 64, 64, 32, 7])
    }

    /// Returns the size of a struct or an element, now and then a wrong one.
    fn size(&mut self, right: usize) -> usize {
        if self.rng.one_in(20) { self.rng.number() as usize } else { right }
    }

    fn name(&mut self) -> *const c_char {
        if self.rng.one_in(4) { ptr::null() } else { self.rng.pick(NAMES).as_ptr() }
    }

    /// Returns words: random ones, or those of code with changes.
    fn words(&mut self) -> Vec<u32> {
        let count = self.rng.below(40);
        let (code, _) = self.code.as_chunks::<4>();
        let first = self.rng.below(code.len());
        let real: Vec<u32> = code.iter().skip(first).take(count).map(|word| u32::from_le_bytes(*word)).collect();
        let is_random = self.rng.one_in(2);
        let change = |word: u32| match () {
            () if is_random => self.rng.next() as u32,
            () if self.rng.one_in(6) => word ^ 1 << self.rng.below(32),
            () => word,
        };
        real.into_iter().map(change).collect()
    }

    fn decode(&mut self) {
        let words = self.words();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let mut input = Guarded::of(&bytes);
        let capacity = self.rng.below(30);
        let mut out = Guarded::new(capacity * size_of::<isa_instr>());
        let mut text = Guarded::new(self.rng.below(80));
        let (mut count, mut consumed) = (0, 0);
        let (arch, wave, flags) = (self.arch(), self.wave(), u32::from(self.rng.one_in(3)) * self.rng.below(3) as u32);
        let instr_size = self.size(size_of::<isa_instr>());
        let mut error = ptr::null_mut();
        let input_pointer = if self.rng.one_in(30) { ptr::null() } else { input.data::<u32>().cast_const() };
        let out_pointer = if self.rng.one_in(30) { ptr::null_mut() } else { out.data::<isa_instr>() };
        // SAFETY: NULL or memory of the stated sizes.
        let status = unsafe {
            isa_decode_many(
                arch,
                wave,
                flags,
                input_pointer,
                words.len(),
                out_pointer,
                instr_size,
                capacity,
                &raw mut count,
                &raw mut consumed,
                &raw mut error,
            )
        };
        self.note(status, error);
        self.expect(count <= capacity && consumed <= words.len(), "counts are in range");
        self.expect(input.is_intact() && out.is_intact() && input.contents() == bytes, "decoding keeps to its array");
        for index in 0..count {
            // SAFETY: the library has filled in `count` instructions.
            let mut instr = unsafe { *out.data::<isa_instr>().add(index) };
            self.spoil(&mut instr);
            self.explain(&instr, &mut text);
        }
        self.expect(text.is_intact(), "text keeps to its buffer");
    }

    /// Changes a member of a struct, as a wrong program does.
    fn spoil(&mut self, instr: &mut isa_instr) {
        if !self.rng.one_in(10) {
            return;
        }
        match self.rng.below(6) {
            0 => instr.dwords = self.rng.next() as u8,
            1 => instr.arch = self.rng.next() as u8,
            2 => instr.wave = self.rng.next() as u8,
            3 => instr.format = self.rng.next() as u8,
            4 => instr.words[self.rng.below(3)] = self.rng.next() as u32,
            _ => instr.opcode = self.rng.next() as u16,
        }
    }

    fn explain(&mut self, instr: &isa_instr, text: &mut Guarded) {
        let (buffer, capacity) = (text.data::<c_char>(), text.size);
        let mut operands = Guarded::new(self.rng.below(9) * size_of::<isa_operand>());
        let places = operands.size / size_of::<isa_operand>();
        let mut effects = Guarded::new(size_of::<isa_effects>());
        let mut facts = Guarded::new(size_of::<isa_facts>());
        let (mut count, mut authority) = (0, 0);
        let sizes = [self.size(size_of::<isa_effects>()), self.size(size_of::<isa_facts>())];
        let operand_size = self.size(size_of::<isa_operand>());
        let component = self.rng.below(3) as u32;
        // SAFETY: memory of the stated sizes; a size that is larger than the struct is larger than any, so that it is refused, or the
        // library writes only the members that it knows.
        unsafe {
            effects.data::<u32>().write(sizes[0] as u32);
            facts.data::<u32>().write(sizes[1] as u32);
            let printed = isa_instr_print(instr, buffer, capacity);
            if printed > 0 && capacity > 0 {
                let written = CStr::from_ptr(buffer).to_bytes().len();
                self.expect(written == printed.min(capacity - 1), "the text is as long as it says");
            }
            isa_instr_format_name(instr, buffer, capacity);
            isa_instr_opcode_name(instr, component, buffer, capacity);
            isa_opcode_name(instr.arch.into(), instr.opcode.into(), buffer, capacity);
            isa_register_name(self.rng.number() as u32, buffer, capacity);
            let mut error = ptr::null_mut();
            let status =
                isa_instr_operands(instr, operands.data(), operand_size, places, &raw mut count, &raw mut error);
            self.note(status, error);
            self.expect(count <= 8, "an instruction has at most 8 operands");
            let status = isa_instr_effects(instr, effects.data(), &raw mut error);
            self.note(status, error);
            let status = isa_instr_facts(instr, facts.data(), &raw mut error);
            self.note(status, error);
            let status = isa_instr_check(instr, &raw mut authority, &raw mut error);
            self.note(status, error);
        }
        self.expect(operands.is_intact() && effects.is_intact() && facts.is_intact(), "structs keep to their memory");
    }

    /// Returns text: a line or a program with changes.
    fn text(&mut self, whole: &str) -> String {
        let mut text: Vec<char> = whole.chars().collect();
        for _ in 0..self.rng.below(6) {
            let at = self.rng.below(text.len());
            match self.rng.below(3) {
                0 if !text.is_empty() => drop(text.remove(at)),
                1 => text.insert(
                    at,
                    *self.rng.pick(&['v', '[', ']', ',', '0', '9', '\n', ':', '"', '\\', '.', '\0', 'é', '(']),
                ),
                _ => {
                    let piece = self.rng.pick(&[
                        ".macro m\n",
                        ".rept 3\n",
                        "s_nop 0\n",
                        ".include \"f\"\n",
                        "-",
                        "0x",
                        "v_",
                        " off",
                    ]);
                    piece.chars().rev().for_each(|c| text.insert(at, c));
                }
            }
        }
        text.into_iter().collect()
    }

    fn parse(&mut self) {
        const LINES: &[&str] = &[
            "v_add_f32 v0, v1, v2",
            "s_load_b64 s[6:7], s[2:3], 0x10",
            "v_fma_f32 v0, -v1, |s4|, 0.5",
            "s_endpgm",
            "v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v3, v2, v4",
            "global_load_b128 v[0:3], v[4:5], off offset:16",
            "buffer_load_dword v1, off, s[4:7], s1 offset:4",
            "",
        ];
        let line = *self.rng.pick(LINES);
        let text = self.text(line);
        let mut input = Guarded::of(text.as_bytes());
        let mut out = Guarded::new(size_of::<isa_instr>());
        let mut buffer = Guarded::new(self.rng.below(80));
        let (arch, wave, size) = (self.arch(), self.wave(), self.size(size_of::<isa_instr>()));
        let mut error = ptr::null_mut();
        // SAFETY: memory of the stated sizes.
        let status = unsafe { isa_parse(arch, wave, input.data(), text.len(), out.data(), size, &raw mut error) };
        self.note(status, error);
        if status == isa_status::Ok {
            // SAFETY: the library has filled in the instruction.
            let instr = unsafe { *out.data::<isa_instr>() };
            self.explain(&instr, &mut buffer);
        }
        self.expect(input.is_intact() && out.is_intact() && buffer.is_intact(), "parsing keeps to its memory");
    }

    fn assemble(&mut self) {
        let text = self.text(SAXPY);
        let mut input = Guarded::of(text.as_bytes());
        let include_data = Cell::new(0_u32);
        let define = isa_define { name: if self.rng.one_in(8) { ptr::null() } else { c"size".as_ptr() }, value: 4 };
        let options = isa_assemble_options {
            size: self.size(size_of::<isa_assemble_options>()) as u32,
            wave: self.wave(),
            target: self.name(),
            defines: &raw const define,
            define_count: self.rng.below(2),
            directories: ptr::null(),
            directory_count: usize::from(self.rng.one_in(30)),
            include: Some(include),
            include_data: (&raw const include_data).cast_mut().cast(),
        };
        // A size that claims more memory than there is would be the caller's error.
        let has_memory = options.size as usize <= size_of::<isa_assemble_options>() || options.size > 4096;
        let (mut assembly, mut error) = (ptr::null_mut(), ptr::null_mut());
        let chosen = if has_memory { &raw const options } else { ptr::null() };
        // SAFETY: memory of the stated sizes; handles are used until they are freed.
        unsafe {
            let status = isa_assemble(input.data(), text.len(), chosen, &raw mut assembly, &raw mut error);
            self.note(status, error);
            let (mut bytes, mut size) = (ptr::null(), 0);
            for output in [self.rng.below(4) as u32, 0] {
                error = ptr::null_mut();
                let status = isa_assembly_output(assembly, output, &raw mut bytes, &raw mut size, &raw mut error);
                self.note(status, error);
            }
            for index in 0..=isa_assembly_diagnostic_count(assembly) {
                let mut diagnostic = Guarded::new(size_of::<isa_diagnostic>());
                diagnostic.data::<u32>().write(size_of::<isa_diagnostic>() as u32);
                isa_assembly_diagnostic(assembly, index, diagnostic.data());
                let mut label = Guarded::new(size_of::<isa_label>());
                label.data::<u32>().write(size_of::<isa_label>() as u32);
                isa_assembly_label(assembly, index, self.rng.below(2), label.data());
                self.expect(diagnostic.is_intact() && label.is_intact(), "diagnostics keep to their memory");
            }
            isa_assembly_free(assembly);
        }
        self.expect(input.is_intact(), "assembling keeps to its text");
    }

    /// Returns a file with changes.
    fn file(&mut self) -> Vec<u8> {
        let mut file = if self.rng.one_in(2) { HISTOGRAM.to_vec() } else { self.code.clone() };
        for _ in 0..self.rng.below(12) {
            let at = self.rng.below(file.len());
            match self.rng.below(8) {
                0 => file.truncate(at),
                1..6 => {
                    if let Some(byte) = file.get_mut(at) {
                        *byte ^= 1 << self.rng.below(8);
                    }
                }
                _ => {
                    let (from, count) = (self.rng.below(file.len()), self.rng.below(32));
                    let piece: Vec<u8> = file.iter().skip(from).take(count).copied().collect();
                    file.iter_mut().skip(at).zip(piece).for_each(|(to, byte)| *to = byte);
                }
            }
        }
        file
    }

    fn files(&mut self) {
        let file = self.file();
        let mut input = Guarded::of(&file);
        let (target, wave, flags) = (self.name(), self.wave(), self.rng.below(5) as u32);
        let mut rows = Guarded::new(self.rng.below(20) * size_of::<isa_row>());
        let mut text = Guarded::new(self.rng.below(60));
        let (mut error, mut count, mut size) = (ptr::null_mut(), 0, 0);
        let capacity = rows.size / size_of::<isa_row>();
        // SAFETY: memory of the stated sizes; handles are used until they are freed.
        unsafe {
            let mut listing = ptr::null_mut();
            let status = if self.rng.one_in(4) {
                let (arch, address) = (self.arch(), self.rng.next());
                isa_disassemble_code(arch, wave, address, input.data(), file.len(), &raw mut listing, &raw mut error)
            } else {
                isa_disassemble(input.data(), file.len(), target, wave, &raw mut listing, &raw mut error)
            };
            self.note(status, error);
            error = ptr::null_mut();
            let first = self.rng.below(isa_listing_row_count(listing) + 2);
            let row_size = self.size(size_of::<isa_row>());
            let status =
                isa_listing_rows(listing, first, rows.data(), row_size, capacity, &raw mut count, &raw mut error);
            self.note(status, error);
            self.expect(count <= capacity, "the rows fit");
            for index in 0..count {
                let mut row = *rows.data::<isa_row>().add(index);
                self.spoil(&mut row.instr);
                row.byte_count = if self.rng.one_in(20) { 255 } else { row.byte_count };
                isa_row_print(&raw const row, text.data(), text.size);
            }
            isa_listing_text(listing, &raw mut size);
            for index in 0..=isa_listing_symbol_count(listing).min(20) {
                let mut symbol = Guarded::new(size_of::<isa_symbol>());
                symbol.data::<u32>().write(size_of::<isa_symbol>() as u32);
                isa_listing_symbol(listing, index, symbol.data());
                isa_listing_section(listing, index);
            }
            isa_listing_free(listing);
            let mut lint = ptr::null_mut();
            error = ptr::null_mut();
            let status = isa_lint(input.data(), file.len(), target, wave, flags, &raw mut lint, &raw mut error);
            self.note(status, error);
            for index in 0..=isa_lint_result_count(lint).min(20) {
                let mut finding = Guarded::new(size_of::<isa_lint_finding>());
                finding.data::<u32>().write(size_of::<isa_lint_finding>() as u32);
                isa_lint_result_finding(lint, index, finding.data());
                self.expect(finding.is_intact(), "findings keep to their memory");
            }
            isa_lint_result_free(lint);
            let mut object = ptr::null_mut();
            error = ptr::null_mut();
            let status = isa_object_load(input.data(), file.len(), target, &raw mut object, &raw mut error);
            self.note(status, error);
            self.kernels(object);
            if self.rng.one_in(3) && !object.is_null() {
                self.launch(object);
            }
            isa_object_free(object);
        }
        self.expect(input.is_intact() && rows.is_intact() && text.is_intact(), "files keep to their memory");
    }

    /// Looks at the kernels of an object.
    ///
    /// # Safety
    /// The object is one of the library, or NULL.
    unsafe fn kernels(&mut self, object: *const isa_object) {
        let (mut index, mut error) = (0, ptr::null_mut());
        // SAFETY: memory of the stated sizes; the object is the caller's.
        unsafe {
            let name = *self.rng.pick(&[c"histogram", c"saxpy", c"none"]);
            let status = isa_object_find_kernel(object, name.as_ptr(), &raw mut index, &raw mut error);
            self.note(status, error);
            let processor = CStr::from_ptr(isa_object_processor(object));
            self.expect(processor.to_str().is_ok(), "the processor has a name");
            for index in 0..=isa_object_kernel_count(object).min(4) {
                let mut kernel = Guarded::new(size_of::<isa_kernel>());
                kernel.data::<u32>().write(self.size(size_of::<isa_kernel>()) as u32);
                isa_object_kernel(object, index, kernel.data());
                let mut argument = Guarded::new(size_of::<isa_kernel_argument>());
                argument.data::<u32>().write(size_of::<isa_kernel_argument>() as u32);
                isa_object_kernel_argument(object, index, self.rng.below(5), argument.data());
                self.expect(kernel.is_intact() && argument.is_intact(), "kernels keep to their memory");
            }
        }
    }

    /// Runs a kernel with random arguments.
    ///
    /// # Safety
    /// The object is one of the library.
    unsafe fn launch(&mut self, object: *const isa_object) {
        let sizes: Vec<usize> = (0..4).map(|_| self.rng.below(600)).collect();
        let mut buffers: Vec<Guarded> = sizes.iter().map(|size| Guarded::new(*size)).collect();
        let mut arguments = Vec::new();
        let mut read_only = Vec::new();
        for buffer in &mut buffers {
            let flags = u32::from(self.rng.one_in(3));
            let shift = if self.rng.one_in(4) { self.rng.below(8).min(buffer.size) } else { 0 };
            let (data, bytes) = (buffer.data::<u8>().wrapping_add(shift), (buffer.size - shift) as u64);
            let value = [4, 8][self.rng.below(2)].min(bytes);
            arguments.push(match self.rng.below(8) {
                0 => isa_argument { kind: 1, flags: 0, data: data.cast(), bytes: value },
                1 => isa_argument {
                    kind: self.rng.below(5) as u32,
                    flags: self.rng.below(3) as u32,
                    data: ptr::null_mut(),
                    bytes: 0,
                },
                2 => isa_argument { kind: 3, flags: 0, data: ptr::null_mut(), bytes: self.rng.number() },
                _ => isa_argument { kind: 2, flags, data: data.cast(), bytes },
            });
            let is_read_only = !arguments.last().is_some_and(|a| a.kind == 2 && a.flags == 0);
            read_only.push(is_read_only.then(|| buffer.contents().to_vec()));
        }
        let mut number = [self.rng.number() as u32, 0];
        if self.rng.one_in(4) {
            arguments.truncate(3 + self.rng.below(3));
        } else {
            // The histogram counts the bytes of a text, in 256 counters, as far as there are as many.
            number[0] = if self.rng.one_in(8) { number[0] } else { number[0] % 600 };
            let count = isa_argument { kind: 1, flags: 0, data: number.as_mut_ptr().cast(), bytes: 4 };
            let mut counters = Guarded::new(if self.rng.one_in(4) { self.rng.below(1024) } else { 1024 });
            let flags = u32::from(self.rng.one_in(8));
            let (bytes, data) = (counters.size as u64, counters.data());
            let text = isa_argument { kind: 2, flags: 1, data: buffers[0].data(), bytes: buffers[0].size as u64 };
            arguments = vec![text, count, isa_argument { kind: 2, flags, data, bytes }];
            read_only = buffers.iter().map(|buffer| Some(buffer.contents().to_vec())).collect();
            read_only.push((flags == 1).then(|| counters.contents().to_vec()));
            buffers.push(counters);
        }
        let memory = isa_memory {
            data: number.as_mut_ptr().cast(),
            bytes: if self.rng.one_in(10) { u64::MAX } else { 8 },
            flags: 1,
            reserved: 0,
        };
        let size = |rng: &mut Rng| if rng.one_in(20) { rng.number() as u32 } else { rng.below(4) as u32 };
        // Both kernels need work-groups of 256 work-items.
        let block = match self.rng.below(10) {
            0 => self.rng.number() as u32,
            1 => 1 + self.rng.below(256) as u32,
            _ => 256,
        };
        let options = isa_launch_options {
            size: if self.rng.one_in(40) { 3 } else { size_of::<isa_launch_options>() as u32 },
            flags: if self.rng.one_in(40) { 8 } else { self.rng.below(4) as u32 },
            grid: [size(&mut self.rng), size(&mut self.rng), 1],
            block: [block, 1, 1],
            arguments: arguments.as_ptr(),
            argument_count: arguments.len(),
            memory: &raw const memory,
            memory_count: self.rng.below(2),
            lds: if self.rng.one_in(10) { self.rng.number() as u32 } else { 0 },
            stack: if self.rng.one_in(10) { self.rng.number() as u32 } else { 0 },
            max_instructions: 2000,
            timeout: 50_000_000,
            turn: self.rng.number() % 100,
            seed: self.rng.next(),
            resident: self.rng.number() % 4,
            print: Some(print),
            print_data: ptr::null_mut(),
            poll: Some(poll),
            poll_data: ptr::null_mut(),
        };
        let (mut result, mut error) = (ptr::null_mut(), ptr::null_mut());
        let kernel = if self.rng.one_in(10) { self.rng.below(3) } else { 0 };
        // SAFETY: memory of the stated sizes, which outlives the launch; handles are used until they are freed.
        unsafe {
            let status = isa_launch(object, kernel, &raw const options, &raw mut result, &raw mut error);
            self.note(status, error);
            let mut statistics = Guarded::new(size_of::<isa_launch_statistics>());
            statistics.data::<u32>().write(size_of::<isa_launch_statistics>() as u32);
            isa_launch_result_statistics(result, statistics.data());
            let mut fault = Guarded::new(size_of::<isa_fault>());
            fault.data::<u32>().write(size_of::<isa_fault>() as u32);
            isa_launch_result_fault(result, fault.data());
            for index in 0..4 {
                let mut finding = Guarded::new(size_of::<isa_finding>());
                finding.data::<u32>().write(size_of::<isa_finding>() as u32);
                isa_launch_result_finding(result, index, finding.data());
                self.expect(finding.is_intact(), "findings keep to their memory");
            }
            isa_launch_result_free(result);
            self.expect(statistics.is_intact() && fault.is_intact(), "results keep to their memory");
        }
        for (buffer, before) in buffers.iter().zip(&read_only) {
            self.expect(buffer.is_intact(), "kernels keep to their memory");
            if let Some(before) = before {
                self.expect(buffer.contents() == before, "kernels do not write to read-only memory");
            }
        }
    }

    /// Passes NULL for everything.
    fn nulls(&mut self) {
        let (mut error, null) = (ptr::null_mut(), ptr::null_mut::<c_void>());
        // SAFETY: NULL is an error of each function.
        unsafe {
            let statuses = [
                isa_decode(1, 32, ptr::null(), 0, ptr::null_mut(), size_of::<isa_instr>(), ptr::null_mut()),
                isa_arch_parse(ptr::null(), ptr::null_mut(), ptr::null_mut()),
                isa_instr_operands(ptr::null(), ptr::null_mut(), 0, 0, ptr::null_mut(), ptr::null_mut()),
                isa_instr_effects(ptr::null(), ptr::null_mut(), ptr::null_mut()),
                isa_assemble(ptr::null(), 0, ptr::null(), ptr::null_mut(), ptr::null_mut()),
                isa_object_load(null, 5, ptr::null(), ptr::null_mut(), ptr::null_mut()),
                isa_object_read(ptr::null(), ptr::null(), ptr::null_mut(), ptr::null_mut()),
                isa_launch(ptr::null(), 0, ptr::null(), ptr::null_mut(), ptr::null_mut()),
                isa_lint(null, 0, ptr::null(), 0, 0, ptr::null_mut(), ptr::null_mut()),
                isa_launch_result_fault(ptr::null(), ptr::null_mut()),
            ];
            self.expect(
                statuses.iter().all(|status| *status != isa_status::Ok && *status != isa_status::Internal),
                "NULL is refused",
            );
            let status = isa_launch(self.object, 0, ptr::null(), ptr::null_mut(), &raw mut error);
            self.note(status, error);
            isa_assembly_free(ptr::null_mut());
            isa_object_free(ptr::null_mut());
            isa_listing_free(ptr::null_mut());
            isa_lint_result_free(ptr::null_mut());
            isa_launch_result_free(ptr::null_mut());
            isa_error_free(ptr::null_mut());
        }
    }

    /// Makes one random call, with those that read its result.
    fn call(&mut self) {
        match self.rng.below(64) {
            0..30 => self.decode(),
            30..48 => self.parse(),
            48..52 => self.assemble(),
            52..57 => self.files(),
            57..63 => {
                let object = self.object;
                // SAFETY: an object of the library.
                unsafe { self.launch(object) }
            }
            _ => self.nulls(),
        }
    }
}

/// Finds an included file: a line, nothing, or NULL with a size.
unsafe extern "C" fn include(data: *mut c_void, _name: *const c_char, _limit: usize, file: *mut isa_included) -> c_int {
    // SAFETY: the data of the options, and a struct to fill in.
    unsafe {
        let count = data.cast::<u32>();
        count.write(count.read() + 1);
        match count.read() % 3 {
            0 => return 1,
            1 => (*file).bytes = ptr::null(),
            _ => (*file).bytes = c"s_nop 1\n".as_ptr().cast(),
        }
        (*file).size = 8;
    }
    0
}

unsafe extern "C" fn print(_data: *mut c_void, _stream: u32, _text: *const c_char, _size: usize) {}

unsafe extern "C" fn poll(_data: *mut c_void) -> c_int {
    0
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let (Some(Ok(calls)), Ok(seed)) = (arguments.next(), arguments.next().unwrap_or(Ok(1))) else {
        eprintln!("usage: random_calls CALLS [SEED]");
        return ExitCode::from(2);
    };
    let (mut assembly, mut object, mut bytes, mut size) = (ptr::null_mut(), ptr::null_mut(), ptr::null(), 0);
    // SAFETY: the library's functions with valid arguments; the bytes live as long as the assembly.
    let code = unsafe {
        isa_assemble(SAXPY.as_ptr().cast(), SAXPY.len(), ptr::null(), &raw mut assembly, ptr::null_mut());
        isa_assembly_output(assembly, 0, &raw mut bytes, &raw mut size, ptr::null_mut());
        isa_object_load(HISTOGRAM.as_ptr().cast(), HISTOGRAM.len(), ptr::null(), &raw mut object, ptr::null_mut());
        let code = std::slice::from_raw_parts(bytes, size).to_vec();
        isa_assembly_free(assembly);
        code
    };
    let mut caller = Caller { rng: Rng(seed), seen: Seen::default(), code, object };
    for _ in 0..calls {
        caller.call();
    }
    // SAFETY: the object of above.
    unsafe { isa_object_free(object) };
    isa_end_threads();
    for (number, count) in caller.seen.statuses.iter().enumerate().filter(|(_, count)| **count > 0) {
        // SAFETY: the name of a status is static.
        println!("{count:>9} {}", unsafe { CStr::from_ptr(isa_status_name(number as u32)) }.to_string_lossy());
    }
    caller.seen.wrong.iter().for_each(|wrong| println!("error: {wrong}"));
    println!("{calls} calls with the seed {seed}: {} errors", caller.seen.wrong.len());
    if caller.seen.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
