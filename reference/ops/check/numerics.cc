#include <cmath>
#include <set>
#include <string>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

void CheckNumerics(OpContext& c) {
  bool has_nan = false, has_inf = false;
  for (const Real& element : Load<Real>(c.input(0)).at) {
    has_nan |= std::isnan(element.v);
    has_inf |= std::isinf(element.v);
  }
  Require(!has_nan && !has_inf, c.attr<std::string>("message"), " : Tensor had ", has_nan ? "NaN" : "",
          has_nan && has_inf ? " and " : "", has_inf ? "Inf" : "", " values");
  c.Output(0, c.input(0));
}

void CheckNumericsV2(OpContext& c) {
  std::set<std::string> found;  // in the order of TensorFlow's message
  for (const Real& element : Load<Real>(c.input(0)).at) {
    if (std::isnan(element.v)) found.insert("3NaN");
    if (std::isinf(element.v)) found.insert(element.v < 0 ? "1-Inf" : "2+Inf");
  }
  std::string words;
  for (const std::string& word : found) {
    const bool is_last = word == *found.rbegin();
    if (!words.empty()) words += found.size() > 2 ? (is_last ? ", and " : ", ") : " and ";
    words += word.substr(1);
  }
  Require(found.empty(), c.attr<std::string>("message"), " : Tensor had ", words, " values");
  c.Output(0, c.input(0));
}

constexpr KernelRow kRows[] = {
    {"CheckNumerics", CheckNumerics},
    {"CheckNumericsV2", CheckNumericsV2},
};

}  // namespace

namespace topics {
std::span<const KernelRow> CheckNumerics() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
