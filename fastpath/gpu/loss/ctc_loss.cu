// CTCLossV2 (rule N23): the softmax of all rows, then a warp or a block for each sequence, whose threads go from time
// to time together.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fastpath/formulas/loss/ctc_labels.h"
#include "fastpath/gpu/gpu_inside.h"
#include "fastpath/gpu/lib/team.h"
#include "fastpath/gpu/lib/types.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/loss/scaled-inl.h"
#undef PLUMB_INLINE

constinit ChoicePoint many_states("CTC on GPUs: a warp for each sequence, or a block of eight");
constexpr int64_t kBlank = 0;
constexpr int64_t kHead =
    2;  // numbers before the labels of a sequence: its length, or 0, and how many labels there are

// Inputs [time, batch, class]; sequences [batch, kHead + labels].
struct Sizes {
  int64_t times = 0, batch = 0, classes = 0, labels = 0;
  bool merges = true;

  PLUMB_GPU_WORD int64_t states() const { return 2 * labels + 1; }
};

PLUMB_GPU_KERNEL SoftmaxRows(Global<const float> x, Global<const int64_t> sequences, Sizes sizes, Global<float> y,
                             Teams teams) {
  PLUMB_GPU_SHARED(float, shared, kWarpsOfTeams);
  const int64_t row = teams.Row(), rows = sizes.times * sizes.batch, first = row * sizes.classes;
  const int64_t n = row < rows ? sizes.classes : 0;
  const bool counts = row < rows && row / sizes.batch < sequences[row % sizes.batch * (kHead + sizes.labels)];
  float largest = -std::numeric_limits<float>::infinity(), sum = 0;
  for (int64_t i = teams.Lane(); i < n; i += teams.lanes) largest = LargerOf()(largest, float(x[first + i]));
  largest = MergeTeam<float>(teams, largest, shared, LargerOf());
  for (int64_t i = teams.Lane(); i < n; i += teams.lanes) sum += std::exp(x[first + i] - largest);
  sum = MergeTeam<float>(teams, sum, shared, SumOf());
  for (int64_t i = teams.Lane(); i < n; i += teams.lanes) {
    y[first + i] = counts ? std::exp(x[first + i] - largest) / sum : 0;
  }
}

// What the block of a sequence has. States are the labels with blanks around them; of each time there are the
// probabilities of the blank and the labels, and of all ways to each state, that included; of all ways on from a state
// only those of one time, that left out.
struct Trellis {
  Global<const int64_t> labels;
  int64_t count = 0, length = 0;
  bool merges = true;
  Global<float> probabilities;
  Global<Scaled> forward, backward, onward;
  Global<double> shares;

  PLUMB_GPU_INLINE int64_t states() const { return 2 * count + 1; }
  PLUMB_GPU_INLINE Scaled Probability(int64_t time, int64_t state) const {
    return Scaled(probabilities[time * (count + 1) + (state % 2 == 0 ? 0 : state / 2 + 1)]);
  }
  PLUMB_GPU_INLINE bool MayStay(int64_t state) const { return merges || state % 2 == 0; }
  PLUMB_GPU_INLINE bool MaySkipTo(int64_t state) const {
    return state > 1 && state % 2 == 1 && !(merges && labels[state / 2] == labels[state / 2 - 1]);
  }
};

// From the rows of the sequence, which lie `stride` apart. Whether all of them are numbers.
PLUMB_GPU_INLINE bool TakeProbabilities(const Trellis& trellis, Global<const float> rows, int64_t stride,
                                        Shared<double> shared) {
  const int64_t width = trellis.count + 1;
  double lost = 0;
  for (int64_t at = ThreadNumber(); at < trellis.length * width; at += Threads()) {
    const int64_t time = at / width, which = at % width;
    const float p = rows[time * stride + (which == 0 ? kBlank : trellis.labels[which - 1])];
    trellis.probabilities[at] = p;
    if (which == 0 && p != p) lost = 1;
  }
  return MergeTeam<double>({Threads()}, lost, shared, LargerOf()) == 0;
}

