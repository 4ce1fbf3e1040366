//! The formats of C's `printf`, with the vectors of OpenCL.
//!
//! Digits come from the formatting of floats in the standard library, which is exact for any precision.

/// The widest field and the largest precision: a kernel cannot fill the memory of the host with blanks.
const MAX_COUNT: usize = 1 << 15;

/// The arguments of a call, in the order in which a format consumes them.
pub(super) trait Arguments {
    /// Returns the next argument of `elements` numbers: its bytes, and the size of each number in bytes.
    fn next(&mut self, elements: usize) -> Option<(&[u8], usize)>;

    /// Returns the next argument, which is a string, without the zero that ends it.
    fn string(&mut self) -> Option<&[u8]>;
}

/// The width of an integer, as a length modifier states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    /// `hh`: 8 bits.
    Char,
    /// `h`: 16 bits.
    Short,
    /// No modifier, or `hl` of a vector: 32 bits.
    Int,
    /// `l`, `ll`, `j`, `z`, `t`, `q`: 64 bits.
    Long,
}

impl Length {
    const fn bytes(self) -> usize {
        match self {
            Length::Char => 1,
            Length::Short => 2,
            Length::Int => 4,
            Length::Long => 8,
        }
    }
}

/// A width or precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Count {
    Number(usize),
    /// `*`: the next argument.
    Argument,
}

/// A conversion: `%` and what follows, up to the letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Conversion {
    left: bool,
    plus: bool,
    blank: bool,
    alternate: bool,
    zero: bool,
    width: Option<Count>,
    precision: Option<Count>,
    /// The number of elements of OpenCL's vectors.
    vector: Option<usize>,
    length: Length,
    letter: u8,
}

/// Appends the text of a call to `out`. Where arguments are missing the text ends; what is not a conversion is copied.
pub(super) fn format(out: &mut Vec<u8>, format: &[u8], arguments: &mut impl Arguments) {
    let mut rest = format;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        let (before, conversion) = rest.split_at(at);
        out.extend_from_slice(before);
        match parse(conversion) {
            Some((Conversion { letter: b'%', .. }, after)) => {
                out.push(b'%');
                rest = after;
            }
            Some((conversion, after)) => {
                let begin = out.len();
                if convert(out, conversion, arguments).is_none() {
                    out.truncate(begin);
                    return;
                }
                rest = after;
            }
            None => {
                out.push(b'%');
                rest = conversion.get(1..).unwrap_or_default();
            }
        }
    }
    out.extend_from_slice(rest);
}

/// Reads the conversion at the beginning of a text, and returns what follows it.
fn parse(text: &[u8]) -> Option<(Conversion, &[u8])> {
    let mut rest = text.strip_prefix(b"%")?;
    let mut conversion = Conversion {
        left: false,
        plus: false,
        blank: false,
        alternate: false,
        zero: false,
        width: None,
        precision: None,
        vector: None,
        length: Length::Int,
        letter: 0,
    };
    loop {
        match rest.first()? {
            b'-' => conversion.left = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.blank = true,
            b'#' => conversion.alternate = true,
            b'0' => conversion.zero = true,
            _ => break,
        }
        rest = rest.get(1..)?;
    }
    (conversion.width, rest) = count(rest);
    if let Some(after) = rest.strip_prefix(b".") {
        (conversion.precision, rest) = count(after);
        conversion.precision = conversion.precision.or(Some(Count::Number(0)));
    }
    if let Some(after) = rest.strip_prefix(b"v") {
        let (Some(Count::Number(elements @ (2 | 3 | 4 | 8 | 16))), after) = count(after) else { return None };
        conversion.vector = Some(elements);
        rest = after;
    }
    const LENGTHS: [(&[u8], Length); 10] = [
        (b"hh", Length::Char),
        (b"hl", Length::Int),
        (b"h", Length::Short),
        (b"ll", Length::Long),
        (b"l", Length::Long),
        (b"j", Length::Long),
        (b"z", Length::Long),
        (b"t", Length::Long),
        (b"q", Length::Long),
        (b"L", Length::Long),
    ];
    for (text, length) in LENGTHS {
        if let Some(after) = rest.strip_prefix(text) {
            (conversion.length, rest) = (length, after);
            break;
        }
    }
    let (letter, rest) = rest.split_first()?;
    conversion.letter = *letter;
    b"diouxXcspnfFeEgGaA%".contains(letter).then_some((conversion, rest))
}

