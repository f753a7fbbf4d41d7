#include "fastpath/gpu/lib/rows/gathered.h"
#include "fastpath/gpu/lib/runs.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T, class Index>
PLUMB_GPU_KERNEL GatherLoop(Global<const T> params, Global<const Index> indices, Global<T> out, GatherSizes sizes,
                            Global<int64_t> slot) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const int64_t row = i / sizes.inner, block = row / sizes.count;
    const int64_t place = (sizes.outer == 1 ? block : block / sizes.outer) * sizes.count + (row - block * sizes.count);
    const int64_t index = indices[place];
    if (index < 0 || index >= sizes.limit) {
      AtomicCas(slot[0], int64_t{0}, place + 1);
      continue;
    }
    out[i] = params[(block * sizes.limit + index) * sizes.inner + (i - row * sizes.inner)];
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

// Of elements as wide as T, which those of the tensors are a part of.
template <class T>
void GatherAs(GpuContext& context, const Tensor& params, const Tensor& indices, const GatherSizes& sizes, Tensor& out,
              Global<int64_t> slot) {
  const auto in_all = [](const Tensor& tensor) { return static_cast<int64_t>(tensor.bytes() / sizeof(T)); };
  const Global<const T> from(static_cast<const T*>(params.raw()), in_all(params));
  const Global<T> to(static_cast<T*>(out.mutable_raw()), in_all(out));
  ForIndex(context, indices, [&](auto index_tag) {
    using Index = typename decltype(index_tag)::Type;
    Launch(context.stream(), LoopOver(to.size), GatherLoop<T, Index>, from, context.ViewOf<Index>(indices), to, sizes,
           slot);
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
  const auto width = static_cast<int64_t>(ElementSize(params.dtype()));
  using Wide = Pack<uint64_t, 2>;
  const auto begins = [](const Tensor& tensor) { return BeginsRun(static_cast<const Wide*>(tensor.raw()), 1); };
  if (sizes.inner * width % kBytesAtOnce == 0 && begins(params) && begins(out)) {
    GatherSizes wide = sizes;
    wide.inner = sizes.inner * width / kBytesAtOnce;
    return GatherAs<Wide>(context, params, indices, wide, out, slot);
  }
  ForSizeOf(context.node(), params.dtype(),
            [&](auto tag) { GatherAs<typename decltype(tag)::Type>(context, params, indices, sizes, out, slot); });
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
