// Which ops and types TensorFlow has kernels for, as its registry says.
#pragma once

#include <cstdint>

#include "backends/library/plumb_backend.h"
#include "bench/peers/tensorflow_api.h"

namespace plumb::peers {

// Whether a kernel of its CPU takes nodes of this op with these types.
bool HasCpuKernel(const TensorFlowApi& tf, const char* op, const PlumbAttrType* types, uint64_t count);

}  // namespace plumb::peers
