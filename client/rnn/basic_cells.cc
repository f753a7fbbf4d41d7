#include "client/rnn/cells.h"

namespace plumb {
namespace {

void CheckUnits(int64_t units) { Require(units > 0, "a recurrent cell needs a positive number of units, not ", units); }

Output Activate(Scope& scope, const Activation& activation, Output value) {
  return activation ? activation(scope, value) : scope.Call("Tanh", {value});
}

Output Sigmoid(Scope& scope, Output value) { return scope.Call("Sigmoid", {value}); }

// A matrix and a vector to add, by which inputs become outputs.
struct Layer {
  std::optional<Variable> kernel, bias;

  void Make(Scope& scope, const std::string& path, const Shape& shape, DType dtype, const CellOptions& options,
            double bias_value) {
    kernel = MakeNamedVariable(scope, {path + "/kernel", shape, dtype, options.kernel, options.seed});
    bias = MakeNamedVariable(scope,
                             {path + "/bias", {shape.dim(1)}, dtype, options.bias ? options.bias : Filled(bias_value)});
  }
  Output operator()(Scope& scope, Output value) const { return Affine(scope, value, *kernel, *bias); }
};

class BasicRnn : public RnnCell {
 public:
  BasicRnn(int64_t units, const CellOptions& options)
      : RnnCell(options.name.empty() ? "basic_rnn_cell" : options.name), units_(units), options_(options) {
    CheckUnits(units);
  }
  int64_t output_size() const override { return units_; }
  std::vector<Part> state_parts() const override { return {{units_}}; }

 protected:
  void MakeVariables(Scope& scope, const std::string& path, int64_t input_size, DType dtype) override {
    layer_.Make(scope, path, {input_size + units_, units_}, dtype, options_, 0);
  }
  RnnStep Compute(Scope& scope, Output input, const RnnState& state) override {
    const Output next = Activate(scope, options_.activation, layer_(scope, JoinColumns(scope, {input, state[0]})));
    return {next, {next}};
  }

 private:
  int64_t units_;
  CellOptions options_;
  Layer layer_;
};

class Gru : public RnnCell {
 public:
  Gru(int64_t units, const CellOptions& options)
      : RnnCell(options.name.empty() ? "gru_cell" : options.name), units_(units), options_(options) {
    CheckUnits(units);
  }
  int64_t output_size() const override { return units_; }
  std::vector<Part> state_parts() const override { return {{units_}}; }

 protected:
  void MakeVariables(Scope& scope, const std::string& path, int64_t input_size, DType dtype) override {
    const int64_t rows = input_size + units_;
    gates_.Make(scope, path + "/gates", {rows, 2 * units_}, dtype, options_, 1);
    CellOptions candidate = options_;
    ++candidate.seed;
    candidate_.Make(scope, path + "/candidate", {rows, units_}, dtype, candidate, 0);
  }
  RnnStep Compute(Scope& scope, Output input, const RnnState& state) override {
    const Output h = state[0];
    const auto gates = SplitColumns(scope, Sigmoid(scope, gates_(scope, JoinColumns(scope, {input, h}))), 2);
    const Output reset = gates[0], update = gates[1];
    const Output candidate = candidate_(scope, JoinColumns(scope, {input, reset * h}));
    const Output next = update * h + (1 - update) * Activate(scope, options_.activation, candidate);
    return {next, {next}};
  }

 private:
  int64_t units_;
  CellOptions options_;
  Layer gates_, candidate_;
};

class BasicLstm : public RnnCell {
 public:
  BasicLstm(int64_t units, double forget_bias, const CellOptions& options)
      : RnnCell(options.name.empty() ? "basic_lstm_cell" : options.name),
        units_(units),
        forget_bias_(forget_bias),
        options_(options) {
    CheckUnits(units);
  }
  int64_t output_size() const override { return units_; }
  std::vector<Part> state_parts() const override { return {{units_, true}, {units_}}; }

 protected:
  void MakeVariables(Scope& scope, const std::string& path, int64_t input_size, DType dtype) override {
    layer_.Make(scope, path, {input_size + units_, 4 * units_}, dtype, options_, 0);
  }
  RnnStep Compute(Scope& scope, Output input, const RnnState& state) override {
    const auto gates = SplitColumns(scope, layer_(scope, JoinColumns(scope, {input, state[1]})), 4);
    const auto active = [&](Output value) { return Activate(scope, options_.activation, value); };
    const Output kept = state[0] * Sigmoid(scope, gates[2] + forget_bias_);
    const Output c = kept + Sigmoid(scope, gates[0]) * active(gates[1]);
    const Output h = active(c) * Sigmoid(scope, gates[3]);
    return {h, {c, h}};
  }

 private:
  int64_t units_;
  double forget_bias_;
  CellOptions options_;
  Layer layer_;
};

}  // namespace

CellPtr BasicRnnCell(int64_t units, const CellOptions& options) { return std::make_shared<BasicRnn>(units, options); }
CellPtr GruCell(int64_t units, const CellOptions& options) { return std::make_shared<Gru>(units, options); }
CellPtr BasicLstmCell(int64_t units, double forget_bias, const CellOptions& options) {
  return std::make_shared<BasicLstm>(units, forget_bias, options);
}

}  // namespace plumb
