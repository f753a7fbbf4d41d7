// A program on a GPU whose steps are timed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client/program.h"
#include "client/variable.h"

namespace plumb::tools {

// Of a step that is run until it has taken a while: the least of three such times. The first runs do not count.
double SecondsOfStep(const std::function<void()>& step);
// The same of so many steps at once.
double SecondsOfSteps(const std::function<void(int64_t times)>& steps);

class BenchProgram {
 public:
  // Matrices that it holds have this shape and type. `has_graphs`: SessionOptions::gpu_graphs.
  BenchProgram(const std::string& backend, Shape shape, DType dtype, bool has_graphs = false);

  Scope& scope() { return scope_; }
  const Shape& shape() const { return shape_; }
  // The value of a variable of this name, which holds random numbers of one half to one, and the variable.
  Output Held(const std::string& name);
  Output Ref(const std::string& name);
  // A constant, the same one each time.
  Output Number(float value);

  // What one kernel takes that `make` adds: a step with `more` of them more takes so much longer. Throws
  // kFailedPrecondition where it does not run on the GPU.
  double SecondsOfOne(const std::function<NodeId(BenchProgram& program)>& make, int more);

  // What a step takes that has one of them to do.
  double SecondsOfOneStep(const std::function<NodeId(BenchProgram& program)>& make);

 private:
  const Variable& VariableOf(const std::string& name);
  void CheckPlace(NodeId node, NodeId target);

  const std::string backend_;
  const Shape shape_;
  const DType dtype_;
  Scope scope_;
  std::map<std::string, Variable> variables_;
  std::map<float, Output> numbers_;
  std::unique_ptr<Program> program_;
};

}  // namespace plumb::tools
