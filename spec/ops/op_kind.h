// What runs an op: most have kernels, some are rules of the executor itself.
#pragma once

#include <cstdint>

namespace plumb {

enum class OpKind : uint8_t {
  kKernel,
  kNoOp,
  kControlTrigger,  // rule X5
  kConstant,        // gives its attribute `value`
  kPlaceholder,     // stands for a value that is fed (rule F2)
  kPlaceholderWithDefault,
  kIdentity,  // gives its input, also a reference or a handle
  kSwitch,    // rules X31–X35; the reference forms too
  kMerge,
  kEnter,
  kExit,
  kNextIteration,
  kLoopCond,
  kCall,  // a function by its name, PartitionedCall, StatefulPartitionedCall
  kSymbolicGradient,
  kIf,  // and StatelessIf
  kCase,
  kWhile,  // and StatelessWhile
  kSend,   // made by partitioning
  kRecv,
};

}  // namespace plumb
