// A graph for each op that calls a function of its graph: kCalls of them, each on what the one before gave.
#include "bench/graphs/named.h"
#include "client/function.h"

namespace plumb::bench {
namespace {

FunctionRef PlusOne(Scope& scope) {
  return DefineFunction(scope, "PlusOne", {{DType::kFloat, PartialShape(Shape())}},
                        [](Scope& body, const std::vector<Output>& args) -> std::vector<Output> {
                          return {ops::Add(body, args[0], Constant(body, 1.0f))};
                        });
}

const std::vector<DType> kFloatIn = {DType::kFloat};

// `device`: where the op asks which one the function is to run on.
BenchGraph Calling(const std::string& op, const std::string& device = "") {
  BenchGraph fed;
  Scope scope;
  const AttrMap attrs = {{"Tin", kFloatIn}, {"Tout", kFloatIn}, {"f", PlusOne(scope)}};
  std::vector<Output> inputs;
  if (!device.empty()) inputs.push_back(Text(scope, device));
  inputs.push_back(Fed(scope, &fed, DType::kFloat, {}, 0, 1));
  for (int i = 0; i < kCalls; ++i) inputs.back() = scope.Call(op, inputs, attrs);
  BenchGraph bench = Named(op, "function", scope, inputs.back().node(), kCalls);
  bench.feeds = fed.feeds;
  return bench;
}

BenchGraph Branching() {
  BenchGraph fed;
  Scope scope;
  const FunctionRef function = PlusOne(scope);
  Output x = Fed(scope, &fed, DType::kFloat, {}, 0, 1);
  const Output condition = ops::Less(scope, x, Constant(scope, 0.5f));
  for (int i = 0; i < kCalls; ++i) x = CallIf(scope, condition, function, function, {x})[0];
  BenchGraph bench = Named("If", "function", scope, x.node(), kCalls);
  bench.feeds = fed.feeds;
  return bench;
}

BenchGraph Looping() {
  BenchGraph fed;
  Scope scope;
  const FunctionRef goes_on = DefineFunction(scope, "GoesOn", {{DType::kFloat, PartialShape(Shape())}},
                                             [](Scope& body, const std::vector<Output>& args) -> std::vector<Output> {
                                               const Output limit = Constant(body, static_cast<float>(kCalls));
                                               return {ops::Less(body, args[0], limit)};
                                             });
  const Output x = Fed(scope, &fed, DType::kFloat, {}, 0, 1);
  BenchGraph bench =
      Named("While", "function", scope, CallWhile(scope, goes_on, PlusOne(scope), {x})[0].node(), kCalls);
  bench.feeds = fed.feeds;
  return bench;
}

BenchGraph Choosing() {
  BenchGraph fed;
  Scope scope;
  const std::vector<FunctionRef> branches = {PlusOne(scope), PlusOne(scope)};
  Output x = Fed(scope, &fed, DType::kFloat, {}, 0, 1);
  const Output branch = Constant(scope, 1);
  const AttrMap attrs = {{"Tin", kFloatIn}, {"Tout", kFloatIn}, {"branches", branches}};
  for (int i = 0; i < kCalls; ++i) x = scope.Call("Case", {branch, x}, attrs);
  BenchGraph bench = Named("Case", "function", scope, x.node(), kCalls);
  bench.feeds = fed.feeds;
  return bench;
}

BenchGraph Repeating() {
  BenchGraph fed;
  Scope scope;
  const FunctionRef body =
      DefineFunction(scope, "Body", {{DType::kInt32, PartialShape(Shape())}, {DType::kFloat, PartialShape(Shape())}},
                     [](Scope& inner, const std::vector<Output>& args) -> std::vector<Output> {
                       return {ops::Add(inner, args[1], Constant(inner, 1.0f))};
                     });
  const Output x = Fed(scope, &fed, DType::kFloat, {}, 0, 1);
  const std::vector<Output> inputs = {Constant(scope, 0), Constant(scope, kCalls), Constant(scope, 1), x};
  BenchGraph bench =
      Named("For", "function", scope, scope.Add("For", inputs, {{"T", kFloatIn}, {"body", body}}), kCalls);
  bench.feeds = fed.feeds;
  return bench;
}

BenchGraph Differentiating() {
  BenchGraph fed;
  Scope scope;
  const AttrMap attrs = {{"Tin", std::vector<DType>(2, DType::kFloat)}, {"Tout", kFloatIn}, {"f", PlusOne(scope)}};
  const Output x = Fed(scope, &fed, DType::kFloat, {}, 0, 1);
  Output gradient = Constant(scope, 1.0f);
  for (int i = 0; i < kCalls; ++i) gradient = scope.Call("SymbolicGradient", {x, gradient}, attrs);
  BenchGraph bench = Named("SymbolicGradient", "function", scope, gradient.node(), kCalls);
  bench.feeds = fed.feeds;
  return bench;
}

}  // namespace

std::vector<BenchGraph> FunctionGraphs() {
  return {Calling("PartitionedCall"),
          Calling("StatefulPartitionedCall"),
          Branching(),
          Looping(),
          Choosing(),
          Repeating(),
          Calling("RemoteCall", "/job:localhost/replica:0/task:0/device:CPU:0"),
          Differentiating()};
}

}  // namespace plumb::bench
