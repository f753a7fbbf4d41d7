#include <chrono>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class TimestampKernel : public Kernel {
 public:
  explicit TimestampKernel(const Node&) {}

  void Run(KernelContext& context) override {
    using Seconds = std::chrono::duration<double>;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    context.AllocateOutput(0, DType::kDouble, Shape()).mutable_data<double>()[0] = Seconds(now).count();
  }
};

constexpr KernelRow kRows[] = {
    {"Timestamp", Make<TimestampKernel>},
};

}  // namespace

std::span<const KernelRow> LoggingTimestamp() { return kRows; }

}  // namespace plumb::fast::cpu
