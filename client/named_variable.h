// Variables under the very names that checkpoints of TensorFlow know them by, whatever name scope they are made in.
#pragma once

#include <string>

#include "client/initializers.h"
#include "client/variable.h"

namespace plumb {

struct NamedVariable {
  std::string name;  // in full, such as "rnn/basic_lstm_cell/kernel"
  Shape shape;
  DType dtype = DType::kFloat;
  Initializer initializer = {};  // none: GlorotUniform with `seed`, as TensorFlow's get_variable
  int64_t seed = 0;
  bool trainable = true;
  bool local = false;
  std::optional<SliceOf> slice = {};
};

// Makes it outside of every loop and branch, and of all that a control scope waits for. kInvalidArgument where the name
// is taken: a second variable of a name would be another one in checkpoints.
Variable MakeNamedVariable(Scope& scope, const NamedVariable& wanted);

// "prefix/name"; the name alone without a prefix.
std::string JoinName(const std::string& prefix, const std::string& name);

}  // namespace plumb
