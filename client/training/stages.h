// A model whose layers lie on several devices, one after the other: model parallelism (white paper §7). What is
// computed stays what it is on one device, bit by bit, since only places change.
//
//   Stages stages(*optimizer, {"/job:worker/task:0", "/job:worker/task:1"}, BytesOfVariables(the model built before));
//   scope.set_variable_device(stages.OfVariables());
//   … the model, with `stages` as its optimizer
#pragma once

#include <string>
#include <vector>

#include "client/optimizers/optimizer.h"

namespace plumb {

// Of all variables of a scope, in the order of their making.
std::vector<int64_t> BytesOfVariables(Scope& scope);

// Cuts a row of variables into as many runs as there are stages, the largest of them as small as can be and none empty:
// the stage of each. Throws kInvalidArgument for fewer variables than stages.
std::vector<int> CutIntoStages(const std::vector<int64_t>& bytes, int stages);

// An optimizer around another one. Before the inner one applies gradients, each node that asks for no device is
// colocated with a variable of a stage: what leads to the loss with the last stage that it depends on, and what
// computes gradients with the layer that they are of, so that only activations and their gradients travel.
class Stages : public Optimizer {
 public:
  // `bytes`: of the variables of the model. `inner` outlives this. Throws as CutIntoStages.
  Stages(Optimizer& inner, std::vector<std::string> devices, const std::vector<int64_t>& bytes);

  // For Scope::set_variable_device, while the model is built; variables that are made after all those of `bytes` lie on
  // the last device. This outlives the scope.
  Scope::VariableDevice OfVariables();

  NodeId Apply(Scope& scope, std::span<const VariableGradient> gradients,
               const Variable* global_step = nullptr) override;

  // The stage of a node, or -1 for one that may lie anywhere. After Apply.
  int StageOf(NodeId node) const { return Index(node) < stages_.size() ? stages_[Index(node)] : -1; }

 protected:
  std::string name() const override { return "Stages"; }
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override;

 private:
  // For the nodes that were built since the last call, of which those from `backward` on compute `gradients`.
  void Assign(Scope& scope, size_t backward, std::span<const VariableGradient> gradients);
  // Of a node that is there already or says it itself: by the device that it asks for, by what it is colocated with.
  int GivenStage(const Node& node) const;
  void Colocate(GraphBuilder& builder, size_t from) const;

  Optimizer& inner_;
  const std::vector<std::string> devices_;
  const std::vector<int> cut_;
  size_t variables_ = 0;              // that were made
  std::vector<int> stages_;           // by node
  std::vector<std::string> anchors_;  // by stage: the first variable on it, "loc:@NAME"
};

}  // namespace plumb
