#include "tools/literal.h"

#include <charconv>
#include <cstdlib>
#include <vector>

#include "spec/formats/file.h"
#include "spec/formats/npy.h"

namespace plumb::tools {
namespace {

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> pieces;
  if (text.empty()) return pieces;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(',', start), text.size());
    pieces.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return pieces;
}

int64_t ParseInteger(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  Require(error == std::errc() && end == text.data() + text.size(), "'", text, "' is not an integer");
  return value;
}

double ParseNumber(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  Require(!text.empty() && *end == '\0', "'", text, "' is not a number");
  return value;
}

template <class T>
T ParseElement(const std::string& text) {
  if constexpr (std::is_same_v<T, std::string>) {
    return text;
  } else if constexpr (std::is_same_v<T, bool>) {
    Require(text == "true" || text == "false" || text == "1" || text == "0", "'", text, "' is not true or false");
    return text == "true" || text == "1";
  } else if constexpr (std::is_integral_v<T>) {
    const int64_t value = ParseInteger(text);
    Require(static_cast<int64_t>(static_cast<T>(value)) == value, "'", text, "' does not fit into ",
            DTypeName(DTypeOf<T>));
    return static_cast<T>(value);
  } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return T(static_cast<float>(ParseNumber(text)));
  } else {
    throw InvalidArgument("values of type ", DTypeName(DTypeOf<T>), " cannot be written on a command line");
  }
}
template <>
double ParseElement<double>(const std::string& text) {
  return ParseNumber(text);
}

// Takes "open…close" off the front of `text` when it starts so.
bool TakeBracketed(char open, char close, std::string_view* text, std::string_view* inside) {
  if (text->empty() || text->front() != open) return false;
  const size_t end = open == '{' ? text->rfind(close) : text->find(close);
  Require(end != std::string_view::npos, "'", *text, "' has no closing '", close, "'");
  *inside = text->substr(1, end - 1);
  text->remove_prefix(end + 1);
  return true;
}

}  // namespace

Tensor ParseLiteral(std::string_view text) {
  const std::string_view type = text.substr(0, text.find_first_of("[{"));
  const auto dtype = ParseDType(type);
  Require(dtype.has_value(), "'", type, "' is not a type; write for example float32[2]{1,2}");
  std::string_view rest = text.substr(type.size()), dims, values;
  std::vector<int64_t> shape;
  if (TakeBracketed('[', ']', &rest, &dims)) {
    for (const std::string& dim : SplitAtCommas(dims)) shape.push_back(ParseInteger(dim));
  }
  Require(TakeBracketed('{', '}', &rest, &values) && rest.empty(), "'", text, "' does not end in {values}");
  const std::vector<std::string> pieces = SplitAtCommas(values);
  const Shape full(shape);
  const auto given = static_cast<int64_t>(pieces.size());
  Require(given == full.elements() || given == 1, "'", text, "' has ", given, " values for ", full.elements(),
          " elements");
  return VisitType(*dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::vector<T> elements;
    elements.reserve(pieces.size());
    for (const std::string& piece : pieces) elements.push_back(ParseElement<T>(piece));
    Tensor tensor(*dtype, full);
    const auto to = tensor.mutable_data<T>();
    for (size_t i = 0; i < to.size(); ++i) to[i] = elements[given == 1 ? 0 : i];
    return tensor;
  });
}

namespace {

Tensor ParseFedValue(std::string_view text) {
  constexpr std::string_view kBytes = "@bytes:";
  if (text.substr(0, kBytes.size()) == kBytes) return MakeScalar(ReadFile(std::string(text.substr(kBytes.size()))));
  if (!text.empty() && text.front() == '@') return ReadNpy(std::string(text.substr(1)));
  return ParseLiteral(text);
}

}  // namespace

Feed ParseFeed(std::string_view text) {
  const size_t equals = text.find('=');
  Require(equals != std::string_view::npos, "'", text, "' is not NAME=VALUE");
  return {std::string(text.substr(0, equals)), ParseFedValue(text.substr(equals + 1))};
}

}  // namespace plumb::tools
