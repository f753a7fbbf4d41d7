// Drawing with generators that variables keep (R88).
#pragma once

#include <cstdint>

#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/state/resource_kernel.h"

namespace plumb::fast::cpu {

// A kernel whose input 0 is the handle of the variable.
class GeneratorKernel : public ResourceKernel {
 public:
  using ResourceKernel::ResourceKernel;

 protected:
  // The generator as it stands; the variable's moves over `blocks`.
  Philox TakeBlocks(KernelContext& context, int64_t algorithm, uint64_t blocks);
  // The same, where the first number of the variable, before the counter, is the algorithm.
  Philox TakeTagged(KernelContext& context, uint64_t blocks);
  // The one number of an input.
  int64_t NumberIn(const Tensor& tensor, const char* name) const;

 private:
  Philox Take(VariableUpdate& update, int64_t algorithm, uint64_t blocks, int64_t tags) const;
  void CheckState(const Tensor& state) const;
};

// Draws by the algorithm that input 1 names.
class StoredRandomKernel : public GeneratorKernel {
 public:
  using GeneratorKernel::GeneratorKernel;

 protected:
  Philox StartFor(KernelContext& context, int64_t outputs) {
    return TakeBlocks(context, NumberIn(context.input(1), "algorithm"),
                      static_cast<uint64_t>(outputs) * kBlocksPerOutput);
  }
};

// Draws by the algorithm that the variable names.
class TaggedRandomKernel : public GeneratorKernel {
 public:
  using GeneratorKernel::GeneratorKernel;

 protected:
  Philox StartFor(KernelContext& context, int64_t outputs) {
    return TakeTagged(context, static_cast<uint64_t>(outputs) * kBlocksPerOutput);
  }
};

}  // namespace plumb::fast::cpu
