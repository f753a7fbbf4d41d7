// Inputs that an op is not made for. Most are refused, and both sides have to refuse them with one code; what is taken
// has one answer.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "conformance/suites/attributes.h"
#include "conformance/suites/variants.h"
#include "conformance/suites/wrong_attributes_testing.h"
#include "spec/ops/dims.h"
#include "spec/samples/sample.h"

namespace plumb::conformance {

// Of which an element is changed, and which sizes are put in the place of one.
inline constexpr int64_t kFewElements = 64;
inline constexpr int64_t kSmallSize = 100;

// The tensor's elements, again from the first one on where there are not enough, in another shape.
inline Tensor InShape(const Tensor& tensor, const Shape& shape) {
  Tensor other(tensor.dtype(), shape);
  const int64_t given = tensor.elements();
  if (tensor.dtype() == DType::kString) {
    for (int64_t i = 0; i < other.elements() && given > 0; ++i) {
      other.mutable_data<std::string>()[i] = tensor.data<std::string>()[i % given];
    }
    return other;
  }
  const auto size = static_cast<int64_t>(ElementSize(tensor.dtype()));
  auto* const to = static_cast<char*>(other.mutable_raw());
  const auto* const from = static_cast<const char*>(tensor.raw());
  if (given == 0) std::memset(to, 0, other.bytes());
  for (int64_t i = 0; i < other.elements() && given > 0; ++i) {
    std::memcpy(to + i * size, from + i % given * size, static_cast<size_t>(size));
  }
  return other;
}

class WrongInputsMaker {
 public:
  WrongInputsMaker(const OpDef& op, const SampledCase& fitting) : op_(op), fitting_(fitting) {}

  std::vector<SampledCase> Made() {
    for (size_t i = 0; i < fitting_.inputs.size(); ++i) {
      if (!fitting_.inputs[i].IsSet()) continue;  // another node gives it
      for (const std::vector<int64_t>& dims : Neighbours(fitting_.inputs[i].shape().ToVector())) {
        const Shape shape(dims);
        Put(i, InShape(fitting_.inputs[i], shape), "of shape " + shape.ToString());
      }
      ChangeElement(i);
    }
    for (const AttrDef& attr : op_.attrs) ChangeAttribute(attr);
    return std::move(made_);
  }

  std::vector<SampledCase> MadeExtreme() {
    for (size_t i = 0; i < fitting_.inputs.size(); ++i) {
      const Tensor& input = fitting_.inputs[i];
      const bool is_any = fitting_.freedoms.at(i) == Freedom::kAny;  // drawn with such numbers as it is
      if (!input.IsSet() || is_any || input.elements() == 0 || input.elements() > kFewElements) continue;
      if (input.dtype() == DType::kInt32) PutAtEnds<int32_t>(i, ExtremesOf<int32_t>());
      if (input.dtype() == DType::kInt64) PutAtEnds<int64_t>(i, ExtremesOf<int64_t>());
    }
    for (const AttrDef& attr : op_.attrs) {
      const auto given = fitting_.attrs.find(attr.name);
      if (given == fitting_.attrs.end() || CountsArguments(op_, attr) || attr.name.starts_with("seed")) continue;
      if (TakesTime(attr)) continue;
      const auto* const list = given->second.Get<std::vector<int64_t>>();
      for (const int64_t value : ExtremesOf<int64_t>()) {
        if (attr.kind == AttrKind::kInt && !attr.is_list) Put(attr, value);
        if (list != nullptr && !list->empty()) {
          std::vector<int64_t> other = *list;
          other.back() = value;
          Put(attr, other);
        }
      }
    }
    return std::move(made_);
  }

 private:
  // Whoever is to wait or try so long does.
  static bool TakesTime(const AttrDef& attr) {
    return attr.name.ends_with("timeout_micros") || attr.name == "max_attempts" || attr.name == "num_negative_samples";
  }
  // What sums, differences and products with small numbers go beyond, and what a narrower type has as 0 or turns
  // around.
  template <class T>
  static std::vector<T> ExtremesOf() {
    using Narrow = std::numeric_limits<int32_t>;
    std::vector<T> extremes = {Narrow::min(), Narrow::min() + 1, Narrow::max()};
    if constexpr (sizeof(T) > sizeof(int32_t)) {
      using Wide = std::numeric_limits<T>;
      constexpr T kBeyond = T{1} << 32;
      extremes.insert(extremes.end(), {kBeyond / 2, kBeyond, Wide::min(), Wide::min() + 1, Wide::max()});
    }
    return extremes;
  }
  void Put(size_t input, Tensor tensor, const std::string& what) {
    made_.push_back(fitting_);
    made_.back().inputs[input] = std::move(tensor);
    made_.back().label += Str(", input ", input, " ", what);
  }
  void Put(const AttrDef& attr, const AttrValue& value) {
    made_.push_back(fitting_);
    made_.back().attrs[attr.name] = value;
    made_.back().label += Str(", ", attr.name, "=", value.ToString());
  }

