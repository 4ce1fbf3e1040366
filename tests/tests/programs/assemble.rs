//! The example that assembles, lists and runs a kernel.

#[path = "../../../examples/assemble.rs"]
mod example;

#[test]
fn squares_are_stored() {
    let (listing, bytes) = example::squares().unwrap();
    assert_eq!(listing.lines().count(), 6);
    assert_eq!(listing.lines().last(), Some("1520  s_endpgm"));
    let squares = bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
    assert!(squares.eq((0..64).map(|n| n * n)));
}
