// What the host knows of a kernel's inputs when it queues the work: all shapes, and the values that lie in its own
// memory. A row's shape rule says from it how large the outputs will be.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "fastpath/device/variable_buffer.h"
#include "spec/graph/graph.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {

class KnownToHost : public ShapeContext {
 public:
  // Pointers into what outlives this.
  KnownToHost(const Node& node, std::vector<const Tensor*> inputs) : node_(node), inputs_(std::move(inputs)) {
    for (const Tensor* input : inputs_) shapes_.emplace_back(input->shape());
  }
  const OpDef& op() const override { return *node_.op; }
  const AttrMap& attrs() const override { return node_.attrs; }
  int num_inputs() const override { return static_cast<int>(inputs_.size()); }
  int num_outputs() const override { return static_cast<int>(node_.output_types.size()); }
  const PartialShape& input(int i) const override { return shapes_[i]; }
  const Tensor* constant(int i) const override { return IsOnHost(*inputs_[i]) ? inputs_[i] : nullptr; }

 private:
  const Node& node_;
  std::vector<const Tensor*> inputs_;
  std::vector<PartialShape> shapes_;
};

}  // namespace plumb::fast
