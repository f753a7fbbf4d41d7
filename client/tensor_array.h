// TensorArray: a list of tensors that a loop writes and reads one at a time (rules TA1–TA8).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/scope.h"

namespace plumb {

class TensorArray {
 public:
  struct Options {
    bool dynamic_size = false;     // writing beyond the end makes it longer
    bool clear_after_read = true;  // each element may be read once
    PartialShape element_shape;
    bool identical_element_shapes = false;  // the first write tells the shape of all; unwritten ones are zeros then
    std::string name = "TensorArray";
  };
  // An array of `size` elements (an int32 scalar) that lives for one step.
  TensorArray(Scope& scope, DType dtype, Output size, const Options& options);
  TensorArray(Scope& scope, DType dtype, Output size) : TensorArray(scope, dtype, size, Options()) {}

  // The flow orders operations: each takes the flow of those it has to come after. Writing returns the array as it is
  // afterwards. A loop carries flow() as a variable and continues with WithFlow.
  Output flow() const { return flow_; }
  TensorArray WithFlow(Output flow) const;
  DType dtype() const { return dtype_; }

  Output Read(Output index) const;
  TensorArray Write(Output index, Output value) const;
  // All elements as one tensor with a new first axis, and back.
  Output Stack() const;
  TensorArray Unstack(Output value) const;
  Output Gather(Output indices) const;
  TensorArray Scatter(Output indices, Output value) const;
  // All elements joined along their first axis, and back: pieces of the given lengths (int64).
  Output Concat() const;
  TensorArray Split(Output value, Output lengths) const;
  Output Size() const;

 private:
  Output Call(const char* op, const std::vector<Endpoint>& inputs, AttrMap attrs = {}) const;
  void MergeElementShape(const PartialShape& shape) const;
  Output AllIndices() const;

  GraphBuilder* builder_;
  Output handle_;
  Output flow_;
  DType dtype_;
  std::shared_ptr<PartialShape> element_shape_;  // what writes have told so far
};

// The length of the first axis, an int32 scalar.
Output FirstDimension(Output value);

}  // namespace plumb
