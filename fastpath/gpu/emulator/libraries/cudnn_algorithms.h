// Which algorithms the fake of cuDNN has for a convolution, and what workspace each needs.
#pragma once

#include <optional>
#include <vector>

#include "fastpath/gpu/emulator/libraries/cudnn_world.h"

namespace plumb::fast::emulated_gpu::emulator {

// Whether there is anything for it.
bool HasAny(const Convolved& it);

template <class Algorithm>
struct AlgorithmOffered {
  Algorithm algorithm;
  size_t workspace;
  cudnnDeterminism_t determinism;
};

// Best first. Those that a program may not want come before those that it may: sums that depend on chance, and other
// sums than of products.
std::vector<AlgorithmOffered<cudnnConvolutionFwdAlgo_t>> Offered(const Convolved& it,
                                                                 cudnnConvolutionFwdAlgo_t of_kind);
std::vector<AlgorithmOffered<cudnnConvolutionBwdDataAlgo_t>> Offered(const Convolved& it,
                                                                     cudnnConvolutionBwdDataAlgo_t of_kind);
std::vector<AlgorithmOffered<cudnnConvolutionBwdFilterAlgo_t>> Offered(const Convolved& it,
                                                                       cudnnConvolutionBwdFilterAlgo_t of_kind);

// The workspace of an algorithm; nothing where it cannot compute this.
template <class Algorithm>
std::optional<size_t> WorkspaceOf(const Convolved& it, Algorithm algorithm) {
  for (const auto& offered : Offered(it, algorithm)) {
    if (offered.algorithm == algorithm) return offered.workspace;
  }
  return std::nullopt;
}

}  // namespace plumb::fast::emulated_gpu::emulator
