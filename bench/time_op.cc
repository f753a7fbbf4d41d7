#include "bench/time_op.h"

#include <memory>

#include "backends/backends.h"
#include "bench/check.h"
#include "spec/graph/builder.h"

namespace plumb::bench {
namespace {

// A graph of one op under construction.
class OneOp {
 public:
  void Feed(const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors) {
      inputs_.push_back(
          builder_.Call("Placeholder", {}, {{"dtype", tensor.dtype()}, {"shape", PartialShape(tensor.shape())}}));
      names_.push_back(builder_.graph().NameOf(inputs_.back()));
    }
    fed_.insert(fed_.end(), tensors.begin(), tensors.end());
  }
  void Hold(const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors) inputs_.push_back(builder_.Constant(tensor));
  }

  Tensor Time(benchmark::State& state, const std::string& op, AttrMap attrs) {
    const Endpoint output = builder_.Call(op, inputs_, std::move(attrs));
    const std::unique_ptr<Session> session = OpenSession("cpu", {.threads = 1});
    Check(session->Extend(builder_.graph().ToDef()));
    const std::string fetch = builder_.graph().NameOf(output);
    std::unique_ptr<Session::Callable> step;
    Check(session->MakeCallable(names_, std::span(&fetch, 1), {}, &step));
    std::vector<Tensor> outputs;
    for (auto _ : state) Check(step->Run(fed_, &outputs));
    return outputs.at(0);
  }

 private:
  GraphBuilder builder_;
  std::vector<Endpoint> inputs_;
  std::vector<std::string> names_;
  std::vector<Tensor> fed_;
};

}  // namespace

Tensor TimeOp(benchmark::State& state, const std::string& op, const std::vector<Tensor>& fed,
              const std::vector<Tensor>& constants, AttrMap attrs) {
  OneOp one;
  one.Feed(fed);
  one.Hold(constants);
  return one.Time(state, op, std::move(attrs));
}

Tensor TimeOpWithConstantsFirst(benchmark::State& state, const std::string& op, const std::vector<Tensor>& constants,
                                const std::vector<Tensor>& fed, AttrMap attrs) {
  OneOp one;
  one.Hold(constants);
  one.Feed(fed);
  return one.Time(state, op, std::move(attrs));
}

Tensor Ramp(const Shape& shape) {
  constexpr float kStep = 1.0f / (1 << 17);
  Tensor x(DType::kFloat, shape);
  float value = -4;
  for (float& element : x.mutable_data<float>()) {
    element = value;
    value = value >= 4 ? -4 : value + kStep;
  }
  return x;
}

}  // namespace plumb::bench
