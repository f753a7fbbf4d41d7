// Training of a digit classifier on a backend, batch by batch, and its replay on the reference.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/image/digits.h"
#include "spec/formats/idx.h"
#include "spec/session/session.h"
#include "tools/train/data/shuffled_rows.h"

namespace plumb::tools {

// Images as the classifier reads them: float32 [n, 784] with ink 0 … 1, and int32 labels [n].
struct DigitSet {
  Tensor images;
  Tensor labels;
  int64_t size() const { return labels.elements(); }
  // Views of so many of them, or of all where there are no more.
  DigitSet First(int64_t most) const;
};
DigitSet ToDigitSet(const LabelledImages& images);

// Batches in an order that is shuffled anew each epoch; equal seeds give equal batches.
class DigitBatches {
 public:
  DigitBatches(const DigitSet& digits, int64_t batch, uint64_t seed);
  // The next batch as feeds of the classifier.
  std::vector<Feed> Next(const models::ImageClassifier& model);
  // Where it is, for one that was made of the same digits.
  void Save(const StateWriter& writer) const { rows_.Save(writer); }
  void Restore(const StateReader& reader) { rows_.Restore(reader); }

 private:
  const DigitSet& digits_;
  ShuffledRows rows_;
};

// Runs `steps` updates; `on_step` hears of each step's loss.
void TrainDigits(Session& session, const Scope& scope, const models::ImageClassifier& model, DigitBatches& batches,
                 int64_t steps, const std::function<void(int64_t step, float loss)>& on_step);

// The share of `digits` that the session's model classifies as labelled.
double DigitAccuracy(Session& session, const models::ImageClassifier& model, const DigitSet& digits);

// What the comparison with the reference found.
struct ReplayVerdict {
  bool agrees = false;
  int64_t steps = 0;
  int64_t compared = 0;  // numbers: a loss per step, and every variable at the end
  double worst = 0;      // largest difference over its limit
  std::string judge;     // which limit was the wider: computed bounds or measured sensitivity
  std::string detail;    // of a disagreement
};

// Takes the first `steps` training steps on a fresh session of `backend` and on the reference, with equal batches, and
// compares every loss and all variables at the end.
ReplayVerdict ReplayDigits(const std::string& backend, Scope& scope, const models::ImageClassifier& model,
                           DigitBatches batches, int64_t steps);

}  // namespace plumb::tools
