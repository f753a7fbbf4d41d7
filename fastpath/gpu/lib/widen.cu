#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/widen.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

using Narrow = TypeList<Half, BFloat16>;

template <class T>
PLUMB_GPU_KERNEL WidenLoop(Global<const T> narrow, Global<float> wide) {
  for (int64_t i = First(); i < wide.size; i += Stride()) wide[i] = Computed<T>::Load(narrow[i]);
}
template <class T>
PLUMB_GPU_KERNEL RoundLoop(Global<const float> wide, Global<T> narrow) {
  for (int64_t i = First(); i < narrow.size; i += Stride()) narrow[i] = Computed<T>::Store(wide[i]);
}

}  // namespace

DType WideType(DType type) { return ElementSize(type) == 2 ? DType::kFloat : type; }

const void* Widened(GpuContext& context, DType type, const void* data, int64_t count, Tensor& scratch) {
  if (WideType(type) == type) return data;
  scratch = context.Scratch(DType::kFloat, Shape{count});
  const auto wide = context.ViewOf<float>(scratch);
  ForType(context.node(), type, Narrow(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Launch(context.stream(), LoopOver(count), WidenLoop<T>, Global<const T>(static_cast<const T*>(data), count), wide);
    return true;
  });
  return scratch.raw();
}

FloatOutput::FloatOutput(GpuContext& context, int output, const Shape& shape)
    : out_(context.AllocateOutput(output, shape)),
      wide_(out_.dtype() == DType::kFloat ? out_ : context.Scratch(DType::kFloat, shape)) {}

void FloatOutput::Round(GpuContext& context) {
  if (out_.dtype() == DType::kFloat) return;
  ForType(context.node(), out_.dtype(), Narrow(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Launch(context.stream(), LoopOver(out_.elements()), RoundLoop<T>, context.ViewOf<float>(wide_),
           context.ViewOf<T>(out_));
    return true;
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE
