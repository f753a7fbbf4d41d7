// Of a matrix that is its own adjoint a rule may take the transpose for the matrix, and the conjugate for the adjoint;
// the laws of gradients of complex numbers take none but samples that stand alone. So some such sample of every op on
// square matrices is a matrix of two rows at least that is not its own adjoint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "spec/core/status_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/shape_test_context.h"
#include "spec/samples/sample.h"

namespace plumb {
namespace {

// That take self-adjoint matrices alone, or their factors.
const std::map<std::string, std::string> kOfOthers = {
    {"Cholesky", "another matrix than a Hermitian one has no factor"},
    {"CholeskyGrad", "a factor is a triangle, and of the other matrix one triangle is read"}};

// Whether the shape rule refuses a first input of three columns and two rows, and takes three of each.
bool TakesSquares(const OpDef& op) {
  if (op.inputs.empty()) return false;
  const auto takes = [&](int64_t rows) {
    std::vector<PartialShape> shapes(op.inputs.size(), PartialShape::Unknown());
    shapes[0] = PartialShape{rows, 3};
    return StatusOf([&] { InferShapes(TestShapeContext(op, shapes)); }).ok();
  };
  return takes(3) && !takes(2);
}

// The op of which this one is an older name, whose own shape rule knows nothing; or itself.
const OpDef& Newest(const OpDef& op) {
  constexpr std::string_view kOlder = "Batch";
  const OpDef* const newer = op.name.starts_with(kOlder) ? FindOp(op.name.substr(kOlder.size())) : nullptr;
  return newer == nullptr ? op : *newer;
}

// Its two triangles differ; of one row, or of none, they cannot.
template <class T>
bool IsGeneral(const Tensor& matrix) {
  const int64_t size = matrix.shape().dim(matrix.rank() - 1);
  const auto elements = matrix.data<T>();
  for (int64_t i = 0; i < std::min(size * size, matrix.elements()); ++i) {
    if (elements[i / size * size + i % size] != elements[i % size * size + i / size]) return true;
  }
  return false;
}

bool HasGeneral(const OpDef& op, DType dtype, const AttrMap& settings) {
  constexpr uint64_t kSeeds = 8;  // each draws one of the values that a sample names
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    for (const SampledCase& sample : SampleInputs(op, {{"T", dtype}}, seed)) {
      const auto is_set = [&](const auto& setting) { return sample.attrs.at(setting.first) == setting.second; };
      if (!sample.StandsAlone() || sample.inputs[0].elements() == 0) continue;
      if (!std::all_of(settings.begin(), settings.end(), is_set)) continue;
      if (sample.inputs[0].dtype() == DType::kDouble ? IsGeneral<double>(sample.inputs[0])
                                                     : IsGeneral<std::complex<double>>(sample.inputs[0])) {
        return true;
      }
    }
  }
  return false;
}

// Nothing set, and each value of each switch.
std::vector<AttrMap> Settings(const OpDef& op) {
  std::vector<AttrMap> settings = {{}};
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind != AttrKind::kBool) continue;
    for (const bool value : {false, true}) settings.push_back({{attr.name, value}});
  }
  return settings;
}

bool Takes(const OpDef& op, DType dtype) {
  const auto is_types = [](const AttrDef& attr) { return attr.name == "T"; };
  const auto& taken = op.CpuTypes(*std::find_if(op.attrs.begin(), op.attrs.end(), is_types));
  return std::find(taken.begin(), taken.end(), dtype) != taken.end();
}

TEST(SquareMatrices, AreSampledByThemselvesAndNotSymmetric) {
  std::set<std::string> asked;
  for (const Topic& topic : Topics()) {
    if (topic.family != "linalg") continue;
    for (const OpRow& row : topic.rows) {
      const std::string signature = row.signature;
      const OpDef& op = GetOp(signature.substr(0, signature.find('(')));
      if (!TakesSquares(Newest(op)) || kOfOthers.contains(Newest(op).name)) continue;
      for (const DType dtype : {DType::kDouble, DType::kComplex128}) {
        if (!Takes(op, dtype)) continue;
        for (const AttrMap& settings : Settings(op)) {
          EXPECT_TRUE(HasGeneral(op, dtype, settings))
              << op.name << " of " << DTypeName(dtype)
              << (settings.empty() ? "" : ", " + settings.begin()->first + "=" + settings.begin()->second.ToString());
        }
        asked.insert(op.name);
      }
    }
  }
  EXPECT_THAT(asked, ::testing::IsSupersetOf({"Eig", "Lu", "MatrixDeterminant", "MatrixExponential", "MatrixInverse",
                                              "MatrixLogarithm", "MatrixSolve", "MatrixSquareRoot",
                                              "MatrixTriangularSolve", "SelfAdjointEigV2"}));
}

}  // namespace
}  // namespace plumb
