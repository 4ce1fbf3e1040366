//! YAML text to a document of metadata, as LLVM reads it.

use std::collections::BTreeMap;
use std::fmt;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};

use super::number::{ScalarTag, scalar};
use super::space::with_blanks;
use super::value::{Key, MAX_DEPTH, Value};

/// Why text is not metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlError {
    /// The line of the text, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The message.
    pub message: String,
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {} of the metadata: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for YamlError {}

/// A collection whose end is not read yet.
enum Open {
    Array(Vec<Value>),
    /// A map, and the key whose value follows.
    Map(BTreeMap<Key, Value>, Option<Key>),
}

/// An error at a character of the text.
struct Error {
    at: usize,
    message: String,
}

impl Value {
    /// Reads the first document of a YAML text that is not empty. A text without one is [`Value::Nil`].
    ///
    /// As in LLVM, a scalar that looks like a number is one even in quotes, unless it has the tag `!str`; a missing value of a map is
    /// an empty array; and aliases, keys that are not scalars, and equal keys are errors.
    ///
    /// # Errors
    /// The text is not such YAML, or nests collections more than 64 deep.
    pub fn from_yaml(text: &str) -> Result<Self, YamlError> {
        Self::first_document(&with_blanks(text)).map_err(|Error { at, message }| {
            let before = text.chars().take(at);
            let line = 1 + before.clone().filter(|c| *c == '\n').count();
            let column = 1 + before.fold(0, |column, c| if c == '\n' { 0 } else { column + 1 });
            YamlError { line, column, message }
        })
    }

    fn first_document(text: &str) -> Result<Self, Error> {
        let mut open: Vec<Open> = Vec::new();
        for event in Parser::new_from_str(text) {
            let (event, span) = event.map_err(|fault| error(*fault.marker(), fault.info()))?;
            let value = match event {
                Event::SequenceStart(..) => {
                    open_collection(&mut open, Open::Array(Vec::new()), span)?;
                    continue;
                }
                Event::MappingStart(..) => {
                    open_collection(&mut open, Open::Map(BTreeMap::new(), None), span)?;
                    continue;
                }
                Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                    Some(Open::Array(elements)) => Self::Array(elements),
                    Some(Open::Map(entries, _)) => Self::Map(entries),
                    None => continue,
                },
                Event::Scalar(text, style, _, tag) => {
                    let is_absent = style == ScalarStyle::Plain && text.is_empty();
                    if let Some(Open::Map(entries, key @ None)) = open.last_mut() {
                        *key = Some(map_key(entries, &text, style, is_absent, span)?);
                        continue;
                    }
                    if is_absent && open.is_empty() {
                        // An empty document: the next one counts.
                        continue;
                    }
                    if is_absent {
                        // LLVM takes an element on the next line for the contents of an empty one.
                        if let Some(Open::Array(_)) = open.last() {
                            return Err(error(span.start, "an element of an array has no value"));
                        }
                        Self::Array(Vec::new())
                    } else {
                        let tag = scalar_tag(tag.as_deref(), span)?;
                        scalar(&text, tag).map_err(|message| error(span.start, message))?
                    }
                }
                Event::Alias(_) => return Err(error(span.start, "an alias is not supported in metadata")),
                Event::Nothing
                | Event::StreamStart
                | Event::StreamEnd
                | Event::DocumentStart(_)
                | Event::DocumentEnd => continue,
            };
            match open.last_mut() {
                None => return Ok(value),
                Some(Open::Array(elements)) => elements.push(value),
                Some(Open::Map(entries, key)) => {
                    if let Some(key) = key.take() {
                        entries.insert(key, value);
                    }
                }
            }
        }
        Ok(Self::Nil)
    }
}

/// Begins a collection, which cannot be a key.
fn open_collection(open: &mut Vec<Open>, collection: Open, span: Span) -> Result<(), Error> {
    if let Some(Open::Map(_, None)) = open.last() {
        return Err(error(span.start, "a key of a map is not a scalar"));
    }
    if open.len() == MAX_DEPTH {
        return Err(error(span.start, &format!("the metadata nests arrays and maps more than {MAX_DEPTH} deep")));
    }
    open.push(collection);
    Ok(())
}

/// Reads the key of a map. Tags of keys are ignored.
fn map_key(
    entries: &BTreeMap<Key, Value>,
    text: &str,
    style: ScalarStyle,
    is_absent: bool,
    span: Span,
) -> Result<Key, Error> {
    if is_absent || matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
        return Err(error(span.start, "a key of a map is not a scalar of one line"));
    }
    let key = match scalar(text, ScalarTag::None) {
        Ok(Value::Int(number)) => Key::Int(number),
        Ok(Value::UInt(number)) => Key::UInt(number),
        Ok(Value::Bool(value)) => Key::Bool(value),
        Ok(Value::Text(text)) => Key::Text(text),
        // LLVM's order of such keys is that of their addresses.
        Ok(_) => return Err(error(span.start, &format!("the key `{text}` is a floating-point number"))),
        Err(message) => return Err(error(span.start, message)),
    };
    if entries.contains_key(&key) {
        return Err(error(span.start, &format!("the map has the key `{text}` twice")));
    }
    Ok(key)
}

fn scalar_tag(tag: Option<&Tag>, span: Span) -> Result<ScalarTag, Error> {
    let Some(tag) = tag else { return Ok(ScalarTag::None) };
    match (tag.handle.as_str(), tag.suffix.as_str()) {
        ("tag:yaml.org,2002:", "str") | ("", "!") | ("!", "") => Ok(ScalarTag::None),
        ("!", "int") => Ok(ScalarTag::Int),
        ("!", "nil") => Ok(ScalarTag::Nil),
        ("!", "bool") => Ok(ScalarTag::Bool),
        ("!", "float") => Ok(ScalarTag::Float),
        ("", _) => Err(error(span.start, "a tag of the form `!<…>` is not supported in metadata")),
        _ => Ok(ScalarTag::Text),
    }
}

fn error(at: Marker, message: &str) -> Error {
    Error { at: at.index(), message: message.into() }
}
