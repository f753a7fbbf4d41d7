// What members reduce, as a run asks numbers to travel between tasks (white paper, section 5.5): float32 as bfloat16,
// which the members' meeting is one of then. What each brings is cut or rounded once; sums stay float32 on their way,
// as those of bfloat16 do (rule CO3), and are rounded once at the end. So all members have the same bits, whichever way
// their tensors take.
#pragma once

#include "fastpath/compile/placement/partition.h"
#include "fastpath/device/thread_pool.h"
#include "spec/core/tensor.h"
#include "spec/ops/collective_member.h"

namespace plumb::dist {

// Whether what such a member brings, and gets, travels as bfloat16 between tasks.
bool TravelsAsBfloat16(const CollectiveMember& member, fast::Wire wire);

// Float32 as bfloat16. Throws kResourceExhausted where there is no memory.
Tensor ForTheWire(fast::ThreadPool& pool, const Tensor& brought, fast::Wire wire);
// The way back.
Tensor FromTheWire(fast::ThreadPool& pool, const Tensor& came);

}  // namespace plumb::dist
