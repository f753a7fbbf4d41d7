// For tests: batches of models that are no classifiers of images.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backends.h"
#include "client/testing.h"
#include "spec/core/status_testing.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "tools/train/data/learner_data.h"

namespace plumb::tools {

inline std::vector<FeedValue> FirstBatch(const models::LearnerEntry& entry, const std::string& folder,
                                         uint64_t seed = 1, models::LearnerSize size = models::LearnerSize::kFull) {
  Scope scope;
  return BuildOnFiles(scope, *Sgd({}), entry, size, {.folder = folder, .seed = seed, .threads = 1}).next();
}

// What the first batch is refused with.
inline Status RefusalOf(const models::LearnerEntry& entry, const std::string& folder) {
  return StatusOf([&] { FirstBatch(entry, folder); });
}

// What people are told of the data.
inline std::string SourceOf(const models::LearnerEntry& entry, const std::string& folder) {
  Scope scope;
  return BuildOnFiles(scope, *Sgd({}), entry, models::LearnerSize::kFull, {.folder = folder, .threads = 1}).source;
}

// The rows of an input, each once, sorted.
inline std::set<std::vector<double>> RowsOf(const FeedValue& input) {
  std::set<std::vector<double>> rows;
  const std::vector<double> all = Numbers(input.second);
  const int64_t each = std::ssize(all) / input.second.shape().dim(0);
  for (auto row = all.begin(); row != all.end(); row += each) rows.emplace(row, row + each);
  return rows;
}

// Training of the small model of that name goes on with the batches that it would have had, and lessens the loss.
inline void ExpectLearns(std::string_view backend, std::string_view name, const std::string& folder) {
  const auto all = models::Learners();
  const auto entry = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  ASSERT_NE(entry, all.end());
  Scope scope, other_scope;
  const auto optimizer = Sgd({.learning_rate = 0.1});
  const ModelData data = {.folder = folder, .seed = 3, .backend = std::string(backend), .threads = 1};
  const TrainedModel model = BuildOnFiles(scope, *optimizer, *entry, models::LearnerSize::kSmall, data);
  const TrainedModel other = BuildOnFiles(other_scope, *optimizer, *entry, models::LearnerSize::kSmall, data);
  const std::vector<FeedValue> judged = model.next();
  Program program(scope, OpenSession(backend, {.threads = 1}));
  program.Run(model.init);
  const float before = program.Fetch(model.loss, judged).scalar<float>();
  for (int step = 0; step < 30; ++step) program.Run(model.train, model.next());
  EXPECT_LT(program.Fetch(model.loss, judged).scalar<float>(), before);
  SavedState state;
  model.save(StateWriter(state));
  other.restore(StateReader(state));
  model.skip();
  other.next();
  const std::vector<FeedValue> coming = model.next(), same = other.next();
  for (size_t i = 0; i < coming.size(); ++i) EXPECT_TRUE(coming[i].second.BitwiseEquals(same[i].second)) << i;
}

}  // namespace plumb::tools
