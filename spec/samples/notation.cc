#include "spec/samples/notation.h"

#include <charconv>
#include <functional>
#include <set>

#include "spec/ops/attr_notation.h"
#include "spec/ops/catalogue.h"

namespace plumb {
namespace {

class SampleParser {
 public:
  SampleParser(const OpDef& op, const std::string& text) : op_(op), text_(text), cursor_(text, "the sample") {}

  SampleAlternative Parse() {
    SampleAlternative alternative;
    alternative.text = text_;
    bool tried = false;
    do {
      if (AtNode()) {
        (tried ? alternative.after : alternative.before).push_back(ParseNode());
      } else if (tried) {
        cursor_.Fail("a node 'name = Op …' is expected: the op is tried once");
      } else {
        alternative.tried = ParseStatement(op_, false);
        names_.insert("this");
        tried = true;
      }
    } while (cursor_.Accept(";"));
    if (!cursor_.AtEnd()) cursor_.Fail("an input, ';' or the end is expected");
    if (!tried) cursor_.Fail(Str("the inputs of ", op_.name, " are expected"));
    return alternative;
  }

 private:
  bool AtBoolean() {
    TextCursor ahead = cursor_;
    return ahead.Accept("true") || ahead.Accept("false");
  }

  // "name = Op", as opposed to a setting.
  bool AtNode() {
    TextCursor ahead = cursor_;
    if (!ahead.AtName()) return false;
    ahead.Name();
    return ahead.Accept("=") && ahead.AtName() && FindOp(ahead.Name()) != nullptr;
  }

  SampleStatement ParseNode() {
    const std::string name = cursor_.Name();
    if (!names_.insert(name).second) cursor_.Fail(Str("there are two nodes '", name, "'"));
    cursor_.Expect("=");
    SampleStatement node = ParseStatement(GetOp(cursor_.Name()), true);
    node.name = name;
    return node;
  }

  SampleStatement ParseStatement(const OpDef& op, bool is_node) {
    SampleStatement statement;
    statement.op = &op;
    while (cursor_.AtName() && !AtBoolean() && !AtOutput() && !AtBytes()) {
      statement.settings.push_back(ParseSetting(op));
    }
    if (is_node || !statement.settings.empty()) cursor_.Accept(":");
    while (!cursor_.AtEnd() && cursor_.Peek() != ';') statement.inputs.push_back(ParseInput());
    if (statement.inputs.size() != op.inputs.size()) {
      cursor_.Fail(Str(op.inputs.size(), " inputs of ", op.name, " are expected, not ", statement.inputs.size()));
    }
    return statement;
  }

  bool AtOutput() {
    TextCursor ahead = cursor_;
    return ahead.AtName() && names_.contains(ahead.Name());
  }

  bool AtBytes() {
    TextCursor ahead = cursor_;
    return ahead.Accept("x'");
  }

  SampleSetting ParseSetting(const OpDef& op) {
    SampleSetting setting;
    const std::string name = cursor_.Name();
    setting.attr = op.FindAttr(name);
    if (setting.attr == nullptr) cursor_.Fail(Str(op.name, " has no attribute '", name, "'"));
    if (cursor_.Accept("in")) {
      setting.types = ParseTypeSet(cursor_);
      return setting;
    }
    cursor_.Expect("=");
    if (cursor_.Accept("$")) {
      setting.same_as = cursor_.Name();
      if (op_.FindAttr(setting.same_as) == nullptr)
        cursor_.Fail(Str("the op has no attribute '", setting.same_as, "'"));
      return setting;
    }
    do {
      setting.choices.push_back(ParseChoice(*setting.attr));
    } while (cursor_.Accept("/"));
    return setting;
  }

  SampleChoice ParseChoice(const AttrDef& attr) {
    const bool is_drawn = attr.kind == AttrKind::kShape || attr.kind == AttrKind::kTensor;
    if (is_drawn && !attr.is_list) return ParseShapePattern(cursor_);
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
    } else if (AtOutput()) {
      SampledOutput output;
      output.node = cursor_.Name();
      if (cursor_.Accept(":")) output.output = static_cast<int>(cursor_.Integer());
      input.value = std::move(output);
    } else {
      if (cursor_.AtName() && !AtBoolean() && !AtBytes()) cursor_.Fail("an input is expected");
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
    for (const auto& [word, flag] :
         {std::pair("positive", &rule.positive), std::pair("nonzero", &rule.nonzero), std::pair("finite", &rule.finite),
          std::pair("permutation", &rule.permutation), std::pair("sorted", &rule.sorted)}) {
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
    if (!constant.is_list && AtBytes()) {
      constant.text = ParseBytes();
    } else if (!constant.is_list && cursor_.Peek() == '\'') {
      constant.text = cursor_.Quoted();
    } else if (!constant.is_list) {
      constant.number = ParseNumber();
    }
    if (!constant.is_list) return constant;
    while (!cursor_.Accept("}")) {
      if (!constant.items.empty()) cursor_.Expect(",");
      constant.items.push_back(ParseConstant());
    }
    return constant;
  }

  // x'1f8b': two digits a byte.
  std::string ParseBytes() {
    cursor_.Expect("x");
    const std::string digits = cursor_.Quoted();
    std::string bytes;
    for (size_t i = 0; i + 1 < digits.size(); i += 2) {
      unsigned byte = 0;
      const char* const end = digits.data() + i + 2;
      if (std::from_chars(digits.data() + i, end, byte, 16).ptr != end) cursor_.Fail("two hexadecimal digits a byte");
      bytes += static_cast<char>(byte);
    }
    if (digits.size() % 2 != 0) cursor_.Fail("two hexadecimal digits a byte");
    return bytes;
  }

  const OpDef& op_;
  const std::string& text_;
  TextCursor cursor_;
  std::set<std::string, std::less<>> names_;  // of the nodes that stand before
};

// What the shape pattern alone says: any values in shapes that fit.
SampleAlternative FromPattern(const OpDef& op) {
  SampleAlternative alternative;
  alternative.text = op.shape_pattern;
  alternative.tried.op = &op;
  for (ShapePattern& shape : ParseShapeRelation(op.shape_pattern).inputs) {
    SampleInput input;
    input.value = RandomInput{std::move(shape), {}};
    alternative.tried.inputs.push_back(std::move(input));
  }
  return alternative;
}

}  // namespace

std::vector<SampleAlternative> ParseSample(const OpDef& op) {
  std::vector<SampleAlternative> alternatives;
  for (const std::string& text : op.samples) {
    if (!text.starts_with("-:")) alternatives.push_back(SampleParser(op, text).Parse());
  }
  if (op.samples.empty() && !op.shape_pattern.empty()) alternatives.push_back(FromPattern(op));
  return alternatives;
}

}  // namespace plumb
