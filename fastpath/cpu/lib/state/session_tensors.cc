#include "fastpath/cpu/lib/state/session_tensors.h"

#include <utility>

#include "fastpath/device/brought_here.h"
#include "spec/session/saved_numbers.h"

namespace plumb::fast::cpu {

std::string SessionTensors::Keep(std::string_view node, std::string_view device, Tensor value) {
  MutexLock lock(mutex_);
  std::string handle = Str(node, ";", next_number_++, ";", device);
  values_[handle] = std::move(value);
  return handle;
}

Tensor SessionTensors::Find(const std::string& handle) {
  MutexLock lock(mutex_);
  const auto found = values_.find(handle);
  return found == values_.end() ? Tensor() : found->second;
}

bool SessionTensors::Remove(const std::string& handle) {
  MutexLock lock(mutex_);
  return values_.erase(handle) > 0;
}

void SessionTensors::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  writer.PutScalar<int64_t>("next_number", next_number_);
  writer.PutScalar<int64_t>("size", static_cast<int64_t>(values_.size()));
  int64_t i = 0;
  for (const auto& entry : values_) {
    const StateWriter to = writer.Under(Str(i++));
    to.PutScalar<std::string>("handle", entry.first);
    to.Put("tensor", ToSave(entry.second));
  }
}

void SessionTensors::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  next_number_ = reader.GetScalar<int64_t>("next_number");
  const int64_t size = SavedCount(reader, "size");
  for (int64_t i = 0; i < size; ++i) {
    const StateReader from = reader.Under(Str(i));
    values_[from.GetScalar<std::string>("handle")] = from.Get("tensor");
  }
}

}  // namespace plumb::fast::cpu
