#include "reference/ops/lib/variable_update.h"

#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

Value UpdatedValue(Update update, const Value& old, const Value& change) {
  Require(old.tensor.shape() == change.tensor.shape(), "the variable has shape ", old.tensor.shape().ToString(),
          ", its update ", change.tensor.shape().ToString());
  Value result;
  ForNumber(old.tensor.dtype(), [&](auto tag) {
    using N = typename decltype(tag)::Type;
    Array<N> numbers = Load<N>(old);
    const Array<N> changes = Load<N>(change);
    for (size_t i = 0; i < numbers.at.size(); ++i) numbers.at[i] = Updated(update, numbers.at[i], changes.at[i]);
    result = Store(numbers);
  });
  return result;
}

}  // namespace plumb::reference
