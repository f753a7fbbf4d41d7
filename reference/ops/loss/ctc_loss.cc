// How probable it is that a sequence of classes spells labels, with blanks between them (connectionist temporal
// classification; Graves, Supervised Sequence Labelling with Recurrent Neural Networks, 7.3), in logarithms (rule N23).
#include <algorithm>

#include "reference/numbers/element.h"
#include "reference/ops/lib/shifted_row.h"
#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

using Labels = std::vector<int64_t>;
using Table = std::vector<std::vector<Real>>;  // [time][class], or [time][state]

const Real kImpossible = -INFINITY;

struct Options {
  bool collapses, merges, ignores;
  explicit Options(const OpContext& c)
      : collapses(c.attr<bool>("preprocess_collapse_repeated")),
        merges(c.attr<bool>("ctc_merge_repeated")),
        ignores(c.attr<bool>("ignore_longer_outputs_than_inputs")) {}
};

// The labels of each sequence, as they were given.
std::vector<Labels> LabelsOf(const OpContext& c, int64_t batch) {
  const Coordinates at = CoordinatesOf(c.tensor(1));
  const std::vector<int64_t> values = IntegersOf(c.tensor(2), "labels_values");
  Require(at.rank == 2 && c.tensor(2).rank() == 1 && std::ssize(values) == at.count,
          "labels_indices must have two columns and a row for each of ", values.size(), " labels, not the shape ",
          c.tensor(1).shape().ToString());
  std::vector<Labels> labels(static_cast<size_t>(batch));
  for (int64_t i = 0; i < at.count; ++i) {
    const auto row = at.row(i);
    Require(0 <= row[0] && row[0] < batch && row[1] >= 0, "label ", i, " stands outside of the batch");
    Require(i == 0 || std::lexicographical_compare(at.row(i - 1).begin(), at.row(i - 1).end(), row.begin(), row.end()),
            "label ", i, " does not come after the one before it");
    labels[static_cast<size_t>(row[0])].push_back(values[static_cast<size_t>(i)]);
  }
  return labels;
}

