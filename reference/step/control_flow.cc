#include "reference/step/control_flow.h"

#include <algorithm>

namespace plumb::reference {

namespace {

size_t Picked(const Tensor& by, size_t outputs) {
  Require(by.rank() == 0, "the predicate of a Switch is a scalar, not of shape ", by.shape().ToString());
  if (by.dtype() == DType::kBool) return by.scalar<bool>() ? 1 : 0;
  const auto index = static_cast<size_t>(by.scalar<int32_t>());  // a negative one is beyond all outputs
  return std::min(index, outputs - 1);
}

}  // namespace

std::vector<Token> Switch(const std::vector<Item>& inputs, size_t outputs) {
  std::vector<Token> tokens = DeadOutputs(outputs);
  tokens[Picked(inputs[1].value.tensor, outputs)] = {.dead = false, .item = inputs[0]};
  return tokens;
}

std::vector<Token> Merge(const std::vector<Item>& inputs) {
  int32_t chosen = 0;
  while (!inputs[chosen].IsSet()) ++chosen;
  return {{.dead = false, .item = inputs[chosen]}, {.dead = false, .item = {MakeScalar<int32_t>(chosen), nullptr}}};
}

std::vector<Token> Forward(const std::vector<Item>& inputs) { return {{.dead = false, .item = inputs[0]}}; }

std::vector<Token> DeadOutputs(size_t n) { return std::vector<Token>(n, Token{.dead = true, .item = {}}); }

}  // namespace plumb::reference
