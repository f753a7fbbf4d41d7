// Where the channels of a tensor are.
#pragma once

#include <string>

#include "reference/kernel/op_context.h"

namespace plumb::reference {

// The axis of the channels: the last one, or the second one where data_format starts with NC.
inline int ChannelAxis(const OpContext& context, int rank) {
  const std::string format = GetAttrOr<std::string>(context.node.attrs, "data_format", "NHWC");
  return format.starts_with("NC") ? 1 : rank - 1;
}

}  // namespace plumb::reference
