#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/stored_generator.h"
#include "reference/ops/random/random_normal.h"

namespace plumb::reference {
namespace {

template <GeneratorOf kGenerator, int kShape = 0>
void Normal(OpContext& c) {
  Array<Real> output = MakeArray<Real>(c.output_type(0), RandomShape(c, kShape));
  Philox generator = kGenerator(c, output.at.size());
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

template <GeneratorOf kGenerator, int kShape = 0>
void TruncatedNormal(OpContext& c) {
  Array<Real> output = MakeArray<Real>(c.output_type(0), RandomShape(c, kShape));
  const Philox start = kGenerator(c, output.at.size());
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
    {"RandomStandardNormal", Normal<OwnGenerator>},
    {"StatefulStandardNormal", Normal<TaggedGenerator, 1>},
    {"StatefulStandardNormalV2", Normal<StoredGenerator, 2>},
    {"StatefulTruncatedNormal", TruncatedNormal<StoredGenerator, 2>},
    {"StatelessRandomNormal", Normal<ScrambledGenerator>},
    {"StatelessRandomNormalV2", Normal<GivenGenerator>},
    {"StatelessTruncatedNormal", TruncatedNormal<ScrambledGenerator>},
    {"StatelessTruncatedNormalV2", TruncatedNormal<GivenGenerator>},
    {"TruncatedNormal", TruncatedNormal<OwnGenerator>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomNormal() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
