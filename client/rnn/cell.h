// A recurrent cell: one step of a recurrent network, with its weights.
//
// A state is a list of tensors in a fixed order, TensorFlow's nested tuples laid flat: of an LSTM cell c and then h, of
// stacked cells those of the first, then those of the second, and so on. Most parts have the shape [batch, size].
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "client/named_variable.h"

namespace plumb {

using RnnState = std::vector<Output>;
using Activation = std::function<Output(Scope&, Output)>;  // an empty one is tanh

struct RnnStep {
  Output output;   // [batch, output_size]
  RnnState state;  // as that before the step
};

class RnnCell {
 public:
  // What a part of the state is: its size for each example, and whether it is the memory that dropout leaves alone.
  struct Part {
    int64_t size;
    bool is_memory = false;
  };

  // `name`: under which its variables are; empty for a wrapper, whose cell's variables are named as without it.
  explicit RnnCell(std::string name) : name_(std::move(name)) {}
  virtual ~RnnCell() = default;
  RnnCell(const RnnCell&) = delete;
  RnnCell& operator=(const RnnCell&) = delete;

  // Makes the variables under "prefix/name/", for inputs [batch, input_size] of this type; does nothing when they are
  // there. One cell therefore shares its weights wherever it is used. kInvalidArgument for a type that is not
  // floating-point, or where a variable's name is taken.
  void Build(Scope& scope, const std::string& prefix, int64_t input_size, DType dtype);
  // One step. Builds where nobody has, with the current name scope as the prefix. kInvalidArgument for an input of
  // another rank or of unknown size, and for a state of another number of parts.
  RnnStep Next(Scope& scope, Output input, const RnnState& state);

  virtual int64_t output_size() const = 0;
  virtual std::vector<Part> state_parts() const = 0;
  // `batch`: an int32 scalar.
  virtual RnnState ZeroState(Scope& scope, Output batch, DType dtype) const;

 protected:
  // `path`: with the cell's name.
  virtual void MakeVariables(Scope& scope, const std::string& path, int64_t input_size, DType dtype) = 0;
  virtual RnnStep Compute(Scope& scope, Output input, const RnnState& state) = 0;

 private:
  std::string name_;
  bool built_ = false;
};

// Joins matrices of equal height side by side.
Output JoinColumns(Scope& scope, const std::vector<Output>& parts);
// Cuts columns into `count` equal pieces.
std::vector<Output> SplitColumns(Scope& scope, Output value, int64_t count);
// value · kernel + bias.
Output Affine(Scope& scope, Output value, const Variable& kernel, const Variable& bias);
// [batch, size] of zeros for the int32 scalar `batch`.
Output ZerosForBatch(Scope& scope, Output batch, int64_t size, DType dtype);
// With what is known of `like`'s shape; kInvalidArgument where they contradict each other.
Output WithShapeOf(Output value, Output like);

}  // namespace plumb
