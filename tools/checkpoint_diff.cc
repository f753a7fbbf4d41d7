#include "tools/checkpoint_diff.h"

#include <cmath>
#include <cstring>
#include <map>
#include <type_traits>

#include "backends/backends.h"
#include "client/program.h"
#include "spec/checkpoint/reserved.h"
#include "tools/check.h"

namespace plumb::tools {
namespace {

std::string TypeOf(const StoredTensor& tensor) { return Str(DTypeName(tensor.dtype), tensor.shape.ToString()); }

std::map<std::string, StoredTensor> ByName(const std::string& prefix, bool all) {
  std::map<std::string, StoredTensor> tensors;
  for (StoredTensor& tensor : ListCheckpoint(Files(), prefix)) {
    if (all || !IsReserved(tensor.name)) tensors.emplace(tensor.name, tensor);
  }
  return tensors;
}

// How far two numbers are apart; NaN for what is no number.
template <class T>
double Distance(const T& a, const T& b) {
  if constexpr (std::is_arithmetic_v<T>) {
    return std::abs(static_cast<double>(a) - static_cast<double>(b));
  } else {
    return std::nan("");
  }
}

// Whether the bits are equal. Objects are compared by nobody, and so count as different.
template <class T>
bool IsSame(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, std::string>) {
    return a == b;
  } else {
    return std::is_trivially_copyable_v<T> && std::memcmp(&a, &b, sizeof(T)) == 0;
  }
}

// Nothing where all bits are equal.
std::string DifferenceOf(const Tensor& a, const Tensor& b) {
  if (a.BitwiseEquals(b)) return "";
  int64_t different = 0;
  double most = 0;
  VisitType(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (int64_t i = 0; i < a.elements(); ++i) {
      if (IsSame(a.data<T>()[i], b.data<T>()[i])) continue;
      ++different;
      const double distance = Distance(a.data<T>()[i], b.data<T>()[i]);
      if (std::isnan(distance) || distance > most) most = distance;
    }
  });
  const std::string text = Str(different, " of ", a.elements(), " elements differ");
  return std::isnan(most) ? text : Str(text, ", the most by ", most);
}

}  // namespace

Tensor ReadStored(const std::string& prefix, const StoredTensor& tensor) {
  Scope scope;
  const Output restored = scope.Call("RestoreV2",
                                     {Constant(scope, prefix), Constant(scope, MakeVector<std::string>({tensor.name})),
                                      Constant(scope, MakeVector<std::string>({""}))},
                                     {{"dtypes", std::vector<DType>{tensor.dtype}}});
  return Program(scope, OpenSession("reference")).Fetch(restored);
}

CheckpointDifferences DiffCheckpoints(const std::string& a, const std::string& b, bool all) {
  CheckpointDifferences found;
  const auto in_a = ByName(a, all), in_b = ByName(b, all);
  std::map<std::string, std::string> lines;
  for (const auto& [name, tensor] : in_a) {
    if (!in_b.contains(name)) lines[name] = Str("only in ", a, ": ", TypeOf(tensor));
  }
  for (const auto& [name, tensor] : in_b) {
    const auto other = in_a.find(name);
    if (other == in_a.end()) {
      lines[name] = Str("only in ", b, ": ", TypeOf(tensor));
    } else if (TypeOf(other->second) != TypeOf(tensor)) {
      lines[name] = Str(TypeOf(other->second), " and ", TypeOf(tensor));
    } else {
      try {
        const std::string text = DifferenceOf(ReadStored(a, other->second), ReadStored(b, tensor));
        if (!text.empty()) lines[name] = Str(TypeOf(tensor), ": ", text);
      } catch (const Error& error) {
        found.is_whole = false;
        lines[name] = Str("cannot be read: ", error.status().ToString());
      }
    }
  }
  for (const auto& [name, line] : lines) found.lines.push_back(Str(name, ": ", line));
  return found;
}

}  // namespace plumb::tools
