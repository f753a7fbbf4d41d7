// One kernel at a time on operands of 4 MB, through a session of one thread: bytes read and written per second.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "backends/backends.h"
#include "spec/graph/builder.h"

namespace plumb {
namespace {

constexpr int64_t kElements = 1 << 20;

void Check(const Status& status) {
  if (!status.ok()) throw Error(status);
}

Tensor Ramp(const Shape& shape) {
  Tensor x(DType::kFloat, shape);
  float value = -4;
  for (float& element : x.mutable_data<float>()) element = value += 8.0f / kElements;
  return x;
}

// Times op(fed..., constants...) on new placeholders for `fed`.
void TimeOp(benchmark::State& state, const std::string& op, const std::vector<Tensor>& fed,
            const std::vector<Tensor>& constants = {}, AttrMap attrs = {}) {
  GraphBuilder builder;
  std::vector<Endpoint> inputs;
  std::vector<std::string> names;
  for (const Tensor& tensor : fed) {
    const Endpoint input =
        builder.Call("Placeholder", {}, {{"dtype", tensor.dtype()}, {"shape", PartialShape(tensor.shape())}});
    inputs.push_back(input);
    names.push_back(builder.graph().NameOf(input));
  }
  for (const Tensor& constant : constants) inputs.push_back(builder.Constant(constant));
  const Endpoint output = builder.Call(op, inputs, std::move(attrs));

  const std::unique_ptr<Session> session = OpenSession("cpu", {.threads = 1});
  Check(session->Extend(builder.graph().ToDef()));
  const std::string fetch = builder.graph().NameOf(output);
  std::unique_ptr<Session::Callable> step;
  Check(session->MakeCallable(names, std::span(&fetch, 1), {}, &step));
  std::vector<Tensor> outputs;
  for (auto _ : state) Check(step->Run(fed, &outputs));

  size_t bytes = outputs.at(0).bytes();
  for (const Tensor& tensor : fed) bytes += tensor.bytes();
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}

void Unary(benchmark::State& state, const std::string& op) { TimeOp(state, op, {Ramp({kElements})}); }
void Add(benchmark::State& state) { TimeOp(state, "AddV2", {Ramp({kElements}), Ramp({kElements})}); }
void AddBias(benchmark::State& state) {
  TimeOp(state, "AddV2", {Ramp({kElements / state.range(0), state.range(0)}), Ramp({state.range(0)})});
}
void Less(benchmark::State& state) { TimeOp(state, "Less", {Ramp({kElements}), Ramp({kElements})}); }
void CastToHalf(benchmark::State& state) { TimeOp(state, "Cast", {Ramp({kElements})}, {}, {{"DstT", DType::kHalf}}); }
void Sum(benchmark::State& state) {
  const Shape shape({kElements / state.range(0), state.range(0)});
  TimeOp(state, "Sum", {Ramp(shape)}, {MakeScalar(static_cast<int32_t>(state.range(1)))});
}
void Transpose(benchmark::State& state) {
  TimeOp(state, "Transpose", {Ramp({kElements / state.range(0), state.range(0)})}, {MakeVector<int32_t>({1, 0})});
}
void Softmax(benchmark::State& state) {
  TimeOp(state, "Softmax", {Ramp({kElements / state.range(0), state.range(0)})});
}
void Concat(benchmark::State& state) {
  const Shape half({kElements / 2 / state.range(0), state.range(0)});
  TimeOp(state, "ConcatV2", {Ramp(half), Ramp(half)}, {MakeScalar(1)}, {{"N", int64_t{2}}});
}
void ScalarAdd(benchmark::State& state) { TimeOp(state, "AddV2", {MakeScalar(1.0f), MakeScalar(2.0f)}); }

BENCHMARK_CAPTURE(Unary, exp, "Exp");
BENCHMARK_CAPTURE(Unary, log, "Log");
BENCHMARK_CAPTURE(Unary, tanh, "Tanh");
BENCHMARK_CAPTURE(Unary, sigmoid, "Sigmoid");
BENCHMARK_CAPTURE(Unary, sqrt, "Sqrt");
BENCHMARK_CAPTURE(Unary, relu, "Relu");
BENCHMARK(Add);
BENCHMARK(AddBias)->ArgName("columns")->Arg(10)->Arg(1024);
BENCHMARK(Less);
BENCHMARK(CastToHalf);
BENCHMARK(Sum)->ArgNames({"columns", "axis"})->Args({1024, 0})->Args({1024, 1})->Args({8, 0})->Args({8, 1});
BENCHMARK(Transpose)->ArgName("columns")->Arg(1024)->Arg(3);
BENCHMARK(Softmax)->ArgName("columns")->Arg(10)->Arg(1024);
BENCHMARK(Concat)->ArgName("columns")->Arg(4)->Arg(512);
BENCHMARK(ScalarAdd);

}  // namespace
}  // namespace plumb
