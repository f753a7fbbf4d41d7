// Two operands merged element by element, as CollectiveReduce does (rule CO3).
#pragma once

#include "fastpath/cpu/lib/elementwise/elementwise.h"
#include "spec/ops/collective_member.h"

namespace plumb::fast::cpu {

// For float32, float64 and whole numbers; null for others.
BinaryLoop MergeLoop(MergeOp merge, DType type);
// What divides, for float32 and float64; null for others.
BinaryLoop QuotientLoop(DType type);

}  // namespace plumb::fast::cpu
