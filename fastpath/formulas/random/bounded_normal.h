// What ParameterizedTruncatedNormal asks of its inputs, and how it cuts its result (R86).
#pragma once

#include <array>
#include <string>

#include "spec/core/shape.h"
#include "spec/core/status.h"

namespace plumb::fast {

inline constexpr int kMostRefusals = 1000;  // in a row

// Batches of `samples` numbers each, the last one of fewer, and how many blocks of the stream they are given.
struct BoundedBatches {
  int64_t batches = 0, samples = 0;
  uint64_t blocks = 0;
};
// parameters: the shapes of means, deviations and both bounds. Throws kInvalidArgument where they do not fit the
// result.
BoundedBatches BatchesOf(const Shape& result, const std::array<const Shape*, 4>& parameters);

// Why a batch was not drawn.
enum class BoundedEnd { kDone, kNoBounds, kRefused };
Status RefusalOfBatch(BoundedEnd end);

}  // namespace plumb::fast
