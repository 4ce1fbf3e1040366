//! Image instructions (chapter 10): which register holds which part of the address and of the data.

use super::bits;

/// A register's part: the register, the half (`None`: all of it, `Some(false)`: bits 15 to 0, `Some(true)`: bits 31 to 16)
/// and what it holds.
pub type Held = (u8, Option<bool>, String);

/// The dimensions, by code (table 48).
const DIMS: [&str; 8] = ["1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"];

/// The coordinates of §10.2 and §10.3, without what suffixes add.
const COORDINATES: [(&str, &[&str]); 8] = [
    ("1D", &["s"]),
    ("2D", &["s", "t"]),
    ("3D", &["s", "t", "r"]),
    ("CUBE", &["s", "t", "face"]),
    ("1D_ARRAY", &["s", "slice"]),
    ("2D_ARRAY", &["s", "t", "slice"]),
    ("2D_MSAA", &["s", "t", "fragid"]),
    ("2D_MSAA_ARRAY", &["s", "t", "slice", "fragid"]),
];

/// Whether the tables of §10.2 and §10.3 have a row for an opcode and a dimension.
fn has_row(name: &str, dim: &str) -> bool {
    let msaa = dim.starts_with("2D_MSAA");
    if name == "IMAGE_GET_RESINFO" {
        true
    } else if name == "IMAGE_MSAA_LOAD" {
        msaa
    } else if name.starts_with("IMAGE_ATOMIC") {
        dim != "CUBE"
    } else if name.contains("_MIP") {
        !msaa
    } else if name.starts_with("IMAGE_LOAD") || name.starts_with("IMAGE_STORE") {
        true
    } else if name.starts_with("IMAGE_GATHER4") {
        matches!(dim, "2D" | "CUBE" | "2D_ARRAY")
    } else {
        !msaa
    }
}

fn has_sampler(name: &str) -> bool {
    ["IMAGE_SAMPLE", "IMAGE_GATHER4", "IMAGE_GET_LOD"].iter().any(|p| name.starts_with(p))
}

fn is_ray(name: &str) -> bool {
    name.starts_with("IMAGE_BVH")
}

/// One VGPR of the address: the part in the low half or the whole, and that in the high half.
enum Vgpr {
    Whole(String),
    Halves(String, Option<String>),
}

/// Parts in order, two to a register if they have 16 bits.
fn pack(parts: &[String], sixteen: bool) -> Vec<Vgpr> {
    if sixteen {
        parts.chunks(2).map(|pair| Vgpr::Halves(pair[0].clone(), pair.get(1).cloned())).collect()
    } else {
        parts.iter().cloned().map(Vgpr::Whole).collect()
    }
}

/// The gradients of §10.4, one list for each direction.
fn gradients(dim: &str, sixteen: bool) -> Vec<Vgpr> {
    let axes: &[&str] = match dim {
        "1D" | "1D_ARRAY" => &["x"],
        "3D" => &["x", "y", "z"],
        _ => &["x", "y"],
    };
    let along = |v: &str| -> Vec<String> { axes.iter().map(|a| format!("d{a}/d{v}")).collect() };
    // With 16 bits each direction begins in a separate register.
    [along("h"), along("v")].iter().flat_map(|list| pack(list, sixteen)).collect()
}

/// Table 53, with the sizes of the groups of §10.9.2.
fn ray(name: &str, a16: bool) -> (Vec<Vgpr>, Vec<usize>) {
    let whole = |text: &str| Vgpr::Whole(text.to_string());
    let mut list = vec![whole("node")];
    let mut groups = vec![1];
    if name == "IMAGE_BVH64_INTERSECT_RAY" {
        list.push(whole("nodehigh"));
        groups[0] = 2;
    }
    list.push(whole("extent"));
    list.extend(["x", "y", "z"].map(|a| whole(&format!("origin.{a}"))));
    groups.extend([1, 3]);
    if a16 {
        list.extend(["x", "y", "z"].map(|a| Vgpr::Halves(format!("dir.{a}"), Some(format!("inv.{a}")))));
        groups.push(3);
    } else {
        for vector in ["dir", "inv"] {
            list.extend(["x", "y", "z"].map(|a| whole(&format!("{vector}.{a}"))));
            groups.push(3);
        }
    }
    (list, groups)
}

