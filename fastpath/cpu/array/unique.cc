// Unique and its like, and ListDiff: values found by hash.
#include <algorithm>
#include <bit>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// A key that is equal for equal values. NaN, equal to nothing, has none: false.
template <class T>
bool KeyOf(const T& value, uint64_t& key) {
  if constexpr (std::is_integral_v<T>) {
    key = static_cast<uint64_t>(static_cast<int64_t>(value));
    return true;
  } else {
    const auto number = static_cast<double>(value);
    key = std::bit_cast<uint64_t>(number == 0 ? 0.0 : number);
    return number == number;
  }
}
bool KeyOf(const std::string& value, std::string_view& key) {
  key = value;
  return true;
}

// The key by which Unique finds a value: TensorFlow's hash is of the bits where a number has sixteen, so that zeros of
// both signs differ there.
template <class T, class Key>
bool UniqueKeyOf(const T& value, Key& key) {
  const bool has_key = KeyOf(value, key);
  if constexpr (kIsFloat16<T>) key = std::bit_cast<uint16_t>(value);
  return has_key;
}

// The slices along an axis, and how they are told apart.
template <class T, class Key>
struct Slices {
  const T* values;
  int64_t outer, size, inner;

  // f(element) for each element of slice i, in order, until one answers false; whether none did.
  template <class F>
  bool AllOf(int64_t i, const F& f) const {
    const T* line = values + i * inner;
    for (int64_t o = 0; o < outer; ++o, line += size * inner) {
      if (!std::all_of(line, line + inner, f)) return false;
    }
    return true;
  }
  // A hash that equal slices share. False for a slice with a NaN in it, which equals nothing.
  bool Hash(int64_t i, size_t& hash) const {
    hash = 0;
    return AllOf(i, [&](const T& value) {
      Key key{};
      const bool has_key = UniqueKeyOf(value, key);
      hash = absl::HashOf(hash, key);
      return has_key;
    });
  }
  // Of slices without NaN.
  bool AreEqual(int64_t i, int64_t j) const {
    const T* other = values + j * inner;
    int64_t left = inner;
    return AllOf(i, [&](const T& value) {
      Key a{}, b{};
      UniqueKeyOf(value, a);
      UniqueKeyOf(*other++, b);
      if (--left == 0) {
        left = inner;
        other += (size - 1) * inner;
      }
      return a == b;
    });
  }
};

// A slice as the key of a table, with its hash; the table knows by `slices` which are equal.
struct HashedSlice {
  int64_t i;
  size_t hash;
};
struct HashOfSlice {
  size_t operator()(const HashedSlice& slice) const { return slice.hash; }
};
template <class T, class Key>
struct EqualSlices {
  const Slices<T, Key>* slices;
  bool operator()(const HashedSlice& a, const HashedSlice& b) const {
    return a.hash == b.hash && slices->AreEqual(a.i, b.i);
  }
};

