// The most probable sequences of classes, found by following the best prefixes of them through time.
#include <algorithm>
#include <map>
#include <memory>

#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/loss/ctc_sequences.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

const Real kImpossible = -INFINITY;

// A step of the arithmetic of the inputs' type: which prefix is better may hang on its rounding.
Real Step(Real x) { return {RoundTo(arithmetic.type, x.v), x.e, x.d}; }

// log(eᵃ + eᵇ), which moves no more than the one of both that moves more. What it is more than the larger of both may
// be computed in float32 whatever the type (LogSumExp in TensorFlow's ctc_loss_util.h).
Real LogOfSum(Real a, Real b) {
  if (a.v == -INFINITY) return b;
  if (b.v == -INFINITY) return a;
  const double large = std::max(a.v, b.v), small = std::min(a.v, b.v);
  const double v = std::isnan(a.v) || std::isnan(b.v) ? NAN : large + std::log1p(std::exp(small - large));
  const double roundings = arithmetic.unit * std::fabs(v) + UnitRoundoff(DType::kFloat) * (2 * ElementaryUnits() + 1);
  const double e = std::max(a.e, b.e) + roundings;
  return Step({v, std::isfinite(v) ? e : 0, 0});
}

// Logarithms of the probabilities that a prefix was read up to here: with a blank at the end, with its last class, and
// either way.
struct Probability {
  Real blank = kImpossible, label = kImpossible, total = kImpossible;
};

struct Prefix {
  const Prefix* parent = nullptr;
  int64_t label = -1;
  Probability before, now;
  std::map<int64_t, std::unique_ptr<Prefix>> children;

  bool IsFollowed() const { return now.total.v != -INFINITY; }
  // What another `next` behind it comes from: the same class needs a blank between.
  Real Before(int64_t next) const { return next == label ? before.blank : before.total; }
};

// The prefixes that are followed, at most `width` of them, best first; of equals that which came first.
class Beam {
 public:
  explicit Beam(int64_t width) : width_(width) {}
  const std::vector<Prefix*>& prefixes() const { return prefixes_; }
  // Whether it is possible, and better than the worst where the beam is full.
  bool Takes(const Real& total) const {
    return total > kImpossible && (std::ssize(prefixes_) < width_ || total > prefixes_.back()->now.total);
  }
  void Insert(Prefix* prefix) {
    const auto place = std::upper_bound(prefixes_.begin(), prefixes_.end(), prefix,
                                        [](const Prefix* a, const Prefix* b) { return Key(*a) > Key(*b); });
    prefixes_.insert(place, prefix);
  }
  void DropWorstIfFull() {
    if (std::ssize(prefixes_) < width_) return;
    prefixes_.back()->now = {};
    prefixes_.pop_back();
  }

 private:
  static double Key(const Prefix& prefix) { return IsNan(prefix.now.total) ? -INFINITY : prefix.now.total.v; }
  int64_t width_;
  std::vector<Prefix*> prefixes_;
};

struct Path {
  std::vector<int64_t> labels;
  Real log_probability;
};

// One sequence.
class Search {
 public:
  explicit Search(int64_t width) : width_(width), beam_(width) {
    root_.now = {Real(0), kImpossible, Real(0)};
    beam_.Insert(&root_);
  }

  void Read(const std::vector<Real>& row) {
    const auto blank = std::ssize(row) - 1;
    const std::vector<Prefix*> prefixes = beam_.prefixes();
    beam_ = Beam(width_);
    for (Prefix* prefix : prefixes) prefix->before = prefix->now;
    for (Prefix* prefix : prefixes) {
      if (prefix->parent != nullptr) {
        Real& label = prefix->now.label;
        if (prefix->parent->IsFollowed()) label = LogOfSum(label, prefix->parent->Before(prefix->label));
        label = Step(label + row[prefix->label]);
      }
      prefix->now.blank = Step(prefix->before.total + row[blank]);
      prefix->now.total = LogOfSum(prefix->now.blank, prefix->now.label);
      beam_.Insert(prefix);
    }
    for (Prefix* prefix : prefixes) {
      if (!beam_.Takes(prefix->before.total)) continue;
      for (int64_t label = 0; label < blank; ++label) Grow(*prefix, label, row[label]);
    }
  }

