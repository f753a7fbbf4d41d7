#include "reference/step/calls.h"

#include <algorithm>

#include "reference/step/batched_call.h"
#include "reference/step/placement.h"
#include "reference/step/program.h"
#include "spec/ops/op_def.h"

namespace plumb::reference {
namespace {

// FN7: of a scalar, what it says; of anything else, whether it has elements, unless a Switch takes its place.
bool IsTrue(const Node& node, const Tensor& value) {
  if (value.shape().rank() != 0) {
    Require(!IsLowered(node), "node '", node.name, "': its condition has the shape ", value.shape().ToString(),
            "; of a node with _lower_using_switch_merge it must be a scalar");
    return value.elements() > 0;
  }
  switch (value.dtype()) {
    case DType::kBool:
      return value.scalar<bool>();
    case DType::kString:
      return !value.scalar<std::string>().empty();
    case DType::kFloat:
      return value.scalar<float>() != 0;
    case DType::kDouble:
      return value.scalar<double>() != 0;
    case DType::kInt64:
      return value.scalar<int64_t>() != 0;
    case DType::kInt32:
      return value.scalar<int32_t>() != 0;
    case DType::kInt16:
      return value.scalar<int16_t>() != 0;
    case DType::kInt8:
      return value.scalar<int8_t>() != 0;
    case DType::kUint8:
      return value.scalar<uint8_t>() != 0;
    default:
      throw InvalidArgument("node '", node.name, "': a ", DTypeName(value.dtype()),
                            " says neither yes nor no; a condition is ",
                            "bool, string, float32, float64, int64, int32, int16, int8 or uint8, or has dimensions");
  }
}

size_t BranchOf(const Node& node, const Tensor& index, size_t branches) {
  Require(index.shape().rank() == 0, "node '", node.name, "': branch_index must be a scalar, but has the shape ",
          index.shape().ToString());
  const int32_t branch = index.scalar<int32_t>();
  return branch < 0 || static_cast<size_t>(branch) >= branches ? branches - 1 : static_cast<size_t>(branch);
}

// FN7: where a loop that counts is, and the turns that follow.
struct Count {
  int64_t at, limit, delta;
  bool HasTurn() const { return delta > 0 ? at < limit : at > limit; }
};

Count CountOf(const Node& node, const std::vector<Item>& inputs) {
  const auto scalar = [&](size_t i, const char* what) -> int64_t {
    const Tensor& value = inputs[i].value.tensor;
    Require(value.rank() == 0, "node '", node.name, "': ", what, " must be a scalar, but has the shape ",
            value.shape().ToString());
    return value.scalar<int32_t>();
  };
  const Count count{scalar(0, "start"), scalar(1, "limit"), scalar(2, "delta")};
  const int64_t way = count.limit - count.at;
  Require(way == 0  ? true
          : way > 0 ? count.delta > 0
                    : count.delta < 0,
          "node '", node.name, "': steps of ", count.delta, " do not lead from ", count.at, " to ", count.limit);
  return count;
}

BodyRun Turn(const Node& node, int64_t at, std::vector<Item> variables) {
  variables.insert(variables.begin(), Item{MakeScalar(static_cast<int32_t>(at)), nullptr});
  return {FunctionsCalledBy(node)[0], std::move(variables)};
}

std::optional<BodyRun> NextTurn(const Node& node, const Call& call) {
  Count count = CountOf(node, call.caller.inputs);
  count.at = call.args[0].value.tensor.scalar<int32_t>() + count.delta;
  if (!count.HasTurn()) return std::nullopt;
  std::vector<Item> variables;
  for (const Token& result : call.results) variables.push_back(result.item);
  return Turn(node, count.at, std::move(variables));
}

bool HasDead(const std::vector<Token>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) { return token.dead; });
}

}  // namespace

std::optional<BodyRun> FirstBody(const Node& node, const std::vector<Item>& inputs) {
  if (CountsTurns(*node.op)) {
    const Count count = CountOf(node, inputs);
    if (!count.HasTurn()) return std::nullopt;
    return Turn(node, count.at, {inputs.begin() + FirstArgument(*node.op), inputs.end()});
  }
  const std::vector<CalledFunction> functions = FunctionsCalledBy(node);
  switch (node.op->kind) {
    case OpKind::kIf:
      return BodyRun{functions[IsTrue(node, inputs[0].value.tensor) ? 0 : 1], {inputs.begin() + 1, inputs.end()}};
    case OpKind::kCase:
      return BodyRun{functions[BranchOf(node, inputs[0].value.tensor, functions.size())],
                     {inputs.begin() + 1, inputs.end()}};
    default:
      if (Batches(*node.op)) return BodyRun{functions[0], WithPadding(node, inputs)};
      return BodyRun{functions[0], {inputs.begin() + FirstArgument(*node.op), inputs.end()}};
  }
}

std::optional<BodyRun> NextBody(const Node& node, const Call& call) {
  if (node.op->kind != OpKind::kWhile || HasDead(call.results)) return std::nullopt;
  if (CountsTurns(*node.op)) return NextTurn(node, call);
  const std::vector<CalledFunction> functions = FunctionsCalledBy(node);
  if (call.in_condition) {
    if (!IsTrue(node, call.results[0].item.value.tensor)) return std::nullopt;
    return BodyRun{functions[1], call.args};
  }
  BodyRun condition{functions[0], {}};
  for (const Token& result : call.results) condition.args.push_back(result.item);
  return condition;
}

std::vector<Token> ResultsOf(const Node& node, const Call& call) {
  if (Batches(*node.op)) return WithoutPadding(node, call.caller.inputs, call.args, call.results);
  if (node.op->kind != OpKind::kWhile) return call.results;
  if (HasDead(call.results)) return std::vector<Token>(node.output_types.size(), Token{.dead = true, .item = {}});
  if (CountsTurns(*node.op)) return call.results;
  std::vector<Token> results;
  for (const Item& arg : call.args) results.push_back({.dead = false, .item = arg});
  return results;
}

std::vector<Token> ResultsWithoutTurns(const Node& node, const std::vector<Item>& inputs) {
  std::vector<Token> results;
  for (size_t i = static_cast<size_t>(FirstArgument(*node.op)); i < inputs.size(); ++i) {
    results.push_back({.dead = false, .item = inputs[i]});
  }
  return results;
}

std::shared_ptr<const Body> MakeBody(const FunctionLibrary& library, const CalledFunction& called, const Node& caller,
                                     const SessionOptions& options, KernelFinder find_kernel) {
  const FunctionBody& function = library.Body(called.function);
  const std::string path = PathInto(caller.name, called.label);
  auto body = std::make_shared<Body>();
  for (const Node& node : function.graph.nodes()) body->graph.Append(InCall(node, path, caller));
  PlaceResourcesOfBody(body->graph, function.args, options);
  body->step = PruneBody(body->graph, function);
  FindKernels(body->step, find_kernel);
  return body;
}

}  // namespace plumb::reference
