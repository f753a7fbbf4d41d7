// Code that runs inside a device whose memory the host cannot reach, such as the kernels of a simulated accelerator.
//
// The host holds values of such a device under addresses that it cannot follow. Code inside sees the same memory under
// addresses of its own. What outlives a kernel, a variable's buffer above all, is kept as the host holds it.
#pragma once

#include <utility>

#include "spec/core/tensor.h"

namespace plumb::fast {

class Inside {
 public:
  virtual ~Inside() = default;

  // New memory of the device, as code inside sees it, uninitialised. Throws kResourceExhausted.
  virtual Tensor New(DType dtype, const Shape& shape) const = 0;
  // Whether the host holds it in the memory of this device.
  virtual bool IsHere(const Tensor& held) const = 0;
  // What the host holds, as code inside sees it; of the host's memory, itself.
  virtual Tensor Seen(const Tensor& held) const = 0;
  // What the host holds of what code inside sees. Numbers in the host's memory are brought into the device's.
  virtual Tensor Held(const Tensor& seen) const = 0;
  // Elements of one tensor into another of as many, of the same type, both as code inside sees them, where it does not
  // follow the addresses itself: in the order of the device's work.
  virtual void Copy(const Tensor& /*from*/, Tensor& /*to*/) const {
    throw Internal("a device whose code follows its addresses was asked to copy for it");
  }

  // Where this thread runs; null: on the host.
  static const Inside* Current() { return current_; }

 private:
  friend class InsideScope;
  inline static thread_local const Inside* current_ = nullptr;
};

// This thread runs inside for as long as this lives.
class InsideScope {
 public:
  explicit InsideScope(const Inside& inside) : outer_(std::exchange(Inside::current_, &inside)) {}
  ~InsideScope() { Inside::current_ = outer_; }
  InsideScope(const InsideScope&) = delete;
  InsideScope& operator=(const InsideScope&) = delete;

 private:
  const Inside* const outer_;
};

// The same on either side: on the host, what is held is what is seen.
inline Tensor SeenHere(const Tensor& held) {
  const Inside* const inside = Inside::Current();
  return inside == nullptr ? held : inside->Seen(held);
}
inline Tensor HeldOf(Tensor seen) {
  const Inside* const inside = Inside::Current();
  return inside == nullptr ? std::move(seen) : inside->Held(seen);
}

}  // namespace plumb::fast
