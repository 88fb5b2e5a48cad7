//! Strict reading of a `safetensors` file: every tensor is asked for by name and shape, and none is left over.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::Utf8Path;
use candle_core::{Device, Tensor};
use half::{bf16, f16};
use memmap2::Mmap;
use safetensors::{Dtype, SafeTensors};
use sha2::{Digest as _, Sha256};

use crate::error::LoadError;

/// The tensors of one file, handed out once each.
pub(crate) struct Weights {
    file: String,
    bytes: Bytes,
    left: BTreeMap<String, Entry>,
}

enum Bytes {
    Mapped(Arc<Mmap>),
    Inside(&'static [u8]),
}

struct Entry {
    dtype: Dtype,
    shape: Vec<usize>,
    range: std::ops::Range<usize>,
}

impl Bytes {
    fn get(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Inside(bytes) => bytes,
        }
    }
}

impl Weights {
    /// The file at `path`, mapped into memory.
    ///
    /// # Errors
    /// [`LoadError`] if it cannot be read or is no `safetensors` file.
    pub(crate) fn open(path: &Utf8Path) -> Result<Self, LoadError> {
        let read = |source| LoadError::Read {
            file: path.to_string(),
            source,
        };
        let file = std::fs::File::open(path).map_err(read)?;
        // A file that another process shortens while it is mapped ends this one by a signal; weights are not written to
        // while they are used, and a copy would double the memory of a large checkpoint while it loads.
        #[expect(unsafe_code, reason = "there is no other way to map a file")]
        let map = unsafe { Mmap::map(&file) }.map_err(read)?;
        Self::new(path.to_string(), Bytes::Mapped(Arc::new(map)))
    }

    /// Bytes that are part of the program, called `name` in errors.
    ///
    /// # Errors
    /// [`LoadError`] if they are no `safetensors` file.
    pub(crate) fn inside(name: &str, bytes: &'static [u8]) -> Result<Self, LoadError> {
        Self::new(name.to_owned(), Bytes::Inside(bytes))
    }

    fn new(file: String, bytes: Bytes) -> Result<Self, LoadError> {
        let all = bytes.get();
        let tensors = SafeTensors::deserialize(all)
            .map_err(|error| LoadError::invalid(&file, format!("no safetensors file: {error}")))?;
        let start = all.as_ptr() as usize;
        let left = tensors
            .iter()
            .map(|(name, view)| {
                let from = view.data().as_ptr() as usize - start;
                let entry = Entry {
                    dtype: view.dtype(),
                    shape: view.shape().to_vec(),
                    range: from..from + view.data().len(),
                };
                (name.to_owned(), entry)
            })
            .collect();
        Ok(Self { file, bytes, left })
    }

    /// SHA-256 of the whole file in lower-case hexadecimal digits: what identifies a checkpoint.
    pub(crate) fn digest(&self) -> String {
        use std::fmt::Write as _;
        let mut text = String::with_capacity(64);
        for byte in Sha256::digest(self.bytes.get()) {
            write!(text, "{byte:02x}").expect("a string takes everything");
        }
        text
    }

    /// The file's name, as errors say it.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// How many bytes the file has.
    pub(crate) fn size(&self) -> usize {
        self.bytes.get().len()
    }

    /// The shape of a tensor that was not taken yet.
    pub(crate) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.left.get(name).map(|entry| entry.shape.as_slice())
    }

    /// How many of `prefix0.`, `prefix1.`, ... in a row begin the name of a tensor that was not taken yet.
    pub(crate) fn layers(&self, prefix: &str) -> usize {
        (0..usize::MAX)
            .take_while(|layer| {
                let start = format!("{prefix}{layer}.");
                self.left
                    .range(start.clone()..)
                    .next()
                    .is_some_and(|(name, _)| name.starts_with(&start))
            })
            .count()
    }

    /// Takes the tensor `name` of `shape`, as 32-bit floats.
    ///
    /// # Errors
    /// [`LoadError`] if it is missing, has another shape, is not made of floats, or holds one that is not finite.
    pub(crate) fn take(&mut self, name: &str, shape: &[usize]) -> Result<Tensor, LoadError> {
        let Some(entry) = self.left.remove(name) else {
            return Err(LoadError::Missing {
                file: self.file.clone(),
                name: name.to_owned(),
                expected: shape.to_vec(),
            });
        };
        if entry.shape != shape {
            return Err(LoadError::Shape {
                file: self.file.clone(),
                name: name.to_owned(),
                found: entry.shape,
                expected: shape.to_vec(),
            });
        }
        let bytes = &self.bytes.get()[entry.range];
        let values: Vec<f32> = match entry.dtype {
            Dtype::F32 => chunks(bytes).map(f32::from_le_bytes).collect(),
            Dtype::F16 => chunks(bytes)
                .map(|b| f16::from_le_bytes(b).to_f32())
                .collect(),
            Dtype::BF16 => chunks(bytes)
                .map(|b| bf16::from_le_bytes(b).to_f32())
                .collect(),
            other => {
                return Err(LoadError::invalid(
                    &self.file,
                    format!("tensor `{name}` is made of {other:?}, expected F32, F16 or BF16"),
                ));
            }
        };
        if let Some(place) = values.iter().position(|value| !value.is_finite()) {
            return Err(LoadError::invalid(
                &self.file,
                format!(
                    "tensor `{name}` holds {} at {place}, expected finite numbers",
                    values[place]
                ),
            ));
        }
        Tensor::from_vec(values, shape, &Device::Cpu)
            .map_err(|error| LoadError::invalid(&self.file, format!("tensor `{name}`: {error}")))
    }

    /// Passes over a buffer of the numbers 0, 1, 2, ... up to `count` that some checkpoints hold beside their weights.
    ///
    /// # Errors
    /// [`LoadError`] if it is there and has another shape than [1, `count`], another type than I64, or other numbers.
    pub(crate) fn skip_places(&mut self, name: &str, count: usize) -> Result<(), LoadError> {
        let Some(entry) = self.left.remove(name) else {
            return Ok(());
        };
        if entry.shape != [1, count] {
            return Err(LoadError::Shape {
                file: self.file.clone(),
                name: name.to_owned(),
                found: entry.shape,
                expected: vec![1, count],
            });
        }
        if entry.dtype != Dtype::I64 {
            return Err(LoadError::invalid(
                &self.file,
                format!("tensor `{name}` is made of {:?}, expected I64", entry.dtype),
            ));
        }
        let found = chunks(&self.bytes.get()[entry.range]).map(i64::from_le_bytes);
        match (0..).zip(found).find(|(place, found)| place != found) {
            None => Ok(()),
            Some((place, found)) => Err(LoadError::invalid(
                &self.file,
                format!("tensor `{name}` holds {found} at {place}, expected {place}"),
            )),
        }
    }

    /// Says that everything was taken.
    ///
    /// # Errors
    /// [`LoadError::Unknown`] with what is left.
    pub(crate) fn finish(self) -> Result<(), LoadError> {
        if self.left.is_empty() {
            return Ok(());
        }
        Err(LoadError::Unknown {
            file: self.file,
            names: self
                .left
                .into_iter()
                .map(|(name, entry)| (name, entry.shape))
                .collect(),
        })
    }
}

fn chunks<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> + '_ {
    bytes.as_chunks::<N>().0.iter().copied()
}
