// Neighbouring rows whose segment numbers, which ascend, are equal.
#pragma once

#include <limits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {

struct SegmentRun {
  int64_t segment, begin, end;
};

struct SegmentRuns {
  int64_t segments = 0;
  std::vector<SegmentRun> runs;

  // `given`: how many segments there are; negative: as many as the last number says. kInvalidArgument for numbers that
  // descend, are negative, or too large.
  explicit SegmentRuns(const Tensor& ids, int64_t given = -1) {
    Require(ids.rank() == 1, "segment_ids must be a vector, not of shape ", ids.shape().ToString());
    const int64_t limit = given >= 0                     ? given
                          : ids.dtype() == DType::kInt32 ? std::numeric_limits<int32_t>::max()
                                                         : std::numeric_limits<int64_t>::max();
    int64_t last = 0;
    for (int64_t i = 0; i < ids.elements(); ++i) {
      const int64_t id = IntAt(ids, i);
      Require(id >= last, "segment_ids[", i, "] is ", id, ", but must not be below ", last);
      Require(id < limit, "segment_ids[", i, "] is ", id, ", but must be below ", limit);
      if (runs.empty() || id != last) runs.push_back({id, i, i});
      runs.back().end = i + 1;
      last = id;
    }
    segments = given >= 0 ? given : runs.empty() ? 0 : last + 1;
  }
};

// The shape of `data` with so many rows.
inline Shape WithRows(const Tensor& data, int64_t rows) {
  Require(data.rank() >= 1, "data must have at least one dimension");
  Dims dims(data.shape());
  dims[0] = rows;
  return dims.ToShape();
}

}  // namespace plumb::fast::cpu
