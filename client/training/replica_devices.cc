#include "client/training/replica_devices.h"

#include <algorithm>
#include <cstdint>

namespace plumb {

Scope::VariableDevice InTurn(std::vector<std::string> devices) {
  Require(!devices.empty(), "variables are to be spread over no device at all");
  return [devices = std::move(devices), next = size_t{0}](DType, const PartialShape&) mutable {
    return devices[next++ % devices.size()];
  };
}

Scope::VariableDevice ByBytes(std::vector<std::string> devices) {
  Require(!devices.empty(), "variables are to be spread over no device at all");
  std::vector<int64_t> bytes(devices.size());
  return [devices = std::move(devices), bytes = std::move(bytes)](DType dtype, const PartialShape& shape) mutable {
    const auto least = std::min_element(bytes.begin(), bytes.end());
    *least += shape.ToShape().elements() * static_cast<int64_t>(ElementSize(dtype));
    return devices[least - bytes.begin()];
  };
}

}  // namespace plumb
