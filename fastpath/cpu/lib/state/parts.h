// Parts of tensors, put together and cut out by whoever copies here: the host, code inside a device, or a device that
// the host only queues work for.
#pragma once

#include <vector>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"
#include "fastpath/memory/queued_inside.h"

namespace plumb::fast::cpu {

// Calls copy(i) for every part, on the pool; or here, where a device does the copying. `elements`: of all parts
// together.
template <class Copy>
void CopyParts(ThreadPool& pool, size_t parts, int64_t elements, const Copy& copy) {
  if (QueuedInside::Current() != nullptr) {
    for (size_t i = 0; i < parts; ++i) copy(i);
    return;
  }
  const int64_t each = parts == 0 ? 1 : elements / static_cast<int64_t>(parts);
  pool.ParallelFor(static_cast<int64_t>(parts), GrainFor(each), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) copy(static_cast<size_t>(i));
  });
}

// to[to_at + i] = from[from_at + i], for i below `count`.
void CopyPart(const Tensor& from, int64_t from_at, Tensor& to, int64_t to_at, int64_t count);

// The elements from `at` on, as many as `count`, of a tensor that nobody else writes: in its buffer.
Tensor PartOf(const Tensor& tensor, int64_t at, int64_t count);

// The parts of `value` that have these shapes, one after the other: in its buffer where they begin aligned, else as
// tensors of their own.
std::vector<Tensor> CutParts(ThreadPool& pool, const Tensor& value, const std::vector<Shape>& shapes);

}  // namespace plumb::fast::cpu
