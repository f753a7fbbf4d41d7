#include "fastpath/gpu/emulator/world.h"

#include <algorithm>
#include <utility>

namespace plumb::fast::emulated_gpu::emulator {

World& World::Get() {
  static World& world = *new World;  // streams may run until the process ends
  return world;
}

World::World() { Configure(EmulatorOptions()); }

void World::Configure(const EmulatorOptions& options) {
  std::vector<std::weak_ptr<Stream>> started;
  {
    MutexLock lock(mutex_);
    for (const auto& [handle, stream] : streams_) {
      stream->SetCapture(nullptr);
      stream->Close();
    }
    streams_.clear();
    events_.clear();
    graphs_.clear();
    execs_.clear();
    started.swap(started_);
  }
  for (const auto& stream : started) {
    if (const auto running = stream.lock()) running->AwaitEnd();
  }
  pinned_.Clear();
  MutexLock lock(mutex_);
  options_ = options;
  next_stream_ = 0;
  devices_.clear();
  for (int i = 0; i < options.devices; ++i) devices_.push_back(std::make_shared<Device>(i, options.memory));
}

int World::devices() const {
  MutexLock lock(mutex_);
  return static_cast<int>(devices_.size());
}

std::shared_ptr<Device> World::device(int number) const {
  MutexLock lock(mutex_);
  return number < 0 || number >= static_cast<int>(devices_.size()) ? nullptr : devices_[number];
}

std::shared_ptr<Device> World::OwnerOf(const void* address) const {
  MutexLock lock(mutex_);
  const auto owner =
      std::find_if(devices_.begin(), devices_.end(), [&](const auto& device) { return device->Owns(address); });
  return owner == devices_.end() ? nullptr : *owner;
}

cudaStream_t World::NewStream(const std::shared_ptr<Device>& device) {
  MutexLock lock(mutex_);
  const uint64_t seed = options_.seed * 1000003 + next_stream_++;
  auto stream = Stream::Start(device, seed, options_.failures_per_thousand);
  const auto handle = reinterpret_cast<cudaStream_t>(stream.get());
  std::erase_if(started_, [](const auto& other) { return other.expired(); });
  started_.push_back(stream);
  streams_[handle] = std::move(stream);
  return handle;
}

std::shared_ptr<Stream> World::Find(cudaStream_t stream) const {
  MutexLock lock(mutex_);
  const auto found = streams_.find(stream);
  return found == streams_.end() ? nullptr : found->second;
}

bool World::Destroy(cudaStream_t stream) {
  MutexLock lock(mutex_);
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return false;
  found->second->Close();
  streams_.erase(found);
  return true;
}

std::vector<std::shared_ptr<Stream>> World::StreamsOf(const Device& device) {
  MutexLock lock(mutex_);
  std::vector<std::shared_ptr<Stream>> streams;
  for (const auto& started : started_) {
    auto stream = started.lock();
    if (stream != nullptr && stream->device().get() == &device) streams.push_back(std::move(stream));
  }
  return streams;
}

cudaEvent_t World::NewEvent(const std::shared_ptr<Device>& device, bool is_timed) {
  MutexLock lock(mutex_);
  auto event = std::make_unique<Event>();
  event->device = device;
  event->is_timed = is_timed;
  const auto handle = reinterpret_cast<cudaEvent_t>(event.get());
  events_[handle] = std::move(event);
  return handle;
}

Event World::Find(cudaEvent_t event) const {
  MutexLock lock(mutex_);
  const auto found = events_.find(event);
  return found == events_.end() ? Event() : *found->second;
}

void World::SetRecorded(cudaEvent_t event, Event recorded) {
  MutexLock lock(mutex_);
  const auto found = events_.find(event);
  if (found != events_.end()) *found->second = std::move(recorded);
}

bool World::Destroy(cudaEvent_t event) {
  MutexLock lock(mutex_);
  return events_.erase(event) > 0;
}

void World::Begin(const std::shared_ptr<Capture>& capture) {
  MutexLock lock(mutex_);
  std::erase_if(captures_, [](const auto& other) { return other.expired(); });
  captures_.push_back(capture);
}

bool World::RefusedByCaptures() {
  MutexLock lock(mutex_);
  bool is_refused = false;
  for (const auto& weak : captures_) {
    const auto capture = weak.lock();
    if (capture == nullptr || !capture->Forbids()) continue;
    capture->Invalidate();
    is_refused = true;
  }
  return is_refused;
}

cudaGraph_t World::NewGraph(Graph graph) {
  MutexLock lock(mutex_);
  auto made = std::make_unique<Graph>(std::move(graph));
  const auto handle = reinterpret_cast<cudaGraph_t>(made.get());
  graphs_[handle] = std::move(made);
  return handle;
}

Graph World::Find(cudaGraph_t graph) const {
  MutexLock lock(mutex_);
  const auto found = graphs_.find(graph);
  return found == graphs_.end() ? Graph() : *found->second;
}

bool World::Destroy(cudaGraph_t graph) {
  MutexLock lock(mutex_);
  return graphs_.erase(graph) > 0;
}

cudaGraphExec_t World::NewExec(const Graph& graph, void* memory) {
  MutexLock lock(mutex_);
  auto made = std::make_shared<GraphExec>();
  made->graph = graph;
  made->memory = memory;
  const auto handle = reinterpret_cast<cudaGraphExec_t>(made.get());
  execs_[handle] = std::move(made);
  return handle;
}

std::shared_ptr<GraphExec> World::Find(cudaGraphExec_t exec) const {
  MutexLock lock(mutex_);
  const auto found = execs_.find(exec);
  return found == execs_.end() ? nullptr : found->second;
}

bool World::Destroy(cudaGraphExec_t exec) {
  MutexLock lock(mutex_);
  return execs_.erase(exec) > 0;
}

}  // namespace plumb::fast::emulated_gpu::emulator

namespace plumb::fast::emulated_gpu {

LaunchCounts EmulatorLaunches() {
  const emulator::World::Counters& counters = emulator::World::Get().counters();
  return {counters.kernels, counters.graphs, counters.copies, counters.fills};
}

void ConfigureEmulator(const EmulatorOptions& options) { emulator::World::Get().Configure(options); }

Status EmulatorFailure(cudaStream_t stream) {
  const auto found = emulator::World::Get().Find(stream);
  return found == nullptr ? Status(Code::kInternal, "the emulator knows no such stream") : found->device()->failure();
}

// That of a program without the emulator says no (cmake/bundle/emulator.cc).
bool IsThere();
bool IsThere() { return true; }

}  // namespace plumb::fast::emulated_gpu
