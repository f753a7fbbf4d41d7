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
    for (const auto& [handle, stream] : streams_) stream->Close();
    streams_.clear();
    events_.clear();
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

cudaEvent_t World::NewEvent(const std::shared_ptr<Device>& device) {
  MutexLock lock(mutex_);
  auto event = std::make_unique<Event>(Event{device, nullptr});
  const auto handle = reinterpret_cast<cudaEvent_t>(event.get());
  events_[handle] = std::move(event);
  return handle;
}

Event World::Find(cudaEvent_t event) const {
  MutexLock lock(mutex_);
  const auto found = events_.find(event);
  return found == events_.end() ? Event() : *found->second;
}

void World::SetRecorded(cudaEvent_t event, std::shared_ptr<Moment> moment) {
  MutexLock lock(mutex_);
  const auto found = events_.find(event);
  if (found != events_.end()) found->second->recorded = std::move(moment);
}

bool World::Destroy(cudaEvent_t event) {
  MutexLock lock(mutex_);
  return events_.erase(event) > 0;
}

}  // namespace plumb::fast::emulated_gpu::emulator

namespace plumb::fast::emulated_gpu {

void ConfigureEmulator(const EmulatorOptions& options) { emulator::World::Get().Configure(options); }

Status EmulatorFailure(cudaStream_t stream) {
  const auto found = emulator::World::Get().Find(stream);
  return found == nullptr ? Status(Code::kInternal, "the emulator knows no such stream") : found->device()->failure();
}

}  // namespace plumb::fast::emulated_gpu
