// A CPU of a task as a device: of this process, or of another one, which has the same kernels.
#pragma once

#include "fastpath/cpu/cpu_device.h"
#include "mpi/cluster/cluster.h"

namespace plumb::dist {

class TaskDevice : public fast::Device {
 public:
  TaskDevice(const std::string& name, bool is_remote) : Device(name, nullptr), is_remote_(is_remote) {}

  bool is_remote() const override { return is_remote_; }
  int priority() const override { return 60; }
  bool HasKernel(const Node& node) const override {
    if (fast::RunsOnEveryDevice(node.op->kind)) return true;
    return fast::FindCpuKernel(node.op->name) != nullptr && fast::HasDeclaredTypes(node);
  }
  bool ReadsOnHost(const Node&, int) const override { return true; }
  bool WritesOnHost(const Node&, int) const override { return true; }
  void CopyFromHost(Tensor value, CopyDone done) override { done(OkStatus(), std::move(value)); }
  void CopyToHost(int64_t /*step_id*/, Tensor value, CopyDone done) override { done(OkStatus(), std::move(value)); }
  void Synchronize() override {}

 protected:
  std::shared_ptr<fast::Kernel> MakeOwnKernel(const Node& node) override { return fast::MakeCpuKernel(node); }

 private:
  const bool is_remote_;
};

// The devices of one task alone.
inline fast::DeviceSet OwnDevices(const Cluster& cluster, int rank, int cpus) {
  fast::DeviceSet devices;
  for (int cpu = 0; cpu < cpus; ++cpu) {
    devices.Add(std::make_unique<TaskDevice>(cluster.DeviceName(rank, cpu), false));
  }
  return devices;
}
// Those of all tasks, the own ones first: that is where nodes go that ask for nothing.
inline fast::DeviceSet AllDevices(const Cluster& cluster, int rank, int cpus) {
  fast::DeviceSet devices = OwnDevices(cluster, rank, cpus);
  for (int other = 0; other < cluster.size(); ++other) {
    for (int cpu = 0; cpu < cpus && other != rank; ++cpu) {
      devices.Add(std::make_unique<TaskDevice>(cluster.DeviceName(other, cpu), true));
    }
  }
  return devices;
}

}  // namespace plumb::dist
