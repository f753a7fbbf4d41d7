#include <chrono>

#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

void Timestamp(OpContext& c) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  c.Output(0, MakeScalar(std::chrono::duration<double>(now).count()));
}

constexpr KernelRow kRows[] = {
    {"Timestamp", Timestamp},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LoggingTimestamp() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
