//! The metadata of HSA: kernels and their arguments.

use std::fmt;

use crate::descriptor::KernelSettings;
use crate::note::Note;

use super::rules::{MetadataError, Typed, maps, texts, verify};
use super::value::{MessagePackError, Value};

texts! {
    /// The type of an explicit argument, or the value that the run-time system passes in a hidden one.
    ValueKind {
        ByValue "by_value": "a value.",
        GlobalBuffer "global_buffer": "the address of a buffer in global memory.",
        DynamicSharedPointer "dynamic_shared_pointer": "the address of LDS whose size the dispatch sets.",
        Sampler "sampler": "the address of a sampler.",
        Image "image": "the address of an image.",
        Pipe "pipe": "the address of an OpenCL pipe.",
        Queue "queue": "the address of an OpenCL device queue.",
        HiddenBlockCountX "hidden_block_count_x": "the number of whole work-groups in x.",
        HiddenBlockCountY "hidden_block_count_y": "the number of whole work-groups in y.",
        HiddenBlockCountZ "hidden_block_count_z": "the number of whole work-groups in z.",
        HiddenGroupSizeX "hidden_group_size_x": "the size of a whole work-group in x.",
        HiddenGroupSizeY "hidden_group_size_y": "the size of a whole work-group in y.",
        HiddenGroupSizeZ "hidden_group_size_z": "the size of a whole work-group in z.",
        HiddenRemainderX "hidden_remainder_x": "the size of the last, partial work-group in x.",
        HiddenRemainderY "hidden_remainder_y": "the size of the last, partial work-group in y.",
        HiddenRemainderZ "hidden_remainder_z": "the size of the last, partial work-group in z.",
        HiddenGlobalOffsetX "hidden_global_offset_x": "OpenCL's global offset in x.",
        HiddenGlobalOffsetY "hidden_global_offset_y": "OpenCL's global offset in y.",
        HiddenGlobalOffsetZ "hidden_global_offset_z": "OpenCL's global offset in z.",
        HiddenGridDims "hidden_grid_dims": "the number of dimensions, 1 to 3.",
        HiddenNone "hidden_none": "nothing: space that is not used.",
        HiddenPrintfBuffer "hidden_printf_buffer": "the address of the buffer of `printf`.",
        HiddenHostcallBuffer "hidden_hostcall_buffer": "the address of the buffer of calls to the host.",
        HiddenHeapV1 "hidden_heap_v1": "the address of the heap of the device.",
        HiddenDefaultQueue "hidden_default_queue": "the address of the default device queue.",
        HiddenCompletionAction "hidden_completion_action": "the address of the action at the end of a kernel.",
        HiddenMultigridSyncArg "hidden_multigrid_sync_arg": "the address of the state of multi-grid synchronization.",
        HiddenDynamicLdsSize "hidden_dynamic_lds_size": "the size of the LDS that the dispatch adds.",
        HiddenPrivateBase "hidden_private_base": "the high half of the addresses of scratch memory.",
        HiddenSharedBase "hidden_shared_base": "the high half of the addresses of LDS.",
        HiddenQueuePtr "hidden_queue_ptr": "the address of the queue.",
    }
}

/// The place of each hidden argument after the explicit ones, from code object version 5: its offset and size in bytes.
const HIDDEN: [(ValueKind, u32, u32); 23] = [
    (ValueKind::HiddenBlockCountX, 0, 4),
    (ValueKind::HiddenBlockCountY, 4, 4),
    (ValueKind::HiddenBlockCountZ, 8, 4),
    (ValueKind::HiddenGroupSizeX, 12, 2),
    (ValueKind::HiddenGroupSizeY, 14, 2),
    (ValueKind::HiddenGroupSizeZ, 16, 2),
    (ValueKind::HiddenRemainderX, 18, 2),
    (ValueKind::HiddenRemainderY, 20, 2),
    (ValueKind::HiddenRemainderZ, 22, 2),
    (ValueKind::HiddenGlobalOffsetX, 40, 8),
    (ValueKind::HiddenGlobalOffsetY, 48, 8),
    (ValueKind::HiddenGlobalOffsetZ, 56, 8),
    (ValueKind::HiddenGridDims, 64, 2),
    (ValueKind::HiddenPrintfBuffer, 72, 8),
    (ValueKind::HiddenHostcallBuffer, 80, 8),
    (ValueKind::HiddenMultigridSyncArg, 88, 8),
    (ValueKind::HiddenHeapV1, 96, 8),
    (ValueKind::HiddenDefaultQueue, 104, 8),
    (ValueKind::HiddenCompletionAction, 112, 8),
    (ValueKind::HiddenDynamicLdsSize, 120, 4),
    (ValueKind::HiddenPrivateBase, 192, 4),
    (ValueKind::HiddenSharedBase, 196, 4),
    (ValueKind::HiddenQueuePtr, 200, 8),
];

