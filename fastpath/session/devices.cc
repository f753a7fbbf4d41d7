#include "fastpath/session/devices.h"

#include "fastpath/cpu/cpu_device.h"
#include "fastpath/gpu/module/open.h"
#include "fastpath/sim/sim_device.h"

namespace plumb::fast {

DeviceSet MakeDevices(const SessionOptions& options, const FastOptions& more) {
  DeviceSet devices = CpuDevices(options.cpu_devices);
  if (options.gpu_devices > 0 && options.emulated_gpus > 0) {
    throw Error(Code::kInvalidArgument, "a session has cards or emulated GPUs, not both");
  }
  if (options.gpu_devices > 0) {
    for (auto& card : OpenCards(options.gpu_devices, MakeCpuKernel)) devices.Add(std::move(card));
  }
  if (options.emulated_gpus > 0) {
    for (auto& gpu : OpenEmulatedGpus(options.emulated_gpus, MakeCpuKernel)) devices.Add(std::move(gpu));
  }
  if (options.sim_devices == 0) return devices;
  SimOptions simulated = {
      .devices = options.sim_devices, .seed = options.sim_seed, .failures_per_thousand = more.failures_per_thousand};
  if (more.accelerator_memory > 0) simulated.memory = more.accelerator_memory;
  const auto driver = NewSimDriver(simulated);
  for (int i = 0; i < options.sim_devices; ++i) {
    devices.Add(std::make_unique<SimDevice>(driver, i, options.sim_seed));
  }
  return devices;
}

}  // namespace plumb::fast
