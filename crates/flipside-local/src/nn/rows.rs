//! Work on each row where it lies.

use candle_core::{CpuStorage, InplaceOp1, Layout, Result, Tensor, bail};
use rayon::prelude::*;

/// Elements that a thread takes at least, so that sharing them out pays.
pub(super) const SHARE: usize = 16 * 1024;

/// Calls `work` with each row of a tensor that nobody else holds, and the row's number. Only the threads of the pool that asks take
/// part: the library's own elementwise work goes to threads of its own, which spin, and take the cores from asks beside this one.
pub(crate) fn each_row(x: &Tensor, work: impl Fn(usize, &mut [f32]) + Sync) -> Result<()> {
    let width = x.dim(candle_core::D::Minus1)?;
    x.inplace_op1(&Rows { width, work })
}

struct Rows<F> {
    width: usize,
    work: F,
}

impl<F: Fn(usize, &mut [f32]) + Sync> InplaceOp1 for Rows<F> {
    fn name(&self) -> &'static str {
        "each row"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> Result<()> {
        let (CpuStorage::F32(values), Some((from, to))) = (storage, layout.contiguous_offsets())
        else {
            bail!("rows are contiguous and of 32-bit floats");
        };
        values[from..to]
            .par_chunks_mut(self.width)
            .with_min_len(SHARE.div_ceil(self.width))
            .enumerate()
            .for_each(|(number, row)| (self.work)(number, row));
        Ok(())
    }
}
