// Neighbouring entries whose segment numbers, which ascend, are equal.
#pragma once

#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

// Segment s has the entries from begins[s] on, counts[s] of them.
class SegmentRuns {
 public:
  // ids: a vector of int32 or int64 in the device's memory. `given`: how many segments there are; negative: as many as
  // the last number says, for which the host waits. Queues what refuses numbers that descend, are negative or too
  // large; throws it where it waits.
  SegmentRuns(GpuContext& context, const Tensor& ids, int64_t given = -1);

  int64_t segments() const { return segments_; }
  Global<const int64_t> begins(const GpuContext& context) const { return context.ViewOf<int64_t>(begins_); }
  Global<const int64_t> counts(const GpuContext& context) const { return context.ViewOf<int64_t>(counts_); }

 private:
  int64_t segments_ = 0;
  Tensor begins_, counts_;
};

// The shape of data with so many rows.
Shape WithRows(const Shape& data, int64_t rows);

}  // namespace plumb::fast::GPU_NAMESPACE
