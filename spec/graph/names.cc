#include <charconv>

#include "spec/graph/graph.h"

namespace plumb {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes ":port" off the end of `name`; -1 when there is none.
int TakePort(std::string_view text, std::string_view& name) {
  size_t digits = name.size();
  while (digits > 0 && IsDigit(name[digits - 1])) --digits;
  if (digits == name.size() || digits == 0 || name[digits - 1] != ':') return -1;
  int port = 0;
  const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), port);
  Require(error == std::errc(), "the output number of the tensor name '", text, "' is too large");
  name = name.substr(0, digits - 1);
  return port;
}

}  // namespace

// G2, G3.
TensorName ParseTensorName(std::string_view text) {
  std::string_view name = text;
  const int port = TakePort(text, name);
  TensorName result;
  if (name.starts_with('^')) {
    Require(port < 0, "the control input '", text, "' names an output: control inputs are written '^node'");
    result.control = true;
    name.remove_prefix(1);
  }
  Require(!name.empty(), "'", text, "' is not a tensor name: 'node', 'node:output' or '^node' is expected");
  result.node = std::string(name);
  result.output = port < 0 ? 0 : port;
  return result;
}

std::string TensorName::ToString() const {
  if (control) return "^" + node;
  return output == 0 ? node : Str(node, ":", output);
}

}  // namespace plumb
