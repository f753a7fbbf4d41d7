// `plumb devices`: what sessions can run on here, and what a GPU, or cuDNN for it, lacks.
#include "backends/devices.h"

#include <cstdio>

#include "tools/commands.h"

namespace plumb::tools {
namespace {

std::string InGib(int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
  return text;
}

class Devices : public Command {
 public:
  const char* name() const override { return "devices"; }
  const char* help() const override { return "Lists the devices of this machine, and says what a missing GPU lacks."; }
  void Declare(Options&) override {}
  int Run() override {
    const DeviceList list = ListDevices();
    for (const DeviceDescription& device : list.devices) {
      const std::string memory = device.memory == 0 ? "-" : InGib(device.memory);
      std::printf("%-14s %12s  %s\n", device.name.c_str(), memory.c_str(), device.description.c_str());
    }
    if (!list.convolutions.empty()) std::printf("%s\n", list.convolutions.c_str());
    if (!list.no_gpu.empty()) std::printf("%s\n", list.no_gpu.c_str());
    return 0;
  }
};

}  // namespace

Command& DevicesCommand() {
  static Devices command;
  return command;
}

}  // namespace plumb::tools
