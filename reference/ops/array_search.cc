// Ops whose result says where elements are.
#include <map>

#include "reference/index.h"
#include "reference/numbers_io.h"
#include "reference/ops/array.h"

namespace plumb::reference {

// The coordinates of the elements that are not zero, one row each, in row-major order. NaN is not zero.
void Where(OpContext& context) {
  const Tensor& x = context.tensor(0);
  Require(1 <= x.rank() && x.rank() <= 8, "the input must have one to eight dimensions, not ", x.rank());
  std::vector<int64_t> found;
  ForNumber(x.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto elements = Load<N>(context.input(0));
    for (int64_t i = 0; i < x.elements(); ++i) {
      if (!(elements[i] == N(0))) found.push_back(i);
    }
  });
  const auto strides = Strides(x.shape());
  Tensor result(DType::kInt64, {static_cast<int64_t>(found.size()), x.rank()});
  auto next = result.mutable_data<int64_t>().begin();
  for (const int64_t position : found) {
    for (int axis = 0; axis < x.rank(); ++axis) *next++ = position / strides[axis] % x.dim(axis);
  }
  context.Output(0, std::move(result));
}

namespace {

// For each element, the position of its first occurrence. NaN equals nothing, itself included.
template <class Key, class KeyAt>
std::vector<int64_t> FirstOccurrences(int64_t count, KeyAt key_at) {
  std::map<Key, int64_t> first;
  std::vector<int64_t> occurrence(count);
  for (int64_t i = 0; i < count; ++i) {
    const Key key = key_at(i);
    occurrence[i] = key == key ? first.emplace(key, i).first->second : i;
  }
  return occurrence;
}

std::vector<int64_t> FirstOccurrences(const Value& x) {
  const int64_t count = x.tensor.elements();
  if (x.tensor.dtype() == DType::kString) {
    const auto text = x.tensor.data<std::string>();
    return FirstOccurrences<std::string>(count, [&](int64_t i) { return text[i]; });
  }
  std::vector<int64_t> occurrence;
  ForKind<Real, Integer>(x.tensor.dtype(), [&](auto kind) {
    const auto array = Load<typename decltype(kind)::Type>(x);
    using Key = decltype(array.at[0].v);
    occurrence = FirstOccurrences<std::remove_const_t<Key>>(count, [&](int64_t i) { return array[i].v; });
  });
  return occurrence;
}

}  // namespace

void Unique(OpContext& context) {
  const Value& x = context.input(0);
  Require(x.tensor.rank() == 1, "a vector is expected, not the shape ", x.tensor.shape().ToString());
  const auto occurrence = FirstOccurrences(x);
  std::vector<int64_t> kept, number(occurrence.size());
  auto index = MakeArray<Integer>(context.output_type(1), x.tensor.shape());
  for (size_t i = 0; i < occurrence.size(); ++i) {
    if (occurrence[i] == static_cast<int64_t>(i)) {
      number[i] = static_cast<int64_t>(kept.size());
      kept.push_back(static_cast<int64_t>(i));
    }
    index.at[i] = number[occurrence[i]];
  }
  context.Output(0, Gathered(x, {static_cast<int64_t>(kept.size())}, kept));
  context.Output(1, Store(index));
}

void InvertPermutation(OpContext& context) {
  const Tensor& x = context.tensor(0);
  Require(x.rank() == 1, "a permutation is a vector, not of shape ", x.shape().ToString());
  const auto permutation = IntegersOf(x, "x");
  auto inverse = MakeArray<Integer>(x.dtype(), x.shape(), Integer(-1));
  for (int64_t i = 0; i < x.elements(); ++i) {
    const int64_t to = permutation[i];
    Require(0 <= to && to < x.elements(), to, " is not in [0, ", x.elements(), ")");
    Require(inverse[to] == -1, to, " occurs twice in the permutation");
    inverse[to] = i;
  }
  context.Output(0, Store(inverse));
}

}  // namespace plumb::reference
