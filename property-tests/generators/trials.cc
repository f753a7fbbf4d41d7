#include "property-tests/generators/trials.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "backends/backends.h"
#include "conformance/suites/single_node.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/shape_test_context.h"

namespace plumb::property {
namespace {

bool Runs(std::string_view backend, const conformance::SingleNode& single) {
  const auto session = OpenSession(backend, {.threads = 1});
  std::vector<Tensor> outputs;
  return session->Extend(single.graph).ok() &&
         session->Run(single.run.feeds, single.run.fetches, single.run.targets, &outputs).ok();
}

std::vector<Tensor> Results(const conformance::SingleNode& single) {
  const auto session = OpenSession("reference");
  std::vector<Tensor> outputs;
  const Status loaded = session->Extend(single.graph);
  if (!loaded.ok() || !session->Run(single.run.feeds, single.run.fetches, single.run.targets, &outputs).ok()) return {};
  return outputs;
}

}  // namespace

bool NeedsNoValues(const OpDef& op) {
  for (const SampledCase& sample : SampleInputs(op, {}, kTrialSeed)) {
    std::vector<PartialShape> shapes;
    for (const Tensor& input : sample.inputs) shapes.emplace_back(input.shape());
    try {
      InferShapes(TestShapeContext(op, std::move(shapes), sample.attrs));
    } catch (const Error&) {
      return false;
    }
  }
  return true;
}

bool RunsEverywhere(const OpDef& op, const SampledCase& sample) {
  const conformance::SingleNode single = conformance::MakeSingleNode(op, sample);
  const auto names = BackendNames();
  return std::all_of(names.begin(), names.end(),
                     [&](std::string_view name) { return name.starts_with("gpu") || Runs(name, single); });
}

bool TellsItsName(const OpDef& op, const SampledCase& sample) {
  conformance::SingleNode single = conformance::MakeSingleNode(op, sample);
  const std::vector<Tensor> before = Results(single);
  const std::string own = conformance::kTried, other = "other";
  const auto rename = [&](std::string& value) {
    if (value == own || value.starts_with(own + ":")) value.replace(0, own.size(), other);
  };
  for (NodeDef& node : single.graph.nodes) {
    rename(node.name);
    for (std::string& input : node.inputs) rename(input);
  }
  for (std::string& fetch : single.run.fetches) rename(fetch);
  const std::vector<Tensor> after = Results(single);
  return !std::equal(before.begin(), before.end(), after.begin(), after.end(),
                     [](const Tensor& a, const Tensor& b) { return a.BitwiseEquals(b); });
}

bool GivesWholeNumbers(const OpDef& op, SampledCase sample, const std::vector<size_t>& inputs) {
  constexpr float kSmall = 1 << 16;
  for (const size_t input : inputs) {
    Tensor whole(DType::kFloat, sample.inputs[input].shape());
    int next = 0;
    for (float& number : whole.mutable_data<float>()) number = static_cast<float>(1 + next++ % 7);
    sample.inputs[input] = std::move(whole);
  }
  const std::vector<Tensor> results = Results(conformance::MakeSingleNode(op, sample));
  return !results.empty() && std::all_of(results.begin(), results.end(), [](const Tensor& result) {
    if (result.dtype() != DType::kFloat) return true;
    const auto numbers = result.data<float>();
    return std::all_of(numbers.begin(), numbers.end(),
                       [](float number) { return std::trunc(number) == number && std::abs(number) < kSmall; });
  });
}

}  // namespace plumb::property
