#include "fastpath/gpu/emulator/capture.h"

#include <algorithm>
#include <utility>

namespace plumb::fast::emulated_gpu::emulator {

bool Capture::Forbids() const {
  if (mode_ == cudaStreamCaptureModeRelaxed) return false;
  if (mode_ == cudaStreamCaptureModeThreadLocal && std::this_thread::get_id() != thread_) return false;
  MutexLock lock(mutex_);
  return !has_ended_;
}

void Capture::Add(const Stream& stream, Stream::Work work) {
  MutexLock lock(mutex_);
  work_.push_back(std::move(work));
  const auto part = parts_.find(&stream);
  if (part == parts_.end()) return;
  part->second.position = work_.size();
  part->second.is_joined = false;
}

void Capture::Invalidate() {
  MutexLock lock(mutex_);
  is_valid_ = false;
}

bool Capture::is_valid() const {
  MutexLock lock(mutex_);
  return is_valid_;
}

void Capture::Enter(std::shared_ptr<Stream> stream) {
  MutexLock lock(mutex_);
  const Stream* const key = stream.get();
  parts_[key] = {std::move(stream), work_.size(), false};
}

size_t Capture::PositionOf(const Stream& stream) const {
  MutexLock lock(mutex_);
  const auto part = parts_.find(&stream);
  return part == parts_.end() ? 0 : part->second.position;
}

void Capture::Join(const Stream& waiting, const Stream& awaited, size_t position) {
  MutexLock lock(mutex_);
  const auto part = parts_.find(&awaited);
  if (&waiting != origin_ || part == parts_.end()) return;
  if (part->second.position == position) part->second.is_joined = true;
}

std::vector<std::shared_ptr<Stream>> Capture::others() const {
  MutexLock lock(mutex_);
  std::vector<std::shared_ptr<Stream>> streams;
  for (const auto& [key, part] : parts_) streams.push_back(part.stream);
  return streams;
}

bool Capture::IsJoined() const {
  MutexLock lock(mutex_);
  return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part.second.is_joined; });
}

GraphWork Capture::End() {
  MutexLock lock(mutex_);
  has_ended_ = true;
  return std::exchange(work_, {});
}

}  // namespace plumb::fast::emulated_gpu::emulator
