// The `samples` column taken apart (the notation is in sample.h).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "spec/ops/dims.h"
#include "spec/ops/op_def.h"
#include "spec/samples/sample.h"

namespace plumb {

// A number, or the size that a name stands for.
struct SampleNumber {
  double value = 0;
  std::string name;
};

// How random values are drawn.
struct SampleRule {
  std::optional<SampleNumber> low;
  std::optional<SampleNumber> high;
  bool positive = false;
  bool nonzero = false;
  bool finite = false;
  bool permutation = false;
  bool sorted = false;
};

// A constant: a number, a text, or braces around others.
struct SampleConstant {
  bool is_list = false;
  SampleNumber number;
  std::optional<std::string> text;
  std::vector<SampleConstant> items;
};

struct RandomInput {
  ShapePattern shape;
  SampleRule rule;
};

struct SampleInput {
  bool is_list = false;  // "( … )": one item for each value of the argument
  std::variant<RandomInput, SampleConstant, SampledOutput> value;
  std::vector<SampleInput> items;
};

// One value of a setting: an attribute value, or a shape whose names are drawn.
using SampleChoice = std::variant<AttrValue, ShapePattern>;

struct SampleSetting {
  const AttrDef* attr = nullptr;
  std::vector<SampleChoice> choices;  // "=": one of these
  std::vector<DType> types;           // "in": the attribute must be one of these
  std::string same_as;                // "= $name": the tried op's attribute
};

// One node: the op that is tried, or one that runs before or after it.
struct SampleStatement {
  std::string name;  // empty for the op that is tried
  const OpDef* op = nullptr;
  std::vector<SampleSetting> settings;
  std::vector<SampleInput> inputs;  // one per argument of the signature
};

struct SampleAlternative {
  std::string text;
  std::vector<SampleStatement> before;
  SampleStatement tried;
  std::vector<SampleStatement> after;
};

// Throws kInvalidArgument with the position of the mistake. No alternatives: the op cannot be sampled.
std::vector<SampleAlternative> ParseSample(const OpDef& op);

}  // namespace plumb
