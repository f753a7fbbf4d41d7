#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// The shape of those that are no scalars, which is one.
Shape JoinedShape(const OpContext& c) {
  Shape joined;
  for (int i = 0; i < c.num_inputs(); ++i) {
    const Shape& shape = c.tensor(i).shape();
    if (shape.rank() == 0) continue;
    Require(joined.rank() == 0 || joined == shape, "input ", i, " has the shape ", shape.ToString(),
            ", but those before have ", joined.ToString());
    joined = shape;
  }
  return joined;
}

void StringJoin(OpContext& c) {
  const std::string& separator = c.attr<std::string>("separator");
  const Shape shape = JoinedShape(c);
  CheckResultSize(shape);
  Tensor joined(DType::kString, shape);
  for (int64_t element = 0; element < shape.elements(); ++element) {
    std::string& text = joined.mutable_data<std::string>()[element];
    for (int i = 0; i < c.num_inputs(); ++i) {
      if (i > 0) text += separator;
      text += c.tensor(i).data<std::string>()[c.tensor(i).rank() == 0 ? 0 : element];
    }
  }
  c.Output(0, std::move(joined));
}

constexpr KernelRow kRows[] = {
    {"StringJoin", StringJoin},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StringJoin() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
