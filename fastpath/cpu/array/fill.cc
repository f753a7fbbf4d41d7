// Tensors made of one value.
#include <type_traits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/variant_arithmetic.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class ZerosLike final : public Kernel {
 public:
  explicit ZerosLike(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    if (type_ == DType::kVariant) return context.SetOutput(0, ZeroLike(context));
    const Shape shape = context.input(0).shape();
    FillZero(context.pool(), context.ForwardOrAllocate(0, 0, type_, shape));
  }

 private:
  static Tensor ZeroLike(KernelContext& context) {
    const Tensor& x = context.input(0);
    Require(x.rank() == 0, "the variant must be a scalar, not of shape ", x.shape().ToString());
    return MakeScalar(ZeroVariant(context.pool(), x.data<Variant>()[0]));
  }
  DType type_;
};

class OnesLike final : public Kernel {
 public:
  explicit OnesLike(const Node& node) : type_(InputType(node, 0)), one_(type_, Shape()) {
    VisitType(type_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_constructible_v<T, float> && !std::is_same_v<T, std::string>) {
        one_.mutable_data<T>()[0] = T(1.0f);
      }
    });
  }
  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    FillWith(context.pool(), one_.raw(), context.ForwardOrAllocate(0, 0, type_, shape));
  }

 private:
  DType type_;
  Tensor one_;
};

class Fill final : public Kernel {
 public:
  explicit Fill(const Node& node) : type_(InputType(node, 1)) {}
  void Run(KernelContext& context) override {
    const Tensor &dims = context.input(0), &value = context.input(1);
    Require(dims.rank() <= 1, "dims must be a vector, not of shape ", dims.shape().ToString());
    Require(value.rank() == 0 || (value.rank() == 1 && value.elements() == 1), "value must be a scalar, not of shape ",
            value.shape().ToString());
    Dims wanted;
    for (int64_t i = 0; i < dims.elements(); ++i) wanted.Append(IntAt(dims, i));
    FillWith(context.pool(), value.raw(), context.AllocateOutput(0, type_, wanted.ToShape()));
  }

 private:
  DType type_;
};

// Zeros, whether init asks for them or not: what is read before it is written is the same in every run.
class Empty final : public Kernel {
 public:
  explicit Empty(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor& wanted = context.input(0);
    Require(wanted.rank() == 1, "shape must be a vector, not of shape ", wanted.shape().ToString());
    Dims dims;
    for (int64_t i = 0; i < wanted.elements(); ++i) dims.Append(IntAt(wanted, i));
    FillZero(context.pool(), context.AllocateOutput(0, type_, dims.ToShape()));
  }

 private:
  DType type_;
};

constexpr KernelRow kRows[] = {
    {"ZerosLike", Make<ZerosLike>},
    {"OnesLike", Make<OnesLike>},
    {"Fill", Make<Fill>},
    {"Empty", Make<Empty>},
};

}  // namespace

std::span<const KernelRow> ArrayFill() { return kRows; }

}  // namespace plumb::fast::cpu
