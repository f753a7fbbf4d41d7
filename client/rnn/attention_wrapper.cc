#include "client/rnn/attention.h"
#include "client/rnn/sequence.h"

namespace plumb {
namespace {

class AttentionCell : public RnnCell {
 public:
  AttentionCell(CellPtr cell, AttentionPtr attention, const AttentionWrapperOptions& options)
      : RnnCell(options.name), cell_(std::move(cell)), attention_(std::move(attention)), options_(options) {
    Require(options.attention_size >= 0, "attention cannot have ", options.attention_size, " numbers");
  }

  int64_t output_size() const override { return options_.output_attention ? Size() : cell_->output_size(); }
  std::vector<Part> state_parts() const override {
    std::vector<Part> parts = cell_->state_parts();
    parts.push_back({Size()});
    parts.push_back({attention_->memory().shape().dim(1)});
    return parts;
  }
  RnnState ZeroState(Scope& scope, Output batch, DType dtype) const override {
    RnnState zeros = cell_->ZeroState(scope, batch, dtype);
    zeros.push_back(ZerosForBatch(scope, batch, Size(), dtype));
    const Output time = DimensionOf(scope, attention_->memory(), 1);
    const Output dims = scope.Call("Pack", {batch, time}, {{"N", int64_t{2}}});
    zeros.push_back(scope.Call("Fill", {dims, Constant(scope, ScalarTensor(0, dtype))}));
    return zeros;
  }

 protected:
  void MakeVariables(Scope& scope, const std::string& path, int64_t input_size, DType dtype) override {
    Require(dtype == attention_->memory().dtype(), "inputs of type ", DTypeName(dtype), " cannot look at a memory of ",
            DTypeName(attention_->memory().dtype()));
    cell_->Build(scope, path, input_size + Size(), dtype);
    attention_->Build(scope, path, cell_->output_size());
    if (options_.attention_size == 0) return;
    layer_ = MakeNamedVariable(scope, {JoinName(path, "attention_layer/kernel"),
                                       {cell_->output_size() + attention_->depth(), options_.attention_size},
                                       dtype});
  }

  RnnStep Compute(Scope& scope, Output input, const RnnState& state) override {
    const auto end = state.end() - 2;
    const RnnStep step = cell_->Next(scope, JoinColumns(scope, {input, *end}), RnnState(state.begin(), end));
    const Output alignments = attention_->Align(scope, step.output);
    Output attention = attention_->Context(scope, alignments);
    if (layer_) attention = scope.Call("MatMul", {JoinColumns(scope, {step.output, attention}), *layer_});
    RnnState next = step.state;
    next.push_back(attention);
    next.push_back(alignments);
    return {options_.output_attention ? attention : step.output, next};
  }

 private:
  int64_t Size() const { return options_.attention_size > 0 ? options_.attention_size : attention_->depth(); }

  CellPtr cell_;
  AttentionPtr attention_;
  AttentionWrapperOptions options_;
  std::optional<Variable> layer_;
};

}  // namespace

CellPtr AttentionWrapper(CellPtr cell, AttentionPtr attention, const AttentionWrapperOptions& options) {
  return std::make_shared<AttentionCell>(std::move(cell), std::move(attention), options);
}

}  // namespace plumb
