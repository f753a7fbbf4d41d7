#include "client/clip.h"
#include "client/rnn/cells.h"

namespace plumb {
namespace {

// The variable's value where it was made, else nothing to add or multiply.
using MaybeVariable = std::optional<Variable>;

class Lstm : public RnnCell {
 public:
  Lstm(int64_t units, const LstmOptions& options)
      : RnnCell(options.cell.name.empty() ? "lstm_cell" : options.cell.name), units_(units), options_(options) {
    Require(units > 0, "a recurrent cell needs a positive number of units, not ", units);
    Require(options.projection >= 0, "an LSTM cell cannot project on ", options.projection, " numbers");
    Require(!options.projection_clip || options.projection > 0, "an LSTM cell has no projection to be clipped");
  }
  int64_t output_size() const override { return options_.projection > 0 ? options_.projection : units_; }
  std::vector<Part> state_parts() const override { return {{units_, true}, {output_size()}}; }

 protected:
  void MakeVariables(Scope& scope, const std::string& path, int64_t input_size, DType dtype) override {
    int64_t seed = options_.cell.seed;
    const auto make = [&](const char* name, const Shape& shape) {
      return MakeNamedVariable(scope, {JoinName(path, name), shape, dtype, options_.cell.kernel, seed++});
    };
    kernel_ = make("kernel", {input_size + output_size(), 4 * units_});
    bias_ = MakeNamedVariable(
        scope, {path + "/bias", {4 * units_}, dtype, options_.cell.bias ? options_.cell.bias : Filled(0)});
    if (options_.use_peepholes) {
      forget_peephole_ = make("w_f_diag", {units_});
      input_peephole_ = make("w_i_diag", {units_});
      output_peephole_ = make("w_o_diag", {units_});
    }
    if (options_.projection > 0) projection_ = make("projection/kernel", {units_, options_.projection});
  }

  RnnStep Compute(Scope& scope, Output input, const RnnState& state) override {
    const Output before = state[0];
    const auto gates = SplitColumns(scope, Affine(scope, JoinColumns(scope, {input, state[1]}), *kernel_, *bias_), 4);
    const Output forget = Gate(scope, gates[2] + options_.forget_bias, forget_peephole_, before);
    const Output entry = Gate(scope, gates[0], input_peephole_, before);
    Output c = forget * before + entry * Active(scope, gates[1]);
    if (options_.cell_clip) c = ClipByValue(scope, c, -*options_.cell_clip, *options_.cell_clip);
    const Output h = Project(scope, Gate(scope, gates[3], output_peephole_, c) * Active(scope, c));
    return {h, {c, h}};
  }

 private:
  Output Active(Scope& scope, Output value) const {
    return options_.cell.activation ? options_.cell.activation(scope, value) : scope.Call("Tanh", {value});
  }
  static Output Gate(Scope& scope, Output value, const MaybeVariable& peephole, Output memory) {
    return scope.Call("Sigmoid", {peephole ? value + peephole->value() * memory : value});
  }
  Output Project(Scope& scope, Output h) const {
    if (!projection_) return h;
    h = scope.Call("MatMul", {h, *projection_});
    return options_.projection_clip ? ClipByValue(scope, h, -*options_.projection_clip, *options_.projection_clip) : h;
  }

  int64_t units_;
  LstmOptions options_;
  MaybeVariable kernel_, bias_, forget_peephole_, input_peephole_, output_peephole_, projection_;
};

}  // namespace

CellPtr LstmCell(int64_t units, const LstmOptions& options) { return std::make_shared<Lstm>(units, options); }

}  // namespace plumb
