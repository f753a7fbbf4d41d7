// What Sobol sequences start from: facts that both implementations compute their points with.
#pragma once

#include <cstdint>
#include <vector>

namespace plumb {

// One dimension: a primitive polynomial over two elements (bit i is the coefficient of xⁱ), of degree s, and the first
// s of its direction numbers. The others follow from them: mₖ = mₖ₋ₛ ⊕ ⊕ᵢ 2ⁱ·cᵢ·mₖ₋ᵢ for i = 1 … s, where cᵢ is the
// coefficient of xˢ⁻ⁱ. In the first dimension, without a polynomial, all of them are 1.
struct SobolStart {
  uint32_t polynomial = 0;
  std::vector<uint32_t> numbers;
};
const std::vector<SobolStart>& SobolStarts();

}  // namespace plumb
