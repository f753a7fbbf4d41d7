// The network of TensorFlow's CIFAR-10 tutorial, and the pipeline that reads CIFAR-10's binary files.
#pragma once

#include <string>
#include <vector>

#include "models/image/image_classifier.h"

namespace plumb::models {

inline constexpr ImageOptions kCifar10 = {.side = 24, .channels = 3, .classes = 10};

// Two 5 × 5 convolutions of 64 filters, each pooled and normalised, layers of 384 and 192 whose squared weights are
// minimised too: 1,068,298 parameters. A program feeds standardised images.
ImageClassifier BuildCifar10(Scope& scope, Optimizer& optimizer, const ImageOptions& options = {});

struct Cifar10InputOptions {
  std::vector<std::string> files = {};  // of records: a byte of label, then 32 · 32 bytes each of red, green and blue
  int64_t batch = 128;
  int64_t side = kCifar10.side;  // of the part of an image that is used
  // Whether images are changed at random: the part that is used, left and right, brightness and contrast; and shuffled.
  // Otherwise the middle is used, in the files' order.
  bool distort = true;
  int64_t min_after_dequeue = 20000;  // images from which the next is drawn
  int num_threads = 1;                // that read; with more than one the order is not known
  bool once = false;  // whether the files end, after which batches are kOutOfRange; a last one is smaller
  int64_t seed = 1;
};

struct Cifar10Batch {
  Output images;  // float32 [batch, side, side, 3], each with mean 0 and variance 1
  Output labels;  // int32 [batch]
};

// The network on what a pipeline reads: a program feeds nothing, and fetches and runs the rest.
ImageClassifier BuildCifar10On(Scope& scope, Optimizer& optimizer, const Cifar10Batch& batch,
                               const ImageOptions& options = {});

// Threads fill its queues: InitializeLocal, then StartQueueRunners. kInvalidArgument for no files and a side beyond 32.
Cifar10Batch Cifar10Input(Scope& scope, const Cifar10InputOptions& options);

}  // namespace plumb::models
