// Variants on their way between memories: their elements are objects of the host, which hold tensors that may lie in
// the memory of a device.
#pragma once

#include <span>

#include "fastpath/device/device.h"

namespace plumb::fast {

// Whether any value that goes into a node, of these types, or comes out of it is a variant.
bool HandlesVariants(std::span<const DType> input_types, std::span<const DType> output_types);
bool HandlesVariants(const Node& node);

// Transfer for a tensor of variants: its numbers, those of variants within it too, are brought to where it is wanted,
// in new elements; strings and handles stay on the host. Where all lies there already, the value is passed on.
void TransferVariants(Device* from, Device& to, bool to_host, int64_t step_id, Tensor variants, Device::CopyDone done);

}  // namespace plumb::fast
