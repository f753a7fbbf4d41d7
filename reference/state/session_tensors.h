// Values that a session keeps for later steps, by handle (rule S11).
#pragma once

#include <map>
#include <string>

#include "reference/numbers/value.h"
#include "reference/state/resources.h"

namespace plumb::reference {

class SessionTensors : public Resource {
 public:
  // The session's own, whichever device asks.
  static ResourceName Name() { return {"session", "_session_tensors", "all"}; }

  // A number that no handle has had.
  int64_t NextNumber() { return next_number_++; }
  void Keep(const std::string& handle, Value value) { values_[handle] = std::move(value); }
  // Null where nothing is kept under this handle.
  const Value* Find(const std::string& handle) const;
  bool Remove(const std::string& handle) { return values_.erase(handle) > 0; }

  std::shared_ptr<Resource> Clone(Copies& copies) const override;
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  int64_t next_number_ = 0;
  std::map<std::string, Value> values_;
};

}  // namespace plumb::reference
