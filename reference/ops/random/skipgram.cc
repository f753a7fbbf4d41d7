// Pairs of words that stand near each other in a text (R87).
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/random_stream.h"
#include "spec/files/file_system.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

constexpr int64_t kAhead = 3000, kSentence = 1000;

struct Text {
  std::vector<std::string> vocabulary = {"UNK"};
  std::vector<int64_t> counts = {0};
  std::vector<int64_t> words;  // by their places in the vocabulary
};

std::vector<std::string> WordsOf(const std::string& content) {
  constexpr const char* kSpace = " \t\n\v\f\r";
  std::vector<std::string> words;
  for (size_t at = content.find_first_not_of(kSpace); at != std::string::npos;) {
    const size_t end = content.find_first_of(kSpace, at);
    words.push_back(content.substr(at, end - at));
    at = content.find_first_not_of(kSpace, end);
  }
  return words;
}

Text TextOf(const std::vector<std::string>& words, int64_t least) {
  std::map<std::string, int64_t> counts;
  std::vector<std::string> in_order;  // each word where it comes first
  for (const std::string& word : words) {
    if (++counts[word] == 1) in_order.push_back(word);
  }
  std::erase_if(in_order, [&](const std::string& word) { return counts.at(word) < least; });
  std::stable_sort(in_order.begin(), in_order.end(),
                   [&](const std::string& a, const std::string& b) { return counts.at(a) > counts.at(b); });
  Text text;
  std::map<std::string, int64_t> places;
  for (const std::string& word : in_order) {
    places[word] = std::ssize(text.vocabulary);
    text.vocabulary.push_back(word);
    text.counts.push_back(counts.at(word));
  }
  for (const std::string& word : words) {
    const auto found = places.find(word);
    text.words.push_back(found == places.end() ? 0 : found->second);
    if (found == places.end()) ++text.counts[0];
  }
  return text;
}

struct Pair {
  int64_t example = 0, label = 0;
};

// The pairs of a node, as many ahead as TensorFlow makes; what it keeps is how many were taken.
class Pairs : public KernelState {
 public:
  Pairs(Text text, int64_t window, float subsample)
      : text_(std::move(text)), window_(static_cast<uint32_t>(window)), subsample_(subsample) {
    position_ = std::ssize(text_.words);
    LookAhead();
  }
  std::unique_ptr<KernelState> Clone(Copies&) const override { return std::make_unique<Pairs>(*this); }
  void Save(const StateWriter& writer) const override { writer.PutScalar<int64_t>("taken", taken_); }
  void Restore(const StateReader& reader) override {
    for (int64_t left = reader.GetScalar<int64_t>("taken"); left > 0; --left) Take();
  }

  Pair Take() {
    const Pair pair = ahead_[static_cast<size_t>(taken_++ % kAhead)];
    if (taken_ % kAhead == 0) LookAhead();
    return pair;
  }
  const Text& text() const { return text_; }
  int64_t epoch() const { return epoch_; }
  int64_t processed() const { return processed_; }

 private:
  void LookAhead() {
    ahead_.clear();
    while (std::ssize(ahead_) < kAhead) ahead_.push_back(Next());
  }

  Pair Next() {
    while (label_ >= label_end_ || label_ == example_) {
      if (label_ < label_end_) {
        ++label_;
        continue;
      }
      ++processed_;
      if (++example_ >= std::ssize(sentence_)) ReadSentence();
      const int64_t reach = 1 + UniformBelow(random_, window_);
      label_ = std::max<int64_t>(0, example_ - reach);
      label_end_ = std::min<int64_t>(kSentence, example_ + reach + 1);
    }
    return {sentence_[static_cast<size_t>(example_)], sentence_[static_cast<size_t>(label_++)]};
  }

  void ReadSentence() {
    example_ = 0;
    sentence_.clear();
    for (; std::ssize(sentence_) < kSentence; ++position_) {
      if (position_ >= std::ssize(text_.words)) {
        ++epoch_;
        position_ = 0;
      }
      const int64_t word = text_.words[static_cast<size_t>(position_)];
      if (IsKept(word)) sentence_.push_back(word);
    }
  }

  bool IsKept(int64_t word) {
    if (!(subsample_ > 0)) return true;
    const float share = subsample_ * static_cast<float>(text_.words.size());
    const auto count = static_cast<float>(text_.counts[static_cast<size_t>(word)]);
    return !(UniformFloat(random_.Next()) > (std::sqrt(count / share) + 1) * share / count);
  }

  Text text_;
  uint32_t window_;
  float subsample_;
  PhiloxWords random_{Philox(0, 0)};
  std::vector<int64_t> sentence_;
  int64_t position_ = 0, example_ = 0, label_ = 0, label_end_ = 0, epoch_ = -1, processed_ = 0, taken_ = 0;
  std::vector<Pair> ahead_;
};

template <class T, class Numbers>
Tensor VectorOf(const Numbers& numbers) {
  Tensor vector(DTypeOf<T>, Shape({std::ssize(numbers)}));
  std::copy(numbers.begin(), numbers.end(), vector.mutable_data<T>().begin());
  return vector;
}

void Skipgram(OpContext& c) {
  Pairs& pairs = StateOf<Pairs>(c, [&] {
    const auto window = c.attr<int64_t>("window_size");
    const std::vector<std::string> words = WordsOf(Files().Read(c.attr<std::string>("filename")));
    Require(!words.empty() && std::ssize(words) >= 10 * window, "the text '", c.attr<std::string>("filename"),
            "' has only ", words.size(), " words, too few for windows of ", window);
    return std::make_unique<Pairs>(TextOf(words, c.attr<int64_t>("min_count")), window, c.attr<float>("subsample"));
  });
  std::vector<int64_t> examples, labels;
  for (int64_t i = 0; i < c.attr<int64_t>("batch_size"); ++i) {
    const Pair pair = pairs.Take();
    examples.push_back(pair.example);
    labels.push_back(pair.label);
  }
  c.Output(0, VectorOf<std::string>(pairs.text().vocabulary));
  c.Output(1, VectorOf<int32_t>(pairs.text().counts));
  c.Output(2, MakeScalar<int64_t>(std::ssize(pairs.text().words)));
  c.Output(3, MakeScalar<int32_t>(static_cast<int32_t>(pairs.epoch())));
  c.Output(4, MakeScalar<int64_t>(pairs.processed()));
  c.Output(5, VectorOf<int32_t>(examples));
  c.Output(6, VectorOf<int32_t>(labels));
}

void CheckSizes(const Node& node) {
  const auto batch = GetAttr<int64_t>(node.attrs, "batch_size"), window = GetAttr<int64_t>(node.attrs, "window_size");
  Require(0 <= batch && batch <= INT32_MAX && 1 <= window && window <= INT32_MAX / 10,
          "batch_size must not be negative and window_size positive at node '", node.name, "', not ", batch, " and ",
          window);
  Int32Attr(node, "min_count");
}

constexpr KernelRow kRows[] = {
    {"Skipgram", Skipgram, CheckSizes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomSkipgram() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
