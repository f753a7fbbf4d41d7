#include "spec/ops/sample_notation.h"

#include "spec/ops/attr_notation.h"

namespace plumb {
namespace {

class SampleParser {
 public:
  explicit SampleParser(const OpDef& op) : op_(op), cursor_(op.sample, "the sample") {}

  std::vector<SampleAlternative> Parse() {
    std::vector<SampleAlternative> alternatives;
    do {
      const size_t begin = cursor_.position();
      alternatives.push_back(ParseAlternative());
      alternatives.back().text = Trimmed(begin, cursor_.position());
    } while (cursor_.Accept("|"));
    if (!cursor_.AtEnd()) cursor_.Fail("an input, '|' or the end is expected");
    return alternatives;
  }

 private:
  std::string Trimmed(size_t begin, size_t end) const {
    const size_t first = op_.sample.find_first_not_of(' ', begin);
    const size_t last = op_.sample.find_last_not_of(' ', end - 1);
    return first == std::string::npos || first >= end ? "" : op_.sample.substr(first, last + 1 - first);
  }

  bool AtBoolean() {
    TextCursor ahead = cursor_;
    return ahead.Accept("true") || ahead.Accept("false");
  }

  SampleAlternative ParseAlternative() {
    SampleAlternative alternative;
    while (cursor_.AtName() && !AtBoolean()) alternative.settings.push_back(ParseSetting());
    if (!alternative.settings.empty()) cursor_.Expect(":");
    while (!cursor_.AtEnd() && cursor_.Peek() != '|') alternative.inputs.push_back(ParseInput());
    if (alternative.inputs.size() != op_.inputs.size()) {
      cursor_.Fail(Str(op_.inputs.size(), " inputs are expected, not ", alternative.inputs.size()));
    }
    return alternative;
  }

  SampleSetting ParseSetting() {
    SampleSetting setting;
    const std::string name = cursor_.Name();
    setting.attr = op_.FindAttr(name);
    if (setting.attr == nullptr) cursor_.Fail(Str("the op has no attribute '", name, "'"));
    if (cursor_.Accept("in")) {
      setting.types = ParseTypeSet(cursor_);
      return setting;
    }
    cursor_.Expect("=");
    do {
      setting.choices.push_back(ParseChoice(*setting.attr));
    } while (cursor_.Accept("/"));
    return setting;
  }

  SampleChoice ParseChoice(const AttrDef& attr) {
    if (attr.kind == AttrKind::kShape || attr.kind == AttrKind::kTensor) return ParseShapePattern(cursor_);
    return ParseAttrValue(cursor_, attr);
  }

  SampleInput ParseInput() {
    SampleInput input;
    input.is_list = cursor_.Accept("(");
    if (input.is_list) {
      while (!cursor_.Accept(")")) input.items.push_back(ParseInput());
    } else if (cursor_.Peek() == '[') {
      RandomInput random;
      random.shape = ParseShapePattern(cursor_);
      while (ParseHow(random.rule)) {
      }
      input.value = std::move(random);
    } else {
      if (cursor_.AtName() && !AtBoolean()) cursor_.Fail("an input is expected");
      input.value = ParseConstant();
    }
    return input;
  }

  // Reads one word of how values are drawn, if one comes next.
  bool ParseHow(SampleRule& rule) {
    if (cursor_.Accept("in")) {
      rule.low = ParseNumber();
      cursor_.Expect("..");
      rule.high = ParseNumber();
      return true;
    }
    for (const auto& [word, flag] : {std::pair("positive", &rule.positive), std::pair("nonzero", &rule.nonzero),
                                     std::pair("finite", &rule.finite), std::pair("permutation", &rule.permutation)}) {
      if (!cursor_.Accept(word)) continue;
      *flag = true;
      return true;
    }
    return false;
  }

  SampleNumber ParseNumber() {
    if (cursor_.Accept("true")) return {1, ""};
    if (cursor_.Accept("false")) return {0, ""};
    if (cursor_.AtName()) return {0, cursor_.Name()};
    return {cursor_.Number(), ""};
  }

  SampleConstant ParseConstant() {
    SampleConstant constant;
    constant.is_list = cursor_.Accept("{");
    if (!constant.is_list) {
      constant.number = ParseNumber();
      return constant;
    }
    while (!cursor_.Accept("}")) {
      if (!constant.items.empty()) cursor_.Expect(",");
      constant.items.push_back(ParseConstant());
    }
    return constant;
  }

  const OpDef& op_;
  TextCursor cursor_;
};

// What the shape pattern alone says: any values in shapes that fit.
SampleAlternative FromPattern(const OpDef& op) {
  SampleAlternative alternative;
  alternative.text = op.shape_pattern;
  for (ShapePattern& shape : ParseShapeRelation(op.shape_pattern).inputs) {
    SampleInput input;
    input.value = RandomInput{std::move(shape), {}};
    alternative.inputs.push_back(std::move(input));
  }
  return alternative;
}

}  // namespace

std::vector<SampleAlternative> ParseSample(const OpDef& op) {
  if (op.sample == "-") return {};
  if (!op.sample.empty()) return SampleParser(op).Parse();
  if (op.shape_pattern.empty()) return {};
  return {FromPattern(op)};
}

}  // namespace plumb
