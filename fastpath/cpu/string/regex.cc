#include <re2/re2.h>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/string/map_strings.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// The pattern is compiled with the plan where an attribute says it, and at every run where an input does.
class RegexKernel : public Kernel {
 public:
  explicit RegexKernel(const Node& node) {
    if (node.input_types.size() == 1) fixed_ = Compile(GetAttr<std::string>(node.attrs, "pattern"));
  }

 protected:
  std::shared_ptr<const re2::RE2> Pattern(const KernelContext& context) const {
    return fixed_ != nullptr ? fixed_ : Compile(Scalar(context, 1));
  }
  const std::string& Scalar(const KernelContext& context, int i) const {
    Require(context.input(i).rank() == 0, "pattern and rewrite must be scalars, not of shape ",
            Printed(context.input(i).shape()));
    return context.input(i).data<std::string>()[0];
  }

 private:
  std::shared_ptr<const re2::RE2> Compile(const std::string& text) const {
    auto pattern = std::make_shared<const re2::RE2>(text, re2::RE2::Quiet);
    Require(pattern->ok(), "'", text, "' is no regular expression: ", pattern->error());
    return pattern;
  }

  std::shared_ptr<const re2::RE2> fixed_;
};

class RegexReplaceKernel : public RegexKernel {
 public:
  explicit RegexReplaceKernel(const Node& node)
      : RegexKernel(node), everywhere_(GetAttr<bool>(node.attrs, "replace_global")) {
    if (node.input_types.size() == 1) rewrite_ = GetAttr<std::string>(node.attrs, "rewrite");
  }

  void Run(KernelContext& context) override {
    const auto pattern = Pattern(context);
    const std::string& rewrite = context.num_inputs() == 1 ? rewrite_ : Scalar(context, 2);
    MapStrings<std::string>(context, [&](const std::string& text, std::string& result) {
      result = text;
      if (everywhere_) {
        re2::RE2::GlobalReplace(&result, *pattern, rewrite);
      } else {
        re2::RE2::Replace(&result, *pattern, rewrite);
      }
    });
  }

 private:
  const bool everywhere_;
  std::string rewrite_;
};

class RegexFullMatchKernel : public RegexKernel {
 public:
  using RegexKernel::RegexKernel;

  void Run(KernelContext& context) override {
    const auto pattern = Pattern(context);
    MapStrings<bool>(context,
                     [&](const std::string& text, bool& matches) { matches = re2::RE2::FullMatch(text, *pattern); });
  }
};

constexpr KernelRow kRows[] = {
    {"RegexReplace", Make<RegexReplaceKernel>},
    {"StaticRegexReplace", Make<RegexReplaceKernel>},
    {"RegexFullMatch", Make<RegexFullMatchKernel>},
    {"StaticRegexFullMatch", Make<RegexFullMatchKernel>},
};

}  // namespace

std::span<const KernelRow> StringRegex() { return kRows; }

}  // namespace plumb::fast::cpu
