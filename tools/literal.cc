#include "tools/literal.h"

#include <algorithm>
#include <charconv>
#include <complex>
#include <cstdlib>
#include <vector>

#include "spec/files/file.h"
#include "spec/formats/npy.h"

namespace plumb::tools {
namespace {

std::string_view Trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// The text that begins with a quote, as it is printed, taken off the front: \" and \\ stand for what follows, \x0a for
// a byte.
std::string TakeQuoted(std::string_view* text) {
  std::string quoted;
  size_t at = 1;
  for (; at < text->size() && (*text)[at] != '"'; ++at) {
    if ((*text)[at] != '\\') {
      quoted += (*text)[at];
      continue;
    }
    const std::string_view escape = text->substr(at + 1, 3);
    int byte = 0;
    const bool is_byte = escape.size() == 3 && escape[0] == 'x' &&
                         std::from_chars(escape.data() + 1, escape.data() + 3, byte, 16).ptr == escape.data() + 3;
    Require(is_byte || escape.starts_with('"') || escape.starts_with('\\'), "'", *text, "' has a backslash before '",
            escape.substr(0, 1), "': write \\\", \\\\ or \\x0a");
    quoted += is_byte ? static_cast<char>(byte) : escape[0];
    at += is_byte ? 3 : 1;
  }
  Require(at < text->size(), "'", *text, "' has no closing quote");
  text->remove_prefix(at + 1);
  return quoted;
}

// Values with commas between them, and spaces around them; a comma in quotes or in brackets is part of one.
std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> pieces;
  if (text.empty()) return pieces;
  for (bool more = true; more;) {
    text = text.substr(std::min(text.find_first_not_of(' '), text.size()));
    if (text.starts_with('"')) {
      pieces.push_back(TakeQuoted(&text));
      Require(Trimmed(text.substr(0, text.find(','))).empty(), "'", text, "' follows a closing quote");
    } else {
      const size_t from = text.starts_with('(') ? std::min(text.find(')'), text.size()) : 0;
      pieces.emplace_back(Trimmed(text.substr(0, text.find(',', from))));
      text.remove_prefix(from);
    }
    const size_t comma = text.find(',');
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return pieces;
}

template <class T>
T ParseInteger(const std::string& text) {
  T value = 0;
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
    const auto value = ParseInteger<std::conditional_t<std::is_same_v<T, uint64_t>, uint64_t, int64_t>>(text);
    Require(std::in_range<T>(value), "'", text, "' does not fit into ", DTypeName(DTypeOf<T>));
    return static_cast<T>(value);
  } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return T(static_cast<float>(ParseNumber(text)));
  } else if constexpr (requires(T x) { x.real(); }) {
    using Part = typename T::value_type;
    if (!text.starts_with('(')) return T(static_cast<Part>(ParseNumber(text)));
    const size_t comma = text.find(',');
    Require(comma != std::string::npos && text.ends_with(')'), "'", text, "' is not a number, or two like (1,2)");
    return T(static_cast<Part>(ParseNumber(text.substr(1, comma - 1))),
             static_cast<Part>(ParseNumber(text.substr(comma + 1, text.size() - comma - 2))));
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
  const size_t end = std::min(text.find_first_of("[{"), text.size());
  const std::string_view type = Trimmed(text.substr(0, end));
  const auto dtype = ParseDType(type);
  Require(dtype.has_value(), "'", type, "' is not a type; write for example float32[2]{1,2}");
  std::string_view rest = text.substr(end), dims, values;
  std::vector<int64_t> shape;
  if (TakeBracketed('[', ']', &rest, &dims)) {
    for (const std::string& dim : SplitAtCommas(dims)) shape.push_back(ParseInteger<int64_t>(dim));
  }
  rest = Trimmed(rest);
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
