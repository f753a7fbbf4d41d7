// What the fake CUDA runtime knows: devices, streams, events, graphs and pinned memory, by their handles.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "fastpath/gpu/emulator/capture.h"
#include "fastpath/gpu/emulator/device.h"
#include "fastpath/gpu/emulator/emulator.h"
#include "fastpath/gpu/emulator/stream.h"

namespace plumb::fast::emulated_gpu::emulator {

// What was recorded in an event last; nothing at first.
struct Event {
  std::shared_ptr<Device> device;
  bool is_timed = false;
  std::shared_ptr<Moment> recorded;
  // In place of a moment, where a stream captured then.
  std::shared_ptr<Capture> captured;
  std::shared_ptr<Stream> stream;
  size_t position = 0;
};

// What was captured, and the same made ready to be launched.
struct Graph {
  std::shared_ptr<Device> device;
  std::shared_ptr<const GraphWork> work;
};
struct GraphExec {
  Graph graph;
  void* memory = nullptr;  // of the device
  Mutex turn;              // it is done once at a time
  std::atomic<int> queued{0};
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

  cudaEvent_t NewEvent(const std::shared_ptr<Device>& device, bool is_timed);
  // Without a device for a handle that is not known.
  Event Find(cudaEvent_t event) const;
  // What was recorded in the event now.
  void SetRecorded(cudaEvent_t event, Event recorded);
  bool Destroy(cudaEvent_t event);

  void Begin(const std::shared_ptr<Capture>& capture);
  // Whether a capture that goes on forbids this thread what is unsafe meanwhile; such a one ends in nothing.
  bool RefusedByCaptures();

  cudaGraph_t NewGraph(Graph graph);
  // Without a device, or null, for a handle that is not known.
  Graph Find(cudaGraph_t graph) const;
  bool Destroy(cudaGraph_t graph);
  cudaGraphExec_t NewExec(const Graph& graph, void* memory);
  std::shared_ptr<GraphExec> Find(cudaGraphExec_t exec) const;
  bool Destroy(cudaGraphExec_t exec);

  // How many were asked for.
  struct Counters {
    std::atomic<int64_t> kernels{0}, graphs{0}, copies{0}, fills{0};
  };
  Counters& counters() { return counters_; }

 private:
  World();

  mutable Mutex mutex_;
  EmulatorOptions options_ PLUMB_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<Device>> devices_ PLUMB_GUARDED_BY(mutex_);
  std::map<cudaStream_t, std::shared_ptr<Stream>> streams_ PLUMB_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Stream>> started_ PLUMB_GUARDED_BY(mutex_);
  std::map<cudaEvent_t, std::unique_ptr<Event>> events_ PLUMB_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Capture>> captures_ PLUMB_GUARDED_BY(mutex_);
  std::map<cudaGraph_t, std::unique_ptr<Graph>> graphs_ PLUMB_GUARDED_BY(mutex_);
  std::map<cudaGraphExec_t, std::shared_ptr<GraphExec>> execs_ PLUMB_GUARDED_BY(mutex_);
  Counters counters_;
  uint64_t next_stream_ PLUMB_GUARDED_BY(mutex_) = 0;
  PinnedMemory pinned_;
};

}  // namespace plumb::fast::emulated_gpu::emulator
