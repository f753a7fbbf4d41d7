// Batches for the models of `Learners()`, one kind for each kind of files.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "models/learners.h"
#include "spec/session/saved_state.h"
#include "tools/train/data/model_data.h"

namespace plumb::tools {

// Rows that are drawn at random from what was read.
class Batches {
 public:
  Batches(const models::Learner& learner, uint64_t seed);
  virtual ~Batches() = default;
  virtual std::vector<FeedValue> Next() = 0;
  // Passes over a batch.
  virtual void Skip() { Next(); }

  // What of the files no batch holds, for people: "", or such as " but for 2 of the lines (of too many words)".
  const std::string& left_out() const { return left_out_; }

  void Save(const StateWriter& writer) const;
  void Restore(const StateReader& reader);

 protected:
  const models::Learner& learner() const { return learner_; }
  const Shape& ShapeOf(size_t input) const { return shapes_[input]; }
  // A tensor for each input, to be filled.
  std::vector<Tensor> NewBatch() const;
  // The inputs with these values.
  std::vector<FeedValue> Feeds(std::vector<Tensor> values) const;

  // Random numbers: whole ones below `limit`, and of [0, 1).
  int64_t Below(int64_t limit) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(limit)); }
  float Part() { return static_cast<float>(random_() >> 40) / 0x1p24f; }

  void LeaveOut(int64_t count, std::string_view what);

 private:
  const models::Learner learner_;
  std::vector<Shape> shapes_;  // of its inputs
  std::mt19937_64 random_;
  std::string left_out_;
};

// A folder with files of the kind holds them, for people.
std::string_view FilesOf(models::LearnerData data);

// What BuildOnFiles (tools/train/data/learner_data.h) says of each kind.
std::shared_ptr<Batches> DigitsFor(const models::Learner& learner, const ModelData& data);
std::shared_ptr<Batches> TextFor(const models::Learner& learner, const ModelData& data);
std::shared_ptr<Batches> TranslationsFor(const models::Learner& learner, const ModelData& data, bool is_one_vocabulary);
std::shared_ptr<Batches> CaptionsFor(const models::Learner& learner, const ModelData& data);
std::shared_ptr<Batches> PlacesFor(const models::Learner& learner, const ModelData& data);
std::shared_ptr<Batches> CensusFor(const models::Learner& learner, const ModelData& data);

}  // namespace plumb::tools
