#include "conformance/suites/drawn_cases.h"

namespace plumb::conformance {
namespace {

// Cases beyond this are drawn anew each time.
constexpr size_t kMostBytes = size_t{256} << 20;

size_t BytesOf(const DrawnCases::Cases& cases) {
  size_t bytes = 0;
  for (const SampledCase& drawn : cases) {
    for (const Tensor& input : drawn.inputs) bytes += input.IsSet() ? input.bytes() : 0;
  }
  return bytes;
}

}  // namespace

std::shared_ptr<const DrawnCases::Cases> DrawnCases::Small(uint64_t seed) {
  return Of(Kind::kSmall, seed, 0, [&] { return SampleInputs(op_, types_, seed); });
}

std::shared_ptr<const DrawnCases::Cases> DrawnCases::Empty(uint64_t seed) {
  return Of(Kind::kEmpty, seed, 0, [&] { return SampleEmptyInputs(op_, types_, seed); });
}

std::shared_ptr<const DrawnCases::Cases> DrawnCases::Long(uint64_t seed) {
  return Of(Kind::kLong, seed, 0, [&] { return SampleLongInputs(op_, types_, seed); });
}

std::shared_ptr<const DrawnCases::Cases> DrawnCases::Large(uint64_t seed, int64_t volume, bool single) {
  return Of(single ? Kind::kSingleLarge : Kind::kLarge, seed, volume,
            [&] { return SampleLargeInputs(op_, types_, seed, volume, single); });
}

std::shared_ptr<const DrawnCases::Cases> DrawnCases::Of(Kind kind, uint64_t seed, int64_t volume,
                                                        const std::function<Cases()>& draw) {
  const std::tuple key(kind, seed, volume);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  auto drawn = std::make_shared<const Cases>(draw());
  bytes_ += BytesOf(*drawn);
  if (bytes_ < kMostBytes) known_.emplace(key, drawn);
  return drawn;
}

}  // namespace plumb::conformance
