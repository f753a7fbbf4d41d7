// Running sums and products along an axis.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// Visits the elements of each line along the axis in the direction asked for. `fold.Take()` is the result of what was
// folded so far; an inclusive result has the element itself, an exclusive one does not.
template <class N, class Fold>
void AlongLines(OpContext& context, Array<N>& result) {
  const auto x = Load<N>(context.input(0));
  const int axis = ResolveAxis(ScalarOf(context.tensor(1), "axis"), x.shape.rank(), "axis");
  const AxisView view = ViewAt(x.shape, axis);
  const bool exclusive = context.attr<bool>("exclusive"), reverse = context.attr<bool>("reverse");
  for (int64_t outer = 0; outer < view.outer; ++outer) {
    for (int64_t inner = 0; inner < view.inner; ++inner) {
      Fold fold;
      for (int64_t k = 0; k < view.size; ++k) {
        const int64_t i = (outer * view.size + (reverse ? view.size - 1 - k : k)) * view.inner + inner;
        if (exclusive) result[i] = fold.Result();
        fold.Add(x[i]);
        if (!exclusive) result[i] = fold.Result();
      }
    }
  }
}

template <class N>
struct Multiplied : Product<N> {
  void Add(const N& x) { this->Multiply(x); }
};

template <template <class> class Fold>
void Cumulative(OpContext& context) {
  const DType dtype = context.tensor(0).dtype();
  ForNumber(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    auto result = MakeArray<N>(dtype, context.tensor(0).shape());
    AlongLines<N, Fold<N>>(context, result);
    context.Output(0, Store(result));
  });
}

template <class N>
using Total = SumOf<N>;

void Cumsum(OpContext& context) { Cumulative<Total>(context); }
void Cumprod(OpContext& context) { Cumulative<Multiplied>(context); }

constexpr KernelRow kRows[] = {
    {"Cumsum", Cumsum},
    {"Cumprod", Cumprod},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ReductionCumulative() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
