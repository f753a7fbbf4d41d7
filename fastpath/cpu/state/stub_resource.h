// Objects that hold nothing: they are there, or not.
#pragma once

#include <atomic>

#include "fastpath/device/resources.h"

namespace plumb::fast::cpu {

inline constexpr const char* kStubTypeName = "StubResource";

class StubObject : public Resource {
 public:
  // Whether the caller is the first.
  bool Make() { return !is_made_.exchange(true); }
  void Save(const StateWriter&) const override {}
  void Restore(const StateReader&) override { is_made_ = true; }

 private:
  std::atomic<bool> is_made_ = false;
};

}  // namespace plumb::fast::cpu
