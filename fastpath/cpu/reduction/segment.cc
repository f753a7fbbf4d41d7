// UnsortedSegmentSum and its kin: rows of data folded by segment number.
#include <limits>
#include <type_traits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/elementwise/add_loops.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/row_loops.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kWideRow = 32;  // elements from which a call for each row is cheap
constinit ChoicePoint wide_segments("extremes of segments: element by element, or rows in vectors");

// Checks the inputs of a node, and gives the shape of its result. Negative numbers are left out.
Shape CheckedShape(const Tensor& data, const Tensor& ids, const Tensor& num) {
  Require(num.rank() == 0, "num_segments must be a scalar, not of shape ", num.shape().ToString());
  const int64_t segments = IntAt(num, 0);
  Require(segments >= 0, "num_segments must not be negative, and is ", segments);
  bool starts_alike = data.rank() >= ids.rank();
  for (int i = 0; starts_alike && i < ids.rank(); ++i) starts_alike = data.dim(i) == ids.dim(i);
  Require(starts_alike, "the shape of data, ", data.shape().ToString(), ", must start with that of segment_ids, ",
          ids.shape().ToString());
  for (int64_t i = 0; i < ids.elements() && data.elements() > 0; ++i) {
    Require(IntAt(ids, i) < segments, "segment_ids[", i, "] = ", IntAt(ids, i), " is not below ", segments);
  }
  Dims dims;
  dims.Append(segments);
  for (int i = ids.rank(); i < data.rank(); ++i) dims.Append(data.dim(i));
  return dims.ToShape();
}

class UnsortedSegmentSum final : public Kernel {
 public:
  explicit UnsortedSegmentSum(const Node& node) : type_(InputType(node, 0)) { add_ = AddLoop(ComputeType(type_)); }

  void Run(KernelContext& context) override {
    const Tensor &data = context.input(0), &ids = context.input(1);
    const Shape shape = CheckedShape(data, ids, context.input(2));
    Tensor sums = AllocateZeros(context.pool(), ComputeType(type_), shape);
    if (data.elements() > 0) AddRows(AsFloat(context.pool(), data), ids, sums);
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(sums)));
  }

 private:
  // Rows with a negative segment are left out.
  void AddRows(const Tensor& data, const Tensor& ids, Tensor& sums) const {
    const int64_t inner = data.elements() / ids.elements();
    const auto row_bytes = inner * static_cast<int64_t>(ElementSize(data.dtype()));
    const char* from = static_cast<const char*>(data.raw());
    char* to = static_cast<char*>(sums.mutable_raw());
    for (int64_t i = 0; i < ids.elements(); ++i) {
      const int64_t segment = IntAt(ids, i);
      if (segment < 0) continue;
      char* sum = to + segment * row_bytes;
      add_(sum, from + i * row_bytes, sum, inner, Operands::kBoth);
    }
  }

  DType type_;
  BinaryLoop add_;
};

struct Multiplied {
  template <class T>
  static T Start(DType /*type*/) {
    return T(1);
  }
  template <class T>
  static void FoldRow(T* product, const T* x, int64_t n, bool /*wide*/) {
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (std::is_integral_v<T>) {
        product[i] = static_cast<T>(static_cast<uint64_t>(product[i]) * static_cast<uint64_t>(x[i]));
      } else {
        product[i] *= x[i];
      }
    }
  }
};

// The largest finite number of a type, as elements that it is computed in.
template <class T>
T Most(DType type) {
  if (type == DType::kHalf) return static_cast<T>(65504);
  if (type == DType::kBfloat16) return static_cast<T>(0x1.fep127);
  return std::numeric_limits<T>::max();
}

// N12: of equal numbers the last, and of NaN and a number whichever comes later.
struct Largest {
  template <class T>
  static T Start(DType type) {
    return std::is_integral_v<T> ? std::numeric_limits<T>::lowest() : static_cast<T>(-Most<T>(type));
  }
  template <class T>
  static void FoldRow(T* best, const T* x, int64_t n, [[maybe_unused]] bool wide) {
    if constexpr (std::is_floating_point_v<T>) {
      if (wide) return TakeLarger(best, x, n, best);
    }
    for (int64_t i = 0; i < n; ++i) best[i] = best[i] > x[i] ? best[i] : x[i];
  }
};
struct Smallest {
  template <class T>
  static T Start(DType type) {
    return Most<T>(type);
  }
  template <class T>
  static void FoldRow(T* best, const T* x, int64_t n, [[maybe_unused]] bool wide) {
    if constexpr (std::is_floating_point_v<T>) {
      if (wide) return TakeSmaller(best, x, n, best);
    }
    for (int64_t i = 0; i < n; ++i) best[i] = best[i] < x[i] ? best[i] : x[i];
  }
};

template <class Step>
class UnsortedSegmentFold final : public Kernel {
 public:
  using Folded = std::conditional_t<std::is_same_v<Step, Multiplied>,
                                    decltype(IntegerTypes() + ComplexTypes() + Types<float, double>()),
                                    decltype(IntegerTypes() + Types<float, double>())>;

  explicit UnsortedSegmentFold(const Node& node) : type_(InputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Shape shape = CheckedShape(context.input(0), context.input(1), context.input(2));
    Tensor result = Allocate(ComputeType(type_), shape);
    const Tensor data = AsFloat(context.pool(), context.input(0));
    VisitOneOf(Folded(), data.dtype(), false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T start = Step::template Start<T>(type_);
      FillWith(context.pool(), &start, result);
      if (data.elements() > 0) FoldRows(data.data<T>().data(), data.elements(), context.input(1), result);
      return true;
    });
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(result)));
  }

 private:
  template <class T>
  static void FoldRows(const T* from, int64_t elements, const Tensor& ids, Tensor& result) {
    const int64_t width = elements / ids.elements();
    const bool wide = wide_segments.Chosen(width >= kWideRow);
    T* const to = result.mutable_data<T>().data();
    for (int64_t i = 0; i < ids.elements(); ++i) {
      const int64_t segment = IntAt(ids, i);
      if (segment < 0) continue;
      Step::FoldRow(to + segment * width, from + i * width, width, wide);
    }
  }

  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"UnsortedSegmentSum", Make<UnsortedSegmentSum>},
    {"UnsortedSegmentProd", Make<UnsortedSegmentFold<Multiplied>>},
    {"UnsortedSegmentMax", Make<UnsortedSegmentFold<Largest>>},
    {"UnsortedSegmentMin", Make<UnsortedSegmentFold<Smallest>>},
};

}  // namespace

std::span<const KernelRow> ReductionSegment() { return kRows; }

}  // namespace plumb::fast::cpu