/// The layout of the address; `None` where the tables have no row.
#[must_use]
pub fn address(name: &str, words: &[u32]) -> Option<Vec<Held>> {
    let dim = DIMS[bits(words, 4, 2) as usize];
    let a16 = bits(words, 16, 16) == 1;
    let (vgprs, groups) = if is_ray(name) {
        ray(name, a16)
    } else {
        if !has_row(name, dim) {
            return None;
        }
        let suffix = |s: &str| name.split('_').skip(2).any(|token| token == s);
        let mut list = Vec::new();
        let mut body: Vec<String> = Vec::new();
        if name == "IMAGE_GET_RESINFO" {
            list.push(Vgpr::Whole("mipid".to_string()));
        } else {
            if has_sampler(name) {
                if suffix("O") {
                    list.push(Vgpr::Whole("offsets".to_string()));
                }
                if suffix("B") {
                    list.extend(pack(&["bias".to_string()], a16));
                }
                if suffix("C") {
                    list.push(Vgpr::Whole("zcompare".to_string()));
                }
                if suffix("D") {
                    list.extend(gradients(dim, suffix("G16")));
                }
            }
            let (_, coordinates) = COORDINATES.iter().find(|(d, _)| *d == dim)?;
            body.extend(coordinates.iter().map(ToString::to_string));
            if has_sampler(name) {
                body.extend(suffix("L").then(|| "lod".to_string()));
                body.extend(suffix("CL").then(|| "clamp".to_string()));
            } else if name.contains("_MIP") {
                body.push("mipid".to_string());
            }
            list.extend(pack(&body, a16));
        }
        let groups = vec![1; list.len()];
        (list, groups)
    };
    // §10.1.5: with NSA the fields name one register each, and the fifth all that are left; the groups of rays likewise.
    let nsa = bits(words, 0, 0) == 1;
    let mut fields = vec![bits(words, 39, 32)];
    if nsa {
        fields.extend((0..4).map(|i| bits(words, 71 + 8 * i, 64 + 8 * i)));
    }
    let mut registers = Vec::new();
    if nsa {
        for (i, size) in groups.iter().enumerate() {
            for j in 0..*size {
                registers.push(fields[i.min(4)] + (i.saturating_sub(4) + j) as u32);
            }
        }
    } else {
        registers.extend((0..vgprs.len() as u32).map(|i| fields[0] + i));
    }
    let mut held = Vec::new();
    for (register, vgpr) in registers.into_iter().zip(vgprs) {
        let register = register as u8;
        match vgpr {
            Vgpr::Whole(part) => held.push((register, None, part)),
            Vgpr::Halves(low, high) => {
                held.push((register, Some(false), low));
                held.extend(high.map(|part| (register, Some(true), part)));
            }
        }
    }
    Some(held)
}

/// The layout of the data.
#[must_use]
pub fn data(name: &str, words: &[u32]) -> Vec<Held> {
    let dmask = bits(words, 11, 8);
    let d16 = bits(words, 17, 17) == 1;
    let (tfe, lwe) = (bits(words, 53, 53) == 1, bits(words, 54, 54) == 1);
    let vdata = bits(words, 47, 40) as u8;
    // Table 48: DMASK 0 is taken as 1, and no TFE status is generated. LWE works with samplers only.
    let enabled: Vec<u32> = (0..4).filter(|i| if dmask == 0 { *i == 0 } else { dmask >> i & 1 == 1 }).collect();
    let of = |what: &str, list: &[u32]| -> Vec<String> { list.iter().map(|i| format!("{what}({i})")).collect() };
    let count: Vec<u32> = (0..enabled.len() as u32).collect();
    let parts = if is_ray(name) {
        of("ray", &[0, 1, 2, 3])
    } else if name.starts_with("IMAGE_GATHER4") {
        of("texel", &[0, 1, 2, 3])
    } else if name == "IMAGE_MSAA_LOAD" {
        of("sample", &[0, 1, 2, 3])
    } else if name.starts_with("IMAGE_ATOMIC") {
        of("atomic", &count)
    } else if name == "IMAGE_GET_RESINFO" {
        of("info", &enabled)
    } else if name == "IMAGE_GET_LOD" {
        of("lod", &enabled)
    } else {
        of("component", &enabled)
    };
    let mut held = Vec::new();
    let mut register = vdata;
    for vgpr in pack(&parts, d16) {
        match vgpr {
            Vgpr::Whole(part) => held.push((register, None, part)),
            Vgpr::Halves(low, high) => {
                held.push((register, Some(false), low));
                held.extend(high.map(|part| (register, Some(true), part)));
            }
        }
        register = register.wrapping_add(1);
    }
    // §10.1.1 speaks of fetches; for stores and atomics that return nothing the register is the same one.
    if !is_ray(name) && (tfe && dmask != 0 || lwe && has_sampler(name)) {
        held.push((register, None, "status".to_string()));
    }
    held
}
