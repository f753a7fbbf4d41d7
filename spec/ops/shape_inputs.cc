#include "spec/ops/shape_inputs.h"

namespace plumb {
namespace {

// Knows no value, and notes which were asked for. Of the shapes it knows the rank of the first at most.
class Listener : public ShapeContext {
 public:
  Listener(const OpDef& op, const AttrMap& attrs, int num_inputs, int num_outputs)
      : op_(op), attrs_(attrs), num_outputs_(num_outputs), shapes_(num_inputs), asked_(num_inputs) {}

  const OpDef& op() const override { return op_; }
  const AttrMap& attrs() const override { return attrs_; }
  int num_inputs() const override { return static_cast<int>(shapes_.size()); }
  int num_outputs() const override { return num_outputs_; }
  const PartialShape& input(int i) const override { return shapes_[i]; }
  const Tensor* constant(int i) const override {
    asked_[i] = true;
    return nullptr;
  }

  void SetFirst(int rank) { shapes_[0] = PartialShape::OfRank(rank); }
  const std::vector<bool>& asked() const { return asked_; }

 private:
  const OpDef& op_;
  const AttrMap& attrs_;
  const int num_outputs_;
  std::vector<PartialShape> shapes_;
  mutable std::vector<bool> asked_;
};

void Ask(const Listener& listener) {
  try {
    InferShapes(listener);
  } catch (const Error&) {
    // A rule may refuse the shapes that it is shown; what it asked for before counts.
  }
}

}  // namespace

std::vector<bool> FindShapeInputs(const OpDef& op, const AttrMap& attrs, int num_inputs, int num_outputs) {
  constexpr int kRanks = 6;  // images with a channel block have five
  Listener listener(op, attrs, num_inputs, num_outputs);
  Ask(listener);
  for (int rank = 0; rank < kRanks && num_inputs > 0; ++rank) {
    listener.SetFirst(rank);
    Ask(listener);
  }
  return listener.asked();
}

}  // namespace plumb
