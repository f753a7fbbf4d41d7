#include "fastpath/cpu/data_flow/mutex_object.h"

namespace plumb::fast::cpu {

void MutexObject::Name(const std::string& name) {
  MutexLock lock(mutex_);
  name_ = name;
}

void MutexObject::Release() {
  Answers answers;
  {
    MutexLock lock(mutex_);
    is_held_ = false;
    Serve(answers);
  }
  Give(answers);
}

std::optional<LineAnswer> MutexObject::TryServe(const LockWanted&) {
  if (is_held_) return std::nullopt;
  is_held_ = true;
  Variant held;
  held.type_name = kLockTypeName;
  held.payload = std::make_shared<const Lock>(std::static_pointer_cast<MutexObject>(shared_from_this()));
  return LineAnswer{OkStatus(), {MakeScalar(std::move(held))}};
}

std::string MutexObject::Describe(const LockWanted&) const {
  return Str("mutex '", name_, "', which another one holds");
}

void MutexObject::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  writer.PutScalar<bool>("is_held", is_held_);
}

void MutexObject::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  is_held_ = reader.GetScalar<bool>("is_held");
}

bool Lock::GiveUp() const {
  if (is_given_up_.exchange(true, std::memory_order_acq_rel)) return false;
  mutex_->Release();
  return true;
}

}  // namespace plumb::fast::cpu
