// Skipgram: pairs of words that stand near each other in a text (R87).
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/formulas/philox.h"
#include "spec/files/file_system.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

constexpr size_t kAhead = 3000;
constexpr int32_t kSentence = 1000;

bool IsSpace(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

// A text as ids: 0 for rare words, the others by falling frequency.
struct Corpus {
  std::vector<std::string> words = {"UNK"};
  std::vector<int32_t> counts = {0};
  std::vector<int32_t> ids;

  Corpus(std::string_view content, int64_t least) {
    std::vector<std::string_view> seen;  // different words, as they come
    std::vector<int32_t> times;
    std::unordered_map<std::string_view, int32_t> index;
    for (size_t at = 0; at < content.size();) {
      size_t end = at;
      while (end < content.size() && !IsSpace(content[end])) ++end;
      if (end > at) {
        const auto [found, is_new] = index.try_emplace(content.substr(at, end - at), static_cast<int32_t>(seen.size()));
        if (is_new) {
          seen.push_back(found->first);
          times.push_back(0);
        }
        ++times[static_cast<size_t>(found->second)];
        ids.push_back(found->second);
      }
      at = end + 1;
    }
    std::vector<int32_t> frequent;
    for (int32_t i = 0; i < static_cast<int32_t>(seen.size()); ++i) {
      if (times[static_cast<size_t>(i)] >= least) frequent.push_back(i);
    }
    std::stable_sort(frequent.begin(), frequent.end(), [&](int32_t a, int32_t b) {
      return times[static_cast<size_t>(a)] > times[static_cast<size_t>(b)];
    });
    std::vector<int32_t> renamed(seen.size());
    for (const int32_t i : frequent) {
      renamed[static_cast<size_t>(i)] = static_cast<int32_t>(words.size());
      words.emplace_back(seen[static_cast<size_t>(i)]);
      counts.push_back(times[static_cast<size_t>(i)]);
    }
    for (int32_t& id : ids) {
      id = renamed[static_cast<size_t>(id)];
      if (id == 0) ++counts[0];
    }
  }
};

struct Pair {
  int32_t example, label;
};

class Pairs {
 public:
  Pairs(Corpus corpus, uint32_t window, float subsample)
      : corpus_(std::move(corpus)), window_(window), subsample_(subsample), position_(corpus_.ids.size()) {
    ahead_.reserve(kAhead);
    LookAhead();
  }

  Pair Take() {
    const Pair pair = ahead_[used_++];
    ++taken_;
    if (used_ == kAhead) LookAhead();
    return pair;
  }
  const Corpus& corpus() const { return corpus_; }
  int32_t epoch() const { return epoch_; }
  int64_t processed() const { return processed_; }
  int64_t taken() const { return taken_; }

 private:
  void LookAhead() {
    used_ = 0;
    ahead_.clear();
    while (ahead_.size() < kAhead) {
      if (label_ >= label_end_) {
        NextExample();
      } else if (label_ == example_) {
        ++label_;
      } else {
        ahead_.push_back({sentence_[static_cast<size_t>(example_)], sentence_[static_cast<size_t>(label_++)]});
      }
    }
  }

  void NextExample() {
    ++processed_;
    if (++example_ >= static_cast<int32_t>(sentence_.size())) FillSentence();
    const int64_t reach = 1 + static_cast<int64_t>(UniformBelow(random_, window_));
    label_ = static_cast<int32_t>(std::max<int64_t>(0, example_ - reach));
    label_end_ = static_cast<int32_t>(std::min<int64_t>(kSentence, example_ + reach + 1));
  }

  void FillSentence() {
    example_ = 0;
    sentence_.clear();
    while (static_cast<int32_t>(sentence_.size()) < kSentence) {
      if (position_ == corpus_.ids.size()) {
        position_ = 0;
        ++epoch_;
      }
      const int32_t id = corpus_.ids[position_++];
      if (subsample_ > 0) {
        const float share = subsample_ * static_cast<float>(corpus_.ids.size());
        const auto count = static_cast<float>(corpus_.counts[static_cast<size_t>(id)]);
        if (UniformFloat(random_.Next()) > (std::sqrt(count / share) + 1) * share / count) continue;
      }
      sentence_.push_back(id);
    }
  }

  const Corpus corpus_;
  const uint32_t window_;
  const float subsample_;
  PhiloxWords random_{Philox(0, 0)};
  size_t position_, used_ = 0;
  std::vector<int32_t> sentence_;
  int32_t example_ = 0, label_ = 0, label_end_ = 0, epoch_ = -1;
  int64_t processed_ = 0, taken_ = 0;
  std::vector<Pair> ahead_;
};

class SkipgramKernel final : public Kernel {
 public:
  explicit SkipgramKernel(const Node& node)
      : file_(GetAttr<std::string>(node.attrs, "filename")),
        batch_(GetAttr<int64_t>(node.attrs, "batch_size")),
        window_(GetAttr<int64_t>(node.attrs, "window_size")),
        least_(Int32Attr(node, "min_count")),
        subsample_(GetAttr<float>(node.attrs, "subsample")) {
    Require(0 <= batch_ && batch_ <= INT32_MAX && 1 <= window_ && window_ <= INT32_MAX / 10, "batch_size ", batch_,
            " must not be negative, and window_size ", window_, " positive");
  }

  void Run(KernelContext& context) override {
    MutexLock lock(mutex_);
    Open();
    const Corpus& corpus = pairs_->corpus();
    const auto size = static_cast<int64_t>(corpus.words.size());
    Tensor& words = context.AllocateOutput(0, DType::kString, {size});
    std::copy(corpus.words.begin(), corpus.words.end(), words.mutable_data<std::string>().begin());
    Tensor& counts = context.AllocateOutput(1, DType::kInt32, {size});
    std::copy(corpus.counts.begin(), corpus.counts.end(), counts.mutable_data<int32_t>().begin());
    const auto examples = context.AllocateOutput(5, DType::kInt32, {batch_}).mutable_data<int32_t>();
    const auto labels = context.AllocateOutput(6, DType::kInt32, {batch_}).mutable_data<int32_t>();
    for (size_t i = 0; i < examples.size(); ++i) {
      const Pair pair = pairs_->Take();
      examples[i] = pair.example;
      labels[i] = pair.label;
    }
    context.SetOutput(2, MakeScalar<int64_t>(static_cast<int64_t>(corpus.ids.size())));
    context.SetOutput(3, MakeScalar<int32_t>(pairs_->epoch()));
    context.SetOutput(4, MakeScalar<int64_t>(pairs_->processed()));
  }

  // How many pairs were taken says all.
  void Save(const StateWriter& writer) const override {
    MutexLock lock(mutex_);
    writer.PutScalar<int64_t>("taken", pairs_ == nullptr ? 0 : pairs_->taken());
  }
  void Restore(const StateReader& reader) override {
    MutexLock lock(mutex_);
    pairs_.reset();
    Open();
    for (int64_t left = reader.GetScalar<int64_t>("taken"); left > 0; --left) pairs_->Take();
  }

 private:
  void Open() PLUMB_REQUIRES(mutex_) {
    if (pairs_ != nullptr) return;
    Corpus corpus(Files().Read(file_), least_);
    const auto words = static_cast<int64_t>(corpus.ids.size());
    Require(words > 0 && words >= 10 * window_, "the text '", file_, "' has only ", words,
            " words, too few for windows of ", window_);
    pairs_ = std::make_unique<Pairs>(std::move(corpus), static_cast<uint32_t>(window_), subsample_);
  }

  const std::string file_;
  const int64_t batch_, window_, least_;
  const float subsample_;
  mutable Mutex mutex_;
  std::unique_ptr<Pairs> pairs_ PLUMB_GUARDED_BY(mutex_);
};

constexpr KernelRow kRows[] = {
    {"Skipgram", Make<SkipgramKernel>},
};

}  // namespace

std::span<const KernelRow> RandomSkipgram() { return kRows; }

}  // namespace plumb::fast::cpu
