// What this backend can compute: a row for each op.
#pragma once

#include <string_view>
#include <vector>

#include "graph_def.h"

using Inputs = std::vector<const Value*>;

struct Kernel {
  std::string_view op;
  std::string_view types;  // of "T" or "dtype": one letter each, see kernels.cc; empty: the op has none
  size_t inputs;
  size_t typed;  // how many of them, the first ones, are of that type; the others are int32 or int64
  Value (*compute)(const Node& node, const Inputs& inputs);  // null: an op without output, or that has to be fed
};

const Kernel* FindKernel(std::string_view op);
bool Takes(const Kernel& kernel, int32_t dtype);
