// A ShapeContext made by hand, for tests.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "spec/ops/catalogue.h"
#include "spec/ops/default_attrs.h"
#include "spec/ops/op_def.h"
#include "spec/validate/signatures.h"

namespace plumb {

class TestShapeContext : public ShapeContext {
 public:
  TestShapeContext(const OpDef& op, std::vector<PartialShape> inputs, AttrMap attrs = {},
                   std::map<int, Tensor> constants = {})
      : op_(op), inputs_(std::move(inputs)), attrs_(std::move(attrs)), constants_(std::move(constants)) {
    AddDefaults(op, attrs_);
    for (const AttrDef& attr : op.attrs) {
      // Few rules look at a type; where a test gives none, it is any.
      if (attr.kind == AttrKind::kType && !attr.is_list) {
        attrs_.emplace(attr.name, attr.allowed_types.empty() ? DType::kFloat : attr.allowed_types.front());
      }
    }
  }
  const OpDef& op() const override { return op_; }
  const AttrMap& attrs() const override { return attrs_; }
  int num_inputs() const override { return static_cast<int>(inputs_.size()); }
  int num_outputs() const override {
    size_t count = 0;
    for (const ArgDef& output : op_.outputs) count += ExpandTypes(output, attrs_).size();
    return static_cast<int>(count);
  }
  const PartialShape& input(int i) const override { return inputs_[i]; }
  const Tensor* constant(int i) const override {
    const auto found = constants_.find(i);
    return found == constants_.end() ? nullptr : &found->second;
  }

 private:
  const OpDef& op_;
  std::vector<PartialShape> inputs_;
  AttrMap attrs_;
  std::map<int, Tensor> constants_;
};

// Output shapes of the op with these input shapes; inputs whose value is known have their shape from it.
inline std::vector<PartialShape> Infer(std::string_view op, std::vector<PartialShape> inputs, AttrMap attrs = {},
                                       std::map<int, Tensor> constants = {}) {
  for (const auto& [i, value] : constants) inputs[i] = value.shape();
  return InferShapes(TestShapeContext(GetOp(op), std::move(inputs), std::move(attrs), std::move(constants)));
}

}  // namespace plumb