/// Reads a width or precision, if there is one.
fn count(text: &[u8]) -> (Option<Count>, &[u8]) {
    if let Some(rest) = text.strip_prefix(b"*") {
        return (Some(Count::Argument), rest);
    }
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let number = digits.iter().fold(0_usize, |n, digit| (10 * n + usize::from(digit - b'0')).min(MAX_COUNT));
    ((!digits.is_empty()).then_some(Count::Number(number)), rest)
}

/// Appends the text of one conversion; `None` if there is no argument for it.
fn convert(out: &mut Vec<u8>, mut conversion: Conversion, arguments: &mut impl Arguments) -> Option<()> {
    let mut argument = |count: Option<Count>| match count {
        None => Some(None),
        Some(Count::Number(number)) => Some(Some(number as i64)),
        Some(Count::Argument) => {
            let (bytes, size) = arguments.next(1)?;
            Some(Some(signed(bits(bytes, size), 4)))
        }
    };
    let width = argument(conversion.width)?;
    let precision = argument(conversion.precision)?;
    conversion.left |= width.is_some_and(|width| width < 0);
    let limited = |count: u64| usize::try_from(count).unwrap_or(MAX_COUNT).min(MAX_COUNT);
    let width = width.map_or(0, |width| limited(width.unsigned_abs()));
    // A negative precision is none.
    let precision = precision.filter(|precision| *precision >= 0).map(|precision| limited(precision as u64));
    if conversion.letter == b's' {
        let text = arguments.string()?;
        let end = precision.unwrap_or(usize::MAX).min(text.len());
        let text = text.get(..end).unwrap_or_default();
        pad(out, conversion, width, b"", text, false);
        return Some(());
    }
    let elements = conversion.vector.unwrap_or(1);
    let (bytes, size) = arguments.next(elements)?;
    for (index, element) in bytes.chunks(size.max(1)).take(elements).enumerate() {
        if index > 0 {
            out.push(b',');
        }
        number(out, conversion, width, precision, element);
    }
    Some(())
}

