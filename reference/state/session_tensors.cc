#include "reference/state/session_tensors.h"

#include "reference/state/variable.h"
#include "spec/session/saved_numbers.h"

namespace plumb::reference {

const Value* SessionTensors::Find(const std::string& handle) const {
  const auto found = values_.find(handle);
  return found == values_.end() ? nullptr : &found->second;
}

// What is kept may be aliases, whose buffers have copies of their own in the fork.
std::shared_ptr<Resource> SessionTensors::Clone(Copies& copies) const {
  auto clone = std::make_shared<SessionTensors>(*this);
  for (auto& [handle, value] : clone->values_) Relink(value, copies);
  return clone;
}

void SessionTensors::Save(const StateWriter& writer) const {
  writer.PutScalar<int64_t>("next_number", next_number_);
  writer.PutScalar<int64_t>("size", std::ssize(values_));
  int64_t i = 0;
  for (const auto& [handle, value] : values_) {
    const StateWriter entry = writer.Under(Str(i++));
    entry.PutScalar<std::string>("handle", handle);
    SaveValue(entry, value);
  }
}

void SessionTensors::Restore(const StateReader& reader) {
  next_number_ = reader.GetScalar<int64_t>("next_number");
  const int64_t size = SavedCount(reader, "size");
  for (int64_t i = 0; i < size; ++i) {
    const StateReader entry = reader.Under(Str(i));
    values_[entry.GetScalar<std::string>("handle")] = RestoredValue(entry);
  }
}

}  // namespace plumb::reference
