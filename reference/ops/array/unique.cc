#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/integer_tensor.h"

namespace plumb::reference {
namespace {

// For each slice along an axis, the position of the first that is equal, element by element. NaN equals nothing, itself
// included.
template <class Key, class KeyAt>
std::vector<int64_t> FirstOccurrences(const AxisView& view, KeyAt key_at) {
  std::map<std::vector<Key>, int64_t> first;
  std::vector<int64_t> occurrence(view.size);
  for (int64_t i = 0; i < view.size; ++i) {
    std::vector<Key> slice;
    bool equals_itself = true;
    for (int64_t outer = 0; outer < view.outer; ++outer) {
      for (int64_t inner = 0; inner < view.inner; ++inner) {
        slice.push_back(key_at((outer * view.size + i) * view.inner + inner));
        equals_itself = equals_itself && slice.back() == slice.back();
      }
    }
    occurrence[i] = equals_itself ? first.emplace(slice, i).first->second : i;
  }
  return occurrence;
}

// As TensorFlow finds values by a hash, which is of the bits where a number has sixteen, these zeros differ.
uint32_t BitsOf(const Tensor& x, int64_t i) {
  uint16_t bits = 0;
  std::memcpy(&bits, static_cast<const char*>(x.raw()) + 2 * i, 2);
  return bits;
}

std::vector<int64_t> FirstOccurrences(const Value& x, const AxisView& view) {
  if (x.tensor.dtype() == DType::kHalf || x.tensor.dtype() == DType::kBfloat16) {
    const auto array = Load<Real>(x);
    return FirstOccurrences<std::pair<double, uint32_t>>(
        view, [&](int64_t i) { return std::pair(array[i].v, BitsOf(x.tensor, i)); });
  }
  if (x.tensor.dtype() == DType::kString) {
    const auto text = x.tensor.data<std::string>();
    return FirstOccurrences<std::string>(view, [&](int64_t i) { return text[i]; });
  }
  std::vector<int64_t> occurrence;
  ForKind<Real, Integer>(x.tensor.dtype(), [&](auto kind) {
    const auto array = Load<typename decltype(kind)::Type>(x);
    using Key = decltype(array.at[0].v);
    occurrence = FirstOccurrences<std::remove_const_t<Key>>(view, [&](int64_t i) { return array[i].v; });
  });
  return occurrence;
}

// The slices of these numbers along the axis.
Value SlicesAt(const Value& x, int axis, const AxisView& view, const std::vector<int64_t>& kept) {
  std::vector<int64_t> positions;
  for (int64_t outer = 0; outer < view.outer; ++outer) {
    for (const int64_t i : kept) {
      for (int64_t inner = 0; inner < view.inner; ++inner) {
        positions.push_back((outer * view.size + i) * view.inner + inner);
      }
    }
  }
  return Gathered(x, WithDim(x.tensor.shape(), axis, std::ssize(kept)), positions);
}

// The axis that input 1 names, if the op has one and names one.
int AxisOf(OpContext& context) {
  const Shape& shape = context.tensor(0).shape();
  std::vector<int64_t> axes;
  if (context.num_inputs() > 1) {
    const Tensor& axis = context.tensor(1);
    Require(axis.rank() == 1 && axis.elements() <= 1, "axis must be a vector of one axis or none, not of shape ",
            axis.shape().ToString());
    axes = IntegersOf(axis, "axis");
  }
  if (!axes.empty()) return ResolveAxis(axes.front(), shape.rank(), "axis");
  Require(shape.rank() == 1, "a vector is expected, not the shape ", shape.ToString());
  return 0;
}

void Unique(OpContext& context) {
  const Value& x = context.input(0);
  const int axis = AxisOf(context);
  const AxisView view = ViewAt(x.tensor.shape(), axis);
  auto index = MakeArray<Integer>(context.output_type(1), Shape({view.size}));
  const auto occurrence = FirstOccurrences(x, view);
  std::vector<int64_t> kept, number(occurrence.size());
  for (size_t i = 0; i < occurrence.size(); ++i) {
    if (occurrence[i] == static_cast<int64_t>(i)) {
      number[i] = static_cast<int64_t>(kept.size());
      kept.push_back(static_cast<int64_t>(i));
    }
    index.at[i] = number[occurrence[i]];
  }
  context.Output(0, SlicesAt(x, axis, view, kept));
  context.Output(1, Store(index));
  if (context.outputs.size() < 3) return;
  std::vector<int64_t> counts(kept.size(), 0);
  for (const Integer place : index.at) ++counts[static_cast<size_t>(static_cast<int64_t>(place))];
  context.Output(2, IntegerVector(context.output_type(2), counts));
}

// Which elements of x are equal to none of y. NaN equals nothing.
template <class Key, class XAt, class YAt>
std::vector<int64_t> Missing(int64_t in_x, XAt x_at, int64_t in_y, YAt y_at) {
  std::set<Key> known;
  for (int64_t i = 0; i < in_y; ++i) {
    const Key key = y_at(i);
    if (key == key) known.insert(key);
  }
  std::vector<int64_t> missing;
  for (int64_t i = 0; i < in_x; ++i) {
    const Key key = x_at(i);
    if (key != key || !known.contains(key)) missing.push_back(i);
  }
  return missing;
}

void ListDiff(OpContext& context) {
  const Tensor &x = context.tensor(0), &y = context.tensor(1);
  Require(x.rank() == 1 && y.rank() == 1, "x and y must be vectors, not of shapes ", x.shape().ToString(), " and ",
          y.shape().ToString());
  std::vector<int64_t> missing;
  if (x.dtype() == DType::kString) {
    const auto a = x.data<std::string>(), b = y.data<std::string>();
    missing = Missing<std::string>(
        x.elements(), [&](int64_t i) { return a[i]; }, y.elements(), [&](int64_t i) { return b[i]; });
  } else {
    ForKind<Real, Integer>(x.dtype(), [&](auto kind) {
      using N = typename decltype(kind)::Type;
      const Reader<N> a(context.input(0)), b(context.input(1));
      missing = Missing<std::remove_cvref_t<decltype(a[0].v)>>(
          a.size(), [&](int64_t i) { return a[i].v; }, b.size(), [&](int64_t i) { return b[i].v; });
    });
  }
  context.Output(0, Gathered(context.input(0), {static_cast<int64_t>(missing.size())}, missing));
  context.Output(1, IntegerVector(context.output_type(1), missing));
}

constexpr KernelRow kRows[] = {
    {"Unique", Unique},     {"UniqueWithCounts", Unique}, {"UniqueV2", Unique}, {"UniqueWithCountsV2", Unique},
    {"ListDiff", ListDiff},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayUnique() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
