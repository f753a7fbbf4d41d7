// The control-flow ops: which outputs are live, and what they carry (rules X31–X37). Where tokens go is said in
// frames.h.
#pragma once

#include <vector>

#include "reference/step/configuration.h"

namespace plumb::reference {

// X31: the one of `outputs` outputs that the second input picks is live. `inputs` are (data, pred or index).
std::vector<Token> Switch(const std::vector<Item>& inputs, size_t outputs);
// X34: the lowest live input and its index. Dead inputs are empty.
std::vector<Token> Merge(const std::vector<Item>& inputs);
// X35: Enter, Exit and NextIteration hand on what they get, value or reference.
std::vector<Token> Forward(const std::vector<Item>& inputs);
// All outputs of a node that fires dead (rule X2).
std::vector<Token> DeadOutputs(size_t n);

}  // namespace plumb::reference
