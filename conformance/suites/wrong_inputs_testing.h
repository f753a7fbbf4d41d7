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

// One dimension more and several, one less on either side, none, and each of them larger or smaller by one.
inline std::vector<Shape> Neighbours(const Shape& shape) {
  const std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
  std::vector<std::vector<int64_t>> others(2, dims);
  others[0].insert(others[0].begin(), 1);
  others[1].insert(others[1].begin(), {2, 1});
  for (const size_t more : {3, 5, 7}) {
    others.push_back(dims);
    others.back().insert(others.back().begin(), more, 1);
  }
  if (!dims.empty()) others.emplace_back(dims.begin() + 1, dims.end());
  if (dims.size() > 1) others.emplace_back(dims.begin(), dims.end() - 1);
  if (dims.size() > 1) others.emplace_back();
  for (size_t i = 0; i < dims.size(); ++i) {
    for (const int64_t by : {1, -1}) {
      if (dims[i] + by < 0) continue;
      others.push_back(dims);
      others.back()[i] += by;
    }
  }
  return {others.begin(), others.end()};
}

class WrongInputsMaker {
 public:
  WrongInputsMaker(const OpDef& op, const SampledCase& fitting) : op_(op), fitting_(fitting) {}

  std::vector<SampledCase> Made() {
    for (size_t i = 0; i < fitting_.inputs.size(); ++i) {
      if (!fitting_.inputs[i].IsSet()) continue;  // another node gives it
      for (const Shape& shape : Neighbours(fitting_.inputs[i].shape())) {
        Put(i, InShape(fitting_.inputs[i], shape), "of shape " + shape.ToString());
      }
      ChangeElement(i);
    }
    for (const AttrDef& attr : op_.attrs) ChangeAttribute(attr);
    return std::move(made_);
  }

 private:
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
        return PutAtEnds<float>(input, Fractions());
      case DType::kDouble:
        return PutAtEnds<double>(input, Fractions());
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
  static std::vector<double> Fractions() { return {-1, 0, 1, 2, std::numeric_limits<double>::quiet_NaN()}; }

  void ChangeAttribute(const AttrDef& attr) {
    const auto given = fitting_.attrs.find(attr.name);
    if (given == fitting_.attrs.end() || CountsArguments(op_, attr) || attr.name.starts_with("seed")) return;
    if (attr.kind == AttrKind::kType && !attr.is_list) return ChangeType(attr);
    if (attr.kind == AttrKind::kInt && !attr.is_list) {
      for (const int64_t value : Integers()) Put(attr, value);
    } else if (attr.kind == AttrKind::kFloat && !attr.is_list) {
      for (const double value : Fractions()) Put(attr, value);
    } else if (attr.kind == AttrKind::kString && !attr.is_list && attr.allowed_strings.empty()) {
      if (attr.name != "container" && attr.name != "shared_name") Put(attr, "?");
    } else if (const auto* list = given->second.Get<std::vector<int64_t>>()) {
      ChangeList(attr, *list);
    }
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

}  // namespace plumb::conformance
