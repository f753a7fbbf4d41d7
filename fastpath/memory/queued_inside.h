// Code that runs on the host for a device, and does not follow addresses of its memory: what it wants done there is
// queued, in the order of the device's work.
#pragma once

#include "fastpath/memory/inside.h"

namespace plumb::fast {

class QueuedInside : public Inside {
 public:
  // Sets the elements of a tensor of this device to zero.
  virtual void Clear(Tensor& tensor) const = 0;
  // sum[i] += more[i], of a tensor of this device and one of as many numbers of its type, wherever that lies.
  virtual void Add(Tensor& sum, const Tensor& more) const = 0;

  // Where this thread runs; null on the host, and inside a device whose code follows addresses.
  static const QueuedInside* Current() { return dynamic_cast<const QueuedInside*>(Inside::Current()); }
};

}  // namespace plumb::fast
