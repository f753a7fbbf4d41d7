// A language model whose softmax lies on the parameter servers: how many words a second it learns (OSDI paper, figure
// 9).
#pragma once

#include "mpi/simulation/costs.h"
#include "mpi/simulation/network.h"

namespace plumb::dist {

struct LanguageModel {
  int servers = 1, workers = 4;
  double words = 128 * 20;  // of a worker's step: its batch, unrolled
  double units = 512, layers = 2;
  double vocabulary = 40'000;
  double sampled = 0;  // classes that the loss is computed for; 0: all words
  int steps = 8;       // of each worker
};

// Workers are asynchronous. Each fetches the rows of its words, computes the LSTM, and sends its outputs to all
// servers, each of which computes its share of the classes, forwards and backwards, with the weights that it keeps, and
// answers with gradients of the outputs. Sampled classes are few enough that the worker fetches their weights instead,
// and sends their gradients back.
double WordsPerSecond(const LanguageModel& model, const Costs& costs, const NetworkOptions& network);

}  // namespace plumb::dist
