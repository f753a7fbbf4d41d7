// Random ops, bit for bit as their seeds say (rules R70–R78).
#include <numbers>
#include <numeric>
#include <random>

#include "reference/element.h"
#include "reference/index.h"
#include "reference/numbers_io.h"
#include "reference/op_context.h"
#include "reference/philox.h"

namespace plumb::reference {
namespace {

// The stream of one random node, which goes on from execution to execution (rules R71, S6).
struct Stream : KernelState {
  explicit Stream(Philox start) : next(start) {}
  std::unique_ptr<KernelState> Clone(Copies&) const override { return std::make_unique<Stream>(*this); }
  Philox next;
};

// Seeds of an op: 0, 0 asks for any (rule R70).
Philox Seeded(const OpContext& c) {
  const uint64_t seed = static_cast<uint64_t>(c.attr<int64_t>("seed"));
  const uint64_t seed2 = static_cast<uint64_t>(c.attr<int64_t>("seed2"));
  if (seed != 0 || seed2 != 0) return Philox(seed, seed2);
  std::random_device entropy;
  return Philox(uint64_t{entropy()} << 32 | entropy(), uint64_t{entropy()} << 32 | entropy());
}

// Takes `blocks` blocks out of the node's stream and gives a generator that starts with the first of them.
Philox Reserve(OpContext& c, uint64_t blocks) {
  if (c.state == nullptr) c.state = std::make_unique<Stream>(Seeded(c));
  Philox& next = static_cast<Stream&>(*c.state).next;
  const Philox reserved = next;
  next.Skip(blocks);
  return reserved;
}
constexpr uint64_t kBlocksPerOutput = 256;  // R71

Shape OutputShape(const OpContext& c) {
  Require(c.tensor(0).rank() == 1, "the shape of a random tensor is a vector, not of shape ",
          c.tensor(0).shape().ToString());
  Shape shape = ShapeOf(c.tensor(0), "shape");
  CheckResultSize(shape);
  return shape;
}

// R72, R77: the number in [0, 1) whose mantissa is made of `bits` low bits of `word`.
double Fraction(uint64_t word, int bits) {
  return static_cast<double>(word & ((uint64_t{1} << bits) - 1)) * std::ldexp(1.0, -bits);
}
float UniformFloat(uint32_t word) { return static_cast<float>(Fraction(word, 23)); }
double UniformDouble(uint32_t low, uint32_t high) { return Fraction(uint64_t{low & 0xfffff} << 32 | high, 52); }

// How many outputs of a type one block of words gives.
int PerBlock(DType dtype) { return dtype == DType::kDouble || dtype == DType::kInt64 ? 2 : 4; }

double UniformOf(DType dtype, const Philox::Block& block, int i) {
  switch (dtype) {
    case DType::kHalf:
      return Fraction(block[i], 10);
    case DType::kBfloat16:
      return Fraction(block[i], 7);
    case DType::kDouble:
      return UniformDouble(block[2 * i], block[2 * i + 1]);
    default:
      return UniformFloat(block[i]);
  }
}

void RandomUniform(OpContext& c) {
  Array<Real> output = MakeArray<Real>(c.output_type(0), OutputShape(c));
  Philox generator = Reserve(c, kBlocksPerOutput * output.at.size());
  const int per_block = PerBlock(output.dtype);
  Philox::Block block = {};
  for (size_t i = 0; i < output.at.size(); ++i) {
    const int in_block = static_cast<int>(i % static_cast<size_t>(per_block));
    if (in_block == 0) block = generator.Next();
    output.at[i] = UniformOf(output.dtype, block, in_block);
  }
  c.Output(0, Store(output));
}

void RandomUniformInt(OpContext& c) {
  Require(c.tensor(1).rank() == 0 && c.tensor(2).rank() == 0, "minval and maxval must be scalars");
  const DType dtype = c.output_type(0);
  Array<Integer> output = MakeArray<Integer>(dtype, OutputShape(c));
  if (output.at.empty()) return c.Output(0, Store(output));
  const int64_t low = IntegerOf(c.tensor(1), "minval"), high = IntegerOf(c.tensor(2), "maxval");
  Require(low < high, "minval must be below maxval, but they are ", low, " and ", high);
  const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  Philox generator = Reserve(c, kBlocksPerOutput * output.at.size());
  const size_t per_block = static_cast<size_t>(PerBlock(dtype));
  Philox::Block block = {};
  for (size_t i = 0; i < output.at.size(); ++i) {
    const size_t in_block = i % per_block;
    if (in_block == 0) block = generator.Next();
    const uint64_t word =
        per_block == 4 ? block[in_block] : block[2 * in_block] | uint64_t{block[2 * in_block + 1]} << 32;
    output.at[i] = Integer(low) + Integer(word % range);
  }
  c.Output(0, Store(output));
}

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
  Array<Real> output = MakeArray<Real>(c.output_type(0), OutputShape(c));
  Philox generator = Reserve(c, kBlocksPerOutput * output.at.size());
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
  Array<Real> output = MakeArray<Real>(c.output_type(0), OutputShape(c));
  const Philox start = Reserve(c, kBlocksPerOutput * output.at.size());
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

// R78.
void RandomShuffle(OpContext& c) {
  const Value& value = c.input(0);
  const Shape& shape = value.tensor.shape();
  if (shape.elements() <= 1 || shape.dim(0) <= 1) return c.Output(0, value);
  const int64_t rows = shape.dim(0), row_size = shape.elements() / rows;
  std::vector<int64_t> order(static_cast<size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  PhiloxWords words(Reserve(c, static_cast<uint64_t>(rows - 1 + 3) / 4));
  for (int64_t i = 0; i + 1 < rows; ++i) {
    std::swap(order[i], order[i + words.Next() % static_cast<uint32_t>(rows - i)]);
  }
  std::vector<int64_t> positions;
  for (const int64_t row : order) {
    for (int64_t i = 0; i < row_size; ++i) positions.push_back(row * row_size + i);
  }
  c.Output(0, Gathered(value, shape, positions));
}

}  // namespace

std::span<const KernelRow> RandomKernels() {
  static constexpr KernelRow rows[] = {
      {"RandomUniform", RandomUniform},
      {"RandomUniformInt", RandomUniformInt},
      {"RandomStandardNormal", RandomStandardNormal},
      {"TruncatedNormal", TruncatedNormal},
      {"RandomShuffle", RandomShuffle},
  };
  return rows;
}

}  // namespace plumb::reference
