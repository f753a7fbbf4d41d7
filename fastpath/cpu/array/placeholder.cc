// Placeholders: what is fed, or a default.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/pass.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// F11: a placeholder runs only when it was not fed.
class Placeholder final : public Kernel {
 public:
  explicit Placeholder(const Node& node) : name_(node.name), type_(OutputType(node, 0)) {}
  void Run(KernelContext&) override {
    throw InvalidArgument("You must feed a value for placeholder tensor '", name_, "' with dtype ", DTypeName(type_));
  }

 private:
  std::string name_;
  DType type_;
};

constexpr KernelRow kRows[] = {
    {"Placeholder", Make<Placeholder>},
    {"PlaceholderV2", Make<Placeholder>},
    {"PlaceholderWithDefault", Make<Pass>},
};

}  // namespace

std::span<const KernelRow> ArrayPlaceholder() { return kRows; }

}  // namespace plumb::fast::cpu