// The distinct elements of a vector, or slices along an axis, in the order of their first occurrence, and which of them
// each one is.
class Unique final : public Kernel {
 public:
  explicit Unique(const Node& node) : type_(InputType(node, 0)), index_type_(OutputType(node, 1)) {}
  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    const int axis = AxisOf(context);
    Require(index_type_ == DType::kInt64 || std::max(x.elements(), x.dim(axis)) <= INT32_MAX,
            "too many elements for int32 indices");
    context.AllocateOutput(1, index_type_, Shape({x.dim(axis)}));  // refused before anything is counted
    VisitType(type_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_arithmetic_v<T> || kIsFloat16<T>) RunAs<T, uint64_t>(context, axis);
      if constexpr (std::is_same_v<T, std::string>) RunAs<T, std::string_view>(context, axis);
    });
  }

 private:
  // The axis that input 1 names, if the op has one and names one.
  static int AxisOf(KernelContext& context) {
    const Tensor& x = context.input(0);
    if (context.num_inputs() > 1) {
      const Tensor& axis = context.input(1);
      Require(axis.rank() == 1 && axis.elements() <= 1, "axis must be a vector of one axis or none, not of shape ",
              axis.shape().ToString());
      if (axis.elements() == 1) return NormalizeAxis(IntAt(axis, 0), x.rank());
    }
    Require(x.rank() == 1, "unique takes a vector, not the shape ", x.shape().ToString());
    return 0;
  }

  // What has been found so far.
  struct Found {
    explicit Found(int64_t size) { places.reserve(static_cast<size_t>(size)); }

    std::vector<int64_t> firsts, counts, places;
    void Add(int64_t i, int64_t place) {
      if (place == static_cast<int64_t>(firsts.size())) {
        firsts.push_back(i);
        counts.push_back(0);
      }
      ++counts[static_cast<size_t>(place)];
      places.push_back(place);
    }
  };

  template <class T, class Key>
  void RunAs(KernelContext& context, int axis) const {
    const Tensor& x = context.input(0);
    const Slices<T, Key> slices{static_cast<const T*>(x.raw()), ElementsIn(x.shape(), 0, axis), x.dim(axis),
                                ElementsIn(x.shape(), axis + 1, x.rank())};
    const Found found = slices.outer == 1 && slices.inner == 1 ? FindElements(slices) : FindSlices(slices);
    SetIntVector(context, 1, index_type_, found.places);
    if (context.num_outputs() > 2) SetIntVector(context, 2, index_type_, found.counts);
    const auto count = static_cast<int64_t>(found.firsts.size());
    Dims dims(x.shape());
    dims[axis] = count;
    Tensor& output = context.AllocateOutput(0, type_, dims.ToShape());
    if (output.elements() == 0) return;
    T* to = static_cast<T*>(output.mutable_raw());
    for (int64_t outer = 0; outer < slices.outer; ++outer) {
      for (const int64_t first : found.firsts) {
        to = std::copy_n(slices.values + (outer * slices.size + first) * slices.inner, slices.inner, to);
      }
    }
  }

  template <class T, class Key>
  static Found FindElements(const Slices<T, Key>& slices) {
    Found found(slices.size);
    absl::flat_hash_map<Key, int64_t> place;
    for (int64_t i = 0; i < slices.size; ++i) {
      auto at = static_cast<int64_t>(found.firsts.size());
      Key key;
      if (UniqueKeyOf(slices.values[i], key)) at = place.try_emplace(key, at).first->second;
      found.Add(i, at);
    }
    return found;
  }

  template <class T, class Key>
  static Found FindSlices(const Slices<T, Key>& slices) {
    Found found(slices.size);
    const EqualSlices<T, Key> equal{&slices};
    absl::flat_hash_map<HashedSlice, int64_t, HashOfSlice, EqualSlices<T, Key>> place(0, HashOfSlice(), equal);
    for (int64_t i = 0; i < slices.size; ++i) {
      auto at = static_cast<int64_t>(found.firsts.size());
      size_t hash = 0;
      if (slices.Hash(i, hash)) at = place.try_emplace(HashedSlice{i, hash}, at).first->second;
      found.Add(i, at);
    }
    return found;
  }

  DType type_;
  DType index_type_;
};

// The elements of the first vector that are not in the second, and where they stand.
class ListDiff final : public Kernel {
 public:
  explicit ListDiff(const Node& node) : type_(InputType(node, 0)), index_type_(OutputType(node, 1)) {}
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &y = context.input(1);
    Require(x.rank() == 1 && y.rank() == 1, "x and y must be vectors, not of shapes ", x.shape().ToString(), " and ",
            y.shape().ToString());
    Require(index_type_ == DType::kInt64 || x.elements() <= INT32_MAX, "too many elements for int32 indices");
    VisitType(type_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_arithmetic_v<T> || kIsFloat16<T>) RunAs<T, uint64_t>(context);
      if constexpr (std::is_same_v<T, std::string>) RunAs<T, std::string_view>(context);
    });
  }

 private:
  template <class T, class Key>
  void RunAs(KernelContext& context) const {
    const std::span<const T> x = context.input(0).data<T>(), y = context.input(1).data<T>();
    absl::flat_hash_set<Key> known;
    Key key;
    for (const T& value : y) {
      if (KeyOf(value, key)) known.insert(key);
    }
    std::vector<int64_t> missing;
    for (size_t i = 0; i < x.size(); ++i) {
      if (!KeyOf(x[i], key) || !known.contains(key)) missing.push_back(static_cast<int64_t>(i));
    }
    const Shape shape({static_cast<int64_t>(missing.size())});
    T* values = context.AllocateOutput(0, type_, shape).template mutable_data<T>().data();
    for (size_t i = 0; i < missing.size(); ++i) values[i] = x[static_cast<size_t>(missing[i])];
    SetIntVector(context, 1, index_type_, missing);
  }

  DType type_;
  DType index_type_;
};

constexpr KernelRow kRows[] = {
    {"Unique", Make<Unique>},     {"UniqueWithCounts", Make<Unique>},
    {"UniqueV2", Make<Unique>},   {"UniqueWithCountsV2", Make<Unique>},
    {"ListDiff", Make<ListDiff>},
};

}  // namespace

std::span<const KernelRow> ArrayUnique() { return kRows; }

}  // namespace plumb::fast::cpu