/// The little-endian number of up to `size` bytes.
fn bits(bytes: &[u8], size: usize) -> u64 {
    bytes.iter().take(size.min(8)).rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The number of the lowest bytes of `bits` in two's complement.
fn signed(bits: u64, bytes: usize) -> i64 {
    let shift = 64 - 8 * bytes.clamp(1, 8) as u32;
    (bits << shift) as i64 >> shift
}

/// Appends a number.
fn number(out: &mut Vec<u8>, conversion: Conversion, width: usize, precision: Option<usize>, element: &[u8]) {
    let bytes = element.len().min(conversion.length.bytes());
    let raw = bits(element, element.len());
    let unsigned = bits(element, bytes);
    let sign = |negative: bool| match negative {
        true => "-",
        false if conversion.plus => "+",
        false if conversion.blank => " ",
        false => "",
    };
    let (prefix, text): (&str, String) = match conversion.letter {
        b'n' => return,
        b'c' => return pad(out, conversion, width, b"", &[raw as u8], false),
        b'p' if raw == 0 => return pad(out, conversion, width, b"", b"(nil)", false),
        b'p' => ("0x", format!("{raw:x}")),
        b'd' | b'i' => {
            let number = signed(unsigned, bytes);
            (sign(number < 0), digits(number.unsigned_abs().to_string(), precision))
        }
        b'u' => ("", digits(unsigned.to_string(), precision)),
        b'o' => {
            let text = digits(format!("{unsigned:o}"), precision);
            let lacks_zero = conversion.alternate && !text.starts_with('0');
            (if lacks_zero { "0" } else { "" }, text)
        }
        b'x' | b'X' => {
            let is_upper = conversion.letter == b'X';
            let text = if is_upper { format!("{unsigned:X}") } else { format!("{unsigned:x}") };
            let prefix = match conversion.alternate && unsigned != 0 {
                true if is_upper => "0X",
                true => "0x",
                false => "",
            };
            (prefix, digits(text, precision))
        }
        _ => {
            let value = float(element);
            let sign = sign(value.is_sign_negative());
            let is_upper = conversion.letter.is_ascii_uppercase();
            if !value.is_finite() {
                let text = match (value.is_nan(), is_upper) {
                    (true, false) => b"nan",
                    (true, true) => b"NAN",
                    (false, false) => b"inf",
                    (false, true) => b"INF",
                };
                return pad(out, conversion, width, sign.as_bytes(), text, false);
            }
            let magnitude = value.abs();
            let mut text = match conversion.letter.to_ascii_lowercase() {
                b'f' => fixed(magnitude, precision.unwrap_or(6), conversion.alternate),
                b'e' => scientific(magnitude, precision.unwrap_or(6), conversion.alternate),
                b'g' => general(magnitude, precision.unwrap_or(6), conversion.alternate),
                _ => hexadecimal(magnitude, precision, conversion.alternate),
            };
            // The zeros of a width come after `0x`.
            let is_hexadecimal = matches!(conversion.letter, b'a' | b'A');
            if is_hexadecimal {
                text = text.split_off(2);
            }
            if is_upper {
                text.make_ascii_uppercase();
            }
            let prefix = match (is_hexadecimal, is_upper) {
                (false, _) => sign.to_owned(),
                (true, false) => format!("{sign}0x"),
                (true, true) => format!("{sign}0X"),
            };
            return pad(out, conversion, width, prefix.as_bytes(), text.as_bytes(), true);
        }
    };
    // The flag `0` does not count beside a precision.
    let zeros = precision.is_none() || conversion.letter == b'p';
    pad(out, conversion, width, prefix.as_bytes(), text.as_bytes(), zeros);
}

/// The digits of an integer, at least as many as the precision; none of the number 0 with the precision 0.
fn digits(text: String, precision: Option<usize>) -> String {
    match precision {
        Some(0) if text == "0" => String::new(),
        Some(least) => format!("{text:0>least$}"),
        None => text,
    }
}

/// The floating-point number of 2, 4 or 8 bytes.
fn float(element: &[u8]) -> f64 {
    let raw = bits(element, element.len());
    match element.len() {
        2 => {
            let ieee = isa_exec::num::FloatMode::IEEE;
            let wide = isa_exec::num::convert(isa_exec::num::Format::F16, ieee, isa_exec::num::Format::F64, ieee, raw);
            f64::from_bits(wide)
        }
        4 => f32::from_bits(raw as u32).into(),
        _ => f64::from_bits(raw),
    }
}

/// The text of `%f` of a number that is not negative.
fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let point = if alternate && precision == 0 { "." } else { "" };
    format!("{value:.precision$}{point}")
}

/// The text of `%e`: an exponent of at least two digits, with its sign.
fn scientific(value: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if alternate && precision == 0 { "." } else { "" };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{mantissa}{point}e{sign}{exponent:0>2}")
}

/// The text of `%g`: the shorter of the others, without zeros at its end.
fn general(value: f64, precision: usize, alternate: bool) -> String {
    let significant = precision.max(1);
    let rounded = format!("{value:.*e}", significant - 1);
    let exponent: i64 = rounded.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    if exponent < -4 || exponent >= significant as i64 {
        let text = scientific(value, significant - 1, alternate);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, ""));
        return format!("{}e{exponent}", if alternate { mantissa } else { trimmed(mantissa) });
    }
    let text = fixed(value, usize::try_from(significant as i64 - 1 - exponent).unwrap_or(0), alternate);
    if alternate { text } else { trimmed(&text).to_owned() }
}

/// A number without zeros at the end of its fraction.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// The text of `%a`, with `0x`.
fn hexadecimal(value: f64, precision: Option<usize>, alternate: bool) -> String {
    const DIGITS: usize = 13;
    let raw = value.to_bits();
    let (mut fraction, biased) = (raw & ((1 << 52) - 1), (raw >> 52) as i64 & 0x7FF);
    let mut lead = u64::from(biased != 0);
    let exponent = match (biased, fraction) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => biased - 1023,
    };
    let shown = match precision {
        Some(precision) if precision < DIGITS => {
            // Round to even.
            let shift = 4 * (DIGITS - precision);
            let whole = lead << 52 | fraction;
            let (kept, rest, half) = (whole >> shift, whole & ((1 << shift) - 1), 1 << (shift - 1));
            let rounded = kept + u64::from(rest > half || rest == half && kept & 1 != 0);
            lead = rounded >> (4 * precision);
            fraction = (rounded & ((1 << (4 * precision)) - 1)) << shift;
            precision
        }
        Some(_) => DIGITS,
        None => DIGITS - (fraction.trailing_zeros() / 4).min(DIGITS as u32) as usize,
    };
    let text = format!("{fraction:013x}");
    let zeros = "0".repeat(precision.unwrap_or(0).saturating_sub(DIGITS));
    let point = if shown > 0 || alternate { "." } else { "" };
    format!("0x{lead}{point}{}{zeros}p{exponent:+}", text.get(..shown).unwrap_or_default())
}

