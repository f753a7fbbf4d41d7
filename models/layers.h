// The building blocks that the models share.
#pragma once

#include <string>
#include <vector>

#include "client/scope.h"
#include "client/variable.h"

namespace plumb::models {

// x·W + b with x [batch, in] → [batch, out]. Makes the variables weights and bias, in this order.
Output Dense(Scope& scope, Output x, int64_t out, int64_t seed, const std::string& name);
// All but the batch in one row: [batch, …] → [batch, n]. The sizes are known, but for the batch.
Output Flatten(Scope& scope, Output x);

// How windows slide over the images of x [batch, height, width, channels].
struct Window {
  int64_t height = 3, width = 3;
  int64_t stride = 1;
  const char* padding = "SAME";  // or "VALID"
};

struct ConvolutionOptions {
  Window window = {};
  int64_t groups = 1;  // each sees its own part of the channels, and makes its own part of the output's
  bool bias = true;
};
// → [batch, h, w, out]. The filters start uniform within ±√(6 / fan in), which keeps the size of signals that rectified
// units follow (He et al.). Groups are convolutions beside each other: kernels on CPUs have no gradient of grouped
// ones.
Output Convolution(Scope& scope, Output x, int64_t out, const ConvolutionOptions& options, int64_t seed,
                   const std::string& name);

Output MaxPool(Scope& scope, Output x, const Window& window);
// The mean over those pixels of a window that lie within the image.
Output AveragePool(Scope& scope, Output x, const Window& window);
// The mean over all pixels: [batch, h, w, channels] → [batch, channels].
Output GlobalAveragePool(Scope& scope, Output x);

// One image after the other along the channels.
Output ConcatChannels(Scope& scope, const std::vector<Output>& images);

// x / (bias + alpha · Σ x² over the channels that are at most `radius` away)^beta.
struct ResponseNormOptions {
  int64_t radius = 2;
  double bias = 2, alpha = 1e-4, beta = 0.75;  // of Krizhevsky et al.
};
Output LocalResponseNorm(Scope& scope, Output x, const ResponseNormOptions& options = {});

struct BatchNormOptions {
  bool is_training = true;  // by the batch's statistics; otherwise by the averages of those it was trained with
  double epsilon = 1e-3;
  double decay = 0.99;  // of the averages
};
// Each channel of x with mean 0 and variance 1, then scaled and moved by learned numbers. While training, the nodes
// that move the averages are appended to `updates`, to be run with each step.
Output BatchNorm(Scope& scope, Output x, const BatchNormOptions& options, std::vector<NodeId>& updates,
                 const std::string& name);

// While training: numbers stay with the probability `keep`, and grow by 1 / keep; the others become 0.
Output Dropout(Scope& scope, Output x, double keep, int64_t seed);

// Mean cross entropy of logits [batch, classes] against labels [batch] (int32 or int64).
Output MeanCrossEntropy(Scope& scope, Output logits, Output labels);

}  // namespace plumb::models
