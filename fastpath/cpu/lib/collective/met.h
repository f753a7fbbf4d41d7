// What a meeting of collective ops comes to (rules CO3–CO5).
#pragma once

#include <span>
#include <vector>

#include "fastpath/device/thread_pool.h"
#include "spec/core/status.h"
#include "spec/core/tensor.h"
#include "spec/ops/collective_member.h"

namespace plumb::fast::cpu {

// CO3: out[i] for i < n is what the members have at i, merged in their order, and divided where `member` says so.
// `parts`: n elements of each member. All members agree with `member`.
void MergeInOrder(ThreadPool& pool, const CollectiveMember& member, std::span<const void* const> parts, void* out,
                  int64_t n);

// Whether some members' elements are merged, or those of all up to the last one.
enum class MergePart { kToSomewhere, kToTheEnd };
// CO3, for some members after others: `before` is what those come to that stand before, null where nobody does. It and
// `out` are of the type that is computed in, ComputeType; to the end, `out` is of the members' own, and what
// MergeInOrder gives for all of them. `before` may be `out`.
void MergeInOrder(ThreadPool& pool, const CollectiveMember& member, MergePart part, const void* before,
                  std::span<const void* const> parts, void* out, int64_t n);

// `inputs`: of those members that bring one, in the order of CO3. Fails where there is no memory.
Status WhatComesOf(ThreadPool& pool, const CollectiveMember& member, std::vector<Tensor> inputs, Tensor& result);

// CO4: the shape of what all members together bring to a CollectiveGather.
Shape GatheredShape(const CollectiveMember& member);

}  // namespace plumb::fast::cpu
