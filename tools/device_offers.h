// Devices with their memory, as people write them on a command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/placement/schedule.h"

namespace plumb::tools {

// "cpu:0=2GiB,/job:ps/task:0=500MB*1.5": names with or without their first '/', each with the bytes that it may hold
// and how fast it is beside where costs were measured; both may be left out. Throws kInvalidArgument naming the part
// that is wrong, and for a device that stands twice.
std::vector<DeviceOffer> ParseOffers(std::string_view text);

// "2 GiB", "512 MiB", "17 B"; "any" where there is no limit.
std::string TextOfBytes(int64_t bytes);

}  // namespace plumb::tools