/// The size of all hidden arguments in bytes.
const HIDDEN_SIZE: u32 = 256;

texts! {
    /// The address space of a pointer.
    AddressSpace {
        Private "private": "scratch memory.",
        Global "global": "global memory.",
        Constant "constant": "global memory that does not change.",
        Local "local": "LDS.",
        Generic "generic": "any of global memory, LDS and scratch memory.",
        Region "region": "GDS.",
    }
}

texts! {
    /// How a kernel uses an image, a pipe or a buffer.
    Access {
        ReadOnly "read_only": "it reads.",
        WriteOnly "write_only": "it writes.",
        ReadWrite "read_write": "it reads and writes.",
    }
}

texts! {
    /// The source language of a kernel.
    Language {
        OpenClC "OpenCL C": "OpenCL C.",
        OpenClCpp "OpenCL C++": "C++ for OpenCL.",
        Hcc "HCC": "HCC.",
        Hip "HIP": "HIP.",
        OpenMp "OpenMP": "OpenMP.",
        Assembler "Assembler": "assembly.",
    }
}

texts! {
    /// When a run-time system calls a kernel.
    KernelKind {
        Normal "normal": "when the program dispatches it.",
        Init "init": "after it has loaded the code object.",
        Fini "fini": "before it unloads the code object.",
    }
}

maps! {
    /// An argument of a kernel.
    Argument {
        ".name" name: Option<String>, optional; "Its name in the source.";
        ".type_name" type_name: Option<String>, optional; "Its type in the source.";
        ".size" size: u32, required; "Its size in bytes.";
        ".offset" offset: u32, required; "Its offset in the memory of the arguments, in bytes.";
        ".value_kind" value_kind: ValueKind, required; "What it is.";
        ".pointee_align" pointee_align: Option<u32>, optional;
            "The alignment in bytes of what a [`ValueKind::DynamicSharedPointer`] points to.";
        ".address_space" address_space: Option<AddressSpace>, optional; "The address space of a pointer.";
        ".access" access: Option<Access>, optional; "How the source says that an image or pipe is used.";
        ".actual_access" actual_access: Option<Access>, optional; "How it is used.";
        ".is_const" is_const: Option<bool>, optional; "Whether the pointee is `const`.";
        ".is_restrict" is_restrict: Option<bool>, optional; "Whether the pointer is `restrict`.";
        ".is_volatile" is_volatile: Option<bool>, optional; "Whether the pointee is `volatile`.";
        ".is_pipe" is_pipe: Option<bool>, optional; "Whether it is a pipe.";
    }
}

impl Argument {
    /// Creates an argument without a name.
    #[must_use]
    pub const fn new(value_kind: ValueKind, offset: u32, size: u32) -> Self {
        Self {
            name: None,
            type_name: None,
            size,
            offset,
            value_kind,
            pointee_align: None,
            address_space: None,
            access: None,
            actual_access: None,
            is_const: None,
            is_restrict: None,
            is_volatile: None,
            is_pipe: None,
        }
    }

    /// Creates an argument that is the address of a buffer in global memory, of 8 bytes.
    #[must_use]
    pub fn global_buffer(offset: u32) -> Self {
        Self { address_space: Some(AddressSpace::Global), ..Self::new(ValueKind::GlobalBuffer, offset, 8) }
    }

    /// Creates an argument that is a value of `size` bytes.
    #[must_use]
    pub fn by_value(offset: u32, size: u32) -> Self {
        Self::new(ValueKind::ByValue, offset, size)
    }

    /// Returns the argument with a name.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Returns the argument at the first offset after others that is a multiple of `align` bytes, a power of two: scalars
    /// and pointers have the alignment of their size.
    ///
    /// # Examples
    /// ```
    /// use amdgpu_object::Argument;
    ///
    /// let count = Argument::by_value(0, 4);
    /// let buffer = Argument::global_buffer(0).after(&[count.clone()], 8);
    /// assert_eq!(buffer.offset, 8);
    /// assert_eq!(Argument::segment_size(&[count, buffer]), 16);
    /// ```
    #[must_use]
    pub fn after(self, others: &[Argument], align: u32) -> Self {
        let end = Self::segment_size(others);
        Self { offset: end.checked_next_multiple_of(align.max(1)).unwrap_or(end), ..self }
    }

