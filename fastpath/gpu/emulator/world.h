// What the fake CUDA runtime knows: devices, streams, events and pinned memory, by their handles.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "fastpath/gpu/emulator/device.h"
#include "fastpath/gpu/emulator/emulator.h"
#include "fastpath/gpu/emulator/stream.h"

namespace plumb::fast::emulated_gpu::emulator {

// What was recorded in an event last; nothing at first.
struct Event {
  std::shared_ptr<Device> device;
  std::shared_ptr<Moment> recorded;
};

class World {
 public:
  static World& Get();

  void Configure(const EmulatorOptions& options);
  int devices() const;
  // Null for a number or an address that no device has.
  std::shared_ptr<Device> device(int number) const;
  std::shared_ptr<Device> OwnerOf(const void* address) const;
  PinnedMemory& pinned() { return pinned_; }

  cudaStream_t NewStream(const std::shared_ptr<Device>& device);
  // Null for a handle that is not known.
  std::shared_ptr<Stream> Find(cudaStream_t stream) const;
  bool Destroy(cudaStream_t stream);
  // Those that may still have work, whether they are known or not.
  std::vector<std::shared_ptr<Stream>> StreamsOf(const Device& device);

  cudaEvent_t NewEvent(const std::shared_ptr<Device>& device);
  // Without a device for a handle that is not known.
  Event Find(cudaEvent_t event) const;
  void SetRecorded(cudaEvent_t event, std::shared_ptr<Moment> moment);
  bool Destroy(cudaEvent_t event);

 private:
  World();

  mutable Mutex mutex_;
  EmulatorOptions options_ PLUMB_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<Device>> devices_ PLUMB_GUARDED_BY(mutex_);
  std::map<cudaStream_t, std::shared_ptr<Stream>> streams_ PLUMB_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Stream>> started_ PLUMB_GUARDED_BY(mutex_);
  std::map<cudaEvent_t, std::unique_ptr<Event>> events_ PLUMB_GUARDED_BY(mutex_);
  uint64_t next_stream_ PLUMB_GUARDED_BY(mutex_) = 0;
  PinnedMemory pinned_;
};

}  // namespace plumb::fast::emulated_gpu::emulator