// What cannot be reached from the start, or cannot reach the end, is zero.
PLUMB_GPU_INLINE void GoForward(const Trellis& trellis) {
  const int64_t size = trellis.states();
  for (int64_t time = 0; time < trellis.length; ++time) {
    const int64_t first = size - 2 * (trellis.length - time), end = 2 * (time + 1);
    const Global<Scaled> from = trellis.forward.From((time > 0 ? time - 1 : 0) * size, size);
    for (int64_t u = ThreadNumber(); u < size; u += Threads()) {
      Scaled sum;
      if (time == 0 && u < 2) sum = Scaled(1);
      if (time > 0 && u >= first && u < end) {
        if (trellis.MayStay(u)) sum = from[u];
        if (u > 0) sum = sum + from[u - 1];
        if (trellis.MaySkipTo(u)) sum = sum + from[u - 2];
      }
      trellis.forward[time * size + u] = sum * trellis.Probability(time, u);
    }
    SyncBlock();
  }
}

PLUMB_GPU_INLINE void StepBack(const Trellis& trellis, int64_t time) {
  const int64_t size = trellis.states();
  const bool is_last = time + 1 == trellis.length;
  for (int64_t u = ThreadNumber(); !is_last && u < size; u += Threads()) {
    trellis.onward[u] = trellis.backward[u] * trellis.Probability(time + 1, u);
  }
  SyncBlock();
  for (int64_t u = ThreadNumber(); u < size; u += Threads()) {
    Scaled sum;
    if (is_last) {
      if (u >= size - 2) sum = Scaled(1);
    } else {
      if (trellis.MayStay(u)) sum = trellis.onward[u];
      if (u + 1 < size) sum = sum + trellis.onward[u + 1];
      if (u + 2 < size && trellis.MaySkipTo(u + 2)) sum = sum + trellis.onward[u + 2];
    }
    trellis.backward[u] = sum;
  }
  SyncBlock();
}

// Takes off a row of probabilities how often each class is taken at this time among all ways that spell the labels.
PLUMB_GPU_INLINE void SubtractTaken(const Trellis& trellis, int64_t time, Scaled total, Global<float> row,
                                    Shared<double> shared) {
  const int64_t size = trellis.states();
  double blanks = 0;
  for (int64_t u = ThreadNumber(); u < size; u += Threads()) {
    const double share = Ratio(trellis.forward[time * size + u] * trellis.backward[u], total);
    trellis.shares[u] = share;
    if (u % 2 == 0) blanks += share;
  }
  SyncBlock();
  blanks = MergeTeam<double>({Threads()}, blanks, shared, SumOf());
  if (ThreadNumber() == 0) row[kBlank] = static_cast<float>(row[kBlank] - blanks);
  for (int64_t i = ThreadNumber(); i < trellis.count; i += Threads()) {
    const int64_t label = trellis.labels[i];
    bool is_first = true;
    double taken = 0;
    for (int64_t j = 0; j < trellis.count; ++j) {
      if (trellis.labels[j] != label) continue;
      is_first = is_first && j >= i;
      taken += trellis.shares[2 * j + 1];
    }
    if (is_first) row[label] = static_cast<float>(row[label] - taken);
  }
  SyncBlock();
}

