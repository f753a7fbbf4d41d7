#include "fastpath/compile/functions/branch_kernel.h"

namespace plumb::fast {
namespace {

// TensorFlow's own list of types that are conditions.
bool IsNotZero(const std::string& node, const Tensor& scalar) {
  switch (scalar.dtype()) {
    case DType::kBool:
      return scalar.scalar<bool>();
    case DType::kFloat:
      return scalar.scalar<float>() != 0;
    case DType::kDouble:
      return scalar.scalar<double>() != 0;
    case DType::kUint8:
      return scalar.scalar<uint8_t>() != 0;
    case DType::kInt8:
      return scalar.scalar<int8_t>() != 0;
    case DType::kInt16:
      return scalar.scalar<int16_t>() != 0;
    case DType::kInt32:
      return scalar.scalar<int32_t>() != 0;
    case DType::kInt64:
      return scalar.scalar<int64_t>() != 0;
    case DType::kString:
      return !scalar.scalar<std::string>().empty();
    default:
      throw InvalidArgument(
          "the condition of '", node, "' is ", DTypeName(scalar.dtype()),
          "; a scalar condition is bool, float32, float64, int8, int16, int32, int64, uint8 or string");
  }
}

class BranchKernel final : public Kernel {
 public:
  BranchKernel(const std::string& call, size_t branches, BranchBy by) : node_(call), branches_(branches), by_(by) {}

  void Run(KernelContext& context) override {
    const size_t taken = by_ == BranchBy::kIndex ? ByIndex(context.input(0)) : ByCondition(context.input(0));
    for (size_t i = 0; i < branches_; ++i) context.SetOutput(static_cast<int>(i), MakeScalar(i == taken));
  }

 private:
  size_t ByCondition(const Tensor& condition) const {
    const bool is_scalar = condition.shape().rank() == 0;
    Require(is_scalar || by_ == BranchBy::kCondition, "the condition of '", node_, "' has the shape ",
            condition.shape().ToString(), "; it must be a scalar, as _lower_using_switch_merge is set");
    return (is_scalar ? IsNotZero(node_, condition) : condition.elements() > 0) ? 0 : 1;
  }
  // An index that no branch has means the last.
  size_t ByIndex(const Tensor& index) const {
    Require(index.shape().rank() == 0, "the branch_index of '", node_, "' has the shape ", index.shape().ToString(),
            "; it must be a scalar");
    const int32_t value = index.scalar<int32_t>();
    return value >= 0 && static_cast<size_t>(value) < branches_ ? static_cast<size_t>(value) : branches_ - 1;
  }

  const std::string node_;
  const size_t branches_;
  const BranchBy by_;
};

}  // namespace

std::shared_ptr<Kernel> MakeBranchKernel(const std::string& call, size_t branches, BranchBy by) {
  return std::make_shared<BranchKernel>(call, branches, by);
}

}  // namespace plumb::fast
