// Objects that hold nothing: they are there, or not.
#pragma once

#include "reference/state/resources.h"

namespace plumb::reference {

inline constexpr char kStubType[] = "StubResource";  // in handles

class Stub : public ClonedByCopy<Stub> {
 public:
  // What is not written down is not there again.
  void Save(const StateWriter& writer) const override { writer.PutScalar<bool>("is_made", true); }
  void Restore(const StateReader& reader) override { static_cast<void>(reader.GetScalar<bool>("is_made")); }
};

}  // namespace plumb::reference
