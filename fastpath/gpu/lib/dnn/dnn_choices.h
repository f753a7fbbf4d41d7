// What was found fastest in this process: sessions that use the same card settle for the same, so that their answers
// are the same to the bit, and only the first one tries.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "fastpath/gpu/lib/dnn/dnn_engines.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::GPU_NAMESPACE {

struct DnnChoice {
  bool channels_first = true;
  std::string engine;  // its name
};

// Thread-safe.
class DnnChoices {
 public:
  static DnnChoices& Get();

  std::optional<DnnChoice> Find(int device, const DnnUse& use) const;
  // Unless there is one already, or there are very many.
  void Keep(int device, const DnnUse& use, const DnnChoice& choice);
  void Forget();

 private:
  mutable Mutex mutex_;
  std::map<std::pair<int, DnnUse>, DnnChoice> choices_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::GPU_NAMESPACE
