#include "tools/gpu_bench/gpu_bench_program.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "backends/backends.h"
#include "client/initializers.h"

namespace plumb::tools {

double SecondsOfStep(const std::function<void()>& step) {
  return SecondsOfSteps([&](int64_t times) {
    for (int64_t i = 0; i < times; ++i) step();
  });
}

double SecondsOfSteps(const std::function<void(int64_t times)>& steps) {
  using Clock = std::chrono::steady_clock;
  constexpr double kLongEnough = 0.1;  // seconds
  constexpr int kWarmUp = 4;           // what is launched as one is captured in the third
  constexpr int kTries = 3;
  const auto seconds_of = [&](int64_t times) {
    const Clock::time_point start = Clock::now();
    steps(times);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  steps(kWarmUp);
  int64_t times = 1;
  double best = seconds_of(times);
  while (best < kLongEnough) best = seconds_of(times *= 2);
  for (int i = 1; i < kTries; ++i) best = std::min(best, seconds_of(times));
  return best / static_cast<double>(times);
}

// Nodes that say the same are to run all the same.
BenchProgram::BenchProgram(const std::string& backend, Shape shape, DType dtype, bool has_graphs)
    : backend_(backend), shape_(std::move(shape)), dtype_(dtype) {
  const SessionOptions options = {.gpu_graphs = has_graphs, .allow_soft_placement = true, .optimize = false};
  program_ = std::make_unique<Program>(scope_, OpenSession(backend, options));
}

const Variable& BenchProgram::VariableOf(const std::string& name) {
  const auto found = variables_.find(name);
  if (found != variables_.end()) return found->second;
  const auto seed = static_cast<int64_t>(variables_.size()) + 1;
  const Output first = AsType(Uniform(scope_, DType::kFloat, shape_, 0.5, 1, seed), dtype_);
  return variables_.emplace(name, MakeVariable(scope_, first, {.name = name})).first->second;
}

Output BenchProgram::Held(const std::string& name) { return VariableOf(name).value(); }
Output BenchProgram::Ref(const std::string& name) { return VariableOf(name).ref(); }

Output BenchProgram::Number(float value) {
  const auto found = numbers_.find(value);
  return found != numbers_.end() ? found->second : numbers_.emplace(value, Constant(scope_, value)).first->second;
}

double BenchProgram::SecondsOfOne(const std::function<NodeId(BenchProgram& program)>& make, int more) {
  std::vector<NodeId> nodes = {make(*this)};
  const NodeId one = scope_.Group(nodes);
  while (static_cast<int>(nodes.size()) <= more) {
    const auto after = scope_.After({nodes.back()});  // so that variables are changed by one at a time
    nodes.push_back(make(*this));
  }
  const NodeId all = scope_.Group(nodes);
  program_->Run(InitializeAll(scope_));
  CheckPlace(nodes[0], one);
  const double few = SecondsOfStep([&] { program_->Run(one); });
  const double many = SecondsOfStep([&] { program_->Run(all); });
  return std::max(many - few, 1e-9) / more;
}

double BenchProgram::SecondsOfOneStep(const std::function<NodeId(BenchProgram& program)>& make) {
  const NodeId node = make(*this);
  program_->Run(InitializeAll(scope_));
  CheckPlace(node, node);
  return SecondsOfStep([&] { program_->Run(node); });
}

void BenchProgram::CheckPlace(NodeId node, NodeId target) {
  const std::string name = scope_.NameOf(node), targets[] = {scope_.NameOf(target)};
  RunMetadata metadata;
  std::vector<Tensor> none;
  const Status status = program_->session().Run({.trace = true}, {}, {}, targets, &none, &metadata);
  if (!status.ok()) throw Error(status);
  for (const DeviceStats& device : metadata.step_stats) {
    if (device.device.find(DeviceOf(backend_)) == std::string::npos) continue;
    for (const NodeStats& ran : device.nodes) {
      if (ran.node == name) return;
    }
  }
  throw Error(Code::kFailedPrecondition, Str(name, " did not run on ", DeviceOf(backend_), " of ", backend_));
}

}  // namespace plumb::tools
