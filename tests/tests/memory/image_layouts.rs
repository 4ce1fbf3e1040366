//! Which register holds which part of an image's address and data: the guide's tables, and the operands of the rows.

use std::collections::BTreeMap;

use rdna3::address::image::{AddressPart, Along, Axis, DataPart, address_layout, data_layout, face_id};
use rdna3::{Half, Instr, Value, Wave};

fn instr(text: &str) -> Instr {
    Instr::parse(text, Wave::W32).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

/// A layout as the guide's tables write it: a register's parts from the high half down, registers with blanks between.
fn shown<P: Copy>(parts: impl Iterator<Item = rdna3::address::image::Held<P>>, name: impl Fn(P) -> String) -> String {
    let mut registers: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    let mut order = Vec::new();
    for held in parts {
        if !order.contains(&held.register) {
            order.push(held.register);
        }
        let list = registers.entry(held.register).or_default();
        if held.half == Some(Half::High) {
            list.insert(0, name(held.part));
        } else if held.half == Some(Half::Low) {
            list.push(format!("{}'", name(held.part)));
        } else {
            list.push(name(held.part));
        }
    }
    order.iter().map(|r| format!("v{r}={}", registers[r].join(","))).collect::<Vec<_>>().join(" ")
}

fn part(part: AddressPart) -> String {
    let axis = |a: Axis| format!("{a:?}").to_lowercase();
    match part {
        AddressPart::Derivative(a, Along::H) => format!("d{}/dh", axis(a)),
        AddressPart::Derivative(a, Along::V) => format!("d{}/dv", axis(a)),
        AddressPart::RayOrigin(a) => format!("origin.{}", axis(a)),
        AddressPart::RayDir(a) => format!("dir.{}", axis(a)),
        AddressPart::RayInvDir(a) => format!("inv.{}", axis(a)),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn address(text: &str) -> String {
    shown(address_layout(&instr(text)).unwrap_or_else(|| panic!("{text}")).iter(), part)
}

fn data(text: &str) -> String {
    let part = |p: DataPart| match p {
        DataPart::Component(i) => ["r", "g", "b", "a"][usize::from(i)].to_string(),
        other => format!("{other:?}").to_lowercase(),
    };
    shown(data_layout(&instr(text)).unwrap_or_else(|| panic!("{text}")).iter(), part)
}

#[test]
fn coordinates_without_a_sampler() {
    // Guide §10.2.
    for (dim, whole, packed) in [
        ("1D", "v4=s", "v4=s'"),
        ("2D", "v4=s v5=t", "v4=t,s'"),
        ("3D", "v4=s v5=t v6=r", "v4=t,s' v5=r'"),
        ("CUBE", "v4=s v5=t v6=face", "v4=t,s' v5=face'"),
        ("1D_ARRAY", "v4=s v5=slice", "v4=slice,s'"),
        ("2D_ARRAY", "v4=s v5=t v6=slice", "v4=t,s' v5=slice'"),
        ("2D_MSAA", "v4=s v5=t v6=fragmentid", "v4=t,s' v5=fragmentid'"),
        ("2D_MSAA_ARRAY", "v4=s v5=t v6=slice v7=fragmentid", "v4=t,s' v5=fragmentid,slice'"),
    ] {
        let registers = |n: usize| if n == 1 { "v4".into() } else { format!("v[4:{}]", 3 + n) };
        let n = whole.split(' ').count();
        let load = format!("image_load v0, {}, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_{dim}", registers(n));
        assert_eq!(address(&load), whole, "{load}");
        let load = format!("image_load v0, {}, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_{dim} a16", registers(n.div_ceil(2)));
        assert_eq!(address(&load), packed, "{load}");
    }
    assert_eq!(address("image_load_mip v0, v[4:7], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_3D"), "v4=s v5=t v6=r v7=mipid");
    assert_eq!(address("image_load_mip v0, v[4:5], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_3D a16"), "v4=t,s' v5=mipid,r'");
    assert_eq!(address("image_get_resinfo v[0:3], v4, s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D"), "v4=mipid");
    assert_eq!((face_id(3, 2, false), face_id(3, 2, true)), (20, 26));
}

#[test]
fn coordinates_with_a_sampler() {
    // Guide §10.3, §10.4.
    let sample = |name: &str, addr: &str, more: &str| {
        address(&format!("image_{name} v[0:3], {addr}, s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_{more}"))
    };
    assert_eq!(sample("sample_l", "v[4:6]", "2D"), "v4=s v5=t v6=lod");
    assert_eq!(sample("sample_cl", "v[4:5]", "3D a16"), "v4=t,s' v5=clamp,r'");
    assert_eq!(sample("sample_l", "v4", "1D a16"), "v4=lod,s'");
    assert_eq!(sample("sample_c_b_o", "v[4:8]", "2D"), "v4=offsets v5=bias v6=zcompare v7=s v8=t");
    // Offsets and depths stay whole; the bias has its own register.
    assert_eq!(sample("sample_c_b_o", "v[4:7]", "2D a16"), "v4=offsets v5=bias' v6=zcompare v7=t,s'");
    // Derivatives: 32 bits unless the opcode says otherwise, regardless of A16.
    assert_eq!(
        sample("sample_d", "v[4:12]", "3D"),
        "v4=dx/dh v5=dy/dh v6=dz/dh v7=dx/dv v8=dy/dv v9=dz/dv v10=s v11=t v12=r"
    );
    assert_eq!(sample("sample_d", "v[4:8]", "2D a16"), "v4=dx/dh v5=dy/dh v6=dx/dv v7=dy/dv v8=t,s'");
    assert_eq!(sample("sample_d_g16", "v[4:6]", "1D"), "v4=dx/dh' v5=dx/dv' v6=s");
    assert_eq!(
        sample("sample_d_g16", "v[4:10]", "3D"),
        "v4=dy/dh,dx/dh' v5=dz/dh' v6=dy/dv,dx/dv' v7=dz/dv' v8=s v9=t v10=r"
    );
    let gather = "image_gather4_c_l v[0:3], v[4:7], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D";
    assert_eq!(address(gather), "v4=zcompare v5=s v6=t v7=lod");
    // NSA: four registers by themselves, the rest from the fifth on.
    assert_eq!(
        sample("sample_d", "[v20, v9, v7, v5, v[30:31]]", "2D"),
        "v20=dx/dh v9=dy/dh v7=dx/dv v5=dy/dv v30=s v31=t"
    );
}

#[test]
fn rays() {
    // Guide §10.9.1, table 53.
    assert_eq!(
        address("image_bvh_intersect_ray v[0:3], v[10:20], s[0:3]"),
        "v10=nodepointer v11=rayextent v12=origin.x v13=origin.y v14=origin.z v15=dir.x v16=dir.y v17=dir.z \
         v18=inv.x v19=inv.y v20=inv.z"
    );
    assert_eq!(
        address("image_bvh64_intersect_ray v[0:3], v[10:18], s[0:3] a16"),
        "v10=nodepointer v11=nodepointerhigh v12=rayextent v13=origin.x v14=origin.y v15=origin.z \
         v16=inv.x,dir.x' v17=inv.y,dir.y' v18=inv.z,dir.z'"
    );
    // Groups, guide §10.9.2.
    assert_eq!(
        address("image_bvh_intersect_ray v[0:3], [v50, v46, v[20:22], v[40:42], v[47:49]], s[0:3]"),
        "v50=nodepointer v46=rayextent v20=origin.x v21=origin.y v22=origin.z v40=dir.x v41=dir.y v42=dir.z \
         v47=inv.x v48=inv.y v49=inv.z"
    );
    assert_eq!(data("image_bvh_intersect_ray v[0:3], v[10:20], s[0:3]"), "v0=ray(0) v1=ray(1) v2=ray(2) v3=ray(3)");
}

#[test]
fn data_of_images() {
    // Guide §10.1: DMASK 1001.
    let load = |data: &str, more: &str| format!("image_load {data}, v[4:5], s[0:7] {more} dim:SQ_RSRC_IMG_2D");
    assert_eq!(data(&load("v[8:9]", "dmask:0x9")), "v8=r v9=a");
    let d16 = "image_load v[8:9], v[4:5], s[0:7] dmask:0xd dim:SQ_RSRC_IMG_2D d16";
    assert_eq!(data(d16), "v8=b,r' v9=a'");
    let tfe = "image_load v[8:10], v[4:5], s[0:7] dmask:0x7 dim:SQ_RSRC_IMG_2D tfe d16";
    assert_eq!(data(tfe), "v8=g,r' v9=b' v10=status");
    let gather = "image_gather4 v[8:12], v[4:5], s[0:7], s[8:11] dmask:0x2 dim:SQ_RSRC_IMG_2D tfe";
    assert_eq!(data(gather), "v8=texel(0) v9=texel(1) v10=texel(2) v11=texel(3) v12=status");
    let gather = "image_gather4 v[8:9], v[4:5], s[0:7], s[8:11] dmask:0x2 dim:SQ_RSRC_IMG_2D d16";
    assert_eq!(data(gather), "v8=texel(1),texel(0)' v9=texel(3),texel(2)'");
    let swap = "image_atomic_cmpswap v[8:9], v[4:5], s[0:7] dmask:0x3 dim:SQ_RSRC_IMG_2D glc";
    assert_eq!(data(swap), "v8=atomic(0) v9=atomic(1)");
    let info = "image_get_resinfo v[8:9], v4, s[0:7] dmask:0x9 dim:SQ_RSRC_IMG_2D";
    assert_eq!(data(info), "v8=info(0) v9=info(3)");
}

/// Guide §10.1.1 and §10.1, table 48: TFE and LWE share a status register, LWE counts beside a sampler only, and with
/// DMASK 0 "TFE status is not generated".
#[test]
fn status_of_fetches() {
    let sample =
        |data: &str, more: &str| format!("image_sample {data}, v[10:11], s[0:7], s[8:11] {more} dim:SQ_RSRC_IMG_2D");
    let four = "v0=r v1=g v2=b v3=a v4=status";
    assert_eq!(data(&sample("v[0:4]", "dmask:0xf tfe")), four);
    assert_eq!(data(&sample("v[0:4]", "dmask:0xf tfe lwe")), four);
    // LLVM's disassembler shows four registers, its code generator five: both are read, as the same bytes.
    assert_eq!(data(&sample("v[0:3]", "dmask:0xf lwe")), four);
    assert_eq!(data(&sample("v[0:4]", "dmask:0xf lwe")), four);
    let (short, long) = (instr(&sample("v[0:3]", "dmask:0xf lwe")), instr(&sample("v[0:4]", "dmask:0xf lwe")));
    assert_eq!(short, long);
    assert_eq!(long.to_string(), sample("v[0:3]", "dmask:0xf").replace("2D", "2D lwe").replace("  ", " "));
    assert!(Instr::parse(&sample("v[0:5]", "dmask:0xf lwe"), Wave::W32).is_err());
    assert!(Instr::parse(&sample("v[0:4]", "dmask:0xf"), Wave::W32).is_err());
    let written = long.operands(Wave::W32).find(|o| o.role == "d").unwrap().value;
    assert!(matches!(written, Value::Registers(r) if (r.first, r.count) == (0, 5)), "{written:?}");

    assert_eq!(data(&sample("v[0:1]", "tfe")), "v0=r");
    assert_eq!(data(&sample("v[0:1]", "tfe lwe")), "v0=r v1=status");
    assert_eq!(data(&sample("v0", "lwe")), "v0=r v1=status");
    assert_eq!(data("image_load v[0:3], v[10:11], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D lwe"), "v0=r v1=g v2=b v3=a");
    assert_eq!(data(&sample("v[0:1]", "dmask:0x7 d16 lwe")), "v0=g,r' v1=b' v2=status");
    let gather = "image_gather4 v[8:11], v[4:5], s[0:7], s[12:15] dmask:0x2 dim:SQ_RSRC_IMG_2D lwe";
    assert_eq!(data(gather), "v8=texel(0) v9=texel(1) v10=texel(2) v11=texel(3) v12=status");
    // There is no register past v255.
    assert_eq!(data_layout(&instr(&sample("v[252:255]", "dmask:0xf lwe"))).map(|layout| layout.registers()), None);
}

/// Guide §10.2, §10.3: "MSAA surfaces do not support sample or gather4", nor load-mip and store-mip; the tables have
/// gather4 for 2D, CUBE and 2D_ARRAY only, and no atomics on CUBE.
#[test]
fn dimensions_without_a_layout() {
    let none = |text: &str| assert!(address_layout(&instr(text)).is_none(), "{text}");
    let dim = |d: &str, n: u32| (format!("v[4:{}]", 3 + n), format!("dim:SQ_RSRC_IMG_{d}"));
    for (d, n) in [("2D_MSAA", 3), ("2D_MSAA_ARRAY", 4)] {
        let (addr, d) = dim(d, n);
        // LLVM has no addresses of four or five registers for these on an array.
        if n == 3 {
            none(&format!("image_get_lod v[0:1], {addr}, s[0:7], s[8:11] dmask:0x3 {d}"));
            none(&format!("image_sample v[0:3], {addr}, s[0:7], s[8:11] dmask:0xf {d}"));
            none(&format!("image_gather4 v[0:3], {addr}, s[0:7], s[8:11] dmask:0x1 {d}"));
            none(&format!("image_load_mip v0, v[4:7], s[0:7] dmask:0x1 {d}"));
            none(&format!("image_store_mip v0, v[4:7], s[0:7] dmask:0x1 {d} unorm"));
        }
        assert!(address_layout(&instr(&format!("image_load v0, {addr}, s[0:7] dmask:0x1 {d}"))).is_some());
        assert!(address_layout(&instr(&format!("image_atomic_add v0, {addr}, s[0:7] dmask:0x1 {d} unorm"))).is_some());
    }
    for (d, n) in [("1D", 1), ("3D", 3), ("1D_ARRAY", 2)] {
        let (addr, d) = dim(d, n);
        none(&format!("image_gather4 v[0:3], {addr}, s[0:7], s[8:11] dmask:0x1 {d}"));
        assert!(
            address_layout(&instr(&format!("image_sample v[0:3], {addr}, s[0:7], s[8:11] dmask:0xf {d}"))).is_some()
        );
    }
    none("image_atomic_add v0, v[4:6], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_CUBE unorm");
    // The data keep their layout, which no table restricts.
    assert_eq!(data("image_sample v0, v[4:6], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA"), "v0=r");
}

/// Every image instruction that is legal has both layouts, with as many registers as its operands, but for dimensions
/// that the guide's tables lack.
#[test]
fn layouts_are_as_wide_as_the_operands() {
    let lines = isa_tests::vectors::golden().unwrap();
    let (mut seen, mut without, mut lacking) = (0, Vec::new(), 0);
    for line in &lines {
        let words = line.words();
        let Ok((instr @ Instr::Mimg(_), _)) = Instr::decode(&words, Wave::W32) else { continue };
        let registers = |role: &str| {
            let value = instr.operands(Wave::W32).find(|o| o.role == role)?.value;
            Some(match value {
                Value::Registers(r) => r.count,
                Value::Scattered { groups, count, .. } => count.iter().take(usize::from(groups)).sum(),
                other => panic!("{other:?}"),
            })
        };
        seen += 1;
        let (address, data) = (address_layout(&instr), data_layout(&instr));
        let legal = Instr::parse(&instr.to_string(), Wave::W32).is_ok();
        let row = isa_tests::guide::image::address(instr.opcode().name(), &words).is_some();
        lacking += usize::from(!row);
        assert!(row || address.is_none(), "{instr}");
        // A status register past v255 does not exist.
        let past = words[1] >> 22 & 1 == 1;
        if legal && (row && address.is_none() || data.is_none() && !past) {
            without.push(instr.to_string());
        }
        if let Some(layout) = address {
            assert_eq!(Some(layout.registers()), registers("addr"), "{instr}");
        }
        if let Some(layout) = data {
            assert_eq!(Some(layout.registers()), registers("d").or_else(|| registers("data")), "{instr}");
        }
    }
    assert!(seen > 500 && lacking > 0 && lacking < seen / 2, "{seen} image instructions, {lacking} without a row");
    assert!(
        without.is_empty(),
        "{} of {seen} without a layout: {:#?}",
        without.len(),
        &without[..without.len().min(20)]
    );
}
