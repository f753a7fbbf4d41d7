#include "reference/step/control_flow.h"

namespace plumb::reference {

std::vector<Token> Switch(const std::vector<Item>& inputs) {
  const Tensor& pred = inputs[1].value.tensor;
  Require(pred.rank() == 0, "the predicate of a Switch is a scalar, not of shape ", pred.shape().ToString());
  std::vector<Token> outputs = DeadOutputs(2);
  outputs[pred.scalar<bool>() ? 1 : 0] = {.dead = false, .item = inputs[0]};
  return outputs;
}

std::vector<Token> Merge(const std::vector<Item>& inputs) {
  int32_t chosen = 0;
  while (!inputs[chosen].IsSet()) ++chosen;
  return {{.dead = false, .item = inputs[chosen]}, {.dead = false, .item = {MakeScalar<int32_t>(chosen), nullptr}}};
}

std::vector<Token> Forward(const std::vector<Item>& inputs) { return {{.dead = false, .item = inputs[0]}}; }

std::vector<Token> DeadOutputs(size_t n) { return std::vector<Token>(n, Token{.dead = true, .item = {}}); }

}  // namespace plumb::reference
