// For tests of the client: builds are run on every backend, and results compared as plain numbers.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/backends.h"
#include "backends/backends_testing.h"
#include "client/scope.h"

namespace plumb {

// The fetched values of one step in a new session; throws the Error that the step ends with. Targets of `before` run in
// a step of their own first.
inline std::vector<Tensor> Evaluate(std::string_view backend, Scope& scope, const std::vector<Output>& fetches,
                                    const std::vector<Feed>& feeds = {}, const std::vector<std::string>& before = {}) {
  const auto session = OpenSession(backend);
  const auto check = [](const Status& status) {
    if (!status.ok()) throw Error(status);
  };
  check(session->Extend(scope.ToGraphDef()));
  std::vector<Tensor> outputs;
  if (!before.empty()) check(session->Run({}, {}, before, &outputs));
  std::vector<std::string> names;
  names.reserve(fetches.size());
  for (const Output& fetch : fetches) names.push_back(fetch.name());
  check(session->Run(feeds, names, {}, &outputs));
  return outputs;
}

// The elements of a float32 or int32 tensor.
inline std::vector<double> Numbers(const Tensor& tensor) {
  if (tensor.dtype() == DType::kInt32) {
    const auto data = tensor.data<int32_t>();
    return {data.begin(), data.end()};
  }
  const auto data = tensor.data<float>();
  return {data.begin(), data.end()};
}

// A test that runs once per backend.
class OnEachBackend : public ::testing::TestWithParam<std::string_view> {
 protected:
  std::vector<double> Value(Output fetch, const std::vector<Feed>& feeds = {}) {
    return Numbers(Evaluate(GetParam(), scope_, {fetch}, feeds)[0]);
  }
  Output Float(float value) { return Constant(scope_, value); }
  Output Int(int32_t value) { return Constant(scope_, value); }
  Output Floats(std::initializer_list<float> values) { return Constant(scope_, values); }
  Output Matrix(int64_t rows, int64_t columns, std::initializer_list<float> values) {
    return Constant(scope_, MakeTensor<float>({rows, columns}, values));
  }
  Output Call(std::string_view op, const std::vector<Output>& inputs, AttrMap attrs = {}) {
    return scope_.Call(op, inputs, std::move(attrs));
  }
  // One of several.
  Output OutputOf(NodeId node, int output) { return {&scope_.builder(), Endpoint{node, output}}; }
  // A value that is known only when it is fed.
  Output Input(PartialShape shape, std::string name, DType dtype = DType::kFloat) {
    return scope_.Call("Placeholder", {}, {{"dtype", dtype}, {"shape", std::move(shape)}}, std::move(name));
  }

  Scope scope_;
};

// Whether the code throws an Error with this code; its message must hold `text`.
template <class F>
::testing::AssertionResult Refuses(F&& f, Code code, const std::string& text) {
  try {
    f();
  } catch (const Error& error) {
    if (error.status().code() == code && error.status().message().find(text) != std::string::npos) {
      return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << error.status().ToString();
  }
  return ::testing::AssertionFailure() << "nothing was thrown";
}

#define PLUMB_ON_EACH_BACKEND(Suite)                                                                   \
  INSTANTIATE_TEST_SUITE_P(, Suite, ::testing::ValuesIn(BackendNames().begin(), BackendNames().end()), \
                           [](const auto& info) { return TestNameOf(info.param); })

}  // namespace plumb
