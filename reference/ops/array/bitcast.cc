// Bytes read as elements of another type.
#include "reference/kernel/op_context.h"
#include "reference/numbers/bits.h"
#include "reference/numbers/index.h"

namespace plumb::reference {
namespace {

Shape BitcastShape(const Shape& shape, int64_t from, int64_t to) {
  if (from == to) return shape;
  if (from > to) return WithInserted(shape, shape.rank(), from / to);
  const bool fits = shape.rank() > 0 && shape.dim(shape.rank() - 1) == to / from;
  Require(fits, "the last dimension must be ", to / from, ", as many elements as make a wider one; the shape is ",
          shape.ToString());
  return WithoutAxis(shape, shape.rank() - 1);
}

// Of an alias, an alias (R31), where its first byte is that of an element.
void Bitcast(OpContext& c) {
  const Value& x = c.input(0);
  const DType type = c.attr<DType>("type");
  if (x.tensor.dtype() == type) return c.Output(0, x);
  const auto from = static_cast<int64_t>(ElementSize(x.tensor.dtype())), to = static_cast<int64_t>(ElementSize(type));
  Value bits = BitsAs(x, 0, type, BitcastShape(x.tensor.shape(), from, to));
  if (x.source != nullptr && x.first * from % to == 0) {
    bits.source = x.source;
    bits.first = x.first * from / to;
  }
  c.Output(0, std::move(bits));
}

constexpr KernelRow kRows[] = {
    {"Bitcast", Bitcast},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayBitcast() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
