// What drivers of accelerators offer, in a dozen calls. The simulated one (fastpath/sim/sim_driver.h) keeps the rest of
// the code honest; that of CUDA cards (fastpath/gpu/runtime/) says the same words in its vendor's library. How work is
// launched differs, so each adds its own.
//
// Work goes to streams. A stream does one thing after the other; streams of a device know nothing of each other but
// through events. Everything but memory and Synchronize returns at once.
//
// Failures. What cannot be begun throws Error. Work that fails spoils its stream: nothing given to the stream later is
// done, and its first failure is what Notify and Synchronize report.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "spec/core/status.h"

namespace plumb::fast {

// A place in a device's memory, as a number in the guise of a pointer: only its device may follow it.
using DevicePointer = char*;

class Driver {
 public:
  class Stream {
   public:
    virtual ~Stream() = default;
  };
  class Event {
   public:
    virtual ~Event() = default;
  };
  virtual ~Driver() = default;

  virtual int devices() const = 0;
  // Aligned for tensors; throws kResourceExhausted.
  virtual DevicePointer Allocate(int device, size_t bytes) = 0;
  virtual void Free(int device, DevicePointer memory) = 0;
  // Whether what was freed may be given out again while work that uses it is still queued. Who gets it then queues
  // behind that work.
  virtual bool gives_out_early() const { return false; }
  // Memory of the host from which, and to which, copies go without making whoever asks for them wait; null where there
  // is none, or none left. No more than a megabyte at a time.
  virtual std::shared_ptr<char> TakePinned(size_t /*bytes*/) { return nullptr; }
  // Streams live as long as somebody holds them; the last one to let go waits for the work.
  virtual std::shared_ptr<Stream> NewStream(int device) = 0;
  // That on which a device's kernels run. Where memory is given out early it is one for all who have the memory of the
  // device from this driver: else what one of them freed would be another's while it is still written.
  virtual std::shared_ptr<Stream> KernelStream(int device) { return NewStream(device); }

  // `to` and `from` stay as they are until the stream has passed.
  virtual void CopyToDevice(Stream& stream, DevicePointer to, const void* from, size_t bytes) = 0;
  virtual void CopyToHost(Stream& stream, void* to, DevicePointer from, size_t bytes) = 0;
  // From one place of the device's memory to another; they do not overlap.
  virtual void CopyWithin(Stream& stream, DevicePointer to, DevicePointer from, size_t bytes) = 0;
  // From another device to that of the stream.
  virtual void CopyFromPeer(Stream& stream, DevicePointer to, int peer, DevicePointer from, size_t bytes) = 0;
  // Calls back on the host, when the stream comes so far, with its first failure or OK.
  virtual void Notify(Stream& stream, std::function<void(const Status&)> callback) = 0;

  // An event happens when its stream comes so far; a stream that waits for one does nothing before.
  virtual std::shared_ptr<Event> Record(Stream& stream) = 0;
  virtual void Wait(Stream& stream, const std::shared_ptr<Event>& event) = 0;
  virtual bool HasHappened(const Event& event) = 0;
  // Returns when the stream has done all it was given.
  virtual Status Synchronize(Stream& stream) = 0;
};

}  // namespace plumb::fast
