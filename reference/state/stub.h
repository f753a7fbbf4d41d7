// Objects that hold nothing: they are there, or not.
#pragma once

#include "reference/state/resources.h"

namespace plumb::reference {

inline constexpr char kStubType[] = "StubResource";  // in handles

class Stub : public ClonedByCopy<Stub> {
 public:
  void Save(const StateWriter&) const override {}
  void Restore(const StateReader&) override {}
};

}  // namespace plumb::reference
