#include <map>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
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

constexpr KernelRow kRows[] = {
    {"Unique", Unique},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayUnique() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
