// AddN and AccumulateNV2: a sum of tensors of one shape, from left to right, chunk by chunk.
#include <algorithm>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/elementwise/add_loops.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/state/variant_arithmetic.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kPiece = 4096;  // elements whose running sum stays in the first cache

constinit ChoicePoint pieces("sum of tensors: one piece, or several");
constinit ChoicePoint half_pieces("sum of 16-bit tensors: one piece, or several");

class AddN final : public Kernel {
 public:
  AddN(const Node& node, bool forwards) : forwards_(forwards), type_(InputType(node, 0)) {
    loop_ = AddLoop(ComputeType(type_));
  }

  bool KeepsAliases() const override { return true; }
  void Run(KernelContext& context) override {
    const Tensor& first = context.input(0);
    for (int i = 1; i < context.num_inputs(); ++i) {
      Require(context.input(i).shape() == first.shape(), "inputs 0 and ", i, " must have one shape, not ",
              first.shape().ToString(), " and ", context.input(i).shape().ToString());
    }
    if (context.num_inputs() == 1) return context.SetOutput(0, forwards_ ? first : Unaliased(first));  // R31
    for (int i = 0; i < context.num_inputs(); ++i) context.CopyGuarded(i);
    if (IsHalfWidth(type_)) return RunHalf(context);
    RunFull(context);
  }

 private:
  void RunFull(KernelContext& context) const {
    const char* first = static_cast<const char*>(context.input(0).raw());
    const Shape shape = context.input(0).shape();
    char* sum = static_cast<char*>(context.ForwardOrAllocate(0, 0, type_, shape).mutable_raw());
    const auto size = static_cast<int64_t>(ElementSize(type_));
    const int terms = context.num_inputs();
    context.pool().ParallelFor(shape.elements(), GrainFor(terms), [&](int64_t begin, int64_t end) {
      pieces.Chosen(end - begin > kPiece);
      for (int64_t at = begin; at < end; at += kPiece) {
        const int64_t n = std::min(kPiece, end - at);
        const char* left = first + at * size;
        for (int i = 1; i < terms; ++i) {
          const char* right = static_cast<const char*>(context.input(i).raw()) + at * size;
          loop_(left, right, sum + at * size, n, Operands::kBoth);
          left = sum + at * size;
        }
      }
    });
  }

  void RunHalf(KernelContext& context) const {
    const Shape& shape = context.input(0).shape();
    uint16_t* out = static_cast<uint16_t*>(context.AllocateOutput(0, type_, shape).mutable_raw());
    context.pool().ParallelFor(shape.elements(), GrainFor(context.num_inputs()), [&](int64_t begin, int64_t end) {
      float sum[kFloatPiece], term[kFloatPiece];
      half_pieces.Chosen(end - begin > kFloatPiece);
      for (int64_t at = begin; at < end; at += kFloatPiece) {
        const int64_t n = std::min(kFloatPiece, end - at);
        for (int i = 0; i < context.num_inputs(); ++i) {
          ToFloat(type_, static_cast<const uint16_t*>(context.input(i).raw()) + at, i == 0 ? sum : term, n);
          if (i > 0) loop_(sum, term, sum, n, Operands::kBoth);
        }
        FromFloat(type_, sum, out + at, n);
      }
    });
  }

  const bool forwards_;  // a single term
  DType type_;
  BinaryLoop loop_;
};

class AddVariants final : public Kernel {
 public:
  explicit AddVariants(const Node&) {}

  bool KeepsAliases() const override { return true; }
  void Run(KernelContext& context) override {
    if (context.num_inputs() == 1) return context.SetOutput(0, context.input(0));  // R31
    for (int i = 0; i < context.num_inputs(); ++i) {
      Require(context.input(i).rank() == 0, "a variant that is added is a scalar, but input ", i, " has the shape ",
              context.input(i).shape().ToString());
      context.Unalias(i);
    }
    Variant sum = VariantIn(context, 0);
    for (int i = 1; i < context.num_inputs(); ++i) sum = SumOfVariants(context.pool(), sum, VariantIn(context, i));
    context.SetOutput(0, MakeScalar(std::move(sum)));
  }

 private:
  static const Variant& VariantIn(const KernelContext& context, int i) { return context.input(i).data<Variant>()[0]; }
};

std::unique_ptr<Kernel> MakeAddN(const Node& node) {
  if (InputType(node, 0) == DType::kVariant) return std::make_unique<AddVariants>(node);
  return std::make_unique<AddN>(node, /*forwards=*/true);
}

constexpr KernelRow kRows[] = {
    {"AddN", MakeAddN},
    {"AccumulateNV2", MakeWith<AddN, false>},
};

}  // namespace

std::span<const KernelRow> MathAddN() { return kRows; }

}  // namespace plumb::fast::cpu