    /// Returns the size of the memory that holds arguments, in bytes: [`KernelSettings::kernarg_size`].
    #[must_use]
    pub fn segment_size(arguments: &[Argument]) -> u32 {
        arguments.iter().map(|argument| argument.offset.saturating_add(argument.size)).max().unwrap_or(0)
    }
}

maps! {
    /// The metadata of a kernel.
    ///
    /// [`KernelMetadata::new`] makes it consistent with the kernel's descriptor.
    KernelMetadata {
        ".name" name: String, required; "Its name in the source.";
        ".symbol" symbol: String, required; "The name of its descriptor's symbol, which ends in `.kd`.";
        ".kind" kind: Option<KernelKind>, nothing; "When it is called; without it, when it is dispatched.";
        ".language" language: Option<Language>, optional; "Its source language.";
        ".language_version" language_version: Option<[u32; 2]>, optional; "The version of that language, major and minor.";
        ".args" args: Vec<Argument>, optional; "Its arguments, in the order of their offsets.";
        ".reqd_workgroup_size" reqd_workgroup_size: Option<[u32; 3]>, optional; "The only size of work-groups that it works with.";
        ".workgroup_size_hint" workgroup_size_hint: Option<[u32; 3]>, optional; "The expected size of work-groups.";
        ".vec_type_hint" vec_type_hint: Option<String>, optional; "The type that OpenCL's `vec_type_hint` names.";
        ".device_enqueue_symbol" device_enqueue_symbol: Option<String>, optional;
            "The symbol of the handle with which kernels enqueue it.";
        ".kernarg_segment_size" kernarg_segment_size: u32, required; "The size of the memory of the arguments, in bytes.";
        ".group_segment_fixed_size" group_segment_fixed_size: u32, required; "The size of its LDS, in bytes.";
        ".private_segment_fixed_size" private_segment_fixed_size: u32, required;
            "The size of a work-item's scratch memory, in bytes.";
        ".uses_dynamic_stack" uses_dynamic_stack: Option<bool>, optional; "Whether the size of its stack is unknown.";
        ".workgroup_processor_mode" workgroup_processor_mode: Option<u32>, optional;
            "1 if a work-group runs on both compute units of a work-group processor.";
        ".kernarg_segment_align" kernarg_segment_align: u32, required; "The alignment of the memory of the arguments, in bytes.";
        ".wavefront_size" wavefront_size: u32, required; "The number of work-items in a wave: 32 or 64.";
        ".sgpr_count" sgpr_count: u32, required; "The number of SGPRs that it uses, with VCC.";
        ".vgpr_count" vgpr_count: u32, required; "The number of VGPRs that it uses.";
        ".agpr_count" agpr_count: Option<u32>, nothing; "The number of accumulation VGPRs, which RDNA does not have.";
        ".max_flat_workgroup_size" max_flat_workgroup_size: u32, required; "The largest number of work-items in a work-group.";
        ".sgpr_spill_count" sgpr_spill_count: Option<u32>, optional; "The number of SGPRs that are stored elsewhere.";
        ".vgpr_spill_count" vgpr_spill_count: Option<u32>, optional; "The number of VGPRs that are stored in scratch memory.";
        ".uniform_work_group_size" uniform_work_group_size: Option<u32>, optional;
            "1 if the size of the grid has to be a multiple of the work-group's.";
    }
}

impl KernelMetadata {
    /// Creates the metadata of a kernel without arguments, from the settings of its descriptor.
    ///
    /// Arguments are aligned to 8 bytes, and work-groups have at most 1,024 work-items.
    #[must_use]
    pub fn new(name: &str, settings: &KernelSettings) -> Self {
        let vcc = if settings.reserve_vcc { 2 } else { 0 };
        Self {
            name: name.into(),
            symbol: format!("{name}.kd"),
            kind: None,
            language: None,
            language_version: None,
            args: Vec::new(),
            reqd_workgroup_size: None,
            workgroup_size_hint: None,
            vec_type_hint: None,
            device_enqueue_symbol: None,
            kernarg_segment_size: settings.kernarg_size,
            group_segment_fixed_size: settings.group_segment_fixed_size,
            private_segment_fixed_size: settings.private_segment_fixed_size,
            uses_dynamic_stack: Some(settings.uses_dynamic_stack),
            workgroup_processor_mode: Some(settings.workgroup_processor_mode.into()),
            kernarg_segment_align: 8,
            wavefront_size: if settings.wavefront_size32 { 32 } else { 64 },
            sgpr_count: settings.next_free_sgpr.saturating_add(vcc),
            vgpr_count: settings.next_free_vgpr,
            agpr_count: None,
            max_flat_workgroup_size: 1024,
            sgpr_spill_count: None,
            vgpr_spill_count: None,
            uniform_work_group_size: None,
        }
    }

