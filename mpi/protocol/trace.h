// What ran in a part of a step, on its way to whoever asked for it.
#pragma once

#include <string>
#include <string_view>

#include "spec/session/session.h"

namespace plumb::dist {

// Devices without nodes are left out.
std::string EncodeTrace(const RunMetadata& metadata);
// Throws kInvalidArgument for bytes that EncodeTrace did not write.
RunMetadata DecodeTrace(std::string_view bytes);

// All times by so many nanoseconds.
void Shift(RunMetadata& metadata, int64_t nanoseconds);
// The nodes of `part` too, device by device; devices without nodes are left out.
void Join(RunMetadata& metadata, RunMetadata part);

}  // namespace plumb::dist
