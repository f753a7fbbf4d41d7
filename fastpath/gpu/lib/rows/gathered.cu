#include "fastpath/gpu/lib/rows/gathered.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T, class Index>
PLUMB_GPU_KERNEL GatherLoop(Global<const T> params, Global<const Index> indices, Global<T> out, GatherSizes sizes,
                            Global<int64_t> slot) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t row = i / sizes.inner, block = row / sizes.count;
    const int64_t place = block / sizes.outer * sizes.count + row % sizes.count;
    const int64_t index = indices[place];
    if (index < 0 || index >= sizes.limit) {
      AtomicCas(slot[0], int64_t{0}, place + 1);
      continue;
    }
    out[i] = params[(block * sizes.limit + index) * sizes.inner + i % sizes.inner];
  }
}

// What GatherLoop refuses, where rows have no elements.
template <class Index>
PLUMB_GPU_KERNEL RefuseLoop(Global<const Index> indices, int64_t limit, Global<int64_t> slot) {
  for (int64_t i = First(); i < indices.size; i += Stride()) {
    if (indices[i] < 0 || indices[i] >= limit) AtomicCas(slot[0], int64_t{0}, i + 1);
  }
}

template <class T, class Index>
PLUMB_GPU_KERNEL SlicesLoop(Global<const T> params, Global<const Index> indices, Global<T> out, Slices slices,
                            Global<int64_t> slot) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t row = i / slices.inner, slice = slices.At(indices, row);
    if (slice < 0) {
      AtomicCas(slot[0], int64_t{0}, row + 1);
      continue;
    }
    out[i] = params[slice * slices.inner + i % slices.inner];
  }
}

// Calls visit(TypeTag<Index>) for the type of indices.
template <class Visit>
void ForIndex(const GpuContext& context, const Tensor& indices, const Visit& visit) {
  ForType(context.node(), indices.dtype(), TypeList<int32_t, int64_t>(), [&](auto tag) {
    visit(tag);
    return true;
  });
}

}  // namespace

void Gather(GpuContext& context, const Tensor& params, const Tensor& indices, const GatherSizes& sizes, Tensor& out) {
  const Global<int64_t> slot = context.NewSlot([limit = sizes.limit](int64_t number) {
    return InvalidArgument("indices[", number - 1, "] is not in [0, ", limit, ")").status();
  });
  if (sizes.inner == 0) {
    return ForIndex(context, indices, [&](auto index_tag) {
      using Index = typename decltype(index_tag)::Type;
      Launch(context.stream(), LoopOver(indices.elements()), RefuseLoop<Index>, context.ViewOf<Index>(indices),
             sizes.limit, slot);
    });
  }
  ForSizeOf(context.node(), params.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    ForIndex(context, indices, [&](auto index_tag) {
      using Index = typename decltype(index_tag)::Type;
      Launch(context.stream(), LoopOver(out.elements()), GatherLoop<T, Index>, context.ViewOf<T>(params),
             context.ViewOf<Index>(indices), context.ViewOf<T>(out), sizes, slot);
    });
  });
}

void GatherSlices(GpuContext& context, const Tensor& params, const Tensor& indices, const Slices& slices, Tensor& out) {
  const Global<int64_t> slot = context.NewSlot(OutsideOf(params.shape()));
  ForSizeOf(context.node(), params.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    ForIndex(context, indices, [&](auto index_tag) {
      using Index = typename decltype(index_tag)::Type;
      Launch(context.stream(), LoopOver(out.elements()), SlicesLoop<T, Index>, context.ViewOf<T>(params),
             context.ViewOf<Index>(indices), context.ViewOf<T>(out), slices, slot);
    });
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE
