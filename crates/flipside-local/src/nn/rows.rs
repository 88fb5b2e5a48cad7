//! Work on each row where it lies, on the thread that asks.

use std::cell::RefCell;

use candle_core::{CpuStorage, InplaceOp1, Layout, Result, Tensor, bail};

/// Calls `work` with each row of a tensor that nobody else holds: the library shares elementwise work out among cores once there are
/// 65,536 elements, which takes longer than the work of a small model, and takes the cores from asks beside it.
pub(crate) fn each_row(x: &Tensor, work: impl FnMut(&mut [f32])) -> Result<()> {
    let width = x.dim(candle_core::D::Minus1)?;
    let work = RefCell::new(work);
    x.inplace_op1(&Rows { width, work })
}

struct Rows<F> {
    width: usize,
    work: RefCell<F>,
}

impl<F: FnMut(&mut [f32])> InplaceOp1 for Rows<F> {
    fn name(&self) -> &'static str {
        "each row"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> Result<()> {
        let (CpuStorage::F32(values), Some((from, to))) = (storage, layout.contiguous_offsets())
        else {
            bail!("rows are contiguous and of 32-bit floats");
        };
        values[from..to]
            .chunks_mut(self.width)
            .for_each(&mut *self.work.borrow_mut());
        Ok(())
    }
}
