// NegTrain: steps of word2vec's skip-gram model, in place, one example after the other.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/row_loops.h"
#include "fastpath/cpu/lib/state/random.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

class NegTrainKernel final : public Kernel {
 public:
  explicit NegTrainKernel(const Node& node)
      : node_(node.name), negatives_(Int32Attr(node, "num_negative_samples")), stream_(0, 0) {
    double sum = 0;
    bool is_valid = negatives_ >= 0;
    for (const int64_t count : Int32List(node, "vocab_count")) {
      is_valid = is_valid && count >= 0;
      up_to_.push_back(sum += std::pow(static_cast<double>(count), 0.75));
    }
    Require(is_valid && sum > 0, "vocab_count must be counts, not all of them 0, and ", "num_negative_samples ",
            negatives_, " not negative");
  }

  void Run(KernelContext& context) override {
    const Tensor &examples = context.input(2), &labels = context.input(3), &rate = context.input(4);
    Require(examples.rank() == 1 && examples.shape() == labels.shape(),
            "examples and labels must be vectors of one size, not ", Printed(examples.shape()), " and ",
            Printed(labels.shape()));
    Require(rate.rank() == 0, "lr must be a scalar, not of shape ", Printed(rate.shape()));
    const auto words = static_cast<int64_t>(up_to_.size());
    for (const Tensor* list : {&examples, &labels}) {
      for (const int32_t word : list->data<int32_t>()) {
        Require(0 <= word && word < words, "word ", word, " is none of ", words);
      }
    }
    const std::array<Variable*, 2> variables = {&context.ref(0), &context.ref(1)};
    VariableUpdate update(node_, variables);
    const Shape shape = update.Value(0).shape();
    Require(shape.rank() == 2 && shape == update.Value(1).shape(), "w_in and w_out must be matrices of one shape, not ",
            Printed(shape), " and ", Printed(update.Value(1).shape()));
    Require(shape[0] == words, "there are vectors of ", shape[0], " words, and counts of ", words);
    PhiloxWords stream(stream_.Reserve(2 * static_cast<uint64_t>(examples.elements() * negatives_)));
    float* const in = update.Writable(0).mutable_data<float>().data();
    float* const out = update.Writable(1).mutable_data<float>().data();
    std::vector<float> change(static_cast<size_t>(shape[1]));
    for (int64_t i = 0; i < examples.elements(); ++i) {
      float* const v = in + examples.data<int32_t>()[i] * shape[1];
      const int64_t label = labels.data<int32_t>()[i];
      std::fill(change.begin(), change.end(), 0.0F);
      Step(v, out + label * shape[1], 1, rate.data<float>()[0], change);
      for (int64_t k = 0; k < negatives_; ++k) {
        const int64_t word = Draw(stream);
        if (word != label) Step(v, out + word * shape[1], -1, rate.data<float>()[0], change);
      }
      AddMultiple(change.data(), 1, shape[1], v);
    }
  }

  void Save(const StateWriter& writer) const override { stream_.Save(writer); }
  void Restore(const StateReader& reader) override { stream_.Restore(reader); }

 private:
  // By a word that is the label (`sign` 1), or is not.
  static void Step(const float* v, float* w, float sign, float rate, std::vector<float>& change) {
    const auto n = std::ssize(change);
    const float step = sign / (std::exp(sign * DotOfRows(v, w, n)) + 1) * rate;
    AddMultiple(w, step, n, change.data());
    AddMultiple(v, step, n, w);
  }

  int64_t Draw(PhiloxWords& stream) const {
    const uint32_t low = stream.Next(), high = stream.Next();
    const auto found = std::upper_bound(up_to_.begin(), up_to_.end(), UniformDouble(low, high) * up_to_.back());
    return std::min<int64_t>(found - up_to_.begin(), static_cast<int64_t>(up_to_.size()) - 1);
  }

  const std::string node_;
  const int64_t negatives_;
  RandomStream stream_;
  std::vector<double> up_to_;  // of words 0 to i, the 3/4th powers of their counts
};

constexpr KernelRow kRows[] = {
    {"NegTrain", Make<NegTrainKernel>},
};

}  // namespace

std::span<const KernelRow> OptimizerNegTrain() { return kRows; }

}  // namespace plumb::fast::cpu