// Labels of the same class, one after the other, as one.
Labels Collapsed(Labels labels) {
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

// The classes to be spelled where the last class is the blank: labels from it on end the sequence. There must be some
// label, as TensorFlow has it.
Labels SpelledBeforeLast(const Labels& labels, int64_t blank) {
  Require(!labels.empty(), "a sequence has no labels");
  Labels spelled;
  bool ended = false;
  for (const int64_t label : labels) {
    Require(label >= 0, "a label must not be negative: ", label);
    Require(label >= blank || !ended, "label ", label, " follows one that is no class before the blank");
    ended = label >= blank;
    if (!ended) spelled.push_back(label);
  }
  return spelled;
}

// The same where the first class is the blank.
Labels SpelledAfterFirst(const Labels& labels, int64_t classes) {
  for (const int64_t label : labels) {
    Require(0 < label && label < classes, "a label must be a class behind the blank, between 1 and ", classes - 1,
            ", not ", label);
  }
  return labels;
}

// log(eᵃ + eᵇ), which moves no more than the one of both that moves more. What it is more than the larger of both may
// be computed in float32 whatever the type (LogSumExp in TensorFlow's ctc_loss_util.h).
Real LogOfSum(Real a, Real b) {
  if (a.v == -INFINITY && a.e == 0) return b;
  if (b.v == -INFINITY && b.e == 0) return a;
  const double large = std::max(a.v, b.v), small = std::min(a.v, b.v);
  const double v = std::isnan(a.v) || std::isnan(b.v) ? NAN
                   : large == -INFINITY               ? large
                                                      : large + std::log1p(std::exp(small - large));
  const double roundings = arithmetic.unit * std::fabs(v) + UnitRoundoff(DType::kFloat) * (2 * ElementaryUnits() + 1);
  const double e = std::max(a.e, b.e);
  return {v,
          e == INFINITY      ? INFINITY
          : std::isfinite(v) ? e + roundings
                             : 0,
          Chain(std::exp(a.v - v), a.d) + Chain(std::exp(b.v - v), b.d)};
}

struct Softmax {
  std::vector<Real> probability, logarithm;
};
// Where a probability is below the smallest normal number it may be lost, and nothing is known of its logarithm.
Softmax SoftmaxOf(std::span<const Real> row) {
  const ShiftedRow shifted = Shift(row);
  Softmax softmax;
  for (const Real x : row) {
    const Real distance = x - shifted.largest, p = Exp(distance) / shifted.sum_of_exps;
    Real logarithm = distance - Log(shifted.sum_of_exps);
    const bool lost = p.v < arithmetic.tiny && distance.v != -INFINITY;
    logarithm.e = lost ? INFINITY : std::max(logarithm.e, Log(p).e);
    softmax.probability.push_back(p);
    softmax.logarithm.push_back(logarithm);
  }
  return softmax;
}

// One sequence: the probabilities of its classes, and the states that it goes through: labels with blanks around them.
struct Trellis {
  std::vector<Softmax> rows;
  Labels states;
  int64_t blank;
  bool merges;

  int64_t times() const { return std::ssize(rows); }
  int64_t size() const { return std::ssize(states); }
  Real Log(int64_t time, int64_t state) const { return rows[time].logarithm[states[state]]; }
  bool MayStay(int64_t state) const { return merges || states[state] == blank; }
  // Over the blank before it.
  bool MaySkipTo(int64_t state) const {
    return state > 1 && states[state] != blank && !(merges && states[state] == states[state - 2]);
  }

  // The logarithm of all ways to be at a state, that included.
  Table Forward() const {
    Table alpha(rows.size(), std::vector<Real>(states.size(), kImpossible));
    for (int64_t u = 0; u < std::min<int64_t>(2, size()); ++u) alpha[0][u] = Log(0, u);
    for (int64_t t = 1; t < times(); ++t) {
      for (int64_t u = 0; u < size(); ++u) {
        Real sum = MayStay(u) ? alpha[t - 1][u] : kImpossible;
        if (u > 0) sum = LogOfSum(sum, alpha[t - 1][u - 1]);
        if (MaySkipTo(u)) sum = LogOfSum(sum, alpha[t - 1][u - 2]);
        alpha[t][u] = Log(t, u) + sum;
      }
    }
    return alpha;
  }
  // The logarithm of all ways on from a state, that left out.
  Table Backward() const {
    Table beta(rows.size(), std::vector<Real>(states.size(), kImpossible));
    for (int64_t u = std::max<int64_t>(0, size() - 2); u < size(); ++u) beta.back()[u] = 0;
    for (int64_t t = times() - 2; t >= 0; --t) {
      for (int64_t u = 0; u < size(); ++u) {
        Real sum = MayStay(u) ? beta[t + 1][u] + Log(t + 1, u) : kImpossible;
        if (u + 1 < size()) sum = LogOfSum(sum, beta[t + 1][u + 1] + Log(t + 1, u + 1));
        if (u + 2 < size() && MaySkipTo(u + 2)) sum = LogOfSum(sum, beta[t + 1][u + 2] + Log(t + 1, u + 2));
        beta[t][u] = sum;
      }
    }
    return beta;
  }
};

// The logarithm of the probability, and its gradient at each time: the probability of each class less how often it is
// taken. Where the labels are impossible that is the former alone.
Real LossOf(const Trellis& trellis, Table& gradient) {
  const Table alpha = trellis.Forward(), beta = trellis.Backward();
  Real total = kImpossible;
  for (int64_t u = 0; u < trellis.size(); ++u) total = LogOfSum(total, alpha[0][u] + beta[0][u]);
  for (int64_t t = 0; t < trellis.times(); ++t) {
    const std::vector<Real>& p = trellis.rows[t].probability;
    std::vector<Real> taken(p.size(), kImpossible);
    for (int64_t u = 0; u < trellis.size(); ++u) {
      Real& sum = taken[trellis.states[u]];
      sum = LogOfSum(sum, alpha[t][u] + beta[t][u]);
    }
    std::vector<Real> row = p;
    for (size_t k = 0; k < row.size(); ++k) {
      if (total.v != -INFINITY) row[k] = p[k] - Exp(taken[k] - total);
      if (total.e == INFINITY) row[k].e = INFINITY;
    }
    gradient.push_back(std::move(row));
  }
  return -total;
}

std::vector<int64_t> LengthsOf(const OpContext& c, const Shape& inputs) {
  Require(inputs.rank() == 3, "inputs must be [time, batch, class], not of shape ", inputs.ToString());
  Require(inputs.dim(0) > 0 && inputs.dim(1) > 0 && inputs.dim(2) > 0,
          "inputs must have times, sequences and classes, not the shape ", inputs.ToString());
  Require(c.tensor(3).rank() == 1, "sequence_length must be a vector");
  std::vector<int64_t> lengths = IntegersOf(c.tensor(3), "sequence_length");
  Require(std::ssize(lengths) == inputs.dim(1), "sequence_length must have ", inputs.dim(1), " entries, not ",
          lengths.size());
  for (const int64_t length : lengths) {
    Require(0 <= length && length <= inputs.dim(0), "a sequence_length must be between 0 and ", inputs.dim(0), ", not ",
            length);
  }
  return lengths;
}

enum class Blank { kLast, kFirst };

template <Blank kBlank>
void CtcLoss(OpContext& c) {
  const Options options(c);
  const Shape& shape = c.tensor(0).shape();
  const std::vector<int64_t> lengths = LengthsOf(c, shape);
  const int64_t batch = shape.dim(1), classes = shape.dim(2);
  const int64_t blank = kBlank == Blank::kLast ? classes - 1 : 0;
  const std::vector<Labels> labels = LabelsOf(c, batch);
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const Reader<Real> inputs(c.input(0));
    auto loss = MakeArray<Real>(dtype, {batch});
    auto gradient = MakeArray<Real>(dtype, shape);
    for (int64_t b = 0; b < batch; ++b) {
      const Labels given = options.collapses ? Collapsed(labels[b]) : labels[b];
      const Labels spelled =
          kBlank == Blank::kLast ? SpelledBeforeLast(given, blank) : SpelledAfterFirst(given, classes);
      const bool too_long = std::ssize(labels[b]) > lengths[b];
      Require(!too_long || options.ignores, "sequence ", b, " is ", lengths[b], " long, which is too short for ",
              labels[b].size(), " labels; ignore_longer_outputs_than_inputs lets that pass");
      if (too_long || lengths[b] == 0) continue;
      Trellis trellis{{}, {blank}, blank, options.merges};
      for (const int64_t label : spelled) trellis.states.insert(trellis.states.end(), {label, blank});
      for (int64_t t = 0; t < lengths[b]; ++t) {
        std::vector<Real> row;
        for (int64_t k = 0; k < classes; ++k) row.push_back(inputs[(t * batch + b) * classes + k]);
        trellis.rows.push_back(SoftmaxOf(row));
      }
      Table rows;
      loss[b] = LossOf(trellis, rows);
      for (int64_t t = 0; t < lengths[b]; ++t) {
        std::copy(rows[t].begin(), rows[t].end(), gradient.at.begin() + (t * batch + b) * classes);
      }
    }
    c.Output(0, Store(loss));
    c.Output(1, Store(gradient));
  });
}

constexpr KernelRow kRows[] = {
    {"CTCLoss", CtcLoss<Blank::kLast>},
    {"CTCLossV2", CtcLoss<Blank::kFirst>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LossCtcLoss() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
