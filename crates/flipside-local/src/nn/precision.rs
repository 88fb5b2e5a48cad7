//! In what numbers a forward pass is computed.

use candle_core::{DType, Result, Tensor};

/// In what numbers matrix products are computed. Everything else is always 32-bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floats: the reference.
    #[default]
    F32,
    /// Factors, biases and results of matrix products are rounded to bfloat16, the sums in them are 32-bit: what automatic mixed
    /// precision does on a GPU.
    Bf16,
}

impl Precision {
    /// Its name in settings and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
        }
    }

    /// The precision of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::F32, Self::Bf16]
            .into_iter()
            .find(|precision| precision.name() == name)
    }

    /// The distance from 1 to the next larger number.
    pub fn epsilon(self) -> f64 {
        match self {
            Self::F32 => f64::from(f32::EPSILON),
            Self::Bf16 => 2f64.powi(-7),
        }
    }

    /// `tensor` as it enters or leaves a matrix product.
    pub(crate) fn round(self, tensor: &Tensor) -> Result<Tensor> {
        match self {
            Self::F32 => Ok(tensor.clone()),
            Self::Bf16 => tensor.to_dtype(DType::BF16)?.to_dtype(DType::F32),
        }
    }

    /// The product of `left` and `right`.
    pub(crate) fn product(self, left: &Tensor, right: &Tensor) -> Result<Tensor> {
        self.round(&self.round(left)?.matmul(&self.round(right)?)?)
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    /// By hand: next to 1 the numbers of 8 binary digits are 1/128 apart, and a tie goes to the even one.
    #[test]
    fn numbers_are_rounded_to_eight_binary_digits() {
        let step = 2f32.powi(-7);
        assert!((Precision::Bf16.epsilon() - f64::from(step)).abs() < f64::EPSILON);
        let x = [
            1.0,
            1.0 + step / 2.0,
            1.0 + 1.5 * step,
            1.0 + 0.51 * step,
            -3.0,
        ];
        let x = Tensor::new(&x, &Device::Cpu).unwrap();
        let rounded = Precision::Bf16.round(&x).unwrap();
        assert_eq!(
            rounded.to_vec1::<f32>().unwrap(),
            [1.0, 1.0, 1.0 + 2.0 * step, 1.0 + step, -3.0]
        );
        let same = Precision::F32.round(&x).unwrap();
        assert_eq!(same.to_vec1::<f32>().unwrap(), x.to_vec1::<f32>().unwrap());
    }

    /// By hand: 1 and three quarters of a step round to 1 and a step; summed in 16 bits, each quarter would be lost to the 1.
    #[test]
    fn a_product_is_summed_in_thirty_two_bits_and_rounded_once() {
        let step = 2f32.powi(-7);
        let left = Tensor::new(&[[1.0, step / 4.0, step / 4.0, step / 4.0]], &Device::Cpu).unwrap();
        let right = Tensor::ones((4, 1), DType::F32, &Device::Cpu).unwrap();
        let product = |precision: Precision| {
            let product = precision.product(&left, &right).unwrap();
            product.to_vec2::<f32>().unwrap()[0][0]
        };
        assert_eq!(product(Precision::Bf16).to_bits(), (1.0 + step).to_bits());
        assert_eq!(
            product(Precision::F32).to_bits(),
            (1.0 + 0.75 * step).to_bits()
        );
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for precision in [Precision::F32, Precision::Bf16] {
            assert_eq!(Precision::parse(precision.name()), Some(precision));
        }
        assert_eq!(Precision::parse("f16"), None);
        assert_eq!(Precision::F32.epsilon().to_bits(), 2f64.powi(-23).to_bits());
    }
}
