// SparseToDense: the default everywhere, then the values at their places.
#include "fastpath/gpu/lib/fill.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/rows/row_lists.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/sparse/elements.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// What a slot holds of rows in disorder: beyond the numbers of rows that lie outside.
constexpr int64_t kDisorder = int64_t{1} << 62;

// The place of each row, or -1. The slot gets the number of a row outside, plus 1, or, if `validates`, that of one that
// does not come after the row before it, plus kDisorder.
template <class Index>
PLUMB_GPU_KERNEL FindPlaces(Global<const Index> indices, Global<const int64_t> sizes, bool validates,
                            Global<int64_t> places, Global<int64_t> slot) {
  const int64_t rank = sizes.size;
  for (int64_t row = First(); row < places.size; row += Stride()) {
    int64_t place = 0, order = row == 0 ? 1 : 0;  // order: of this row to the one before it
    bool is_inside = true;
    for (int64_t axis = 0; axis < rank; ++axis) {
      const int64_t at = indices[row * rank + axis], size = sizes[axis];
      is_inside = is_inside && at >= 0 && at < size;
      place = is_inside ? place * size + at : -1;
      const int64_t before = row == 0 ? 0 : static_cast<int64_t>(indices[(row - 1) * rank + axis]);
      if (order == 0 && at != before) order = at > before ? 1 : -1;
    }
    places[row] = is_inside ? place : -1;
    if (!is_inside) AtomicCas(slot[0], int64_t{0}, row + 1);
    if (is_inside && validates && order <= 0) AtomicCas(slot[0], int64_t{0}, row + kDisorder);
  }
}

// The last of the rows of each place wins. One value is for all rows.
template <class T>
PLUMB_GPU_KERNEL PutLast(Global<const T> values, Global<const int64_t> begins, Global<const int64_t> counts,
                         Global<const int64_t> rows, Global<T> out) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    if (counts[i] > 0) out[i] = values[values.size == 1 ? 0 : rows[begins[i] + counts[i] - 1]];
  }
}
// Of rows no two of which have one place.
template <class T>
PLUMB_GPU_KERNEL PutAll(Global<const T> values, Global<const int64_t> places, Global<T> out) {
  for (int64_t row = First(); row < places.size; row += Stride()) {
    if (places[row] >= 0) out[places[row]] = values[values.size == 1 ? 0 : row];
  }
}

class ToDense final : public GpuKernel {
 public:
  explicit ToDense(const Node& node) : validates_(GetAttr<bool>(node.attrs, "validate_indices")) {}
  void Run(GpuContext& context) override {
    const Tensor &values = context.input(2), &default_value = context.input(3);
    const DenseSizes sizes =
        DenseSizesOf(context.input(0).shape(), context.input(1), values.shape(), default_value.shape());
    Tensor out = context.AllocateOutput(0, sizes.shape);
    FillWith(context, default_value, out);
    Tensor places = context.Scratch(DType::kInt64, Shape({sizes.coordinates.count}));
    FindPlacesOf(context, sizes.shape, places);
    const auto of = context.ViewOf<int64_t>(places);
    ForSizeOf(context.node(), out.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if (validates_) {
        return Launch(context.stream(), LoopOver(of.size), PutAll<T>, context.ViewOf<T>(values), of,
                      context.ViewOf<T>(out));
      }
      const RowLists lists = ListRows(context, of, out.elements());
      Launch(context.stream(), LoopOver(out.elements()), PutLast<T>, context.ViewOf<T>(values),
             context.ViewOf<int64_t>(lists.begins), context.ViewOf<int64_t>(lists.counts),
             context.ViewOf<int64_t>(lists.rows), context.ViewOf<T>(out));
    });
  }

 private:
  void FindPlacesOf(GpuContext& context, const Shape& shape, Tensor& places) const {
    const Global<int64_t> slot = context.NewSlot([shape](int64_t number) {
      if (number < kDisorder) return OutsideOfSparse(shape)(number);
      return InvalidArgument("the coordinates of element ", number - kDisorder,
                             " do not come after those of the element before it")
          .status();
    });
    const Tensor dims = OnDevice(context, {shape.dims().begin(), shape.dims().end()});
    ForType(context.node(), context.input(0).dtype(), TypeList<int32_t, int64_t>(), [&](auto tag) {
      using Index = typename decltype(tag)::Type;
      Launch(context.stream(), LoopOver(places.elements()), FindPlaces<Index>, context.In<Index>(0),
             context.ViewOf<int64_t>(dims), validates_, context.ViewOf<int64_t>(places), slot);
      return true;
    });
  }

  const bool validates_;
};

constexpr GpuKernelRow kRows[] = {
    {"SparseToDense", Make<ToDense>, ByHost::kNo, "default_value"},
};

}  // namespace

std::span<const GpuKernelRow> SparseToDense() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
