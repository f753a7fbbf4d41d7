// Values as conditions.
#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

template <class T>
bool IsNotZero(const Tensor& scalar) {
  return scalar.scalar<T>() != 0;
}

// FN7: what a scalar says.
bool Said(const Tensor& scalar) {
  switch (scalar.dtype()) {
    case DType::kBool:
      return scalar.scalar<bool>();
    case DType::kString:
      return !scalar.scalar<std::string>().empty();
    case DType::kFloat:
      return IsNotZero<float>(scalar);
    case DType::kDouble:
      return IsNotZero<double>(scalar);
    case DType::kInt64:
      return IsNotZero<int64_t>(scalar);
    case DType::kInt32:
      return IsNotZero<int32_t>(scalar);
    case DType::kInt16:
      return IsNotZero<int16_t>(scalar);
    case DType::kInt8:
      return IsNotZero<int8_t>(scalar);
    case DType::kUint8:
      return IsNotZero<uint8_t>(scalar);
    default:
      throw InvalidArgument("a ", DTypeName(scalar.dtype()), " without dimensions says neither yes nor no");
  }
}

void ToBool(OpContext& c) {
  const Tensor& value = c.tensor(0);
  c.Output(0, MakeScalar<bool>(value.rank() == 0 ? Said(value) : value.elements() > 0));
}

constexpr KernelRow kRows[] = {
    {"ToBool", ToBool},
};

}  // namespace

namespace topics {
std::span<const KernelRow> FunctionToBool() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
