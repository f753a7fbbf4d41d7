#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/variable_update.h"

namespace plumb::reference {
namespace {

// R23: updates have one row per index, or are one number for all of them.
void CheckScatter(const Shape& variable, const Tensor& indices, const Tensor& updates) {
  Require(variable.rank() >= 1, "a scatter needs a variable of rank 1 or more, not ", variable.ToString());
  const Shape rows = Concatenated(indices.shape(), Subshape(variable, 1, variable.rank()));
  Require(updates.rank() == 0 || updates.shape() == rows, "updates must be a scalar or of shape ", rows.ToString(),
          ", not ", updates.shape().ToString());
}

// R23: rows named several times take every update, in order.
Value Scattered(Update update, const Value& old, const Tensor& indices, const Value& updates) {
  const Shape& shape = old.tensor.shape();
  CheckScatter(shape, indices, updates.tensor);
  const Array<Integer> rows = Load<Integer>(indices);
  const int64_t row_size = Subshape(shape, 1, shape.rank()).elements();
  Value result;
  ForNumber(old.tensor.dtype(), [&](auto tag) {
    using N = typename decltype(tag)::Type;
    Array<N> numbers = Load<N>(old);
    const Array<N> changes = Load<N>(updates);
    for (size_t i = 0; i < rows.at.size(); ++i) {
      const auto row = static_cast<int64_t>(rows.at[i]);
      Require(row >= 0 && row < shape.dim(0), "indices[", i, "] = ", row, " is not in [0, ", shape.dim(0), ")");
      for (int64_t j = 0; j < row_size; ++j) {
        const N change = updates.tensor.rank() == 0 ? changes[0] : changes[static_cast<int64_t>(i) * row_size + j];
        N& number = numbers[row * row_size + j];
        number = Updated(update, number, change);
      }
    }
    result = Store(numbers);
  });
  return result;
}

template <Update update>
void ScatterUpdate(OpContext& c) {
  c.ref(0).Update(Scattered(update, c.input(0), c.tensor(1), c.input(2)));
  c.outputs[0] = c.inputs[0];
}

constexpr KernelRow kRows[] = {
    {"ScatterAdd", ScatterUpdate<Update::kAdd>},
    {"ScatterSub", ScatterUpdate<Update::kSubtract>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StateScatter() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
