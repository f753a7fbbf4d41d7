#include <cstdio>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// The name of one file, or of all of them: "base-00003-of-00010", "base-?????-of-00010".
class ShardedNameKernel : public Kernel {
 public:
  ShardedNameKernel(const Node&, bool is_pattern) : is_pattern_(is_pattern) {}

  void Run(KernelContext& context) override {
    for (int i = 0; i < context.num_inputs(); ++i) {
      Require(context.input(i).rank() == 0, "input ", i, " must be a scalar, not of shape ",
              Printed(context.input(i).shape()));
    }
    std::string name = context.input(0).data<std::string>()[0];
    char number[32];
    if (is_pattern_) {
      name.append("-").append(5, '?');
    } else {
      std::snprintf(number, sizeof(number), "-%05d", context.input(1).data<int32_t>()[0]);
      name += number;
    }
    std::snprintf(number, sizeof(number), "-of-%05d", context.input(context.num_inputs() - 1).data<int32_t>()[0]);
    name += number;
    context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>()[0] = std::move(name);
  }

 private:
  const bool is_pattern_;
};

constexpr KernelRow kRows[] = {
    {"ShardedFilename", MakeWith<ShardedNameKernel, false>},
    {"ShardedFilespec", MakeWith<ShardedNameKernel, true>},
};

}  // namespace

std::span<const KernelRow> CheckpointShardedName() { return kRows; }

}  // namespace plumb::fast::cpu
