// Times one op through a session of the fast backend.
#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "spec/core/attr.h"
#include "spec/core/tensor.h"

namespace plumb::bench {

// Times op(fed…, constants…) on placeholders for `fed`, with one thread. Gives the first output back.
Tensor TimeOp(benchmark::State& state, const std::string& op, const std::vector<Tensor>& fed,
              const std::vector<Tensor>& constants = {}, AttrMap attrs = {});
// The same with the constants in front.
Tensor TimeOpWithConstantsFirst(benchmark::State& state, const std::string& op, const std::vector<Tensor>& constants,
                                const std::vector<Tensor>& fed, AttrMap attrs = {});

// A float tensor that rises from −4 to 4 in steps of 2⁻¹⁷, again and again.
Tensor Ramp(const Shape& shape);

}  // namespace plumb::bench
