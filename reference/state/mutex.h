// Mutexes and what holds them (rule M1).
#pragma once

#include <memory>
#include <string>

#include "reference/state/waiting_line.h"

namespace plumb::reference {

inline constexpr char kMutexType[] = "Mutex";     // in handles
inline constexpr char kLockType[] = "MutexLock";  // of the variant that says a lock
inline constexpr char kLockContainer[] = "_mutex_locks";

struct LockWanted {};

class Mutex : public ClonedByCopy<Mutex, WaitingLine<LockWanted>> {
 public:
  // Whoever is first in the line has it next.
  void Release();
  // An attempt whose step ended before it learned of its answer holds nothing.
  void Drop(int64_t ticket) override;

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  std::optional<LineAnswer> TryServe(const LockWanted& wanted) override;
  std::string Describe(const LockWanted& wanted) const override;

  bool is_held_ = false;
};

// A lock that a step holds: given up when it goes, with its step at the latest.
class HeldLock : public Resource {
 public:
  HeldLock() = default;
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;
  ~HeldLock() override {
    if (mutex_ != nullptr) mutex_->Release();
  }
  void Hold(std::shared_ptr<Mutex> mutex) { mutex_ = std::move(mutex); }
  std::shared_ptr<Resource> Clone(Copies& copies) const override;

 private:
  std::shared_ptr<Mutex> mutex_;
};

}  // namespace plumb::reference
