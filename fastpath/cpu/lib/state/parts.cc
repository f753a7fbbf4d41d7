#include "fastpath/cpu/lib/state/parts.h"

#include "fastpath/cpu/lib/strided_copy.h"

namespace plumb::fast::cpu {
namespace {

// Whether a part that begins at this element may lie in the buffer of the whole. Parts of an alias are copies: only the
// ops that R31 names hand those on.
bool MayShare(const Tensor& value, int64_t start) {
  const auto size = static_cast<int64_t>(ElementSize(value.dtype()));
  return !value.is_alias() && size > 0 && start * size % static_cast<int64_t>(kTensorAlignment) == 0;
}

}  // namespace

void CopyPart(const Tensor& from, int64_t from_at, Tensor& to, int64_t to_at, int64_t count) {
  if (QueuedInside::Current() == nullptr) {
    return CopyRun(from.dtype(), from.raw(), from_at, to.mutable_raw(), to_at, count);
  }
  if (count == 0) return;
  Tensor part = PartOf(to, to_at, count);
  CopyElements(PartOf(from, from_at, count), part);
}

Tensor PartOf(const Tensor& tensor, int64_t at, int64_t count) {
  return tensor.Reshaped({tensor.elements()}).Rows(at, count);
}

std::vector<Tensor> CutParts(ThreadPool& pool, const Tensor& value, const std::vector<Shape>& shapes) {
  std::vector<int64_t> starts;
  std::vector<Tensor> parts;
  int64_t at = 0;
  for (const Shape& shape : shapes) {
    starts.push_back(at);
    parts.push_back(MayShare(value, at) ? PartOf(value, at, shape.elements()).Reshaped(shape)
                                        : Allocate(value.dtype(), shape));
    at += shape.elements();
  }
  CopyParts(pool, parts.size(), value.elements(), [&](size_t i) {
    if (MayShare(value, starts[i])) return;
    CopyPart(value, starts[i], parts[i], 0, parts[i].elements());
  });
  return parts;
}

}  // namespace plumb::fast::cpu
