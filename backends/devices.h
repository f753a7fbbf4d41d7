// The devices that sessions of this machine may have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plumb {

struct DeviceDescription {
  std::string name;         // "/device:GPU:0"
  int64_t memory = 0;       // bytes; 0 where nobody says
  std::string description;  // "NVIDIA H100, compute capability 9.0, 132 multiprocessors"
};

struct DeviceList {
  std::vector<DeviceDescription> devices;
  std::string no_gpu;  // what is missing, where there is no card
};

// CPUs, cards, and the devices that are simulated or emulated.
DeviceList ListDevices();

}  // namespace plumb
