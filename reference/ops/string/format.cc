#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/printed_element.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

template <class... Numbers>
std::string Printf(const std::string& format, Numbers... numbers) {
  std::string text(static_cast<size_t>(std::snprintf(nullptr, 0, format.c_str(), numbers...)), '\0');
  std::snprintf(text.data(), text.size() + 1, format.c_str(), numbers...);
  return text;
}

template <class T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// ---- AsString ------------------------------------------------------------------------------------------------------

constexpr int64_t kWidest = int64_t{1} << 20;

// What printf is asked for: "%" flag width precision; the letter depends on the type.
std::string FormatOf(const Node& node) {
  const auto& fill = GetAttr<std::string>(node.attrs, "fill");
  const auto width = GetAttr<int64_t>(node.attrs, "width"), precision = GetAttr<int64_t>(node.attrs, "precision");
  std::string format = "%" + fill;
  if (width > -1) format += std::to_string(width);
  if (precision > -1) format += "." + std::to_string(precision);
  return format;
}

void CheckAsString(const Node& node) {
  const DType type = Base(node.input_types.at(0));
  const bool scientific = GetAttr<bool>(node.attrs, "scientific"), shortest = GetAttr<bool>(node.attrs, "shortest");
  const auto& fill = GetAttr<std::string>(node.attrs, "fill");
  const auto width = GetAttr<int64_t>(node.attrs, "width"), precision = GetAttr<int64_t>(node.attrs, "precision");
  if (!IsFloating(type) && !IsComplex(type)) {
    Require(!scientific && !shortest && precision < 0, "scientific, shortest and precision are for floating-point ",
            "numbers, not for ", DTypeName(type));
  }
  Require(!scientific || !shortest, "a number is written scientific or shortest, not both");
  Require(fill.empty() || (fill.size() == 1 && std::string(" +-0#").find(fill) != std::string::npos),
          "fill must be one of ' ', '+', '-', '0', '#', not '", fill, "'");
  Require(std::min(width, precision) >= INT32_MIN, "width and precision must be int32, not ", width, " and ",
          precision);
  Require(width <= kWidest && precision <= kWidest, "width and precision may be at most ", kWidest);
}

template <class T>
std::string Written(const T& number, const std::string& format, char letter) {
  if constexpr (std::is_same_v<T, bool>) {
    return number ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    return std::is_signed_v<T> ? Printf(format + "lld", static_cast<long long>(number))
                               : Printf(format + "llu", static_cast<unsigned long long>(number));
  } else if constexpr (kIsFloat<T>) {
    return Printf(format + letter, static_cast<double>(number));
  } else {
    return "(" + Written(number.real(), format, letter) + "," + Written(number.imag(), format, letter) + ")";
  }
}

void AsString(OpContext& c) {
  const Tensor& input = c.tensor(0);
  const char letter = c.attr<bool>("scientific") ? 'e' : c.attr<bool>("shortest") ? 'g' : 'f';
  const std::string format = FormatOf(c.node);
  Tensor texts(DType::kString, input.shape());
  VisitType(input.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T> || kIsFloat<T> || requires(T x) { x.imag(); }) {
      for (int64_t i = 0; i < input.elements(); ++i) {
        texts.mutable_data<std::string>()[i] = Written(input.data<T>()[i], format, letter);
      }
    }
  });
  c.Output(0, std::move(texts));
}

// ---- StringFormat --------------------------------------------------------------------------------------------------

template <class T>
std::string Element(const T& element) {
  return std::is_same_v<T, std::string> ? '"' + PrintedElement(element) + '"' : PrintedElement(element);
}

// Between two entries along `axis` of `rank`.
std::string Spacing(int axis, int rank) {
  if (axis == rank - 1) return " ";
  return std::string(static_cast<size_t>(rank - axis - 1), '\n') + std::string(static_cast<size_t>(axis + 1), ' ');
}

// The part of a tensor behind the first `axis` coordinates: at most 2·ends entries along each axis.
template <class T>
std::string Part(const Tensor& tensor, int axis, int64_t first, int64_t ends) {
  if (axis == tensor.rank()) return Element(tensor.data<T>()[first]);
  const int64_t count = tensor.dim(axis);
  int64_t step = 1;
  for (int i = axis + 1; i < tensor.rank(); ++i) step *= tensor.dim(i);
  std::string text = "[";
  const auto add = [&](const std::string& piece) { text += (text == "[" ? "" : Spacing(axis, tensor.rank())) + piece; };
  for (int64_t i = 0; i < std::min(ends, count); ++i) add(Part<T>(tensor, axis + 1, first + i * step, ends));
  if (count > 2 * ends) text += Spacing(axis, tensor.rank()) + "...";
  for (int64_t i = std::max(ends, count - ends); i < count; ++i) {
    add(Part<T>(tensor, axis + 1, first + i * step, ends));
  }
  return text + "]";
}

// Elements that are not printed, in a row whatever their shape.
std::string Unprintable(const Tensor& tensor, int64_t shown) {
  if (tensor.rank() == 0) return "?";
  std::string text = "[";
  for (int64_t i = 0; i < shown; ++i) text += i > 0 ? " ?" : "?";
  return text + (shown < tensor.elements() ? "...]" : "]");
}

std::string Summary(const Tensor& tensor, int64_t summarize) {
  const int64_t elements = tensor.elements();
  const int64_t ends = summarize < 0 ? elements : std::min(summarize, elements);
  if (tensor.dtype() == DType::kBool && ends == 0) return "";
  if (tensor.rank() == 0 && ends == 0) return "...";
  if (!IsPrinted(tensor.dtype())) return Unprintable(tensor, ends);
  return VisitType(tensor.dtype(), [&](auto tag) { return Part<typename decltype(tag)::Type>(tensor, 0, 0, ends); });
}

std::vector<std::string> SplitTemplate(const Node& node) {
  std::string text = GetAttr<std::string>(node.attrs, "template");
  const auto& placeholder = GetAttr<std::string>(node.attrs, "placeholder");
  std::vector<std::string> pieces;
  if (placeholder.empty()) {  // between any two bytes
    for (const char c : text) pieces.emplace_back(1, c);
    if (text.empty()) pieces.emplace_back();
    return pieces;
  }
  for (size_t at; (at = text.find(placeholder)) != std::string::npos; text.erase(0, at + placeholder.size())) {
    pieces.push_back(text.substr(0, at));
  }
  pieces.push_back(text);
  return pieces;
}

void CheckFormat(const Node& node) {
  Int32Attr(node, "summarize");
  const size_t places = SplitTemplate(node).size() - 1;
  Require(places == node.input_types.size(), "the template has ", places, " placeholders for ", node.input_types.size(),
          " inputs");
}

void StringFormat(OpContext& c) {
  const std::vector<std::string> pieces = SplitTemplate(c.node);
  std::string text = pieces[0];
  for (int i = 0; i < c.num_inputs(); ++i) {
    text += Summary(c.tensor(i), c.attr<int64_t>("summarize")) + pieces.at(static_cast<size_t>(i) + 1);
  }
  c.Output(0, MakeScalar(std::move(text)));
}

constexpr KernelRow kRows[] = {
    {"AsString", AsString, CheckAsString},
    {"StringFormat", StringFormat, CheckFormat},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StringFormat() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
