#include "reference/state/mutex.h"

namespace plumb::reference {

void Mutex::Release() {
  is_held_ = false;
  Serve();
}

void Mutex::Drop(int64_t ticket) {
  const bool has_it = IsServed(ticket);
  WaitingLine::Drop(ticket);
  if (has_it) Release();
}

std::optional<LineAnswer> Mutex::TryServe(const LockWanted&) {
  if (is_held_) return std::nullopt;
  is_held_ = true;
  return LineAnswer{OkStatus()};
}

std::string Mutex::Describe(const LockWanted&) const { return Str("mutex '", name, "', which another one holds"); }

void Mutex::Save(const StateWriter& writer) const { writer.PutScalar<bool>("is_held", is_held_); }
void Mutex::Restore(const StateReader& reader) { is_held_ = reader.GetScalar<bool>("is_held"); }

std::shared_ptr<Resource> HeldLock::Clone(Copies& copies) const {
  auto clone = std::make_shared<HeldLock>();
  clone->Hold(copies.Of(mutex_));
  return clone;
}

}  // namespace plumb::reference
