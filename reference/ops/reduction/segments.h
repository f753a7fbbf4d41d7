// Rows that belong together because their segment numbers, which ascend, are equal.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

// Rows [begin, end) are in segment `id`.
struct SegmentRun {
  int64_t id = 0, begin = 0, end = 0;
};

struct Segments {
  int64_t count = 0;  // one more than the last number, unless it is given
  std::vector<SegmentRun> runs;
};

// kInvalidArgument for numbers that descend, are negative, or are not below a `count` that is given.
inline Segments SegmentsOf(const Tensor& ids, std::optional<int64_t> count = std::nullopt) {
  Require(ids.rank() == 1, "segment_ids must be a vector, not of shape ", ids.shape().ToString());
  Segments segments;
  const std::vector<int64_t> id = ToInt64s(ids);
  const int64_t largest =
      ids.dtype() == DType::kInt32 ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < id.size(); ++i) {
    const int64_t last = i == 0 ? 0 : id[i - 1], row = static_cast<int64_t>(i);
    Require(id[i] >= last, "segment_ids must ascend from 0 on, but segment_ids[", row, "] = ", id[i], " follows ",
            last);
    Require(id[i] < largest, "segment_ids[", row, "] = ", id[i], " is too large");
    if (segments.runs.empty() || segments.runs.back().id != id[i]) segments.runs.push_back({id[i], row, row});
    segments.runs.back().end = row + 1;
  }
  const int64_t needed = id.empty() ? 0 : id.back() + 1;
  segments.count = count.value_or(needed);
  Require(segments.count >= needed, "segment_ids must be below num_segments = ", segments.count, ", but the last is ",
          needed - 1);
  return segments;
}

// The shape of `data` with so many rows.
inline Shape WithRows(const Tensor& data, int64_t rows) {
  Require(data.rank() >= 1, "data must have one dimension at least");
  return WithDim(data.shape(), 0, rows);
}
inline int64_t RowWidth(const Tensor& data) { return Subshape(data.shape(), 1, data.rank()).elements(); }

}  // namespace plumb::reference
