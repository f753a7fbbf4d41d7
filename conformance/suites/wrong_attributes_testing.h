// Values of attributes that an op is not made for: beyond what its row allows, of another length, or of another kind
// than its inputs and the other attributes go with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "conformance/suites/variants.h"
#include "spec/core/attr.h"
#include "spec/ops/op_def.h"

namespace plumb::conformance {

// One dimension more and several, one less on either side, none, and each of them larger or smaller by one.
inline std::vector<std::vector<int64_t>> Neighbours(const std::vector<int64_t>& dims) {
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
  return others;
}

inline std::vector<double> WrongFractions() { return {-1, 0, 1, 2, std::numeric_limits<double>::quiet_NaN()}; }

// Known in part or not at all, and with less and more than there is.
inline std::vector<PartialShape> OtherShapes(const PartialShape& usual) {
  std::vector<PartialShape> others = {PartialShape::Unknown(), PartialShape{0}, PartialShape{3, -1}};
  if (!usual.has_rank()) return others;
  others.push_back(PartialShape::OfRank(usual.rank()));
  for (std::vector<int64_t>& dims : Neighbours(usual.dims())) others.emplace_back(std::move(dims));
  return others;
}

inline std::vector<DType> OtherTypes(DType usual) {
  std::vector<DType> others = {DType::kFloat, DType::kInt64, DType::kString};
  std::erase(others, usual);
  return others;
}

// One entry more, one less, none, and another first and last one out of `others_of` what stands there.
template <class T, class OthersOf>
std::vector<AttrValue> OtherLists(const std::vector<T>& usual, const T& more, const OthersOf& others_of) {
  std::vector<std::vector<T>> lists(1, usual);
  lists[0].push_back(more);
  if (usual.size() > 1) lists.emplace_back();
  if (!usual.empty()) lists.emplace_back(usual.begin(), usual.end() - 1);
  std::set<size_t> ends;
  if (!usual.empty()) ends = {0, usual.size() - 1};
  for (const size_t at : ends) {
    for (const auto& other : others_of(usual[at])) {
      lists.push_back(usual);
      lists.back()[at] = static_cast<T>(other);
    }
  }
  return {lists.begin(), lists.end()};
}

// Of a list of any kind but integers; none of a list that has no entries on either side of the wire (EmptyList).
inline std::vector<AttrValue> OtherLists(const AttrValue& usual) {
  if (const auto* const numbers = usual.Get<std::vector<float>>()) {
    return OtherLists(*numbers, 1.F, [](float) { return WrongFractions(); });
  }
  if (const auto* const texts = usual.Get<std::vector<std::string>>()) {
    return OtherLists(*texts, texts->empty() ? std::string("?") : texts->front(), [](const std::string&) {
      return std::vector<std::string>{"", "?"};
    });
  }
  if (const auto* const types = usual.Get<std::vector<DType>>()) return OtherLists(*types, DType::kFloat, OtherTypes);
  if (const auto* const shapes = usual.Get<std::vector<PartialShape>>()) {
    return OtherLists(*shapes, PartialShape{2}, OtherShapes);
  }
  return {};
}

// Of an attribute that is no integer, no list of integers, and no single type. What its row allows besides the value is
// among them, and one that it does not allow.
inline std::vector<AttrValue> OtherValues(const AttrDef& attr, const AttrValue& usual) {
  if (attr.is_list) return OtherLists(usual);
  if (const bool* const flag = usual.Get<bool>()) return {!*flag};
  if (const auto* const shape = usual.Get<PartialShape>()) {
    const std::vector<PartialShape> shapes = OtherShapes(*shape);
    return {shapes.begin(), shapes.end()};
  }
  if (attr.kind == AttrKind::kFloat) {
    const std::vector<double> numbers = WrongFractions();
    return {numbers.begin(), numbers.end()};
  }
  if (attr.kind != AttrKind::kString) return {};
  std::vector<AttrValue> texts = {"?"};
  for (const std::string& allowed : attr.allowed_strings) {
    if (!(usual == AttrValue(allowed))) texts.emplace_back(allowed);
  }
  return texts;
}

}  // namespace plumb::conformance
