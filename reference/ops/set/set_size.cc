#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/set_rows.h"

namespace plumb::reference {
namespace {

template <class Key>
void SetSize(OpContext& c) {
  const SparseSets<Key> sets(c, 0, c.attr<bool>("validate_indices"));
  auto sizes = MakeArray<Integer>(DType::kInt32, Shape(sets.outer()));
  for (const SetRun& run : sets.runs()) {
    const auto members = sets.SetOf(run);
    Require(Contains(sizes.shape.dims(), run.row), "the elements from number ", run.begin,
            " on have a negative coordinate");
    sizes[PlaceOf(sizes.shape.dims(), run.row)] = static_cast<int64_t>(members.size());
  }
  c.Output(0, Store(sizes));
}

constexpr KernelRow kRows[] = {
    {"SetSize",
     [](OpContext& c) { c.tensor(1).dtype() == DType::kString ? SetSize<std::string>(c) : SetSize<int64_t>(c); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SetSetSize() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
