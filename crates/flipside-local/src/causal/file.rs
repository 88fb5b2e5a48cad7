//! Strict reading of a GGUF file: settings by name and type, every tensor by name and shape, and none left over.

use std::collections::BTreeSet;
use std::io::Cursor;

use camino::Utf8Path;
use candle_core::Device;
use candle_core::Tensor;
use candle_core::quantized::QTensor;
use candle_core::quantized::gguf_file::{Content, Value};
use flipside_core::foreign::Foreign;
use memmap2::Mmap;
use sha2::{Digest as _, Sha256};

use crate::error::LoadError;

/// The settings and tensors of one file; tensors are handed out once each.
pub(crate) struct Gguf {
    file: String,
    map: Mmap,
    content: Content,
    left: BTreeSet<String>,
}

impl Gguf {
    /// The file at `path`, mapped into memory.
    ///
    /// # Errors
    /// [`LoadError`] if it cannot be read or is no GGUF file.
    pub(crate) fn open(path: &Utf8Path) -> Result<Self, LoadError> {
        let read = |source| LoadError::Read {
            file: path.to_string(),
            source,
        };
        let file = std::fs::File::open(path).map_err(read)?;
        // As with every checkpoint: weights are not written to while they are used.
        #[expect(unsafe_code, reason = "there is no other way to map a file")]
        let map = unsafe { Mmap::map(&file) }.map_err(read)?;
        let file = path.to_string();
        let content = Content::read(&mut Cursor::new(&map[..])).map_err(|error| {
            let error = error.to_string();
            let error = error.lines().next().unwrap_or_default();
            LoadError::invalid(&file, format!("no GGUF file: {}", Foreign(error).cut(120)))
        })?;
        let left = content.tensor_infos.keys().cloned().collect();
        Ok(Self {
            file,
            map,
            content,
            left,
        })
    }

    /// The file's name, as errors say it.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// How many bytes the file has.
    pub(crate) fn size(&self) -> usize {
        self.map.len()
    }

    /// SHA-256 of the whole file in lower-case hexadecimal digits.
    pub(crate) fn digest(&self) -> String {
        use std::fmt::Write as _;
        let mut text = String::with_capacity(64);
        for byte in Sha256::digest(&self.map[..]) {
            write!(text, "{byte:02x}").expect("a string takes everything");
        }
        text
    }

    pub(crate) fn invalid(&self, problem: impl Into<String>) -> LoadError {
        LoadError::invalid(&self.file, problem)
    }

    fn wrong(&self, name: &str, found: &Value, expected: &str) -> LoadError {
        let found = match found {
            Value::Array(items) => format!("a list of {}", items.len()),
            Value::String(text) => format!("`{}`", Foreign(text).cut(40)),
            other => number(other).map_or_else(
                || format!("{:?}", other.value_type()),
                |number| number.to_string(),
            ),
        };
        self.invalid(format!("`{name}` is {found}, expected {expected}"))
    }

    fn required<T>(&self, name: &str, value: Option<T>) -> Result<T, LoadError> {
        value.ok_or_else(|| self.invalid(format!("no `{name}`")))
    }