/// Appends a text in a field. Zeros fill it behind the prefix if the conversion has the flag and the text takes them.
fn pad(out: &mut Vec<u8>, conversion: Conversion, width: usize, prefix: &[u8], text: &[u8], takes_zeros: bool) {
    let fill = width.saturating_sub(prefix.len() + text.len());
    let zeros = if conversion.zero && takes_zeros && !conversion.left { fill } else { 0 };
    let (before, after) = if conversion.left { (0, fill) } else { (fill - zeros, 0) };
    out.extend(core::iter::repeat_n(b' ', before));
    out.extend_from_slice(prefix);
    out.extend(core::iter::repeat_n(b'0', zeros));
    out.extend_from_slice(text);
    out.extend(core::iter::repeat_n(b' ', after));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arguments of eight bytes each, and strings.
    #[derive(Clone)]
    enum Given {
        Bytes(Vec<u8>, usize),
        Text(&'static str),
    }

    struct List(Vec<Given>, usize);

    impl Arguments for List {
        fn next(&mut self, _elements: usize) -> Option<(&[u8], usize)> {
            self.1 += 1;
            match self.0.get(self.1 - 1)? {
                Given::Bytes(bytes, size) => Some((bytes, *size)),
                Given::Text(_) => None,
            }
        }

        fn string(&mut self) -> Option<&[u8]> {
            self.1 += 1;
            match self.0.get(self.1 - 1)? {
                Given::Text(text) => Some(text.as_bytes()),
                Given::Bytes(..) => None,
            }
        }
    }

    fn int(number: i64) -> Given {
        Given::Bytes(number.to_le_bytes().into(), 8)
    }

    fn double(number: f64) -> Given {
        Given::Bytes(number.to_le_bytes().into(), 8)
    }

    fn text(pattern: &str, arguments: &[Given]) -> String {
        let mut out = Vec::new();
        format(&mut out, pattern.as_bytes(), &mut List(arguments.to_vec(), 0));
        String::from_utf8(out).expect("text")
    }

    /// What glibc 2.36 prints.
    #[test]
    fn integers_are_those_of_c() {
        for (pattern, number, expected) in [
            ("%d", -5, "-5"),
            ("%5d|", 42, "   42|"),
            ("%-5d|", 42, "42   |"),
            ("%05d", -42, "-0042"),
            ("%+d", 7, "+7"),
            ("% d", 7, " 7"),
            ("%.3d", 7, "007"),
            ("%6.3d", -7, "  -007"),
            ("%06.3d", 7, "   007"),
            ("%.0d|", 0, "|"),
            ("%hhd", 0x1FF, "-1"),
            ("%hd", 0x1_8000, "-32768"),
            ("%d", 0x1_0000_0001, "1"),
            ("%ld", i64::MIN, "-9223372036854775808"),
            ("%lld", -1, "-1"),
            ("%u", -1, "4294967295"),
            ("%lu", -1, "18446744073709551615"),
            ("%zu", 3, "3"),
            ("%x", 0xBEEF, "beef"),
            ("%#x", 0xBEEF, "0xbeef"),
            ("%#X", 0xBEEF, "0XBEEF"),
            ("%#x", 0, "0"),
            ("%#010x", 0xBEEF, "0x0000beef"),
            ("%#o", 8, "010"),
            ("%#o", 0, "0"),
            ("%#.0o", 0, "0"),
            ("%c", 65, "A"),
            ("%3c|", 65, "  A|"),
            ("%p", 0x2000, "0x2000"),
            ("%p", 0, "(nil)"),
        ] {
            assert_eq!(text(pattern, &[int(number)]), expected, "{pattern}");
        }
    }

    /// What glibc 2.36 prints.
    #[test]
    fn floats_are_those_of_c() {
        for (pattern, number, expected) in [
            ("%f", 1.5, "1.500000"),
            ("%.2f", 2.675, "2.67"),
            ("%.0f", 0.5, "0"),
            ("%.0f", 1.5, "2"),
            ("%#.0f", 3.0, "3."),
            ("%.20f", 0.1, "0.10000000000000000555"),
            ("%10.3f|", -3.25159, "    -3.252|"),
            ("%-10.3f|", 3.25159, "3.252     |"),
            ("%010.3f", -3.25159, "-00003.252"),
            ("%+.1f", 0.25, "+0.2"),
            ("%e", 123_456.789, "1.234568e+05"),
            ("%.0e", 12345.0, "1e+04"),
            ("%E", 1e-300, "1.000000E-300"),
            ("%e", 0.0, "0.000000e+00"),
            ("%g", 100_000.0, "100000"),
            ("%g", 1_000_000.0, "1e+06"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 0.000_012_34, "1.234e-05"),
            ("%g", 999_999.5, "1e+06"),
            ("%#g", 1.0, "1.00000"),
            ("%.0g", 1234.0, "1e+03"),
            ("%.10g", 0.1, "0.1"),
            ("%G", 1e-10, "1E-10"),
            ("%g", 0.0, "0"),
            ("%a", 1.0, "0x1p+0"),
            ("%a", 0.1, "0x1.999999999999ap-4"),
            ("%a", 0.0, "0x0p+0"),
            ("%.2a", 1.999, "0x2.00p+0"),
            ("%.3A", -10.0, "-0X1.400P+3"),
            ("%012a", 1.5, "0x00001.8p+0"),
            ("%a", 5e-324, "0x0.0000000000001p-1022"),
            ("%f", f64::INFINITY, "inf"),
            ("%F", f64::NEG_INFINITY, "-INF"),
            ("%05f", f64::NAN, "  nan"),
            ("%f", -0.0, "-0.000000"),
            ("%Lf", 2.0, "2.000000"),
            ("%.1f", 1e22, "10000000000000000000000.0"),
        ] {
            assert_eq!(text(pattern, &[double(number)]), expected, "{pattern}");
        }
    }

    #[test]
    fn strings_counts_and_vectors_are_converted() {
        let name = Given::Text("name");
        assert_eq!(
            text("%s|%6s|%-6s|%.2s|", &[name.clone(), name.clone(), name.clone(), name.clone()]),
            "name|  name|name  |na|"
        );
        assert_eq!(text("%*d|%-*d|%.*f", &[int(4), int(1), int(-3), int(2), int(1), double(0.25)]), "   1|2  |0.2");
        assert_eq!(text("%*d|", &[int(-4), int(1)]), "1   |");
        assert_eq!(text("%.*d", &[int(-4), int(1)]), "1");
        let floats = [1.0_f32, -2.5, 3.0, 4.0].iter().flat_map(|n| n.to_le_bytes()).collect();
        assert_eq!(text("(%.1v4hlf)", &[Given::Bytes(floats, 4)]), "(1.0,-2.5,3.0,4.0)");
        assert_eq!(text("%v3hhd", &[Given::Bytes(vec![1, 0xFE, 3, 9], 1)]), "1,-2,3");
        assert_eq!(text("%v2hx", &[Given::Bytes(vec![1, 2, 0xFE, 0xFF], 2)]), "201,fffe");
        // 1.5 as an f16.
        assert_eq!(text("%v2hf", &[Given::Bytes(vec![0, 0x3E, 0, 0xBE], 2)]), "1.500000,-1.500000");
        assert_eq!(text("100%% %n%d", &[int(0), int(7)]), "100% 7");
    }

    #[test]
    fn bad_formats_are_copied_and_missing_arguments_end_the_text() {
        for pattern in ["%", "50%", "%y", "%v5d", "%lz", "%-", "%.", "a%"] {
            assert_eq!(text(pattern, &[int(1)]), pattern);
        }
        assert_eq!(text("a %d b %d c", &[int(1)]), "a 1 b ");
        assert_eq!(text("a %s c", &[int(1)]), "a ");
        assert_eq!(text("%99999999999999999999d|", &[int(1)]).len(), MAX_COUNT + 1);
        assert_eq!(text("%.99999999999999999999f", &[double(0.5)]).len(), MAX_COUNT + 2);
    }
}