// The rows of a sequence hold the probabilities, and then the gradient.
PLUMB_GPU_KERNEL FindLosses(Global<const int64_t> sequences, Sizes sizes, Global<float> probabilities,
                            Global<Scaled> ways, Global<double> shares, Global<float> rows, Global<float> losses) {
  PLUMB_GPU_SHARED(double, shared, kWarpsOfTeams);
  const int64_t b = BlockNumber(), most = sizes.states(), stride = sizes.batch * sizes.classes;
  const Global<const int64_t> sequence = sequences.From(b * (kHead + sizes.labels), kHead + sizes.labels);
  const int64_t length = sequence[0], count = sequence[1], first = b * sizes.classes;
  if (length == 0) {
    if (ThreadNumber() == 0) losses[b] = 0;
    return;
  }
  const Global<Scaled> own = ways.From(b * (sizes.times + 2) * most, (sizes.times + 2) * most);
  const Trellis trellis = {sequence.From(kHead, count),
                           count,
                           length,
                           sizes.merges,
                           probabilities.From(b * sizes.times * (sizes.labels + 1), length * (count + 1)),
                           own.From(0, length * (2 * count + 1)),
                           own.From(sizes.times * most, 2 * count + 1),
                           own.From((sizes.times + 1) * most, 2 * count + 1),
                           shares.From(b * most, 2 * count + 1)};
  const bool is_number = TakeProbabilities(trellis, rows.From(first, rows.size - first), stride, shared);
  SyncBlock();
  if (!is_number) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    for (int64_t at = ThreadNumber(); at < length * sizes.classes; at += Threads()) {
      rows[first + at / sizes.classes * stride + at % sizes.classes] = kNan;
    }
    if (ThreadNumber() == 0) losses[b] = kNan;
    return;
  }
  GoForward(trellis);
  const int64_t size = trellis.states(), end = length * size;
  const Scaled total = trellis.forward[end - 1] + (size > 1 ? Scaled(trellis.forward[end - 2]) : Scaled());
  if (ThreadNumber() == 0) {
    losses[b] = total.m == 0 ? std::numeric_limits<float>::infinity() : static_cast<float>(-LogOf(total));
  }
  for (int64_t time = length - 1; total.m != 0 && time >= 0; --time) {
    StepBack(trellis, time);
    SubtractTaken(trellis, time, total, rows.From(first + time * stride, sizes.classes), shared);
  }
}

class CtcLoss final : public GpuKernel {
 public:
  explicit CtcLoss(const Node& node) : options_(node, true) {}

  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    const std::vector<CtcSequence> sequences =
        CtcSequencesOf(options_, x.shape(), context.input(1), context.input(2), context.input(3));
    Sizes sizes = {x.dim(0), x.dim(1), x.dim(2), 0, options_.merges};
    for (const CtcSequence& one : sequences) sizes.labels = std::max(sizes.labels, std::ssize(one.labels));
    const Tensor held = GpuInside(context.device()).Held(Listed(sequences, sizes));
    const Global<const int64_t> listed = context.ViewOf<int64_t>(held);
    Tensor loss = context.AllocateOutput(0, Shape{sizes.batch}), gradient = context.AllocateOutput(1, x.shape());
    const Global<float> rows = context.ViewOf<float>(gradient);
    const Teams teams = Teams::ForRowsOf(sizes.classes);
    Launch(context.stream(), teams.Grid(sizes.times * sizes.batch), SoftmaxRows, context.ViewOf<float>(x), listed,
           sizes, rows, teams);
    const int64_t ways = sizes.batch * (sizes.times + 2) * sizes.states();
    Tensor probabilities = context.Scratch(DType::kFloat, Shape({sizes.batch * sizes.times * (sizes.labels + 1)}));
    Tensor room = context.Scratch(DType::kUint8, Shape({ways * static_cast<int64_t>(sizeof(Scaled))}));
    Tensor shares = context.Scratch(DType::kDouble, Shape({sizes.batch * sizes.states()}));
    const int threads = many_states.Chosen(sizes.states() > kLanesOfWarp) ? kThreadsOfTeams : kLanesOfWarp;
    Launch(context.stream(), GridSize{sizes.batch, threads, true}, FindLosses, listed, sizes,
           context.ViewOf<float>(probabilities), Global<Scaled>(static_cast<Scaled*>(room.mutable_raw()), ways),
           context.ViewOf<double>(shares), rows, context.ViewOf<float>(loss));
  }

 private:
  static Tensor Listed(const std::vector<CtcSequence>& sequences, const Sizes& sizes) {
    Tensor listed = Allocate(DType::kInt64, Shape({sizes.batch, kHead + sizes.labels}));
    int64_t* row = listed.mutable_data<int64_t>().data();
    for (const CtcSequence& one : sequences) {
      row[0] = one.is_skipped ? 0 : one.length;
      row[1] = std::ssize(one.labels);
      std::fill(std::copy(one.labels.begin(), one.labels.end(), row + kHead), row + kHead + sizes.labels, int64_t{0});
      row += kHead + sizes.labels;
    }
    return listed;
  }

  const CtcOptions options_;
};

constexpr GpuKernelRow kRows[] = {
    {"CTCLossV2", Make<CtcLoss>, ByHost::kNo, "labels_indices labels_values sequence_length"},
};

}  // namespace

std::span<const GpuKernelRow> LossCtcLoss() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
