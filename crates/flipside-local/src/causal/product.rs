//! Products with weights, as they lie in the file or in 32-bit floats.

use candle_core::quantized::QMatMul;
use candle_core::{Device, Module as _, Result, Tensor};

use super::file::Gguf;
use crate::error::LoadError;
use crate::nn::{Linear, Precision};

/// In what numbers products with weights are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// 32-bit floats: weights are dequantised when they are loaded. The reference, and the faster one for small models.
    #[default]
    F32,
    /// As the file holds them; activations are rounded to 8 bits for each product, so that logits drift from [`Numbers::F32`].
    Quantised,
}

impl Numbers {
    /// Its name in settings and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Quantised => "quantised",
        }
    }

    /// Those of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::F32, Self::Quantised]
            .into_iter()
            .find(|numbers| numbers.name() == name)
    }
}

/// `x · weightᵀ + bias`.
#[derive(Debug)]
pub(crate) struct Product {
    weight: Weight,
    /// Rows from which a row's result does not depend on how many there are.
    least: usize,
}

#[derive(Debug)]
enum Weight {
    Full(Linear),
    Quantised(QMatMul, Option<Tensor>),
}

/// Rows and columns that the product routine of 32-bit floats computes by other sums, up to this many together.
const SMALL: usize = 256;
/// Rows and columns up to which it cuts long sums in other places.
const SHORT: usize = 64;
/// The length of a sum that is never cut.
const UNCUT: usize = 512;
/// Two blocks of quantised numbers, which some of candle's products take at a time and cannot take singly.
const PAIR: usize = 64;
/// Rows are a multiple of this.
pub(crate) const STEP: usize = 16;

/// Rows from which each element of a product of [rows, `inputs`] and [`inputs`, `out`] is one sum in one order, whatever the rows are.
///
/// Below, the routine (gemm 0.19) takes shorter ways for single rows, for at most [`SMALL`] elements, and for long sums of few rows
/// and columns.
pub(crate) fn least_rows(inputs: usize, out: usize) -> usize {
    let elements = (SMALL / out + 1).next_multiple_of(STEP);
    if inputs > UNCUT && out <= SHORT {
        elements.max((SHORT + 1).next_multiple_of(STEP))
    } else {
        elements
    }
}

impl Product {
    /// `{name}.weight` of [`out`, `inputs`], and `{name}.bias` where the file has it.
    pub(crate) fn load(
        file: &mut Gguf,
        name: &str,
        (out, inputs): (usize, usize),
        numbers: Numbers,
    ) -> std::result::Result<Self, LoadError> {
        let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        let bias = match file.shape(&bias) {
            Some(_) => Some(file.take(&bias, &[out])?),
            None => None,
        };
        let weight = match numbers {
            Numbers::F32 => {
                let weight = file.take(&weight, &[out, inputs])?;
                Weight::Full(Linear::of(
                    file.file(),
                    &weight,
                    bias.as_ref(),
                    Precision::F32,
                )?)
            }
            Numbers::Quantised => {
                let stored = file.take_quantised(&weight, &[out, inputs])?;
                if stored.dtype().block_size() > 1 && inputs % PAIR != 0 {
                    return Err(file.invalid(format!(
                        "tensor `{weight}` has rows of {inputs} numbers, expected a multiple of {PAIR} for quantised products; load it with `precision=f32`"
                    )));
                }
                let matrix = QMatMul::from_qtensor(stored)
                    .map_err(|error| file.invalid(error.to_string()))?;
                Weight::Quantised(matrix, bias)
            }
        };
        Ok(Self {
            weight,
            least: least_rows(inputs, out),
        })
    }

    /// The product with a matrix that is known already.
    pub(crate) fn shared(file: &str, weight: &Tensor) -> std::result::Result<Self, LoadError> {
        let shape = weight.dims2();
        let (out, inputs) = shape.map_err(|error| LoadError::invalid(file, error.to_string()))?;
        Ok(Self {
            weight: Weight::Full(Linear::of(file, weight, None, Precision::F32)?),
            least: least_rows(inputs, out),
        })
    }

    /// [rows, in] → [rows, out], each row with the same bits whatever the others are.
    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let (rows, inputs) = x.dims2()?;
        let padded = if rows < self.least {
            let rest = Tensor::zeros((self.least - rows, inputs), x.dtype(), &Device::Cpu)?;
            Tensor::cat(&[x, &rest], 0)?
        } else {
            x.clone()
        };
        let product = match &self.weight {
            Weight::Full(linear) => linear.forward(&padded)?,
            Weight::Quantised(matrix, bias) => {
                let product = matrix.forward(&padded.contiguous()?)?;
                match bias {
                    None => product,
                    Some(bias) => product.broadcast_add(bias)?,
                }
            }
        };
        product.narrow(0, 0, rows)?.contiguous()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, columns: usize, seed: f32) -> Tensor {
        let values = (0..rows * columns).map(|i| ((i % 8191) as f32 * 0.731 + seed).sin());
        Tensor::from_iter(values, &Device::Cpu)
            .unwrap()
            .reshape((rows, columns))
            .unwrap()
    }

    /// The law that answers rest on: a row alone, and the same row among any number of others and at any place, has the same bits.
    #[test]
    fn a_row_has_the_same_bits_whatever_the_others_are() {
        for (inputs, out) in [
            (8, 5),
            (32, 16),
            (64, 300),
            (576, 48),
            (576, 192),
            (1536, 576),
        ] {
            let product = Product::shared("test", &matrix(out, inputs, 0.3)).unwrap();
            let x = matrix(300, inputs, 0.9);
            let whole: Vec<Vec<f32>> = product.forward(&x).unwrap().to_vec2().unwrap();
            for (from, rows) in [
                (0, 1),
                (7, 1),
                (3, 2),
                (5, 15),
                (100, 33),
                (2, 97),
                (40, 200),
            ] {
                let part = product.forward(&x.narrow(0, from, rows).unwrap()).unwrap();
                let part: Vec<Vec<f32>> = part.to_vec2().unwrap();
                assert_eq!(
                    part,
                    whole[from..from + rows],
                    "{inputs} {out} {from} {rows}"
                );
            }
        }
    }

    /// By hand: 257 elements are the first past 256, in steps of 16 rows; 576 terms are cut, and 64 columns are few.
    #[test]
    fn few_elements_and_long_sums_ask_for_more_rows() {
        assert_eq!(least_rows(576, 192), 16);
        assert_eq!(least_rows(32, 16), 32);
        assert_eq!(least_rows(32, 5), 64);
        assert_eq!(least_rows(576, 64), 80);
        assert_eq!(least_rows(512, 64), 16);
    }
}
