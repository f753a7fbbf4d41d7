#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

void Cross(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  Require(shape == c.tensor(1).shape(), "a and b must have one shape, not ", shape.ToString(), " and ",
          c.tensor(1).shape().ToString());
  Require(shape.rank() > 0, "a and b must have a dimension, whose length is 3");
  if (shape.dim(shape.rank() - 1) != 3) {
    throw FailedPrecondition("the last dimension must be 3; the shape is ", shape.ToString());
  }
  ForKind<Real, Integer>(c.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> a(c.input(0)), b(c.input(1));
    Writer<N> product(c.tensor(0).dtype(), shape);
    for (int64_t i = 0; i < product.size(); i += 3) {
      for (const int axis : {0, 1, 2}) {
        const int64_t next = i + (axis + 1) % 3, last = i + (axis + 2) % 3;
        product.Set(i + axis, a[next] * b[last] - a[last] * b[next]);
      }
    }
    c.Output(0, product.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"Cross", Cross},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathCross() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