  void ChangeElement(size_t input) {
    const Tensor& tensor = fitting_.inputs[input];
    if (tensor.elements() == 0 || tensor.elements() > kFewElements) return;
    switch (tensor.dtype()) {
      case DType::kInt32:
        return PutAtEnds<int32_t>(input, Integers());
      case DType::kInt64:
        return PutAtEnds<int64_t>(input, Integers());
      case DType::kFloat:
        return PutAtEnds<float>(input, WrongFractions());
      case DType::kDouble:
        return PutAtEnds<double>(input, WrongFractions());
      case DType::kString:
        return PutAtEnds<std::string>(input, std::vector<std::string>{"", "no such", "?"});
      default:
        return;
    }
  }
  template <class T, class Values>
  void PutAtEnds(size_t input, const Values& values) {
    const auto last = static_cast<size_t>(fitting_.inputs[input].elements() - 1);
    for (const auto& value : values) {
      const auto put = [&](size_t at, std::string_view how) {
        Tensor tensor = fitting_.inputs[input].Clone();
        tensor.mutable_data<T>()[at] = static_cast<T>(value);
        Put(input, std::move(tensor), Str(how, value));
      };
      put(last, "ending in ");
      if (last > 0) put(0, "beginning with ");
    }
  }
  // What may be an index or a size, and the first that is none.
  std::set<int64_t> Integers() const {
    std::set<int64_t> integers = {-1, 0, 1};
    for (const Tensor& tensor : fitting_.inputs) {
      if (!tensor.IsSet()) continue;
      for (const int64_t dim : tensor.shape().dims()) integers.insert(dim);
      integers.insert({tensor.rank(), tensor.elements()});
    }
    std::erase_if(integers, [](int64_t i) { return i > kSmallSize; });
    return integers;
  }

  void ChangeAttribute(const AttrDef& attr) {
    const auto given = fitting_.attrs.find(attr.name);
    if (given == fitting_.attrs.end() || CountsArguments(op_, attr) || attr.name.starts_with("seed")) return;
    if (attr.kind == AttrKind::kType && !attr.is_list) return ChangeType(attr);
    if (attr.name == "container" || attr.name == "shared_name") return;
    if (attr.kind == AttrKind::kInt && !attr.is_list) {
      for (const int64_t value : Integers()) Put(attr, value);
    } else if (const auto* list = given->second.Get<std::vector<int64_t>>()) {
      ChangeList(attr, *list);
    } else {
      for (const AttrValue& value : OtherValues(attr, given->second)) PutFitting(attr, value);
    }
  }
  // A list of types counts inputs where these have the types; then they follow it.
  void PutFitting(const AttrDef& attr, const AttrValue& value) {
    Put(attr, value);
    const auto* const types = value.Get<std::vector<DType>>();
    size_t next = 0;
    for (const ArgDef& arg : op_.inputs) {
      const auto count = static_cast<size_t>(CountValues(arg, fitting_.attrs));
      if (types != nullptr && arg.type_list_attr == attr.name) {
        if (!FollowTypes(next, count, *types)) made_.pop_back();
        return;
      }
      next += count;
    }
  }
  // Whether the case put last could have the inputs from `begin` on, of which there were `count`, in other types.
  bool FollowTypes(size_t begin, size_t count, const std::vector<DType>& types) {
    std::vector<Tensor>& inputs = made_.back().inputs;
    const auto first = inputs.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = first + static_cast<std::ptrdiff_t>(count);
    if (!std::all_of(first, inputs.end(), [](const Tensor& input) { return input.IsSet(); })) return false;
    std::vector<Tensor> typed;
    for (size_t i = 0; i < types.size(); ++i) {
      const bool is_new = i >= count;
      const Tensor& usual = is_new ? Tensor() : first[static_cast<std::ptrdiff_t>(i)];
      const bool stays = !is_new && usual.dtype() == types[i];
      typed.push_back(stays ? usual : Zeros(types[i], is_new ? Shape() : usual.shape()));
    }
    inputs.insert(inputs.erase(first, last), typed.begin(), typed.end());
    return true;
  }
  void ChangeList(const AttrDef& attr, const std::vector<int64_t>& list) {
    std::vector<int64_t> longer = list, shorter = list;
    longer.push_back(1);
    Put(attr, longer);
    if (list.empty()) return;
    shorter.pop_back();
    Put(attr, shorter);
    for (size_t i = 0; i < list.size(); ++i) {
      for (const int64_t value : {-1, 0, 2}) {
        std::vector<int64_t> other = list;
        other[i] = value;
        Put(attr, other);
      }
    }
  }

  void ChangeType(const AttrDef& attr) {
    const std::vector<DType> declared = DeclaredTypes(op_, attr);
    for (const DType type : attr.allowed_types) {
      if (std::find(declared.begin(), declared.end(), type) == declared.end()) PutType(attr, type);
    }
  }
  void PutType(const AttrDef& attr, DType type) {
    SampledCase other = fitting_;
    other.attrs[attr.name] = type;
    other.label += Str(", ", attr.name, "=", DTypeName(type));
    size_t next = 0;
    for (const ArgDef& arg : op_.inputs) {
      for (int64_t i = CountValues(arg, fitting_.attrs); i > 0; --i, ++next) {
        if (arg.type_attr != attr.name || !other.inputs[next].IsSet()) continue;
        other.inputs[next] = Zeros(type, other.inputs[next].shape());
      }
    }
    made_.push_back(std::move(other));
  }
  const OpDef& op_;
  const SampledCase& fitting_;
  std::vector<SampledCase> made_;
};

// Of a case that fits. In each, one thing is another: the shape of an input, one of its elements, the value of an
// attribute, or a type, for one that the row declares for no kernel. Seeds and names stay.
inline std::vector<SampledCase> WrongInputs(const OpDef& op, const SampledCase& fitting) {
  return WrongInputsMaker(op, fitting).Made();
}

// The same, with a number at the end of its type in an integer that is no mere operand, or in an attribute.
inline std::vector<SampledCase> ExtremeInputs(const OpDef& op, const SampledCase& fitting) {
  return WrongInputsMaker(op, fitting).MadeExtreme();
}

}  // namespace plumb::conformance
