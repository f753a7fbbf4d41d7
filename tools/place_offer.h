// Devices as a command line names them.
#pragma once

#include <string_view>

#include "client/placement/schedule.h"

namespace plumb::tools {

// "NAME", "NAME=MEGABYTES", "NAME=MEGABYTES*SPEED" or "NAME*SPEED". Throws kInvalidArgument, saying what is wrong.
DeviceOffer ParseOffer(std::string_view text);

}  // namespace plumb::tools
