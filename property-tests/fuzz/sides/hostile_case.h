// An op, types, shapes, values and attributes as a fuzzer's bytes choose them from the rows of the catalogue.
#pragma once

#include <optional>

#include "property-tests/fuzz/sides/bytes.h"
#include "spec/ops/op_def.h"
#include "spec/samples/sample.h"

namespace plumb::fuzz {

struct HostileCase {
  const OpDef* op = nullptr;
  SampledCase sampled;
};

// A row's own sample with something of it changed, or a case in which nothing need fit anything. Of rows whose kernels
// see values and variables alone, and wait for nothing. Nothing where the bytes choose what cannot be written down.
std::optional<HostileCase> ReadHostileCase(Bytes& bytes);

}  // namespace plumb::fuzz
