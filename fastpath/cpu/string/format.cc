#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/string/print.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kGrain = 1024;  // elements to a chunk
constexpr int64_t kWidest = int64_t{1} << 20;

class AsStringKernel : public Kernel {
 public:
  explicit AsStringKernel(const Node& node) : type_(InputType(node, 0)) {
    const auto& fill = GetAttr<std::string>(node.attrs, "fill");
    const auto width = GetAttr<int64_t>(node.attrs, "width"), precision = GetAttr<int64_t>(node.attrs, "precision");
    const bool scientific = GetAttr<bool>(node.attrs, "scientific"), shortest = GetAttr<bool>(node.attrs, "shortest");
    const bool has_point = IsFloating(type_) || IsComplex(type_);
    Require(has_point || (!scientific && !shortest && precision < 0), DTypeName(type_),
            " is written without precision, scientific and shortest");
    Require(!(scientific && shortest), "scientific and shortest exclude each other");
    Require(fill.empty() || (fill.size() == 1 && std::string_view("+-0# ").find(fill) != std::string_view::npos),
            "fill is one of '+', '-', '0', '#', ' ', and not '", fill, "'");
    Require(std::min(width, precision) >= INT32_MIN, "width and precision must be int32, not ", width, " and ",
            precision);
    Require(width <= kWidest && precision <= kWidest, "width and precision end at ", kWidest);
    is_plain_ = fill.empty() && width < 0;
    format_ = "%" + fill;
    if (width > -1) format_ += std::to_string(width);
    if (precision > -1) format_ += "." + std::to_string(precision);
    const bool is_signed =
        type_ == DType::kInt8 || type_ == DType::kInt16 || type_ == DType::kInt32 || type_ == DType::kInt64;
    format_ += has_point ? (scientific ? "e" : shortest ? "g" : "f") : is_signed ? "jd" : "ju";
  }

  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    std::string* texts = context.AllocateOutput(0, DType::kString, input.shape()).mutable_data<std::string>().data();
    constexpr auto kWritten = FloatTypes() + ComplexTypes() + IntegerTypes() + Types<bool>();
    VisitOneOf(kWritten, type_, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* numbers = input.data<T>().data();
      context.pool().ParallelFor(input.elements(), kGrain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) Write(numbers[i], texts[i]);
      });
      return true;
    });
  }

 private:
  template <class T>
  void Write(const T& number, std::string& text) const {
    if constexpr (std::is_same_v<T, bool>) {
      text = number ? "true" : "false";
    } else if constexpr (std::is_integral_v<T>) {
      if (is_plain_) {
        AppendInteger(number, text);
      } else {
        Printf(static_cast<std::conditional_t<std::is_signed_v<T>, intmax_t, uintmax_t>>(number), text);
      }
    } else if constexpr (requires { number.imag(); }) {
      text += '(';
      Printf(static_cast<double>(number.real()), text);
      text += ',';
      Printf(static_cast<double>(number.imag()), text);
      text += ')';
    } else {
      Printf(static_cast<double>(number), text);
    }
  }

  template <class Number>
  void Printf(Number number, std::string& text) const {
    char buffer[64];
    const int length = std::snprintf(buffer, sizeof buffer, format_.c_str(), number);
    const size_t before = text.size();
    if (length < static_cast<int>(sizeof buffer)) {
      text.append(buffer, static_cast<size_t>(length));
    } else {
      text.resize(before + static_cast<size_t>(length));
      std::snprintf(text.data() + before, static_cast<size_t>(length) + 1, format_.c_str(), number);
    }
  }

  const DType type_;
  bool is_plain_ = false;  // whole numbers are their digits
  std::string format_;
};

class StringFormatKernel : public Kernel {
 public:
  explicit StringFormatKernel(const Node& node) : summarize_(Int32Attr(node, "summarize")) {
    std::string_view text = GetAttr<std::string>(node.attrs, "template");
    const auto& placeholder = GetAttr<std::string>(node.attrs, "placeholder");
    // An empty placeholder stands between any two bytes.
    const auto find = [&] {
      if (!placeholder.empty()) return text.find(placeholder);
      return text.size() > 1 ? size_t{1} : std::string_view::npos;
    };
    for (size_t at = find(); at != std::string_view::npos; at = find()) {
      pieces_.emplace_back(text.substr(0, at));
      text.remove_prefix(at + placeholder.size());
    }
    pieces_.emplace_back(text);
    Require(pieces_.size() == node.input_types.size() + 1, node.input_types.size(), " inputs do not fill ",
            pieces_.size() - 1, " placeholders");
  }

  void Run(KernelContext& context) override {
    std::string& text = context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>()[0];
    text = pieces_[0];
    for (int i = 0; i < context.num_inputs(); ++i) {
      AppendSummary(context.input(i), summarize_, text);
      text += pieces_[static_cast<size_t>(i) + 1];
    }
  }

 private:
  const int64_t summarize_;
  std::vector<std::string> pieces_;
};

constexpr KernelRow kRows[] = {
    {"AsString", Make<AsStringKernel>},
    {"StringFormat", Make<StringFormatKernel>},
};

}  // namespace

std::span<const KernelRow> StringFormat() { return kRows; }

}  // namespace plumb::fast::cpu
