// Kernels on a GPU, timed as what a step takes longer for more of them.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "tools/gpu_bench/gpu_bench.h"
#include "tools/gpu_bench/gpu_bench_program.h"

namespace plumb::tools {
namespace {

// Elements in rows of this many, or fewer.
constexpr int64_t kColumns = 1024;

using Make = std::function<NodeId(BenchProgram& program)>;

// A kernel that is bound by memory.
struct KernelBench {
  const char* name;
  double bytes;  // read and written, for each element
  Make make;     // one more kernel
};

Output OfMatrix(BenchProgram& program) { return program.Held("x"); }

Make Unary(std::string op) {
  return [op](BenchProgram& program) { return program.scope().Add(op, {OfMatrix(program)}); };
}
Make Binary(std::string op) {
  return [op](BenchProgram& program) { return program.scope().Add(op, {OfMatrix(program), program.Held("y")}); };
}
Make Folded(Tensor axes) {
  return [axes](BenchProgram& program) {
    return program.scope().Add("Sum", {OfMatrix(program), Constant(program.scope(), axes)});
  };
}
Make Drawn(std::string op) {
  return [op](BenchProgram& program) {
    const Shape& shape = program.shape();
    const Output dims = Constant(program.scope(), MakeVector<int64_t>({shape[0], shape[1]}));
    return program.scope().Add(op, {dims}, {{"dtype", DType::kFloat}, {"seed", int64_t{1}}});
  };
}

NodeId Descent(BenchProgram& program) {
  return program.scope().Add("ApplyGradientDescent", {program.Ref("x"), program.Number(1e-6F), program.Held("y")});
}
NodeId Momentum(BenchProgram& program) {
  return program.scope().Add("ApplyMomentum", {program.Ref("x"), program.Ref("m"), program.Number(1e-6F),
                                               program.Held("y"), program.Number(0.9F)});
}
NodeId Adam(BenchProgram& program) {
  return program.scope().Add("ApplyAdam", {program.Ref("x"), program.Ref("m"), program.Ref("v"), program.Number(0.9F),
                                           program.Number(0.999F), program.Number(1e-6F), program.Number(0.9F),
                                           program.Number(0.999F), program.Number(1e-8F), program.Held("y")});
}
NodeId Turned(BenchProgram& program) {
  return program.scope().Add("Transpose", {OfMatrix(program), Constant(program.scope(), {1, 0})});
}
NodeId ToHalf(BenchProgram& program) {
  return program.scope().Add("Cast", {OfMatrix(program)}, {{"DstT", DType::kHalf}});
}

const std::vector<KernelBench>& Kernels() {
  static const std::vector<KernelBench> kernels = {
      {"relu", 8, Unary("Relu")},
      {"exp", 8, Unary("Exp")},
      {"add", 12, Binary("AddV2")},
      {"multiply", 12, Binary("Mul")},
      {"cast to float16", 6, ToHalf},
      {"gradient descent", 12, Descent},
      {"momentum", 20, Momentum},
      {"adam", 28, Adam},
      {"sum of all", 4, Folded(MakeVector<int32_t>({0, 1}))},
      {"sums of rows", 4, Folded(MakeVector<int32_t>({1}))},
      {"sums of columns", 4, Folded(MakeVector<int32_t>({0}))},
      {"softmax", 8, Unary("Softmax")},
      {"transpose", 8, Turned},
      {"uniform random (Philox)", 4, Drawn("RandomUniform")},
      {"normal random (Philox)", 4, Drawn("RandomStandardNormal")},
  };
  return kernels;
}

Shape RowsOf(int64_t elements) {
  const int64_t columns = std::min(elements, kColumns);
  return Shape({elements / columns, columns});
}

BenchResult Timed(const KernelBench& kernel, BenchCard& card) {
  constexpr int kMore = 8;
  const Shape shape = RowsOf(card.sizes().elements);
  BenchProgram program(card.backend(), shape, DType::kFloat);
  const double seconds = program.SecondsOfOne(kernel.make, kMore);
  const double bytes = kernel.bytes * static_cast<double>(shape.elements());
  return {.seconds = seconds, .amount = bytes, .share = bytes / seconds / card.ceilings().copy};
}

BenchResult TimedProduct(DType type, BenchCard& card) {
  constexpr int kMore = 4;
  const int64_t size = card.sizes().side;
  const auto side = static_cast<double>(size);
  const double best = MeasureProduct(card.backend(), type, size);
  BenchProgram program(card.backend(), Shape({size, size}), type);
  const double seconds = program.SecondsOfOne(Binary("MatMul"), kMore);
  return {.seconds = seconds, .amount = 2 * side * side * side, .ceiling = Ceiling::kProduct, .share = best / seconds};
}

}  // namespace

std::vector<Bench> KernelBenches() {
  std::vector<Bench> benches;
  for (const KernelBench& kernel : Kernels()) {
    benches.push_back({"kernels", kernel.name, [&kernel](BenchCard& card) { return Timed(kernel, card); }});
  }
  return benches;
}

std::vector<Bench> ProductBenches() {
  std::vector<Bench> benches;
  for (const DType type : {DType::kFloat, DType::kHalf, DType::kBfloat16}) {
    benches.push_back({"products", Str("product of ", DTypeName(type)),
                       [type](BenchCard& card) { return TimedProduct(type, card); }});
  }
  return benches;
}

}  // namespace plumb::tools
