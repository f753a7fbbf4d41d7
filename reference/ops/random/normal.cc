#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {
namespace {

// Two normals from two uniforms (rules R73, R77): how far an implementation's logarithm, root and sine may be off is
// what the bound says.
struct Normals {
  Real first, second;
};
Normals BoxMuller(double u, double angle) {
  const Real radius = Sqrt(Real(-2) * Log(Real(u)));
  const double off = arithmetic.unit * std::fabs(angle);  // the angle is rounded once
  const auto wave = [&](double v) { return Rounded(v, off, 0, ElementaryUnits()); };
  return {radius * wave(std::sin(angle)), radius * wave(std::cos(angle))};
}
constexpr double kFloor = 1e-7;
Normals NormalsFromWords(uint32_t w0, uint32_t w1) {
  const float u = std::max(UniformFloat(w0), static_cast<float>(kFloor));
  return BoxMuller(u, static_cast<float>(2 * std::numbers::pi * UniformFloat(w1)));
}
Normals NormalsFromWords(uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3) {
  return BoxMuller(std::max(UniformDouble(w0, w1), kFloor), 2 * std::numbers::pi * UniformDouble(w2, w3));
}

// The random bits are exact, the functions of them are not: 4 units for each, as Log is judged.
void ComputeNormalsIn(DType dtype) {
  arithmetic.exact = false;
  arithmetic.ulps = 4;
  ComputeIn(dtype == DType::kDouble ? DType::kDouble : DType::kFloat);
}

void RandomStandardNormal(OpContext& c) {
  Array<Real> output = MakeArray<Real>(c.output_type(0), RandomShape(c));
  Philox generator = ReserveBlocks(c, kBlocksPerOutput * output.at.size());
  ComputeNormalsIn(output.dtype);
  std::vector<Real> normals;
  while (normals.size() < output.at.size()) {
    const Philox::Block w = generator.Next();
    std::vector<Normals> pairs = {NormalsFromWords(w[0], w[1]), NormalsFromWords(w[2], w[3])};
    if (output.dtype == DType::kDouble) pairs = {NormalsFromWords(w[0], w[1], w[2], w[3])};
    for (const Normals& pair : pairs) normals.insert(normals.end(), {pair.first, pair.second});
  }
  normals.resize(output.at.size());
  output.at = std::move(normals);
  c.Output(0, Store(output));
}

// R74: the values of one group of outputs: normals nearer to zero than 2.
void FillTruncated(std::span<Real> group, DType dtype, Philox generator) {
  PhiloxWords words(generator);
  size_t filled = 0;
  while (filled < group.size()) {
    const uint32_t w0 = words.Next(), w1 = words.Next();
    Normals pair;
    if (dtype == DType::kDouble) {
      const uint32_t w2 = words.Next(), w3 = words.Next();
      pair = NormalsFromWords(w0, w1, w2, w3);
    } else {
      pair = NormalsFromWords(w0, w1);
    }
    for (const Real& normal : {pair.first, pair.second}) {
      if (std::fabs(normal.v) < 2 && filled < group.size()) group[filled++] = normal;
    }
  }
}

void TruncatedNormal(OpContext& c) {
  Array<Real> output = MakeArray<Real>(c.output_type(0), RandomShape(c));
  const Philox start = ReserveBlocks(c, kBlocksPerOutput * output.at.size());
  ComputeNormalsIn(output.dtype);
  const size_t per_group = static_cast<size_t>(PerBlock(output.dtype));
  for (size_t first = 0; first < output.at.size(); first += per_group) {
    Philox generator = start;
    generator.Skip(first * kBlocksPerOutput / 4);
    const size_t count = std::min(per_group, output.at.size() - first);
    FillTruncated(std::span(output.at).subspan(first, count), output.dtype, generator);
  }
  c.Output(0, Store(output));
}

constexpr KernelRow kRows[] = {
    {"RandomStandardNormal", RandomStandardNormal},
    {"TruncatedNormal", TruncatedNormal},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomNormal() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
