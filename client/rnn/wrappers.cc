#include <map>

#include "client/rnn/cells.h"

namespace plumb {
namespace {

class Multi : public RnnCell {
 public:
  explicit Multi(std::vector<CellPtr> cells) : RnnCell("multi_rnn_cell"), cells_(std::move(cells)) {
    Require(!cells_.empty(), "stacked recurrent cells need at least one cell");
  }
  int64_t output_size() const override { return cells_.back()->output_size(); }
  std::vector<Part> state_parts() const override {
    std::vector<Part> parts;
    for (const CellPtr& cell : cells_) {
      const std::vector<Part> more = cell->state_parts();
      parts.insert(parts.end(), more.begin(), more.end());
    }
    return parts;
  }
  RnnState ZeroState(Scope& scope, Output batch, DType dtype) const override {
    RnnState zeros;
    for (const CellPtr& cell : cells_) {
      const RnnState more = cell->ZeroState(scope, batch, dtype);
      zeros.insert(zeros.end(), more.begin(), more.end());
    }
    return zeros;
  }

 protected:
  // What a cell's input looks like is known only when those below have run, so each is built by its first step.
  void MakeVariables(Scope&, const std::string& path, int64_t, DType) override { path_ = path; }

  RnnStep Compute(Scope& scope, Output input, const RnnState& state) override {
    RnnStep step = {input, {}};
    auto part = state.begin();
    for (size_t i = 0; i < cells_.size(); ++i) {
      const std::string name = Str("cell_", i);
      cells_[i]->Build(scope, JoinName(path_, name), step.output.shape().dim(1), input.dtype());
      const auto named = scope.Sub(name);
      const auto size = static_cast<std::ptrdiff_t>(cells_[i]->state_parts().size());
      const RnnStep next = cells_[i]->Next(scope, step.output, RnnState(part, part + size));
      part += size;
      step.output = next.output;
      step.state.insert(step.state.end(), next.state.begin(), next.state.end());
    }
    return step;
  }

 private:
  std::vector<CellPtr> cells_;
  std::string path_;
};

// What a wrapper has of the cell in it.
class Wrapper : public RnnCell {
 public:
  explicit Wrapper(CellPtr cell) : RnnCell(""), cell_(std::move(cell)) {}
  int64_t output_size() const override { return cell_->output_size(); }
  std::vector<Part> state_parts() const override { return cell_->state_parts(); }
  RnnState ZeroState(Scope& scope, Output batch, DType dtype) const override {
    return cell_->ZeroState(scope, batch, dtype);
  }

 protected:
  void MakeVariables(Scope& scope, const std::string& path, int64_t input_size, DType dtype) override {
    cell_->Build(scope, path, input_size, dtype);
  }
  CellPtr cell_;
};

class Dropout : public Wrapper {
 public:
  Dropout(CellPtr cell, const DropoutOptions& options) : Wrapper(std::move(cell)), options_(options) {
    for (const double keep : {options.input_keep, options.output_keep, options.state_keep}) {
      Require(keep > 0 && keep <= 1, "dropout keeps with a probability within (0, 1], not ", keep);
    }
  }

 protected:
  RnnStep Compute(Scope& scope, Output input, const RnnState& state) override {
    first_salt_ = options_.variational ? 0 : steps_built_++ * (2 + std::ssize(state_parts()));
    RnnStep step = cell_->Next(scope, Dropped(scope, input, options_.input_keep, 0), state);
    const std::vector<Part> parts = state_parts();
    for (size_t i = 0; i < parts.size(); ++i) {
      const auto salt = static_cast<int64_t>(2 + i);
      if (!parts[i].is_memory) step.state[i] = Dropped(scope, step.state[i], options_.state_keep, salt);
    }
    step.output = Dropped(scope, step.output, options_.output_keep, 1);
    return step;
  }

 private:
  // Elements stay, 1 / keep times as large, where a random number in [0, 1) is at least 1 − keep. `salt`: which of the
  // cell's values this is.
  Output Dropped(Scope& scope, Output value, double keep, int64_t salt) {
    if (keep == 1 || !IsFloating(value.dtype())) return value;
    const auto named = scope.Sub("dropout");
    const Output random = options_.variational
                              ? OneForAll(scope, value, salt)
                              : Random(scope, scope.Call("Shape", {value}), value.dtype(), first_salt_ + salt);
    return value * (1 / keep) * AsType(random >= 1 - keep, value.dtype());
  }
  Output Random(Scope& scope, Output shape, DType dtype, int64_t salt) const {
    return scope.Call("RandomUniform", {shape}, {{"dtype", dtype}, {"seed", options_.seed}, {"seed2", salt + 1}});
  }
  // The same in all steps: made once, outside of the loop.
  Output OneForAll(Scope& scope, Output value, int64_t salt) {
    const auto found = masks_.find(salt);
    if (found != masks_.end()) return found->second;
    Require(value.shape().rank() == 2 && value.shape().dim(1) >= 0 && value.shape().dim(1) <= INT32_MAX,
            "variational dropout needs values [batch, size] of known size, not ", value.shape().ToString());
    const GraphBuilder::ContextScope outside(scope.builder(), nullptr);
    const GraphBuilder::NoControlScope unordered(scope.builder());
    const Output shape = Constant<int32_t>(scope, {1, static_cast<int32_t>(value.shape().dim(1))});
    return masks_.emplace(salt, Random(scope, shape, value.dtype(), salt)).first->second;
  }

  DropoutOptions options_;
  int64_t steps_built_ = 0;  // an unrolled loop has many, and each draws numbers of its own
  int64_t first_salt_ = 0;
  std::map<int64_t, Output> masks_;
};

class Residual : public Wrapper {
 public:
  using Wrapper::Wrapper;

 protected:
  RnnStep Compute(Scope& scope, Output input, const RnnState& state) override {
    RnnStep step = cell_->Next(scope, input, state);
    Require(input.shape().IsCompatibleWith(step.output.shape()), "an input of shape ", input.shape().ToString(),
            " cannot be added to an output of shape ", step.output.shape().ToString());
    step.output = input + step.output;
    return step;
  }
};

}  // namespace

CellPtr MultiRnnCell(std::vector<CellPtr> cells) { return std::make_shared<Multi>(std::move(cells)); }
CellPtr DropoutWrapper(CellPtr cell, const DropoutOptions& options) {
  return std::make_shared<Dropout>(std::move(cell), options);
}
CellPtr ResidualWrapper(CellPtr cell) { return std::make_shared<Residual>(std::move(cell)); }

}  // namespace plumb