    /// A text, where it is there.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, LoadError> {
        match self.content.metadata.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, other, "a text")),
        }
    }

    /// A text that has to be there.
    pub(crate) fn some_text(&self, name: &str) -> Result<&str, LoadError> {
        self.required(name, self.text(name)?)
    }

    /// A count of one or more, where it is there.
    pub(crate) fn count(&self, name: &str) -> Result<Option<usize>, LoadError> {
        match self.content.metadata.get(name) {
            None => Ok(None),
            Some(value) => match whole(value) {
                Some(count) if count > 0 => Ok(Some(count)),
                _ => Err(self.wrong(name, value, "a whole number from 1")),
            },
        }
    }

    /// A count that has to be there.
    pub(crate) fn some_count(&self, name: &str) -> Result<usize, LoadError> {
        self.required(name, self.count(name)?)
    }

    /// A positive number, where it is there.
    pub(crate) fn positive(&self, name: &str) -> Result<Option<f64>, LoadError> {
        match self.content.metadata.get(name) {
            None => Ok(None),
            Some(value) => match number(value) {
                Some(number) if number > 0.0 && number.is_finite() => Ok(Some(number)),
                _ => Err(self.wrong(name, value, "a positive number")),
            },
        }
    }

    /// Whether `name` is true; false where it is absent.
    pub(crate) fn is_true(&self, name: &str) -> Result<bool, LoadError> {
        match self.content.metadata.get(name) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(*value),
            Some(other) => Err(self.wrong(name, other, "true or false")),
        }
    }

    /// A token's id, where it is there.
    pub(crate) fn token(&self, name: &str, tokens: usize) -> Result<Option<u32>, LoadError> {
        match self.content.metadata.get(name) {
            None => Ok(None),
            Some(value) => match whole(value).filter(|id| *id < tokens) {
                Some(id) => Ok(u32::try_from(id).ok()),
                None => Err(self.wrong(name, value, &format!("a token below {tokens}"))),
            },
        }
    }

    /// A list of texts that has to be there.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<&str>, LoadError> {
        let value = self.required(name, self.content.metadata.get(name))?;
        let texts = match value {
            Value::Array(items) => items
                .iter()
                .map(|item| match item {
                    Value::String(text) => Some(text.as_str()),
                    _ => None,
                })
                .collect::<Option<Vec<_>>>(),
            _ => None,
        };
        texts.ok_or_else(|| self.wrong(name, value, "a list of texts"))
    }

    /// A list of whole numbers, where it is there.
    pub(crate) fn wholes(&self, name: &str) -> Result<Option<Vec<usize>>, LoadError> {
        let Some(value) = self.content.metadata.get(name) else {
            return Ok(None);
        };
        let numbers = match value {
            Value::Array(items) => items.iter().map(whole).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        match numbers {
            Some(numbers) => Ok(Some(numbers)),
            None => Err(self.wrong(name, value, "a list of whole numbers")),
        }
    }

    /// The shape of a tensor that was not taken yet.
    pub(crate) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.left.get(name)?;
        Some(self.content.tensor_infos[name].shape.dims())
    }

    /// Takes the tensor `name` of `shape` as it lies in the file.
    ///
    /// # Errors
    /// [`LoadError`] if it is missing, has another shape, or cannot be read.
    pub(crate) fn take_quantised(
        &mut self,
        name: &str,
        shape: &[usize],
    ) -> Result<QTensor, LoadError> {
        if !self.left.remove(name) {
            return Err(LoadError::Missing {
                file: self.file.clone(),
                name: name.to_owned(),
                expected: shape.to_vec(),
            });
        }
        let info = &self.content.tensor_infos[name];
        if info.shape.dims() != shape {
            return Err(LoadError::Shape {
                file: self.file.clone(),
                name: name.to_owned(),
                found: info.shape.dims().to_vec(),
                expected: shape.to_vec(),
            });
        }
        let mut bytes = Cursor::new(&self.map[..]);
        let start = self.content.tensor_data_offset;
        info.read(&mut bytes, start, &Device::Cpu)
            .map_err(|error| self.unreadable(name, &error))
    }

    /// Takes the tensor `name` of `shape`, as 32-bit floats.
    ///
    /// # Errors
    /// As [`Gguf::take_quantised`], and if it holds a number that is not finite.
    pub(crate) fn take(&mut self, name: &str, shape: &[usize]) -> Result<Tensor, LoadError> {
        let stored = self.take_quantised(name, shape)?;
        let unreadable = |error| self.unreadable(name, &error);
        let tensor = stored.dequantize(&Device::Cpu).map_err(unreadable)?;
        let values: Vec<f32> = tensor
            .flatten_all()
            .and_then(|flat| flat.to_vec1())
            .map_err(unreadable)?;
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(tensor),
            Some(place) => Err(self.invalid(format!(
                "tensor `{name}` holds {} at {place}, expected finite numbers",
                values[place]
            ))),
        }
    }

    fn unreadable(&self, name: &str, error: &candle_core::Error) -> LoadError {
        let error = error.to_string();
        let error = error.lines().next().unwrap_or_default();
        self.invalid(format!("tensor `{name}`: {}", Foreign(error).cut(160)))
    }

    /// Says that every tensor was taken.
    ///
    /// # Errors
    /// [`LoadError::Unknown`] with what is left.
    pub(crate) fn finish(self) -> Result<(), LoadError> {
        if self.left.is_empty() {
            return Ok(());
        }
        let shape = |name: &String| self.content.tensor_infos[name].shape.dims().to_vec();
        let names = self.left.iter().map(|name| (name.clone(), shape(name)));
        Err(LoadError::Unknown {
            names: names.collect(),
            file: self.file,
        })
    }
}

fn whole(value: &Value) -> Option<usize> {
    let whole = match value {
        Value::U8(n) => u64::from(*n),
        Value::U16(n) => u64::from(*n),
        Value::U32(n) => u64::from(*n),
        Value::U64(n) => *n,
        Value::I8(n) => u64::try_from(*n).ok()?,
        Value::I16(n) => u64::try_from(*n).ok()?,
        Value::I32(n) => u64::try_from(*n).ok()?,
        Value::I64(n) => u64::try_from(*n).ok()?,
        _ => return None,
    };
    usize::try_from(whole).ok()
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::F32(number) => Some(f64::from(*number)),
        Value::F64(number) => Some(*number),
        other => whole(other).map(|whole| whole as f64),
    }
}
