// Values as conditions.
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class ToBoolKernel final : public Kernel {
 public:
  explicit ToBoolKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& value = context.input(0);
    const bool is_true = value.rank() == 0 ? Said(value) : value.elements() > 0;
    context.AllocateOutput(0, DType::kBool, Shape()).mutable_data<bool>()[0] = is_true;
  }

 private:
  using Conditions = Types<bool, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t>;

  // FN7: what a scalar says.
  bool Said(const Tensor& scalar) const {
    if (scalar.dtype() == DType::kString) return !scalar.data<std::string>()[0].empty();
    bool is_true = false;
    const bool is_condition = VisitOneOf(Conditions(), scalar.dtype(), false, [&](auto type) {
      is_true = scalar.data<typename decltype(type)::Type>()[0] != 0;
      return true;
    });
    Require(is_condition, "one ", DTypeName(scalar.dtype()), " is no condition");
    return is_true;
  }
};

constexpr KernelRow kRows[] = {
    {"ToBool", Make<ToBoolKernel>},
};

}  // namespace

std::span<const KernelRow> FunctionToBool() { return kRows; }

}  // namespace plumb::fast::cpu
