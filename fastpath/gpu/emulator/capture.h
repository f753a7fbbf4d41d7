// What streams are given while they capture: written down, not done. One capture begins and ends in one stream, its
// origin; others take part from when they wait for an event of it, and are joined when the origin waits for what they
// were given last.
#pragma once

#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "fastpath/gpu/emulator/include/cuda_runtime.h"
#include "fastpath/gpu/emulator/stream.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::emulated_gpu::emulator {

// What a graph does, in an order in which it may be done: that in which it was asked for.
using GraphWork = std::vector<Stream::Work>;

// Thread-safe.
class Capture {
 public:
  Capture(const Stream* origin, cudaStreamCaptureMode mode) : origin_(origin), mode_(mode) {}

  const Stream* origin() const { return origin_; }
  // Whether this thread may neither end it (in the relaxed mode any may) …
  bool IsOfOtherThread() const {
    return mode_ != cudaStreamCaptureModeRelaxed && std::this_thread::get_id() != thread_;
  }
  // … nor call what is unsafe while it goes on.
  bool Forbids() const;

  void Add(const Stream& stream, Stream::Work work);
  // It ends in nothing.
  void Invalidate();
  bool is_valid() const;

  // A stream that waited for an event of it takes part.
  void Enter(std::shared_ptr<Stream> stream);
  // How far a stream has come; the origin has waited for that.
  size_t PositionOf(const Stream& stream) const;
  void Join(const Stream& waiting, const Stream& awaited, size_t position);

  // Those that take part besides the origin, and whether all that they were given was waited for.
  std::vector<std::shared_ptr<Stream>> others() const;
  bool IsJoined() const;
  // It is over: what was written down.
  GraphWork End();

 private:
  struct Part {
    std::shared_ptr<Stream> stream;
    size_t position = 0;
    bool is_joined = false;
  };

  const Stream* const origin_;
  const cudaStreamCaptureMode mode_;
  const std::thread::id thread_ = std::this_thread::get_id();
  mutable Mutex mutex_;
  bool is_valid_ PLUMB_GUARDED_BY(mutex_) = true;
  bool has_ended_ PLUMB_GUARDED_BY(mutex_) = false;
  GraphWork work_ PLUMB_GUARDED_BY(mutex_);
  std::map<const Stream*, Part> parts_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::emulated_gpu::emulator
