// The kernel of ops that hand on their input.
#pragma once

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

class Pass final : public Kernel {
 public:
  explicit Pass(const Node&) {}
  void Run(KernelContext& context) override { context.SetOutput(0, context.input(0)); }
  bool KeepsAliases() const override { return true; }
};

}  // namespace plumb::fast::cpu
