// Sums and zeros of what variants hold: tensor lists, ragged tensors, optionals; computed where the values lie.
#pragma once

#include "fastpath/device/thread_pool.h"
#include "spec/core/variant.h"

namespace plumb::fast::cpu {

// The sum of two variants that hold the same kind of thing, part by part; a part without a value counts as zero.
// kInvalidArgument where they do not fit each other, or hold what cannot be added.
Variant SumOfVariants(ThreadPool& pool, const Variant& a, const Variant& b);
// The variant with zeros in the place of all values. kInvalidArgument where there is no zero.
Variant ZeroVariant(ThreadPool& pool, const Variant& variant);

}  // namespace plumb::fast::cpu
