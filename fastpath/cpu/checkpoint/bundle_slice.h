// Tensors, and slices of them, out of bundles (rule Z36).
#pragma once

#include "fastpath/device/kernel.h"
#include "spec/checkpoint/bundle.h"

namespace plumb::fast::cpu {

// Read at once where it is stored as it is wanted, else put together. kInvalidArgument for a type of which slices can
// only be read as they were saved.
Tensor ReadSlice(ThreadPool& pool, BundleReader& reader, const BundleEntry& entry, const TensorSlice& wanted);

}  // namespace plumb::fast::cpu
