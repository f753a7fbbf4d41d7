#include "fastpath/formulas/random/bounded_normal.h"

namespace plumb::fast {
namespace {

constexpr int64_t kSamplesPerBatch = 100;  // where all samples have the same parameters

// Whether all rows have the same parameters, said in the way that lets TensorFlow cut batches as it likes.
bool AreShared(const std::array<const Shape*, 4>& parameters, int64_t rows) {
  bool shared = true;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Shape& parameter = *parameters[i];
    Require(parameter.rank() <= 1, "parameters must be scalars or vectors, not ", parameter.ToString());
    shared = shared && (parameter.rank() == 0 || (i < 2 && parameter.elements() == 1));
  }
  for (const Shape* const parameter : parameters) {
    Require(shared || parameter->elements() == 1 || parameter->elements() == rows,
            "a parameter must have one number, or one for each of ", rows, " rows, not the shape ",
            parameter->ToString());
  }
  return shared;
}

}  // namespace

BoundedBatches BatchesOf(const Shape& result, const std::array<const Shape*, 4>& parameters) {
  Require(result.rank() > 0, "the shape of the result must have a dimension");
  BoundedBatches cut;
  cut.batches = result[0];
  cut.samples = cut.batches == 0 ? 0 : result.elements() / cut.batches;
  if (AreShared(parameters, cut.batches)) {
    cut.samples = kSamplesPerBatch;
    cut.batches = (result.elements() + cut.samples - 1) / cut.samples;
  }
  cut.blocks = static_cast<uint64_t>(cut.batches * 2 * kMostRefusals * (cut.samples + 3) / 4);
  return cut;
}

Status RefusalOfBatch(BoundedEnd end) {
  if (end == BoundedEnd::kNoBounds) {
    return Status(Code::kInvalidArgument, Str("a deviation must be positive, and of two bounds, the "
                                              "lower of which must be less, one must be finite"));
  }
  return Status(Code::kInternal, Str("no sample within the bounds was accepted in ", kMostRefusals, " tries"));
}

}  // namespace plumb::fast
