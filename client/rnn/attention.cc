#include "client/rnn/attention.h"

#include <cmath>
#include <limits>

#include "client/rnn/sequence.h"

namespace plumb {
namespace {

Output Axis(Scope& scope, int32_t axis) { return Constant(scope, axis); }

// Whether each place [batch, time] lies before the end of its sequence.
Output PlacesBefore(Scope& scope, Output lengths, Output time) {
  const Output places = scope.Call("Range", {Constant(scope, 0), time, Constant(scope, 1)});
  return places < scope.Call("ExpandDims", {AsType(lengths, DType::kInt32), Axis(scope, 1)});
}

class Luong : public Attention {
 public:
  Luong(Scope& scope, int64_t units, Output memory, bool scaled, const AttentionOptions& options)
      : Attention(scope, units, memory, options), scaled_(scaled) {}

 protected:
  void MakeVariables(Scope& scope, const std::string& prefix, int64_t query_size) override {
    Require(query_size == units_, "Luong's attention needs queries as long as its keys, ", units_, " numbers, not ",
            query_size);
    if (!scaled_) return;
    scale_ = MakeNamedVariable(scope, {.name = JoinName(prefix, "luong_attention/attention_g"),
                                       .shape = {},
                                       .dtype = keys_.dtype(),
                                       .initializer = Filled(1)});
  }
  Output Score(Scope& scope, Output query) override {
    const auto named = scope.Sub("luong_attention");
    const Output row = scope.Call("ExpandDims", {query, Axis(scope, 1)});
    const Output products = scope.Call("BatchMatMulV2", {row, keys_}, {{"adj_y", true}});
    const Output score = scope.Call("Squeeze", {products}, {{"squeeze_dims", std::vector<int64_t>{1}}});
    return scale_ ? score * scale_->value() : score;
  }

 private:
  bool scaled_;
  std::optional<Variable> scale_;
};

class Bahdanau : public Attention {
 public:
  Bahdanau(Scope& scope, int64_t units, Output memory, bool normalized, const AttentionOptions& options)
      : Attention(scope, units, memory, options), normalized_(normalized) {}

 protected:
  void MakeVariables(Scope& scope, const std::string& prefix, int64_t query_size) override {
    const std::string path = JoinName(prefix, "bahdanau_attention");
    query_ = Weight(scope, path + "/query_layer/kernel", {query_size, units_}, 1);
    v_ = Weight(scope, path + "/attention_v", {units_}, 2);
    if (!normalized_) return;
    const auto make = [&](const char* name, const Shape& shape, double value) {
      return MakeNamedVariable(
          scope, {.name = JoinName(path, name), .shape = shape, .dtype = keys_.dtype(), .initializer = Filled(value)});
    };
    length_ = make("attention_g", {}, std::sqrt(1.0 / static_cast<double>(units_)));
    bias_ = make("attention_b", {units_}, 0);
  }
  Output Score(Scope& scope, Output query) override {
    const auto named = scope.Sub("bahdanau_attention");
    const Output processed = scope.Call("MatMul", {query, *query_});
    Output sum = keys_ + scope.Call("ExpandDims", {processed, Axis(scope, 1)});
    Output v = v_->value();
    if (normalized_) {
      const Output squares = scope.Call("Sum", {v * v, Constant<int32_t>(scope, {0})});
      v = length_->value() * v * scope.Call("Rsqrt", {squares});
      sum = sum + bias_->value();
    }
    return scope.Call("Sum", {v * scope.Call("Tanh", {sum}), Constant<int32_t>(scope, {2})});
  }

 private:
  bool normalized_;
  std::optional<Variable> query_, v_, length_, bias_;
};

}  // namespace

Attention::Attention(Scope& scope, int64_t units, Output memory, const AttentionOptions& options)
    : units_(units), options_(options), memory_(memory) {
  Require(units > 0, "attention needs a positive number of units, not ", units);
  Require(memory.shape().rank() == 3 && memory.shape().dim(2) >= 0 && IsFloating(memory.dtype()),
          "the memory of attention must be [batch, time, depth] of floats with a known depth, not ",
          DTypeName(memory.dtype()), " of shape ", memory.shape().ToString());
  const std::string prefix = scope.builder().scope();
  const Output time = DimensionOf(scope, memory, 1);
  if (options.memory_sequence_length) {
    const Output lengths = CheckedLengths(scope, *options.memory_sequence_length, memory.shape().dim(0));
    mask_ = PlacesBefore(scope, lengths, time);
    memory_ = memory * scope.Call("ExpandDims", {AsType(*mask_, memory.dtype()), Axis(scope, 2)});
  }
  const Variable kernel = Weight(scope, JoinName(prefix, "memory_layer/kernel"), {depth(), units}, 0);
  const Output rows = scope.Call("Reshape", {memory_, Constant<int32_t>(scope, {-1, static_cast<int32_t>(depth())})});
  const Output dims = scope.Call(
      "Pack", {DimensionOf(scope, memory, 0), time, Constant(scope, static_cast<int32_t>(units))}, {{"N", int64_t{3}}});
  keys_ = scope.Call("Reshape", {scope.Call("MatMul", {rows, kernel}), dims});
}

Variable Attention::Weight(Scope& scope, const std::string& name, const Shape& shape, int64_t salt) const {
  return MakeNamedVariable(scope, {name, shape, memory_.dtype(), options_.kernel, options_.seed + salt});
}

void Attention::Build(Scope& scope, const std::string& prefix, int64_t query_size) {
  if (!built_) MakeVariables(scope, prefix, query_size);
  built_ = true;
}

Output Attention::Align(Scope& scope, Output query) {
  Build(scope, scope.builder().scope(), query.shape().dim(1));
  Output score = Score(scope, query);
  if (mask_) {
    const Output nothing = Constant(scope, ScalarTensor(-std::numeric_limits<double>::infinity(), score.dtype()));
    score = scope.Call("SelectV2", {*mask_, score, nothing});
  }
  return scope.Call("Softmax", {score});
}

Output Attention::Context(Scope& scope, Output alignments) const {
  const Output row = scope.Call("ExpandDims", {alignments, Axis(scope, 1)});
  return scope.Call("Squeeze", {scope.Call("BatchMatMulV2", {row, memory_})},
                    {{"squeeze_dims", std::vector<int64_t>{1}}});
}

AttentionPtr LuongAttention(Scope& scope, int64_t units, Output memory, bool scaled, const AttentionOptions& options) {
  return std::make_shared<Luong>(scope, units, memory, scaled, options);
}
AttentionPtr BahdanauAttention(Scope& scope, int64_t units, Output memory, bool normalized,
                               const AttentionOptions& options) {
  return std::make_shared<Bahdanau>(scope, units, memory, normalized, options);
}

}  // namespace plumb
