#include "fastpath/cpu/lib/rows.h"

namespace plumb::fast::cpu {
namespace {

// What TensorFlow takes for the size of a string.
constexpr int64_t kStringBytes = 24;

bool EndsAligned(DType dtype, int64_t elements) {
  const auto size = static_cast<int64_t>(ElementSize(dtype));
  return elements * (size > 0 ? size : kStringBytes) % static_cast<int64_t>(kTensorAlignment) == 0;
}

}  // namespace

bool SharesRows(const Tensor& tensor) {
  if (tensor.rank() == 0 || tensor.dim(0) == 0 || tensor.elements() == 0) return false;
  return EndsAligned(tensor.dtype(), tensor.elements() / tensor.dim(0));
}

bool SharesSlice(const Tensor& tensor, int64_t begin, int64_t size) {
  if (tensor.rank() != 1) return SharesRows(tensor);
  return size > 0 && EndsAligned(tensor.dtype(), begin) && EndsAligned(tensor.dtype(), size);
}

}  // namespace plumb::fast::cpu