    /// Adds hidden arguments after the explicit ones, where code object versions 5 and 6 have them, and enlarges
    /// [`kernarg_segment_size`](Self::kernarg_segment_size) to hold all of them. Kinds that are not hidden are skipped.
    ///
    /// Returns the offset at which the hidden arguments begin, in bytes. The kernel's settings need the new size, too.
    pub fn add_hidden_arguments(&mut self, kinds: &[ValueKind]) -> u32 {
        let end = Argument::segment_size(&self.args);
        let begin = end.checked_next_multiple_of(8).unwrap_or(end);
        for (kind, offset, size) in HIDDEN.iter().filter(|(kind, ..)| kinds.contains(kind)) {
            self.args.push(Argument::new(*kind, begin.saturating_add(*offset), *size));
        }
        self.kernarg_segment_size = begin.saturating_add(HIDDEN_SIZE);
        begin
    }
}

maps! {
    /// The metadata of a code object: versions, target and kernels.
    ///
    /// # Examples
    /// ```
    /// use amdgpu_object::{Argument, KernelMetadata, KernelSettings, Metadata};
    ///
    /// let settings = KernelSettings { next_free_vgpr: 8, kernarg_size: 8, ..KernelSettings::wave32() };
    /// let mut kernel = KernelMetadata::new("scale", &settings);
    /// kernel.args.push(Argument::global_buffer(0));
    /// let mut metadata = Metadata::new("amdgcn-amd-amdhsa--gfx1100");
    /// metadata.kernels.push(kernel);
    /// let note = metadata.to_note();
    /// assert_eq!((note.name.as_str(), note.kind), ("AMDGPU", 32));
    /// assert_eq!(Metadata::from_message_pack(&note.desc).unwrap(), metadata);
    /// ```
    Metadata {
        "amdhsa.version" version: [u32; 2], required; "The version of the metadata: 1.2 from code object version 5.";
        "amdhsa.target" target: Option<String>, nothing; "The target, as in `amdgcn-amd-amdhsa--gfx1100`.";
        "amdhsa.printf" printf: Option<Vec<String>>, optional; "The formats of `printf`, in the form of OpenCL's run-time library.";
        "amdhsa.kernels" kernels: Vec<KernelMetadata>, required; "The kernels.";
    }
}

impl Metadata {
    /// Creates metadata without kernels, of code object version 5 or 6.
    #[must_use]
    pub fn new(target: &str) -> Self {
        Self { version: [1, 2], target: Some(target.into()), printf: None, kernels: Vec::new() }
    }

    /// Returns the document.
    #[must_use]
    pub fn to_value(&self) -> Value {
        Typed::to_value(self).unwrap_or(Value::Nil)
    }

    /// Returns the note that holds the metadata.
    #[must_use]
    pub fn to_note(&self) -> Note {
        Note::metadata(&self.to_value())
    }

    /// Reads metadata from the contents of its note. Entries that this type does not have are dropped.
    ///
    /// # Errors
    /// The bytes are not MessagePack, or not metadata of HSA.
    pub fn from_message_pack(bytes: &[u8]) -> Result<Self, NoteError> {
        let mut value = Value::from_message_pack(bytes).map_err(NoteError::MessagePack)?;
        value.verify_hsa().map_err(NoteError::Metadata)?;
        Self::from_value(Some(&value)).ok_or(NoteError::Number)
    }
}

/// Why the contents of a note are not metadata of HSA.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteError {
    /// The bytes are not a document.
    MessagePack(MessagePackError),
    /// The document is not metadata.
    Metadata(MetadataError),
    /// A number is negative or above 32 bits.
    Number,
}

impl fmt::Display for NoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MessagePack(error) => error.fmt(f),
            Self::Metadata(error) => error.fmt(f),
            Self::Number => f.write_str("a number in the metadata is negative or above 32 bits"),
        }
    }
}

impl std::error::Error for NoteError {}

impl Value {
    /// Checks the document as LLVM checks `.amdgpu_metadata`: required entries, types, lengths and names. Texts that look like the
    /// number or truth value that an entry needs become one; entries that LLVM does not know are kept.
    ///
    /// # Errors
    /// The entry that is wrong and how.
    pub fn verify_hsa(&mut self) -> Result<(), MetadataError> {
        verify(self, &Metadata::RULE, &mut String::new())
    }
}
