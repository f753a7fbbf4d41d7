// Where.
#include <algorithm>
#include <type_traits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
bool IsNonZero(const T& value) {
  if constexpr (kIsFloat16<T>)
    return static_cast<float>(value) != 0;
  else
    return value != T(0);
}

// One row of coordinates per element that is not zero, in row-major order.
class Where final : public Kernel {
 public:
  explicit Where(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const int rank = context.input(0).rank();
    Require(rank >= 1 && rank <= 8, "where takes one to eight dimensions, not ", rank);
    VisitType(type_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (!std::is_class_v<T> || kIsFloat16<T> || requires(T value) { value.real(); }) RunAs<T>(context);
    });
  }

 private:
  template <class T>
  void RunAs(KernelContext& context) const {
    const Tensor& input = context.input(0);
    const std::span<const T> values = input.data<T>();
    const int64_t count = std::count_if(values.begin(), values.end(), IsNonZero<T>);
    int64_t* row =
        context.AllocateOutput(0, DType::kInt64, Shape({count, input.rank()})).template mutable_data<int64_t>().data();
    Coordinates at(input.shape());
    int64_t places[kBlock];
    for (size_t begin = 0; begin < values.size(); begin += kBlock) {
      const size_t found = FindIn(values.subspan(begin, std::min(kBlock, values.size() - begin)), places);
      for (size_t i = 0; i < found; ++i, row += input.rank()) at.PutOf(static_cast<int64_t>(begin) + places[i], row);
    }
  }

  static constexpr size_t kBlock = 1024;

  // Which elements are not zero. Without a branch, which random ones would mislead.
  template <class T>
  static size_t FindIn(std::span<const T> values, int64_t* places) {
    size_t found = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      places[found] = static_cast<int64_t>(i);
      found += IsNonZero(values[i]) ? 1 : 0;
    }
    return found;
  }

  // The coordinates of elements in row-major order, without a division for each.
  class Coordinates {
   public:
    explicit Coordinates(const Shape& shape) : dims_(shape) {}
    void PutOf(int64_t element, int64_t* row) {
      const int last = dims_.rank - 1;
      for (; element - line_ >= dims_[last]; line_ += dims_[last]) NextLine();
      for (int axis = 0; axis < last; ++axis) row[axis] = index_[axis];
      row[last] = element - line_;
    }

   private:
    void NextLine() {
      for (int axis = dims_.rank - 2; axis >= 0; --axis) {
        if (++index_[axis] < dims_[axis]) return;
        index_[axis] = 0;
      }
    }

    Dims dims_;
    int64_t index_[kMaxRank] = {};
    int64_t line_ = 0;  // the first element of the line
  };

  DType type_;
};

constexpr KernelRow kRows[] = {
    {"Where", Make<Where>},
};

}  // namespace

std::span<const KernelRow> ArrayWhere() { return kRows; }

}  // namespace plumb::fast::cpu
