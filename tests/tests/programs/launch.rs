//! Launches of kernels: arguments by metadata, memory, checks and errors.

use amdgpu_arch::Wave;
use amdgpu_asm::{Options, Target, assemble};
use amdgpu_dispatch::{
    ArgumentError, DispatchError, InputError, Kernel, LaunchArgument, LaunchError, MemoryContent, MemoryRange,
};
use isa_exec::check::finding::{Kind, Kinds};

const HISTOGRAM: &[u8] = include_bytes!("../../../examples/histogram.gfx1100.co");

/// A kernel that stores squares.
fn squares() -> Vec<u8> {
    let options = Options::new(Target::parse("gfx1100").unwrap(), Wave::W32);
    assemble(include_str!("../../../examples/squares.s"), &options).unwrap().to_code_object().unwrap()
}

/// Bytes to count, their number and the counts.
fn histogram(bytes: LaunchArgument, count: u32) -> [LaunchArgument; 3] {
    [bytes, count.into(), LaunchArgument::zeros(1024)]
}

fn dwords(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

#[test]
fn a_kernel_counts_bytes() {
    let arguments = histogram(LaunchArgument::bytes([7; 1000]), 1000);
    let launch = Kernel::named(HISTOGRAM, "histogram").unwrap().arguments(arguments).unwrap();
    let finished = launch.global(1024).local(256).run().unwrap();
    let counts = dwords(&finished.contents(2).unwrap());
    assert_eq!((counts[7], counts.iter().sum::<u32>()), (1000, 1000));
    assert!(finished.printed.is_empty());
}

/// rustc has compiled `examples/rust`.
#[test]
fn a_kernel_in_rust_sorts_rows() {
    let code = include_bytes!("../../../examples/rust/kernels.gfx1100.co");
    let numbers: Vec<u32> = (1..=100 * 16).map(|n: u32| n.wrapping_mul(0x9E37_79B9)).collect();
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let launch = Kernel::named(code, "sort_rows").unwrap();
    let launch = launch.arguments([LaunchArgument::bytes(bytes), 99_u32.into()]).unwrap().global(128).local(64);
    let finished = launch.run().unwrap();
    let sorted = dwords(&finished.contents(0).unwrap());
    let mut expected = numbers;
    expected.chunks_mut(16).take(99).for_each(<[u32]>::sort_unstable);
    assert_eq!(sorted, expected);
}

#[test]
fn files_are_read_and_written() {
    let path = |name: &str| std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(path("launch.in"), [3; 512]).unwrap();
    let content = MemoryContent::File(path("launch.in"));
    let launch = Kernel::load(HISTOGRAM).unwrap();
    let launch = launch.arguments(histogram(LaunchArgument::Buffer(content), 512)).unwrap();
    let map = 0x1000_0000;
    let launch = launch.map(map, MemoryContent::Bytes(vec![1, 2, 3])).threads(1).global([512, 1]).local([256, 1]);
    let (counts, mapped) = (path("launch.counts"), path("launch.map"));
    let launch = launch.dump(MemoryRange::Argument(2), &counts);
    launch.dump(MemoryRange::Address { address: map + 1, bytes: None }, &mapped).run().unwrap();
    assert_eq!(std::fs::read(&counts).unwrap()[12..16], 512_u32.to_le_bytes());
    assert_eq!(std::fs::read(&mapped).unwrap(), [2, 3]);
    let missing = MemoryContent::File(path("launch.missing"));
    let launch = Kernel::load(HISTOGRAM).unwrap().arguments(histogram(LaunchArgument::Buffer(missing), 1)).unwrap();
    assert!(matches!(launch.run(), Err(LaunchError::Input(InputError::Read { .. }))));
}

#[test]
fn checks_find_what_is_wrong() {
    let check = |count: u32| {
        let arguments = histogram(LaunchArgument::bytes([7; 1000]), count);
        Kernel::load(HISTOGRAM)
            .unwrap()
            .arguments(arguments)
            .unwrap()
            .global(1024)
            .local(256)
            .check(Kinds::ALL)
            .unwrap()
            .0
    };
    let clean = check(1000);
    assert!(clean.is_clean(), "{clean}");
    assert_eq!(check(1001).findings[0].kind, Kind::OutOfBounds);
}

#[test]
fn a_fault_is_an_error() {
    let launch = Kernel::load(HISTOGRAM).unwrap().arguments(histogram(LaunchArgument::zeros(64), 100_000)).unwrap();
    let error = launch.global(100_096).local(256).run().unwrap_err();
    assert!(matches!(&error, LaunchError::Fault(_)), "{error}");
}

#[test]
fn parts_of_buffers_are_arguments() {
    let part = |argument, offset| LaunchArgument::Part { argument, offset };
    let launch = |bytes: LaunchArgument| {
        Kernel::load(HISTOGRAM).unwrap().arguments(histogram(bytes, 8)).unwrap().global(256).local(256).run()
    };
    assert!(launch(part(2, 1000)).is_ok());
    assert!(matches!(launch(part(2, 1025)), Err(LaunchError::Input(InputError::Offset { bytes: 1024, .. }))));
    assert!(matches!(launch(part(0, 0)), Err(LaunchError::Input(InputError::Circle { index: 0 }))));
    assert!(matches!(launch(part(1, 0)), Err(LaunchError::Input(InputError::PartOfValue { of: 1, .. }))));
    assert!(matches!(launch(part(9, 0)), Err(LaunchError::Input(InputError::PartOfNone { given: 3, .. }))));
}

#[test]
fn arguments_are_those_of_the_metadata() {
    let file = squares();
    let error = |arguments: Vec<LaunchArgument>| match Kernel::load(&file).unwrap().arguments(arguments) {
        Err(LaunchError::Dispatch(DispatchError::Arguments(error))) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(error(vec![]), ArgumentError::Count { given: 0, expected: 1 });
    assert!(matches!(
        error(vec![4_u32.into()]),
        ArgumentError::Kind { index: 0, .. } | ArgumentError::Size { index: 0, .. }
    ));
}

#[test]
fn grids_and_names_that_do_not_fit() {
    let file = squares();
    let launch = || Kernel::load(&file).unwrap().arguments([LaunchArgument::zeros(256)]).unwrap();
    assert!(matches!(launch().global(64).local([8, 8]).run(), Err(LaunchError::Grid(_))));
    assert!(matches!(launch().global(64).local(2048).run(), Err(LaunchError::Grid(_))));
    let error = Kernel::named(&file, "cubes").unwrap_err();
    assert_eq!(error.to_string(), "there is no kernel `cubes`; the kernels are squares");
    assert!(matches!(Kernel::load(b"text"), Err(LaunchError::Load(_))));
}
