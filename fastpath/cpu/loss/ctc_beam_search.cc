// CTCBeamSearchDecoder: a tree of prefixes in one vector; those that are followed lie in a heap with the worst on top.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/loss/ctc_sequences.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
constexpr T kImpossible = -std::numeric_limits<T>::infinity();

// log(eᵃ + eᵇ), rounded once.
template <class T>
T LogOfSum(T a, T b) {
  if (a == kImpossible<T>) return b;
  if (b == kImpossible<T>) return a;
  if (std::isnan(a) || std::isnan(b)) return static_cast<T>(NAN);
  const double large = std::max(a, b), small = std::min(a, b);
  return static_cast<T>(large + std::log1p(std::exp(small - large)));
}

// Logarithms of the probabilities that a prefix was read up to here: with a blank at the end, with its last class, and
// either way.
template <class T>
struct Probability {
  T blank = kImpossible<T>, label = kImpossible<T>, total = kImpossible<T>;
};

template <class T>
struct Prefix {
  int64_t parent = -1;
  int64_t label = -1;
  std::vector<std::pair<int64_t, size_t>> children = {};  // label and place, by label
  Probability<T> before = {}, now = {};

  bool IsFollowed() const { return now.total != kImpossible<T>; }
  // What another `next` behind it comes from: the same class needs a blank between.
  T Before(int64_t next) const { return next == label ? before.blank : before.total; }
};

// One sequence.
template <class T>
class Search {
 public:
  Search(int64_t width, int64_t classes) : width_(static_cast<size_t>(width)), blank_(classes - 1) {
    prefixes_.push_back({});
    prefixes_[0].now = {T(0), kImpossible<T>, T(0)};
    Insert(0);
  }

  // The inputs less the logarithm of the sum of their exponentials are logarithms of probabilities.
  void Read(const T* row) {
    const T offset = LogOfExponentials(row);
    const std::vector<Leaf> leaves = Best();
    heap_.clear();
    for (const Leaf& leaf : leaves) prefixes_[leaf.prefix].before = prefixes_[leaf.prefix].now;
    for (const Leaf& leaf : leaves) {
      Prefix<T>& prefix = prefixes_[leaf.prefix];
      Probability<T>& now = prefix.now;
      if (prefix.parent >= 0) {
        const Prefix<T>& parent = prefixes_[static_cast<size_t>(prefix.parent)];
        if (parent.IsFollowed()) now.label = LogOfSum(now.label, parent.Before(prefix.label));
        now.label += row[prefix.label] - offset;
      }
      now.blank = prefix.before.total + (row[blank_] - offset);
      now.total = LogOfSum(now.blank, now.label);
      Insert(leaf.prefix);
    }
    for (const Leaf& leaf : leaves) {
      if (Takes(prefixes_[leaf.prefix].before.total)) Grow(leaf.prefix, row, offset);
    }
  }

  struct Leaf {
    size_t prefix = 0;
    T key = 0;          // NaN counts as impossible
    int64_t order = 0;  // of equals that which came first is better

    bool IsBetterThan(const Leaf& other) const { return key > other.key || (key == other.key && order < other.order); }
  };
  // The prefixes that are followed, best first.
  std::vector<Leaf> Best() const {
    std::vector<Leaf> leaves = heap_;
    std::sort(leaves.begin(), leaves.end(), Better);
    return leaves;
  }
  T LogProbability(const Leaf& leaf) const { return prefixes_[leaf.prefix].now.total; }
  std::vector<int64_t> Labels(const Leaf& leaf, bool merges) const {
    std::vector<int64_t> labels;
    int64_t after = -1;
    for (size_t i = leaf.prefix; prefixes_[i].parent >= 0; i = static_cast<size_t>(prefixes_[i].parent)) {
      if (!merges || prefixes_[i].label != after) labels.push_back(prefixes_[i].label);
      after = prefixes_[i].label;
    }
    std::reverse(labels.begin(), labels.end());
    return labels;
  }

 private:
  T LogOfExponentials(const T* row) const {
    double largest = kImpossible<double>, sum = 0;
    for (int64_t k = 0; k <= blank_; ++k) largest = row[k] > largest ? row[k] : largest;
    for (int64_t k = 0; k <= blank_; ++k) sum += std::exp(row[k] - largest);
    return static_cast<T>(largest + std::log(sum));
  }
  static bool Better(const Leaf& a, const Leaf& b) { return a.IsBetterThan(b); }

  bool Takes(T total) const {
    return total > kImpossible<T> && (heap_.size() < width_ || total > LogProbability(heap_.front()));
  }
  void Insert(size_t prefix) {
    const T total = prefixes_[prefix].now.total;
    heap_.push_back({prefix, std::isnan(total) ? kImpossible<T> : total, ++inserted_});
    std::push_heap(heap_.begin(), heap_.end(), Better);
  }

