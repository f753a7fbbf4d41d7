// Values that a session keeps for later steps, by handle (rule S11).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "fastpath/device/resources.h"
#include "spec/core/tensor.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::cpu {

class SessionTensors : public Resource {
 public:
  // The session's own, whichever device asks.
  static ResourceKey Key() { return {"session", "_session_tensors", "all"}; }

  // Keeps the value under a new handle: "node;number;device".
  std::string Keep(std::string_view node, std::string_view device, Tensor value);
  // Not set where nothing is kept under this handle.
  Tensor Find(const std::string& handle);
  bool Remove(const std::string& handle);

  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;

 private:
  mutable Mutex mutex_;
  int64_t next_number_ PLUMB_GUARDED_BY(mutex_) = 0;
  std::map<std::string, Tensor> values_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::cpu
