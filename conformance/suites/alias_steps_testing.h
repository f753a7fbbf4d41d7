// For tests of aliases: steps that read a variable, hold what they read, and write the variable.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {

// What "write" fills a variable with: nines, but of truths.
inline int WrittenTo(DType dtype) { return dtype == DType::kBool ? 0 : 9; }

// A tensor of this number everywhere; of complex numbers, a real one.
inline Tensor Filled(DType dtype, const Shape& shape, int number) {
  Tensor numbers(dtype, shape);
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_constructible_v<T, float> && !std::is_same_v<T, std::string>) {
      for (T& each : numbers.mutable_data<T>()) each = static_cast<T>(static_cast<float>(number));
    }
  });
  return numbers;
}

// Steps on a variable "v" of ones and nines: "set" fills it with "ones", "write" with "nines".
class Steps {
 public:
  Steps(std::string_view backend, const Shape& shape, DType dtype = DType::kFloat)
      : session_(OpenSession(backend)), dtype_(dtype) {
    Add("v", "VariableV2", {}, {{"shape", PartialShape(shape)}, {"dtype", dtype}});
    Constant("ones", Filled(dtype, shape, 1));
    Constant("nines", Filled(dtype, shape, WrittenTo(dtype)));
    Add("set", "Assign", {"v", "ones"});
    Add("write", "Assign", {"v", "nines"});
    Run("set");
  }

  void Add(std::string name, std::string op, std::vector<std::string> inputs = {}, AttrMap attrs = {}) {
    if (FindOp(op)->FindAttr("T") != nullptr) attrs.try_emplace("T", dtype_);
    Extend(MakeNode(std::move(name), std::move(op), std::move(inputs), std::move(attrs)));
  }
  void Constant(const std::string& name, Tensor value) { Extend(MakeConst(name, std::move(value))); }

  void Run(const std::string& target) { Outputs({}, {target}); }
  std::vector<float> Fetch(const std::string& fetch, const std::vector<std::string>& targets = {}) {
    const std::vector<Tensor> outputs = Outputs({fetch}, targets);
    std::vector<float> numbers;
    if (outputs.empty()) return numbers;
    VisitType(outputs[0].dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_same_v<T, std::complex<double>>) {
        for (const T number : outputs[0].data<T>()) numbers.push_back(static_cast<float>(number.real()));
      } else if constexpr (std::is_arithmetic_v<T>) {
        for (const T number : outputs[0].data<T>()) numbers.push_back(static_cast<float>(number));
      }
    });
    return numbers;
  }
  int32_t Number(const std::string& fetch) {
    const std::vector<Tensor> outputs = Outputs({fetch}, {});
    return outputs.empty() ? 0 : outputs[0].scalar<int32_t>();
  }

 private:
  void Extend(NodeDef node) {
    const std::string name = node.name;
    EXPECT_EQ(session_->Extend(MakeGraph({std::move(node)})).ToString(), "OK") << name;
  }
  std::vector<Tensor> Outputs(const std::vector<std::string>& fetches, const std::vector<std::string>& targets) {
    std::vector<Tensor> outputs;
    EXPECT_EQ(session_->Run({.timeout_ms = 60'000}, {}, fetches, targets, &outputs, nullptr).ToString(), "OK")
        << ::testing::PrintToString(fetches) << ", " << ::testing::PrintToString(targets);
    return outputs;
  }

  const std::unique_ptr<Session> session_;
  const DType dtype_;
};

}  // namespace plumb::conformance
