//! Watching a forward pass.

use candle_core::Tensor;

/// Called with the name of each tensor and the tensor.
pub type See<'o> = dyn Fn(&str, &Tensor) + 'o;

/// Sees the tensors inside a forward pass by name, such as `layer0` and `final`. Seeing changes nothing.
#[derive(Clone, Copy)]
pub struct Observer<'o>(Option<&'o See<'o>>);

impl<'o> Observer<'o> {
    /// Nobody.
    pub const NONE: Self = Self(None);

    /// `see`, called with each name and tensor.
    pub fn new(see: &'o See<'o>) -> Self {
        Self(Some(see))
    }

    pub(crate) fn see(self, name: &str, tensor: &Tensor) {
        if let Some(see) = self.0 {
            see(name, tensor);
        }
    }

    pub(crate) fn layer(self, name: &str, place: usize, tensor: &Tensor) {
        if let Some(see) = self.0 {
            see(&format!("{name}{place}"), tensor);
        }
    }
}
