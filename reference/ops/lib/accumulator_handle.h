// The accumulator that a handle names, and the attempt at it (rules C1–C5).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/named_resource.h"
#include "reference/state/accumulator.h"

namespace plumb::reference {

inline std::shared_ptr<Accumulator> AccumulatorOf(const OpContext& c) {
  const ResourceName name = NamedBy(c, kAccumulatorType);
  auto accumulator = c.resources.Share<Accumulator>(name);
  // The attempt was made at one that is gone, though there may be another one in its place.
  if (accumulator != nullptr && c.resumed && !accumulator->Has(c.execution)) accumulator = nullptr;
  if (accumulator == nullptr) {
    throw NotFound("there is no accumulator '", name.name, "' in the container '", name.container, "'");
  }
  return accumulator;
}

inline void RequireKind(const Accumulator& accumulator, DType dtype, bool is_sparse) {
  Require(accumulator.dtype == dtype && accumulator.is_sparse == is_sparse, "the accumulator '", accumulator.name,
          "' adds ", accumulator.is_sparse ? "rows of " : "tensors of ", DTypeName(accumulator.dtype), ", not ",
          is_sparse ? "rows of " : "tensors of ", DTypeName(dtype));
}

inline void MakeAccumulator(OpContext& c, bool is_sparse) {
  const ResourceName name = NameOf(c.node);
  Accumulator& accumulator = c.resources.FindOrCreate<Accumulator>(name);
  if (accumulator.name.empty()) {
    const std::string& shared_name = c.attr<std::string>("shared_name");
    accumulator.name = shared_name.empty() ? c.node.name : shared_name;
  }
  if (accumulator.dtype == DType::kInvalid) {
    accumulator.dtype = c.attr<DType>("dtype");
    accumulator.shape = c.attr<PartialShape>("shape");
    accumulator.is_sparse = is_sparse;
    accumulator.is_mean = c.attr<std::string>("reduction_type") == "MEAN";
  }
  OutputHandle(c, name, kAccumulatorType);
}

// Whether a gradient of the step at input 1 is still wanted (rule C1).
inline bool IsWanted(const OpContext& c, const Accumulator& accumulator) {
  return ScalarOf(c.tensor(1), "local_step") >= accumulator.global_step();
}

// C2: the gradients that input 1 asks for. Nothing while there are too few: then the kernel waits.
inline std::optional<LineAnswer> Taken(OpContext& c, const std::shared_ptr<Accumulator>& accumulator, bool is_sparse,
                                       DType dtype) {
  if (!c.resumed) {
    RequireKind(*accumulator, dtype, is_sparse);
    const int64_t wanted = ScalarOf(c.tensor(1), "num_required");
    Require(wanted > 0, "num_required must be positive, but is ", wanted);
    accumulator->Ask(c.execution, static_cast<GradientsWanted>(wanted));
  }
  if (!accumulator->IsServed(c.execution)) {
    c.Park(accumulator);
    return std::nullopt;
  }
  return accumulator->Fetch(c.execution);
}

// Each of n rows of `sum` divided by its number; one number: of all.
inline Value Divided(const Value& sum, std::span<const int64_t> counts) {
  ForKind<Real>(sum.tensor.dtype(), [](auto) {});
  const Reader<Real> from(sum);
  Writer<Real> to(sum.tensor.dtype(), sum.tensor.shape());
  const int64_t row = std::max<int64_t>(1, from.size() / std::max<int64_t>(1, std::ssize(counts)));
  for (int64_t i = 0; i < from.size(); ++i) {
    const double count = RoundTo(sum.tensor.dtype(), static_cast<double>(counts[static_cast<size_t>(i / row)]));
    to.Set(i, from[i] / Real{count, 0, 0});
  }
  return to.Take();
}

}  // namespace plumb::reference
