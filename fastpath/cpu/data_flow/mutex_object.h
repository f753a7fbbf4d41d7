// Mutexes and what holds them (rule M1).
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "fastpath/cpu/lib/state/waiting_line.h"
#include "spec/core/variant.h"

namespace plumb::fast::cpu {

inline constexpr const char* kMutexTypeName = "Mutex";
inline constexpr const char* kLockTypeName = "MutexLock";

struct LockWanted {};

class MutexObject : public WaitingLine<LockWanted> {
 public:
  MutexObject() = default;
  ~MutexObject() override { Dismiss(Status(Code::kNotFound, "a mutex was dropped")); }
  MutexObject(const MutexObject&) = delete;
  MutexObject& operator=(const MutexObject&) = delete;

  void Name(const std::string& name);
  // Whoever is first in the line has it next.
  void Release();

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  std::optional<LineAnswer> TryServe(const LockWanted& wanted) override PLUMB_REQUIRES(mutex_);
  std::string Describe(const LockWanted& wanted) const override PLUMB_REQUIRES(mutex_);

  std::string name_ PLUMB_GUARDED_BY(mutex_);
  bool is_held_ PLUMB_GUARDED_BY(mutex_) = false;
};

// The lock in a variant tensor. Given up once: by ConsumeMutexLock, or when nobody has it any more.
class Lock : public VariantPayload, public std::enable_shared_from_this<Lock> {
 public:
  explicit Lock(std::shared_ptr<MutexObject> mutex) : mutex_(std::move(mutex)) {}
  ~Lock() override { GiveUp(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  // False when it was given up before.
  bool GiveUp() const;

  std::string_view type_name() const override { return kLockTypeName; }
  // Whoever read it would hold a mutex that another one holds.
  EncodedVariant Encode() const override { throw Unimplemented("a lock of a mutex cannot be written"); }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>&) const override {
    return shared_from_this();
  }

 private:
  const std::shared_ptr<MutexObject> mutex_;
  mutable std::atomic<bool> is_given_up_ = false;
};

}  // namespace plumb::fast::cpu
