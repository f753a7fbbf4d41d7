#include "client/scope.h"

#include "client/variable.h"

namespace plumb {

Scope::Scope() = default;
Scope::~Scope() = default;

NodeId Scope::Add(std::string_view op, const std::vector<Output>& inputs, AttrMap attrs, std::string name) {
  GraphBuilder::Options options;
  options.name = std::move(name);
  return builder_.Add(op, ToEndpoints(inputs), std::move(attrs), std::move(options));
}

Output Scope::Call(std::string_view op, const std::vector<Output>& inputs, AttrMap attrs, std::string name) {
  return {&builder_, {Add(op, inputs, std::move(attrs), std::move(name)), 0}};
}

NodeId Scope::Group(const std::vector<NodeId>& before, std::string name) {
  GraphBuilder::Options options;
  options.name = std::move(name);
  options.control_inputs = before;
  return builder_.Add("NoOp", {}, {}, std::move(options));
}

Output Constant(Scope& scope, Tensor value, std::string name) {
  return {&scope.builder(), scope.builder().Constant(std::move(value), std::move(name))};
}

}  // namespace plumb
