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

Output AsType(Output value, DType dtype) {
  if (value.dtype() == dtype) return value;
  return {value.builder, value.builder->Call("Cast", {value}, {{"DstT", dtype}})};
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
