#include "conformance/suites/attributes.h"

#include <algorithm>

#include "conformance/suites/layout.h"
#include "conformance/suites/single_node.h"

namespace plumb::conformance {
namespace {

constexpr char kPadding[] = "padding", kExplicit[] = "EXPLICIT", kExplicitPaddings[] = "explicit_paddings";

// Values besides the default that an op may well take.
std::vector<AttrValue> Others(const AttrDef& attr) {
  const AttrValue& value = *attr.default_value;
  if (const auto* number = value.Get<int64_t>()) {
    std::vector<AttrValue> others = {AttrValue(*number + 1)};
    if (!attr.minimum || *number - 1 >= *attr.minimum) others.push_back(AttrValue(*number - 1));
    return others;
  }
  if (const auto* number = value.Get<float>()) {
    if (*number == 0) return {AttrValue(0.5F)};
    return {AttrValue(*number / 2), AttrValue(*number * 2)};
  }
  if (attr.kind == AttrKind::kString && attr.is_list) return {AttrValue(std::vector<std::string>{"other"})};
  if (const auto* text = value.Get<std::string>()) return {AttrValue(*text + "other")};
  if (const auto* numbers = value.Get<std::vector<int64_t>>(); numbers != nullptr && numbers->size() > 2) {
    std::vector<int64_t> inner_doubled = *numbers;
    for (size_t i = 1; i + 1 < inner_doubled.size(); ++i) inner_doubled[i] *= 2;
    return {AttrValue(std::move(inner_doubled))};
  }
  const bool numbers = attr.kind == AttrKind::kInt && attr.is_list;
  return numbers ? std::vector<AttrValue>{AttrValue(std::vector<int64_t>{0})} : std::vector<AttrValue>{};
}

std::vector<AttrMap> Each(const std::string& attr, const std::vector<AttrValue>& values) {
  std::vector<AttrMap> maps;
  for (const AttrValue& value : values) maps.push_back({{attr, value}});
  return maps;
}

// Paddings that are written out need a mode that reads them, and it them: as much as SAME pads for windows of 3 by 2,
// and of 3 by 3.
std::vector<AttrMap> ExplicitPaddings() {
  std::vector<AttrMap> maps;
  for (const int64_t left : {0, 1}) {
    maps.push_back({{kPadding, kExplicit}, {kExplicitPaddings, std::vector<int64_t>{0, 0, 1, 1, left, 1, 0, 0}}});
  }
  return maps;
}
bool PadsExplicitly(const OpDef& op) {
  const AttrDef* mode = op.FindAttr(kPadding);
  return mode != nullptr && op.FindAttr(kExplicitPaddings) != nullptr &&
         std::count(mode->allowed_strings.begin(), mode->allowed_strings.end(), kExplicit) > 0;
}

std::vector<AttrDraw> DrawsOf(const OpDef& op, const AttrDef& attr) {
  std::vector<AttrDraw> draws;
  const auto add = [&](const std::string& what, const AttrValue& value, std::vector<AttrMap> candidates) {
    const bool needs_both = PadsExplicitly(op) && ((attr.name == kPadding && what == kExplicit) ||
                                                   (attr.name == kExplicitPaddings && what == "other"));
    if (needs_both) candidates = ExplicitPaddings();
    const AttrDraw::What kind = what == "other" ? AttrDraw::kOther : what == "given" ? AttrDraw::kAny : AttrDraw::kThis;
    draws.push_back({attr.name, attr.name + "=" + what, value, kind, std::move(candidates)});
  };
  if (attr.kind == AttrKind::kBool && !attr.is_list) {
    for (const bool value : {false, true}) add(value ? "true" : "false", value, Each(attr.name, {AttrValue(value)}));
  } else if (!attr.allowed_strings.empty() && !attr.is_list) {
    for (const std::string& value : attr.allowed_strings) add(value, value, Each(attr.name, {AttrValue(value)}));
  } else if (!attr.default_value) {
    add("given", AttrValue(), {});
  } else {
    add("default", *attr.default_value, Each(attr.name, {*attr.default_value}));
    add("other", *attr.default_value, Each(attr.name, Others(attr)));
  }
  return draws;
}

template <class T>
bool IsEmptyListOf(const AttrValue& value) {
  const auto* list = value.Get<std::vector<T>>();
  return list != nullptr && list->empty();
}

// An empty list has no kind of its own on the wire.
bool IsEmpty(const AttrValue& value) {
  return value.Get<EmptyList>() != nullptr || IsEmptyListOf<int64_t>(value) || IsEmptyListOf<std::string>(value) ||
         IsEmptyListOf<float>(value) || IsEmptyListOf<DType>(value) || IsEmptyListOf<PartialShape>(value);
}
bool Same(const AttrValue& a, const AttrValue& b) { return a == b || (IsEmpty(a) && IsEmpty(b)); }

}  // namespace

bool CountsArguments(const OpDef& op, const AttrDef& attr) {
  const auto names = [&](const ArgDef& arg) { return arg.number_attr == attr.name; };
  return std::any_of(op.inputs.begin(), op.inputs.end(), names) ||
         std::any_of(op.outputs.begin(), op.outputs.end(), names);
}

std::vector<AttrDraw> DrawsFor(const OpDef& op) {
  std::vector<AttrDraw> all;
  for (const AttrDef& attr : op.attrs) {
    const bool is_variant = attr.kind == AttrKind::kType && !attr.is_list;
    if (is_variant || CountsArguments(op, attr)) continue;
    for (AttrDraw& draw : DrawsOf(op, attr)) all.push_back(std::move(draw));
  }
  return all;
}

bool Draws(const AttrDraw& draw, const AttrMap& attrs) {
  const auto given = attrs.find(draw.attr);
  if (given == attrs.end()) return false;
  return draw.what == AttrDraw::kAny || Same(given->second, draw.value) == (draw.what == AttrDraw::kThis);
}

std::vector<std::string> DrawnBy(const OpDef& op, const AttrMap& attrs) {
  std::vector<std::string> drawn;
  for (const AttrDraw& draw : DrawsFor(op)) {
    if (Draws(draw, attrs)) drawn.push_back(draw.name);
  }
  return drawn;
}

namespace {

// What an op finds by its attributes, the nodes around it find too: by the same container, and by the same name, which
// is the node's own where none is given (rule R3).
void NameAlike(const std::string& attr, const AttrValue& value, SampledCase* sampled) {
  if (attr != "container" && attr != "shared_name") return;
  const auto named = [&](const AttrValue& given) {
    const std::string text = *given.Get<std::string>();
    return attr == "shared_name" && text.empty() ? std::string(kTried) : text;
  };
  const std::string before = named(sampled->attrs.at(attr));
  for (auto* const nodes : {&sampled->before, &sampled->after}) {
    for (SampledNode& node : *nodes) {
      const auto found = node.attrs.find(attr);
      if (found != node.attrs.end() && *found->second.Get<std::string>() == before) found->second = named(value);
    }
  }
}

}  // namespace

SampledCase WithAttributes(const OpDef& op, SampledCase sampled, const AttrMap& attrs) {
  for (const auto& [name, value] : attrs) {
    if (name == kDataFormat) TurnLayout(op, value, &sampled);
    NameAlike(name, value, &sampled);
    sampled.attrs.insert_or_assign(name, value);
  }
  return sampled;
}

}  // namespace plumb::conformance
