// Attention: a cell that looks at a memory with each step, as AttentionWrapper of tf.contrib.seq2seq in
// TensorFlow 1.15, with Luong's and Bahdanau's scores and TensorFlow's variable names.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "client/rnn/cells.h"

namespace plumb {

struct AttentionOptions {
  std::optional<Output> memory_sequence_length = {};  // [batch], positive: what lies behind gets no attention
  Initializer kernel = {};                            // first value of all weights; GlorotUniform with `seed`
  int64_t seed = 0;
};

// How much each of a memory's places matters to a query.
class Attention {
 public:
  virtual ~Attention() = default;
  Attention(const Attention&) = delete;
  Attention& operator=(const Attention&) = delete;

  // Makes its variables under "prefix/"; does nothing when they are there.
  void Build(Scope& scope, const std::string& prefix, int64_t query_size);
  // [batch, time], positive, each row with the sum 1, for a query [batch, query_size].
  Output Align(Scope& scope, Output query);
  // The memory weighted by alignments: [batch, depth].
  Output Context(Scope& scope, Output alignments) const;

  Output memory() const { return memory_; }  // [batch, time, depth], zeros behind the end
  int64_t depth() const { return memory_.shape().dim(2); }

 protected:
  // Makes keys [batch, time, units] of the memory, with the variable "memory_layer/kernel" [depth, units] under the
  // current name scope.
  Attention(Scope& scope, int64_t units, Output memory, const AttentionOptions& options);

  virtual void MakeVariables(Scope& scope, const std::string& prefix, int64_t query_size) = 0;
  virtual Output Score(Scope& scope, Output query) = 0;  // [batch, time]
  Variable Weight(Scope& scope, const std::string& name, const Shape& shape, int64_t salt) const;

  int64_t units_;
  AttentionOptions options_;
  Output keys_;

 private:
  Output memory_;
  std::optional<Output> mask_;  // [batch, time]: whether it lies before the end
  bool built_ = false;
};
using AttentionPtr = std::shared_ptr<Attention>;

// query · key, times "luong_attention/attention_g" where scaled. The query has `units` numbers.
AttentionPtr LuongAttention(Scope& scope, int64_t units, Output memory, bool scaled = false,
                            const AttentionOptions& options = {});
// Σ v · tanh(key + query · W), with "bahdanau_attention/attention_v" [units] and "…/query_layer/kernel". Normalized: v
// has the length "attention_g", and "attention_b" [units] is added within the tanh.
AttentionPtr BahdanauAttention(Scope& scope, int64_t units, Output memory, bool normalized = false,
                               const AttentionOptions& options = {});

struct AttentionWrapperOptions {
  int64_t attention_size = 0;  // of [output, context] · attention_layer/kernel; 0: the context itself is the attention
  bool output_attention = true;  // what comes out: the attention, or the cell's output
  std::string name = "attention_wrapper";
};
// The cell reads its input beside the attention of the step before; its output is the query. State: the cell's parts,
// the attention, the alignments [batch, time].
CellPtr AttentionWrapper(CellPtr cell, AttentionPtr attention, const AttentionWrapperOptions& options = {});

}  // namespace plumb
