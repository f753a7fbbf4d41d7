// Tensors made of few values.
#include <cmath>
#include <complex>

#include "fastpath/cpu/topics.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"

namespace plumb::fast::cpu {
namespace {

class ZerosLike final : public Kernel {
 public:
  explicit ZerosLike(const Node& node) : type_(InputType(node, 0)) {
    if (type_ == DType::kResource || type_ == DType::kVariant) ThrowNoKernel(node);
  }
  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    FillZero(context.pool(), context.ForwardOrAllocate(0, 0, type_, shape));
  }

 private:
  DType type_;
};

// Fills `output` with the one element at `value`.
void FillWith(ThreadPool& pool, const void* value, Tensor& output) {
  CopyPlan plan;
  plan.Append(output.elements(), 0, 1);
  CopyStrided(pool, output.dtype(), plan, value, output.mutable_raw());
}

class OnesLike final : public Kernel {
 public:
  explicit OnesLike(const Node& node) : type_(InputType(node, 0)), one_(type_, Shape()) {
    VisitType(type_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_constructible_v<T, float> && !std::is_same_v<T, std::string>) {
        one_.mutable_data<T>()[0] = T(1.0f);
      } else {
        ThrowNoKernel(node);
      }
    });
  }
  void Run(KernelContext& context) override {
    FillWith(context.pool(), one_.raw(), context.AllocateOutput(0, type_, context.input(0).shape()));
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

// How many values lie in [start, limit) in steps of delta.
template <class T>
int64_t RangeSize(T start, T limit, T delta) {
  Require(delta != 0, "delta must not be 0");
  Require(delta > 0 ? start <= limit : start >= limit, "limit lies on the wrong side of start for this delta");
  if constexpr (std::is_integral_v<T>) {
    const uint64_t span = delta > 0 ? static_cast<uint64_t>(limit) - static_cast<uint64_t>(start)
                                    : static_cast<uint64_t>(start) - static_cast<uint64_t>(limit);
    const uint64_t step = delta > 0 ? static_cast<uint64_t>(delta) : uint64_t{0} - static_cast<uint64_t>(delta);
    const uint64_t size = span / step + (span % step != 0 ? 1 : 0);
    Require(size <= static_cast<uint64_t>(INT64_MAX), "a range of ", size, " values is too long");
    return static_cast<int64_t>(size);
  } else {
    const double size = std::ceil(std::abs((static_cast<double>(limit) - static_cast<double>(start)) / delta));
    Require(size < 9.2e18, "a range of ", size, " values is too long");
    return static_cast<int64_t>(size);
  }
}

class Range final : public Kernel {
 public:
  explicit Range(const Node& node) : type_(InputType(node, 0)) {
    if (type_ != DType::kFloat && type_ != DType::kDouble && type_ != DType::kInt32 && type_ != DType::kInt64) {
      ThrowNoKernel(node);
    }
  }
  void Run(KernelContext& context) override {
    for (int i = 0; i < 3; ++i) {
      Require(context.input(i).elements() == 1 && context.input(i).rank() <= 1,
              "start, limit and delta must be scalars");
    }
    if (type_ == DType::kFloat) return RunAs<float>(context);
    if (type_ == DType::kDouble) return RunAs<double>(context);
    if (type_ == DType::kInt32) return RunAs<int32_t>(context);
    RunAs<int64_t>(context);
  }

 private:
  template <class T>
  void RunAs(KernelContext& context) const {
    const T start = context.input(0).scalar<T>(), limit = context.input(1).scalar<T>();
    const T delta = context.input(2).scalar<T>();
    const int64_t size = RangeSize(start, limit, delta);
    T* to = context.AllocateOutput(0, type_, Shape({size})).template mutable_data<T>().data();
    for (int64_t i = 0; i < size; ++i) to[i] = start + static_cast<T>(i) * delta;
  }

  DType type_;
};

// Rows of `off`, each with `on` where its index says; an index out of range leaves its row alone.
class OneHot final : public Kernel {
 public:
  explicit OneHot(const Node& node) : type_(InputType(node, 2)), axis_(GetAttrOr<int64_t>(node.attrs, "axis", -1)) {}
  void Run(KernelContext& context) override {
    const Tensor& indices = context.input(0);
    Require(axis_ >= -1 && axis_ <= indices.rank(), "axis ", axis_, " is not in [-1, ", indices.rank(), "]");
    for (const int input : {1, 2, 3}) {
      Require(context.input(input).rank() == 0, "depth, on_value and off_value must be scalars");
    }
    const int64_t depth = IntAt(context.input(1), 0);
    Require(depth >= 0, "depth must not be negative, and is ", depth);
    const int axis = axis_ < 0 ? indices.rank() : static_cast<int>(axis_);
    Dims dims;
    for (int i = 0; i <= indices.rank(); ++i) {
      if (i == axis) dims.Append(depth);
      if (i < indices.rank()) dims.Append(indices.dim(i));
    }
    const int64_t inner = ElementsIn(indices.shape(), axis, indices.rank());
    Tensor& output = context.AllocateOutput(0, type_, dims.ToShape());
    FillWith(context.pool(), context.input(3).raw(), output);
    if (output.elements() > 0) SetOnes(indices, depth, inner, context.input(2).raw(), output);
  }

 private:
  static int64_t IndexAt(const Tensor& indices, int64_t i) {
    return indices.dtype() == DType::kUint8 ? indices.data<uint8_t>()[static_cast<size_t>(i)] : IntAt(indices, i);
  }
  void SetOnes(const Tensor& indices, int64_t depth, int64_t inner, const void* on, Tensor& output) const {
    for (int64_t i = 0; i < indices.elements(); ++i) {
      const int64_t index = IndexAt(indices, i);
      if (index < 0 || index >= depth) continue;
      CopyRun(type_, on, 0, output.mutable_raw(), (i / inner * depth + index) * inner + i % inner, 1);
    }
  }

  DType type_;
  int64_t axis_;
};

}  // namespace

std::unique_ptr<Kernel> MakeZerosLike(const Node& node) { return std::make_unique<ZerosLike>(node); }
std::unique_ptr<Kernel> MakeOnesLike(const Node& node) { return std::make_unique<OnesLike>(node); }
std::unique_ptr<Kernel> MakeFill(const Node& node) { return std::make_unique<Fill>(node); }
std::unique_ptr<Kernel> MakeRange(const Node& node) { return std::make_unique<Range>(node); }
std::unique_ptr<Kernel> MakeOneHot(const Node& node) { return std::make_unique<OneHot>(node); }

}  // namespace plumb::fast::cpu
