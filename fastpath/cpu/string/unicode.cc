#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/string/text_codec.h"
#include "fastpath/device/kernel.h"
#include "spec/formats/code_page.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kGrain = 256;  // strings to a chunk

enum class OnError { kFail, kReplace, kIgnore };

// What the attributes say of what is no character.
struct Policy {
  explicit Policy(const Node& node) : replacement(GetAttr<int64_t>(node.attrs, "replacement_char")) {
    const auto& errors = GetAttr<std::string>(node.attrs, "errors");
    on_error = errors == "strict" ? OnError::kFail : errors == "ignore" ? OnError::kIgnore : OnError::kReplace;
    Require(replacement >= 0 && replacement <= kLargestCodePoint, "replacement_char ", replacement,
            " is no code point");
  }
  OnError on_error;
  int64_t replacement;
};

Encoding OutputEncodingOf(const Node& node) {
  return *FindEncoding(GetAttr<std::string>(node.attrs, "output_encoding"));
}

// Reads the characters of texts, and puts others in the place of those that are to be replaced.
class TextKernel : public Kernel {
 public:
  explicit TextKernel(const Node& node)
      : policy_(node),
        name_(GetAttr<std::string>(node.attrs, "input_encoding")),
        from_(FindEncoding(name_)),
        replaces_controls_(GetAttr<bool>(node.attrs, "replace_control_characters")) {
    Require(from_ || HasCodePage(name_), "there is no encoding '", name_, "'; there are ", kEncodingNames);
  }

 protected:
  // Calls visit(code point, first byte). `controls_fail`: control characters that are to be replaced are errors.
  template <class Visit>
  void ForEachCharacter(std::string_view text, int64_t place, bool controls_fail, const Visit& visit) const {
    if (from_) {
      Read(TextReader(text, *from_), place, controls_fail, visit);
    } else {
      Read(CodePageReader(name_, text), place, controls_fail, visit);
    }
  }

  const Policy policy_;

 private:
  template <class Reader, class Visit>
  void Read(Reader&& reader, int64_t place, bool controls_fail, const Visit& visit) const {
    while (reader.Next()) {
      const bool control = replaces_controls_ && reader.code_point() < 0x20;
      if (!reader.malformed() && !control) [[likely]] {
        visit(reader.code_point(), reader.start());
        continue;
      }
      Require(policy_.on_error != OnError::kFail || !(reader.malformed() || controls_fail), "string ", place,
              " is malformed at byte ", reader.start());
      if (policy_.on_error != OnError::kIgnore) visit(static_cast<int32_t>(policy_.replacement), reader.start());
    }
  }

  const std::string name_;
  const std::optional<Encoding> from_;  // else a code page of this name
  const bool replaces_controls_;
};

class UnicodeDecodeKernel : public TextKernel {
 public:
  explicit UnicodeDecodeKernel(const Node& node) : TextKernel(node), splits_type_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const auto texts = context.input(0).data<std::string>();
    std::vector<int64_t> splits(texts.size() + 1), starts;
    std::vector<int32_t> characters;
    for (size_t i = 0; i < texts.size(); ++i) {
      ForEachCharacter(texts[i], static_cast<int64_t>(i), false, [&](int32_t c, size_t start) {
        characters.push_back(c);
        starts.push_back(static_cast<int64_t>(start));
      });
      splits[i + 1] = static_cast<int64_t>(characters.size());
    }
    SetIntVector(context, 0, splits_type_, splits);
    const Shape shape{static_cast<int64_t>(characters.size())};
    const auto values = context.AllocateOutput(1, DType::kInt32, shape).mutable_data<int32_t>();
    std::copy(characters.begin(), characters.end(), values.begin());
    if (context.num_outputs() > 2) SetIntVector(context, 2, DType::kInt64, starts);
  }

 private:
  const DType splits_type_;
};

class UnicodeTranscodeKernel : public TextKernel {
 public:
  explicit UnicodeTranscodeKernel(const Node& node) : TextKernel(node), to_(OutputEncodingOf(node)) {}

  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    const std::string* texts = input.data<std::string>().data();
    std::string* results = context.AllocateOutput(0, DType::kString, input.shape()).mutable_data<std::string>().data();
    context.pool().ParallelFor(input.elements(), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        results[i].reserve(texts[i].size());
        TextWriter writer(results[i], to_);
        ForEachCharacter(texts[i], i, true, [&](int32_t c, size_t) { writer.Add(c); });
        writer.Flush();
      }
    });
  }

 private:
  const Encoding to_;
};

class UnicodeEncodeKernel : public Kernel {
 public:
  explicit UnicodeEncodeKernel(const Node& node) : policy_(node), to_(OutputEncodingOf(node)) {}

  void Run(KernelContext& context) override {
    const Tensor &input = context.input(0), &splits = context.input(1);
    CheckSplits(input, splits);
    const int32_t* values = input.data<int32_t>().data();
    const Shape shape{splits.elements() - 1};
    std::string* results = context.AllocateOutput(0, DType::kString, shape).mutable_data<std::string>().data();
    context.pool().ParallelFor(shape.elements(), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        TextWriter writer(results[i], to_);
        for (int64_t at = IntAt(splits, i); at < IntAt(splits, i + 1); ++at) Add(values[at], at, writer);
        writer.Flush();
      }
    });
  }

 private:
  // Rows begin at 0, ascend, and end with the last value.
  void CheckSplits(const Tensor& input, const Tensor& splits) const {
    Require(splits.rank() >= 1 && splits.dim(0) == splits.elements(),
            "splits must be a vector or one column, not of shape ", Printed(splits.shape()));
    Require(splits.elements() > 0 && IntAt(splits, 0) == 0, "input_splits must begin with 0");
    for (int64_t i = 1; i < splits.elements(); ++i) {
      Require(IntAt(splits, i - 1) <= IntAt(splits, i) && IntAt(splits, i) <= input.elements(), "input_splits[", i,
              "] = ", IntAt(splits, i), " must lie between the one before and ", input.elements());
    }
    Require(IntAt(splits, splits.elements() - 1) == input.elements(), "input_splits must end with ", input.elements());
  }

  void Add(int32_t c, int64_t at, TextWriter& writer) const {
    const bool in_range = static_cast<uint32_t>(c) <= uint32_t{kLargestCodePoint};
    if (in_range && !IsNoncharacter(c) && !IsLeadSurrogate(c) && !IsTrailSurrogate(c)) return writer.Add(c);
    Require(policy_.on_error != OnError::kFail, "value ", at, ", ", c, ", is no character");
    if (policy_.on_error == OnError::kReplace) return writer.Add(static_cast<int32_t>(policy_.replacement));
    if (in_range) writer.Add(c);
  }

  const Policy policy_;
  const Encoding to_;
};

constexpr KernelRow kRows[] = {
    {"UnicodeDecode", Make<UnicodeDecodeKernel>},
    {"UnicodeDecodeWithOffsets", Make<UnicodeDecodeKernel>},
    {"UnicodeEncode", Make<UnicodeEncodeKernel>},
    {"UnicodeTranscode", Make<UnicodeTranscodeKernel>},
};

}  // namespace

std::span<const KernelRow> StringUnicode() { return kRows; }

}  // namespace plumb::fast::cpu
