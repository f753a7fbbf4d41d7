// Adding one tensor to another, of any number type: what variable updates and gradient accumulation need.
#pragma once

#include <cstdint>

#include "fastpath/cpu/lib/elementwise/elementwise.h"
#include "fastpath/device/thread_pool.h"
#include "spec/core/tensor.h"

namespace plumb::fast::cpu {

enum class Update { kAdd, kSubtract };

// target[i] ±= value[i]. Both hold equally many numbers of one type; target's buffer has no other holder. Integers
// wrap; half and bfloat16 are computed in float and rounded once.
void UpdateInto(ThreadPool& pool, Update update, Tensor& target, const Tensor& value);

// The same for a run of elements of one type, to each of which another is added, or one to all (kScalarY).
class Adder {
 public:
  Adder(Update update, DType type);
  void operator()(char* target, const char* value, int64_t n, Operands operands) const;

 private:
  DType type_;
  BinaryLoop loop_;
};

}  // namespace plumb::fast::cpu
