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
  void Save(const StateWriter& writer) const override { writer.PutScalar<bool>("is_made", is_made_); }
  void Restore(const StateReader& reader) override { is_made_ = reader.GetScalar<bool>("is_made"); }

 private:
  std::atomic<bool> is_made_ = false;
};

}  // namespace plumb::fast::cpu
