// What a library says that its nodes did in a step that is traced.
#pragma once

#include "backends/library/library.h"
#include "spec/core/thread_annotations.h"
#include "spec/session/session.h"

namespace plumb::library {

class Trace {
 public:
  explicit Trace(const Library& library) : library_(library) {}

  const PlumbTrace* lent() const { return &lent_; }
  // After the step: what was said, device by device in the order in which they were named. Throws a fault of the
  // library where something cannot have been.
  RunMetadata Finish();

 private:
  bool Take(const PlumbNodeStats* stats);

  const Library& library_;
  const PlumbTrace lent_{this, [](void* self, const PlumbNodeStats* stats) noexcept -> int32_t {
                           return static_cast<Trace*>(self)->Take(stats) ? 0 : 1;
                         }};
  Mutex mutex_;
  RunMetadata taken_ PLUMB_GUARDED_BY(mutex_);
  Status fault_ PLUMB_GUARDED_BY(mutex_);  // the first
};

}  // namespace plumb::library
