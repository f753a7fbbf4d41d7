// Where the members of groups bring their tensors, and get what all of them brought.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fastpath/device/thread_pool.h"
#include "spec/core/tensor.h"
#include "spec/ops/collective_member.h"

namespace plumb::fast::cpu {

// Thread-safe. No answer is given under a lock.
class CollectiveExchange {
 public:
  // The tensor is set where the status is OK.
  using Answer = std::function<void(const Status&, Tensor)>;

  virtual ~CollectiveExchange() = default;
  // Where members are that say nothing of it: "/job:worker/replica:0/task:1".
  virtual std::string_view task() const = 0;
  // A member of this step comes (by the rendezvous that the step's kernels see; null where it has none), with its input
  // where it brings one, which nobody changes any more. Gives the attempt's ticket. `answer` is called once, here or
  // later on any thread, unless Leave was first; it may compute on `pool`.
  virtual int64_t Join(const void* step, const CollectiveMember& member, Tensor input, ThreadPool& pool,
                       Answer answer) = 0;
  // The member's step is over (CO6). Afterwards its answer is not called, unless that is under way.
  virtual void Leave(int64_t ticket) = 0;
  // What an attempt waits for: "the others: …".
  virtual std::string Describe(int64_t ticket) = 0;
};

}  // namespace plumb::fast::cpu
