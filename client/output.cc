#include "client/output.h"

#include <complex>

namespace plumb {
namespace {

Output Unary(const char* op, Output a) { return {a.builder, a.builder->Call(op, {a})}; }
Output Binary(const char* op, Output a, Output b) { return {a.builder, a.builder->Call(op, {a, b})}; }

Output Number(Output like, double value) {
  return {like.builder, like.builder->Constant(ScalarTensor(value, like.dtype()))};
}

}  // namespace

std::vector<Endpoint> ToEndpoints(const std::vector<Output>& outputs) { return {outputs.begin(), outputs.end()}; }

std::vector<Output> ToOutputs(GraphBuilder& builder, const std::vector<Endpoint>& endpoints) {
  std::vector<Output> outputs;
  outputs.reserve(endpoints.size());
  for (const Endpoint& endpoint : endpoints) outputs.push_back({&builder, endpoint});
  return outputs;
}

Tensor ScalarTensor(double value, DType dtype) {
  Tensor tensor(dtype, Shape());
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_arithmetic_v<T>) {
      tensor.mutable_data<T>()[0] = static_cast<T>(value);
    } else if constexpr (std::is_same_v<T, std::complex<float>>) {
      tensor.mutable_data<T>()[0] = static_cast<float>(value);
    } else if constexpr (std::is_constructible_v<T, double> || std::is_constructible_v<T, float>) {
      tensor.mutable_data<T>()[0] = T(static_cast<float>(value));
    } else {
      throw InvalidArgument("a number cannot become a ", DTypeName(dtype));
    }
  });
  return tensor;
}

Output operator+(Output a, Output b) { return Binary("AddV2", a, b); }
Output operator-(Output a, Output b) { return Binary("Sub", a, b); }
Output operator*(Output a, Output b) { return Binary("Mul", a, b); }
Output operator/(Output a, Output b) {
  Require(!IsInteger(a.dtype()), "'/' does not divide ", DTypeName(a.dtype()), "; ops::FloorDiv and ops::Div do");
  return Binary("RealDiv", a, b);
}
Output operator-(Output a) { return Unary("Neg", a); }
Output operator<(Output a, Output b) { return Binary("Less", a, b); }
Output operator<=(Output a, Output b) { return Binary("LessEqual", a, b); }
Output operator>(Output a, Output b) { return Binary("Greater", a, b); }
Output operator>=(Output a, Output b) { return Binary("GreaterEqual", a, b); }
Output operator!(Output a) { return Unary("LogicalNot", a); }

Output operator+(Output a, double b) { return a + Number(a, b); }
Output operator-(Output a, double b) { return a - Number(a, b); }
Output operator*(Output a, double b) { return a * Number(a, b); }
Output operator/(Output a, double b) { return a / Number(a, b); }
Output operator+(double a, Output b) { return Number(b, a) + b; }
Output operator-(double a, Output b) { return Number(b, a) - b; }
Output operator*(double a, Output b) { return Number(b, a) * b; }
Output operator/(double a, Output b) { return Number(b, a) / b; }
Output operator<(Output a, double b) { return a < Number(a, b); }
Output operator<=(Output a, double b) { return a <= Number(a, b); }
Output operator>(Output a, double b) { return a > Number(a, b); }
Output operator>=(Output a, double b) { return a >= Number(a, b); }

}  // namespace plumb
