// SparseToDense: the default everywhere, then the values at their places.
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class ToDense final : public Kernel {
 public:
  explicit ToDense(const Node& node)
      : type_(OutputType(node, 0)), validate_(GetAttr<bool>(node.attrs, "validate_indices")) {}

  void Run(KernelContext& context) override {
    const Tensor &indices = context.input(0), &values = context.input(2), &default_value = context.input(3);
    const auto [sizes, shape] = DenseSizesOf(indices.shape(), context.input(1), values.shape(), default_value.shape());
    const Dims dims(shape);
    const std::vector<int64_t> widened = indices.dtype() == DType::kInt64 ? std::vector<int64_t>() : ToInt64s(indices);
    const IndexRows rows{sizes.count, sizes.rank,
                         indices.dtype() == DType::kInt64 ? indices.data<int64_t>().data() : widened.data()};
    Tensor& output = context.AllocateOutput(0, type_, shape);
    const std::vector<int64_t> places = PlacesOf(rows, dims);
    FillWith(context.pool(), default_value.raw(), output);
    Put(values, places, output);
  }

 private:
  // Refuses what lies outside and, where it is asked for, what does not come after the element before it: in row-major
  // order that is the place.
  std::vector<int64_t> PlacesOf(const IndexRows& rows, const Dims& dims) const {
    std::vector<int64_t> places(static_cast<size_t>(rows.count));
    bool fits = true;
    int64_t before = -1;
    for (int64_t i = 0; i < rows.count; ++i) {
      const int64_t* const row = rows[i];
      uint64_t place = 0;
      for (int axis = 0; axis < dims.rank; ++axis) {
        const auto at = static_cast<uint64_t>(row[axis]), size = static_cast<uint64_t>(dims[axis]);
        fits &= at < size;
        place = place * size + at;
      }
      places[static_cast<size_t>(i)] = static_cast<int64_t>(place);
      fits &= !validate_ || before < static_cast<int64_t>(place);
      before = static_cast<int64_t>(place);
    }
    if (!fits) validate_ ? CheckOrder(rows, dims) : CheckBounds(rows, dims);  // which say where
    return places;
  }

  void Put(const Tensor& values, const std::vector<int64_t>& places, Tensor& output) const {
    if (values.rank() == 1) return ScatterElements(values, places.data(), output);
    VisitStorage(type_, [&](auto tag) {
      using Element = typename decltype(tag)::Type;
      const Element value = *static_cast<const Element*>(values.raw());
      Element* const to = static_cast<Element*>(output.mutable_raw());
      for (const int64_t place : places) to[place] = value;
    });
  }

  const DType type_;
  const bool validate_;
};

constexpr KernelRow kRows[] = {
    {"SparseToDense", Make<ToDense>},
};

}  // namespace

std::span<const KernelRow> SparseToDense() { return kRows; }

}  // namespace plumb::fast::cpu
