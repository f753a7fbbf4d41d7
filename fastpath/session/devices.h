// The devices that a session is given by its options.
#pragma once

#include "fastpath/device/device.h"
#include "spec/session/session.h"

namespace plumb::fast {

DeviceSet MakeDevices(const SessionOptions& options);

}  // namespace plumb::fast
