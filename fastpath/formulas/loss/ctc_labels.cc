#include "fastpath/formulas/loss/ctc_labels.h"

#include <algorithm>
#include <utility>

#include "fastpath/formulas/sparse/sparse_rules.h"

namespace plumb::fast {
namespace {

std::vector<CtcSequence> LengthsOf(const Shape& inputs, const Tensor& lengths) {
  Require(inputs.rank() == 3, "inputs must be [time, batch, class], not ", inputs.ToString());
  Require(inputs.elements() > 0, "inputs must have times, sequences and classes, not the shape ", inputs.ToString());
  Require(lengths.rank() == 1 && lengths.elements() == inputs[1], "sequence_length must be a vector of ", inputs[1],
          " entries, not ", lengths.shape().ToString());
  std::vector<CtcSequence> sequences(static_cast<size_t>(inputs[1]));
  const std::vector<int64_t> given = ToInt64s(lengths);
  for (size_t b = 0; b < sequences.size(); ++b) {
    Require(given[b] >= 0 && given[b] <= inputs[0], "sequence_length ", given[b], " is not between 0 and ", inputs[0]);
    sequences[b].length = given[b];
  }
  return sequences;
}

void ReadLabels(const Tensor& indices, const Tensor& values, std::vector<CtcSequence>& sequences) {
  const SparseSizes sizes = SparseSizesOf(indices.shape());
  Require(sizes.rank == 2 && values.rank() == 1 && values.elements() == sizes.count, "labels_indices of shape ",
          indices.shape().ToString(), " does not fit labels_values of shape ", values.shape().ToString());
  const int64_t* const rows = indices.data<int64_t>().data();
  const std::vector<int64_t> labels = ToInt64s(values);
  for (int64_t i = 0; i < sizes.count; ++i) {
    const int64_t* const row = rows + 2 * i;
    Require(static_cast<uint64_t>(row[0]) < sequences.size() && row[1] >= 0, "label ", i,
            " stands outside of the batch");
    Require(i == 0 || std::lexicographical_compare(row - 2, row, row, row + 2), "label ", i,
            " does not come after the one before it");
    sequences[static_cast<size_t>(row[0])].labels.push_back(static_cast<int32_t>(labels[static_cast<size_t>(i)]));
  }
}

// Where the blank is the last class, labels from it on end a sequence.
bool IsClass(const CtcOptions& options, int32_t label, int64_t classes, bool ended) {
  if (options.blank_is_first) {
    Require(0 < label && label < classes, "label ", label, " is not between 1 and ", classes - 1);
    return true;
  }
  Require(label >= 0, "label ", label, " is negative");
  Require(label >= classes - 1 || !ended, "label ", label, " follows one that is no class before the blank");
  return label < classes - 1;
}

void Spell(const CtcOptions& options, int64_t classes, CtcSequence& sequence) {
  const std::vector<int32_t> given = std::exchange(sequence.labels, {});
  Require(options.blank_is_first || !given.empty(), "a sequence has no labels");
  bool ended = false;
  for (size_t i = 0; i < given.size(); ++i) {
    if (i > 0 && options.collapses && given[i] == given[i - 1]) continue;
    ended = !IsClass(options, given[i], classes, ended);
    if (!ended) sequence.labels.push_back(given[i]);
  }
  const bool too_long = static_cast<int64_t>(given.size()) > sequence.length;
  Require(!too_long || options.ignores, "a sequence of length ", sequence.length, " is too short for ", given.size(),
          " labels; ignore_longer_outputs_than_inputs lets that pass");
  sequence.is_skipped = too_long || sequence.length == 0;
}

}  // namespace

CtcOptions::CtcOptions(const Node& node, bool blank_is_first)
    : node(node.name),
      collapses(GetAttr<bool>(node.attrs, "preprocess_collapse_repeated")),
      merges(GetAttr<bool>(node.attrs, "ctc_merge_repeated")),
      ignores(GetAttr<bool>(node.attrs, "ignore_longer_outputs_than_inputs")),
      blank_is_first(blank_is_first) {}

std::vector<CtcSequence> CtcSequencesOf(const CtcOptions& options, const Shape& inputs, const Tensor& labels_indices,
                                        const Tensor& labels_values, const Tensor& sequence_length) {
  std::vector<CtcSequence> sequences = LengthsOf(inputs, sequence_length);
  ReadLabels(labels_indices, labels_values, sequences);
  for (CtcSequence& sequence : sequences) Spell(options, inputs[2], sequence);
  return sequences;
}

}  // namespace plumb::fast
