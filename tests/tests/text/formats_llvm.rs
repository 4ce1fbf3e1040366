//! Names and codes of formats and dimensions, held against LLVM's where it is installed.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use amdgpu_memory::gcn::Generation;
use amdgpu_memory::gcn::resource::{DataFormat as GcnData, NumberFormat};
use isa_tests::needs::llvm_mc;
use rdna3::descriptor::format::DataFormat;
use rdna3::descriptor::image::ImageType;

use crate::oracle;

/// The first two dwords that each line assembles to; `None` where it is refused.
fn assembled(llvm_mc: &str, what: &str, processor: &str, lines: &[String]) -> Vec<Option<[u32; 2]>> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let paths = ["s", "out"].map(|end| dir.join(format!("{what}-{processor}-{}.{end}", std::process::id())));
    // A label before each line tells whose encoding is printed.
    let text: String = lines.iter().enumerate().map(|(i, line)| format!("L{i}:\n{line}\n")).collect();
    fs::write(&paths[0], text).expect("the lines are written");
    let child = Command::new(llvm_mc)
        .args(["--triple=amdgcn-amd-amdhsa", &format!("-mcpu={processor}"), "--show-encoding"])
        .stdin(File::open(&paths[0]).expect("the lines are read"))
        .stdout(File::create(&paths[1]).expect("a file for what llvm-mc prints"))
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("llvm-mc starts");
    oracle::wait(child);
    let out = fs::read_to_string(&paths[1]).expect("what llvm-mc printed");
    for path in &paths {
        let _ = fs::remove_file(path);
    }
    let mut words = vec![None; lines.len()];
    let mut at = 0;
    for line in out.lines() {
        if let Some(label) = line.strip_prefix('L').and_then(|l| l.split(':').next()) {
            at = label.parse().expect("a label");
        } else if let Some((_, bytes)) = line.split_once("encoding: [") {
            let bytes = bytes.trim_end_matches(']').split(',');
            let byte = |b: &str| u8::from_str_radix(b.trim_start_matches("0x"), 16).expect("a byte");
            let bytes: Vec<u8> = bytes.map(byte).collect();
            let word = |i: usize| bytes[4 * i..4 * i + 4].iter().rev().fold(0, |w, b| w << 8 | u32::from(*b));
            words[at] = Some([word(0), word(1)]);
        }
    }
    words
}

#[test]
fn formats_of_buffers_have_llvms_names() {
    let Some(mc) = llvm_mc("the formats of RDNA3's buffers") else { return };
    let line = |name: &str| format!("tbuffer_load_format_x v0, off, s[0:3], 0 format:[BUF_FMT_{name}]");
    let named: Vec<DataFormat> = DataFormat::ALL.to_vec();
    let lines: Vec<String> = named.iter().map(|f| line(f.name().unwrap())).collect();
    for (format, words) in named.iter().zip(assembled(&mc, "formats", "gfx1100", &lines)) {
        // Formats of images alone have no name in text.
        let code = words.map(|[low, _]| (low >> 19 & 0x7f) as u8);
        assert_eq!(code, format.is_buffer().then_some(format.into_bits()), "{format}");
    }
}

#[test]
fn formats_of_gcn_have_llvms_names() {
    let Some(mc) = llvm_mc("the formats of GCN's buffers") else { return };
    let generations = [
        ("gfx600", Generation::Gcn1_0),
        ("gfx700", Generation::Gcn1_1),
        ("gfx803", Generation::Gcn1_2),
        ("gfx900", Generation::Gcn1_4),
    ];
    for (processor, generation) in generations {
        let pairs: Vec<(GcnData, NumberFormat)> =
            GcnData::ALL.iter().flat_map(|d| NumberFormat::ALL.iter().map(|n| (*d, *n))).collect();
        let lines: Vec<String> = pairs
            .iter()
            .map(|(data, number)| {
                let (data, number) = (data.name().unwrap(), number.name_in(generation));
                let format = format!("[BUF_DATA_FORMAT_{data},BUF_NUM_FORMAT_{number}]");
                format!("tbuffer_load_format_x v0, off, s[0:3], 0 format:{format}")
            })
            .collect();
        for ((data, number), words) in pairs.iter().zip(assembled(&mc, "formats", processor, &lines)) {
            let [low, _] = words.unwrap_or_else(|| panic!("{processor} has no {data} {number}"));
            assert_eq!((low >> 19 & 15) as u8, data.into_bits(), "{processor}: {data}");
            assert_eq!((low >> 23 & 7) as u8, number.into_bits(), "{processor}: {number}");
        }
    }
}

#[test]
fn dimensions_have_llvms_names() {
    let Some(mc) = llvm_mc("the dimensions of images") else { return };
    let dims: Vec<_> = ImageType::ALL.iter().filter_map(|ty| ty.dim().map(|dim| (*ty, dim))).collect();
    assert_eq!(dims.len(), 8);
    let name = |dim: &rdna3::operands::ImageDim| rdna3::operands::DIM_NAMES[*dim as usize].1;
    let line = |(_, dim): &(ImageType, rdna3::operands::ImageDim)| {
        let facts = dim.facts();
        let registers = match facts.coordinates {
            1 => "v4".to_string(),
            n => format!("v[4:{}]", 3 + n),
        };
        format!("image_load v0, {registers}, s[0:7] dmask:0x1 dim:{}", name(dim))
    };
    let lines: Vec<String> = dims.iter().map(line).collect();
    for ((ty, dim), words) in dims.iter().zip(assembled(&mc, "dims", "gfx1100", &lines)) {
        let [low, _] = words.unwrap_or_else(|| panic!("LLVM has no {}", name(dim)));
        assert_eq!(low >> 2 & 7, *dim as u32, "{ty}");
        // The types of resources are the dimensions from 8 on (guide §10.1 and §10.5).
        assert_eq!(ty.into_bits(), 8 + *dim as u8, "{ty}");
    }
}
