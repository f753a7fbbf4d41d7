#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/rows/named_rows.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class Index>
PLUMB_GPU_KERNEL PlacesLoop(Global<const Index> indices, Slices slices, Global<int64_t> places, Global<int64_t> slot) {
  for (int64_t row = First(); row < places.size; row += Stride()) {
    places[row] = slices.At(indices, row);
    if (places[row] < 0) AtomicCas(slot[0], int64_t{0}, row + 1);
  }
}

}  // namespace

Tensor PlacesOf(GpuContext& context, const Tensor& indices, const Slices& slices, int64_t rows, Global<int64_t> slot) {
  Tensor places = context.Scratch(DType::kInt64, Shape({rows}));
  const Global<int64_t> of = context.ViewOf<int64_t>(places);
  ForType(context.node(), indices.dtype(), TypeList<int32_t, int64_t>(), [&](auto tag) {
    using Index = typename decltype(tag)::Type;
    Launch(context.stream(), LoopOver(rows), PlacesLoop<Index>, context.ViewOf<Index>(indices), slices, of, slot);
    return true;
  });
  return places;
}

NamedRows::NamedRows(GpuContext& context, const Tensor& indices, const Slices& slices, int64_t updates, int64_t count,
                     Global<int64_t> slot)
    : places_(PlacesOf(context, indices, slices, updates, slot)),
      lists_(ListRows(context, context.ViewOf<int64_t>(static_cast<const Tensor&>(places_)), count)),
      slot_(slot) {}

RowUpdates NamedRows::View(const GpuContext& context) const {
  return {context.ViewOf<int64_t>(places_), context.ViewOf<int64_t>(lists_.begins),
          context.ViewOf<int64_t>(lists_.counts), context.ViewOf<int64_t>(lists_.rows), slot_};
}

}  // namespace plumb::fast::GPU_NAMESPACE
