// One kernel at a time on operands of 4 MB, through a session of one thread: bytes read and written per second.
#include "bench/time_op.h"

namespace plumb::bench {
namespace {

constexpr int64_t kElements = 1 << 20;

void TimeBytes(benchmark::State& state, const std::string& op, const std::vector<Tensor>& fed,
               const std::vector<Tensor>& constants = {}, AttrMap attrs = {}) {
  size_t bytes = TimeOp(state, op, fed, constants, std::move(attrs)).bytes();
  for (const Tensor& tensor : fed) bytes += tensor.bytes();
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}

void Unary(benchmark::State& state, const std::string& op) { TimeBytes(state, op, {Ramp({kElements})}); }
void Add(benchmark::State& state) { TimeBytes(state, "AddV2", {Ramp({kElements}), Ramp({kElements})}); }
void AddBias(benchmark::State& state) {
  TimeBytes(state, "AddV2", {Ramp({kElements / state.range(0), state.range(0)}), Ramp({state.range(0)})});
}
void Less(benchmark::State& state) { TimeBytes(state, "Less", {Ramp({kElements}), Ramp({kElements})}); }
void CastToHalf(benchmark::State& state) {
  TimeBytes(state, "Cast", {Ramp({kElements})}, {}, {{"DstT", DType::kHalf}});
}
void Sum(benchmark::State& state) {
  const Shape shape({kElements / state.range(0), state.range(0)});
  TimeBytes(state, "Sum", {Ramp(shape)}, {MakeScalar(static_cast<int32_t>(state.range(1)))});
}
void Transpose(benchmark::State& state) {
  TimeBytes(state, "Transpose", {Ramp({kElements / state.range(0), state.range(0)})}, {MakeVector<int32_t>({1, 0})});
}
void Softmax(benchmark::State& state) {
  TimeBytes(state, "Softmax", {Ramp({kElements / state.range(0), state.range(0)})});
}
// Sequences of 100 times with 20 labels each.
void CtcLoss(benchmark::State& state) {
  constexpr int64_t kTimes = 100, kLabels = 20;
  const int64_t classes = state.range(0), batch = kElements / kTimes / classes;
  Tensor at(DType::kInt64, {batch * kLabels, 2}), labels(DType::kInt32, {batch * kLabels});
  Tensor lengths(DType::kInt32, {batch});
  for (int64_t i = 0; i < batch * kLabels; ++i) {
    at.mutable_data<int64_t>()[2 * i] = i / kLabels;
    at.mutable_data<int64_t>()[2 * i + 1] = i % kLabels;
    labels.mutable_data<int32_t>()[i] = static_cast<int32_t>(i % (classes - 1));
  }
  for (int32_t& length : lengths.mutable_data<int32_t>()) length = kTimes;
  TimeBytes(state, "CTCLoss", {Ramp({kTimes, batch, classes})}, {at, labels, lengths});
}
void Concat(benchmark::State& state) {
  const Shape half({kElements / 2 / state.range(0), state.range(0)});
  TimeBytes(state, "ConcatV2", {Ramp(half), Ramp(half)}, {MakeScalar(1)}, {{"N", int64_t{2}}});
}
void ScalarAdd(benchmark::State& state) { TimeBytes(state, "AddV2", {MakeScalar(1.0f), MakeScalar(2.0f)}); }

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
BENCHMARK(CtcLoss)->ArgName("classes")->Arg(32)->Arg(1024);
BENCHMARK(Concat)->ArgName("columns")->Arg(4)->Arg(512);
BENCHMARK(ScalarAdd);

}  // namespace
}  // namespace plumb::bench