  std::vector<Path> Best(int64_t count, bool merges) const {
    Require(count <= width_, "top_paths is ", count, ", beyond a beam_width of ", width_);
    Require(count <= std::ssize(beam_.prefixes()), "only ", beam_.prefixes().size(), " paths were found, not ", count);
    std::vector<Path> paths;
    for (int64_t i = 0; i < count; ++i) {
      const Prefix* prefix = beam_.prefixes()[i];
      Path path{{}, prefix->now.total};
      for (int64_t after = -1; prefix->parent != nullptr; prefix = prefix->parent) {
        if (!merges || prefix->label != after) path.labels.insert(path.labels.begin(), prefix->label);
        after = prefix->label;
      }
      paths.push_back(std::move(path));
    }
    return paths;
  }

 private:
  void Grow(Prefix& prefix, int64_t label, Real input) {
    std::unique_ptr<Prefix>& child = prefix.children[label];
    if (child == nullptr) {
      child = std::make_unique<Prefix>();
      child->parent = &prefix;
      child->label = label;
    }
    if (child->IsFollowed()) return;
    const Real total = Step(input + prefix.Before(label));
    child->before = {};
    child->now = {};
    if (!beam_.Takes(total)) return;
    child->now = {kImpossible, total, total};
    beam_.DropWorstIfFull();
    beam_.Insert(child.get());
  }

  int64_t width_;
  Prefix root_;
  Beam beam_;
};

// The logarithm of the softmax of a row: each class less the logarithm of the sum of all exponentials.
std::vector<Real> LogSoftmax(const Reader<Real>& inputs, int64_t first, int64_t classes) {
  std::vector<Real> row;
  double largest = -INFINITY, sum = 0, error = 0;
  for (int64_t k = 0; k < classes; ++k) largest = inputs[first + k].v > largest ? inputs[first + k].v : largest;
  for (int64_t k = 0; k < classes; ++k) {
    sum += std::exp(inputs[first + k].v - largest);
    error = std::max(error, inputs[first + k].e);
  }
  const double log_sum = std::log(sum), offset = RoundTo(arithmetic.type, largest + log_sum);
  const double units = static_cast<double>(classes) + 4 * ElementaryUnits() * (1 + std::fabs(log_sum));
  const Real subtracted(offset, error + arithmetic.unit * (units + std::fabs(offset)), 0);
  for (int64_t k = 0; k < classes; ++k) row.push_back(Step(inputs[first + k] - subtracted));
  return row;
}

void Decode(OpContext& c, int path, int64_t paths, const std::vector<std::vector<Path>>& found) {
  std::vector<int64_t> indices, values;
  int64_t longest = 0;
  for (size_t b = 0; b < found.size(); ++b) {
    const std::vector<int64_t>& labels = found[b][static_cast<size_t>(path)].labels;
    for (size_t i = 0; i < labels.size(); ++i) {
      indices.insert(indices.end(), {static_cast<int64_t>(b), static_cast<int64_t>(i)});
      values.push_back(labels[i]);
    }
    longest = std::max(longest, std::ssize(labels));
  }
  const std::vector<int64_t> shape = {std::ssize(found), longest};
  const auto output = [&](int64_t kind, const Shape& size, const std::vector<int64_t>& numbers) {
    c.Output(static_cast<int>(kind * paths) + path, MakeTensor<int64_t>(size, std::span<const int64_t>(numbers)));
  };
  output(0, {std::ssize(values), 2}, indices);
  output(1, {std::ssize(values)}, values);
  output(2, {2}, shape);
}

void CtcBeamSearchDecoder(OpContext& c) {
  const Sequences sequences = SequencesOf(c);
  const int64_t width = Int32Attr(c.node, "beam_width"), paths = c.attr<int64_t>("top_paths");
  const bool merges = c.attr<bool>("merge_repeated");
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const Reader<Real> inputs(c.input(0));
    std::vector<std::vector<Path>> found;
    auto log_probability = MakeArray<Real>(dtype, {sequences.batch, paths});
    for (int64_t b = 0; b < sequences.batch; ++b) {
      Search search(width);
      for (int64_t time = 0; time < sequences.lengths[b]; ++time) {
        search.Read(LogSoftmax(inputs, sequences.At(time, b), sequences.classes));
      }
      found.push_back(search.Best(paths, merges));
      for (int64_t path = 0; path < paths; ++path) {
        log_probability[b * paths + path] = found.back()[static_cast<size_t>(path)].log_probability;
      }
    }
    for (int path = 0; path < paths; ++path) Decode(c, path, paths, found);
    c.Output(static_cast<int>(3 * paths), Store(log_probability));
  });
}

constexpr KernelRow kRows[] = {
    {"CTCBeamSearchDecoder", CtcBeamSearchDecoder},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LossCtcBeamSearch() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
