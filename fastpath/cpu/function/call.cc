// The arguments and results of functions. Calls are inlined (fastpath/compile/functions/inline_functions.h).
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// FN5: an argument that runs was fed by no call.
class Argument final : public Kernel {
 public:
  explicit Argument(const Node& node) : name_(node.name) {}
  void Run(KernelContext&) override {
    throw InvalidArgument("the argument '", name_, "' of a function is not inside of a call");
  }

 private:
  const std::string name_;
};

// The same of a result.
class Result final : public Kernel {
 public:
  explicit Result(const Node& node) : name_(node.name) {}
  void Run(KernelContext&) override {
    throw InvalidArgument("the result '", name_, "' of a function is not inside of a call");
  }

 private:
  const std::string name_;
};

constexpr KernelRow kRows[] = {
    {"_Arg", Make<Argument>},
    {"_DeviceArg", Make<Argument>},
    {"_DeviceRetval", Make<Result>},
    {"_Retval", Make<Result>},
};

}  // namespace

std::span<const KernelRow> FunctionCall() { return kRows; }

}  // namespace plumb::fast::cpu