  void Grow(size_t parent, const T* row, T offset) {
    size_t at = 0;  // among the children
    for (int64_t label = 0; label < blank_; ++label) {
      const auto& children = prefixes_[parent].children;
      while (at < children.size() && children[at].first < label) ++at;
      const bool exists = at < children.size() && children[at].first == label;
      if (exists && prefixes_[children[at].second].IsFollowed()) continue;
      const T total = (row[label] - offset) + prefixes_[parent].Before(label);
      if (exists) prefixes_[children[at].second].before = prefixes_[children[at].second].now = {};
      if (!Takes(total)) continue;
      const size_t child = exists ? children[at].second : AddChild(parent, at, label);
      prefixes_[child].now = {kImpossible<T>, total, total};
      if (heap_.size() == width_) {
        std::pop_heap(heap_.begin(), heap_.end(), Better);
        prefixes_[heap_.back().prefix].now = {};
        heap_.pop_back();
      }
      Insert(child);
    }
  }
  size_t AddChild(size_t parent, size_t at, int64_t label) {
    const size_t child = prefixes_.size();
    auto& children = prefixes_[parent].children;
    children.insert(children.begin() + static_cast<int64_t>(at), {label, child});
    prefixes_.push_back({});
    prefixes_.back().parent = static_cast<int64_t>(parent);
    prefixes_.back().label = label;
    return child;
  }

  const size_t width_;
  const int64_t blank_;
  std::vector<Prefix<T>> prefixes_;  // the first is empty
  std::vector<Leaf> heap_;
  int64_t inserted_ = 0;
};

template <class T>
class CtcBeamSearchKernel final : public Kernel {
 public:
  explicit CtcBeamSearchKernel(const Node& node)
      : width_(Int32Attr(node, "beam_width")),
        paths_(GetAttr<int64_t>(node.attrs, "top_paths")),
        merges_(GetAttr<bool>(node.attrs, "merge_repeated")) {}

  void Run(KernelContext& context) override {
    const Tensor& inputs = context.input(0);
    const std::vector<int64_t> lengths = SequenceLengths(inputs.shape(), context.input(1));
    const int64_t batch = inputs.dim(1), classes = inputs.dim(2);
    Require(paths_ <= width_, "top_paths is ", paths_, ", beyond a beam_width of ", width_);
    const T* const rows = inputs.data<T>().data();
    T* const log_probability = context.AllocateOutput(static_cast<int>(3 * paths_), DTypeOf<T>, Shape({batch, paths_}))
                                   .template mutable_data<T>()
                                   .data();
    // For each path the labels of each sequence.
    std::vector<std::vector<std::vector<int64_t>>> decoded(static_cast<size_t>(paths_));
    for (auto& path : decoded) path.resize(static_cast<size_t>(batch));
    std::vector<int64_t> found(static_cast<size_t>(batch), 0);
    const int64_t work = inputs.dim(0) * std::min<int64_t>(width_, 1024) * classes;
    context.pool().ParallelFor(batch, GrainFor(work), [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        Search<T> search(width_, classes);
        for (int64_t time = 0; time < lengths[static_cast<size_t>(b)]; ++time) {
          search.Read(rows + (time * batch + b) * classes);
        }
        const auto leaves = search.Best();
        found[static_cast<size_t>(b)] = static_cast<int64_t>(leaves.size());
        for (size_t path = 0; path < std::min(decoded.size(), leaves.size()); ++path) {
          decoded[path][static_cast<size_t>(b)] = search.Labels(leaves[path], merges_);
          log_probability[b * paths_ + static_cast<int64_t>(path)] = search.LogProbability(leaves[path]);
        }
      }
    });
    for (const int64_t count : found) {
      Require(count >= paths_, "only ", count, " paths were found, not ", paths_);
    }
    for (int path = 0; path < paths_; ++path) {
      SetDecoded(context, path, static_cast<int>(paths_), decoded[static_cast<size_t>(path)]);
    }
  }

 private:
  const int64_t width_, paths_;
  const bool merges_;
};

std::unique_ptr<Kernel> MakeBeamSearch(const Node& node) {
  if (InputType(node, 0) == DType::kFloat) return std::make_unique<CtcBeamSearchKernel<float>>(node);
  return std::make_unique<CtcBeamSearchKernel<double>>(node);
}

constexpr KernelRow kRows[] = {
    {"CTCBeamSearchDecoder", MakeBeamSearch},
};

}  // namespace

std::span<const KernelRow> LossCtcBeamSearch() { return kRows; }

}  // namespace plumb::fast::cpu
