// Optimizer updates: one kernel for every op. An op's row says where its slots, scalars, gradient and indices are, and
// which loop computes.
#pragma once

#include <functional>
#include <initializer_list>

#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {

constexpr int kMaxSlots = 4;
constexpr int kMaxScalars = 6;

// Updates slots[k][0 … n) from gradient[0 … n). `scalars`: the op's scalar inputs in their order, in the arrays' type.
// Numbers of 16-bit types come and go as floats.
using UpdateLoop = void (*)(void* const* slots, const void* gradient, const void* scalars, int64_t n);

// Which inputs are what; 0 … slots−1 are the variables.
struct OptimizerInputs {
  int slots;
  int gradient;
  int indices;  // −1: dense
  std::initializer_list<int> scalars;
  bool refuses_empty_rows = false;  // R68
};

// The type of a node's variables.
DType UpdateType(const Node& node, const OptimizerInputs& inputs);

// Looks at an op's numbers and throws before anything is written.
using NumbersCheck = std::function<void(const KernelContext&)>;

// `inputs` lives as long as the kernel; `loop` is for UpdateType(node, inputs), null where there is none. Variables are
// found and looked at first, then the numbers.
std::unique_ptr<Kernel> MakeOptimizer(const Node& node, const OptimizerInputs& inputs, UpdateLoop loop,
                                      NumbersCheck check = {});

}  // namespace plumb::fast::cpu
