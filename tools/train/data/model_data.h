// What models are trained on: digits in MNIST's files, CIFAR-10's binary files, images in folders or records, or
// made-up batches.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client/program.h"
#include "client/training/coordinator.h"
#include "models/catalogue.h"
#include "models/learners.h"
#include "spec/session/saved_state.h"

namespace plumb::tools {

struct ModelData {
  std::string folder;  // "": batches are made up
  int64_t batch = 32;
  uint64_t seed = 1;            // of the order of the images
  std::string backend = "cpu";  // that decodes images
  int threads = 0;              // of it; 0: one per core
};

// A model on its data.
struct TrainedModel {
  Output loss;
  NodeId train, init;
  std::string source;                            // what it is trained on, to be told to people
  std::string kind_of_data = "made-up batches";  // that `save` writes down
  // Of a classifier: what it reads, and what it says of each class.
  std::optional<Output> input = {}, logits = {};
  // Of a classifier whose files hold a test set: how it does on so many of its images at most, for people.
  std::function<std::string(Session& session, int64_t most)> test = nullptr;
  // Called once, when the variables have values.
  std::function<void(Program& program, Coordinator& coordinator)> start = [](Program&, Coordinator&) {};
  // The feeds of the next step.
  std::function<std::vector<FeedValue>()> next = nullptr;
  // Passes over those of one step, where that is less work than to have them; else null.
  std::function<void()> skip = nullptr;
  // Where `next` is in its data, written down and taken up.
  std::function<void(const StateWriter& writer)> save = [](const StateWriter&) {};
  std::function<void(const StateReader& reader)> restore = [](const StateReader&) {};
};

// Models of digits read MNIST's files, cifar10 its own, all others what ImageFiles finds. Throws kInvalidArgument for a
// folder with data of another kind than the model reads, kNotFound for one without data.
TrainedModel BuildOnData(Scope& scope, Optimizer& optimizer, const models::ImageModelEntry& entry,
                         const models::ImageOptions& options, const ModelData& data);

// Learns one made-up batch by heart.
TrainedModel BuildOnMadeUpBatch(Scope& scope, Optimizer& optimizer, const models::LearnerEntry& entry,
                                models::LearnerSize size, uint64_t seed);

}  // namespace plumb::tools
