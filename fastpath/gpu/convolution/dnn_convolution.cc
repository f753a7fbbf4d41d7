#include "fastpath/gpu/convolution/dnn_convolution.h"

#include "fastpath/gpu/convolution/dnn_call.h"
#include "fastpath/gpu/gpu_device.h"
#include "fastpath/gpu/gpu_recording.h"
#include "fastpath/gpu/lib/dnn/dnn_choices.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Which of the two calls is faster, by what this process knows or by trying both: whether it is the usual one.
bool IsUsualFaster(DnnEngines& engines, const DnnUse& use, DnnCall& usual, DnnCall& other) {
  DnnChoices& choices = DnnChoices::Get();
  const bool first_is_usual = use.problem.channels_first;
  if (const std::optional<DnnChoice> known = choices.Find(engines.device(), use)) {
    const bool is_usual = known->channels_first == first_is_usual;
    if ((is_usual ? usual : other).Adopt(known->engine)) return is_usual;
  }
  const std::optional<DnnCall::Tried> as_usual = usual.Try(), otherwise = other.Try();
  if (!as_usual && !otherwise) return true;
  const bool is_usual = as_usual && (!otherwise || as_usual->milliseconds <= otherwise->milliseconds);
  choices.Keep(engines.device(), use, {is_usual == first_is_usual, is_usual ? as_usual->engine : otherwise->engine});
  return is_usual;
}

// The layout that the problem is computed in, which is settled when it is computed first: in a section that is tried or
// captured without a trial.
bool IsUsual(GpuContext& context, bool lies_first, DnnCall& usual, DnnCall& other) {
  DnnEngines& engines = context.device().dnn();
  if (!engines.tries() || !usual.problem()) return true;
  const DnnUse use{*usual.problem(), lies_first};
  std::optional<bool> channels_first = engines.Layout(use);
  if (!channels_first) {
    const bool may_try = Recording::On(context.device()) == nullptr;
    const bool is_usual = !may_try || IsUsualFaster(engines, use, usual, other);
    channels_first = engines.SettleLayout(use, is_usual == use.problem.channels_first);
  }
  return *channels_first == use.problem.channels_first;
}

}  // namespace

// As TensorFlow does, 16-bit floats are usually computed where they lie, which suits tensor cores, and wider ones with
// channels first; where the other layout is faster, or cuDNN has no engine for this one, that is taken.
bool QueueByDnn(GpuContext& context, DnnPass pass, const PatchGrid& grid, const Tensor& first, const Tensor& second,
                Tensor& out) {
  const bool lies_first = grid.from.channels_first, channels_first = ElementSize(out.dtype()) > 2 || lies_first;
  DnnCall usual(context, pass, grid, channels_first, first, second, out);
  DnnCall other(context, pass, grid, !channels_first, first, second, out);
  if (IsUsual(context, lies_first, usual, other)) return usual.Queue() || other.Queue();
  return other.Queue() || usual.Queue();
}

}  // namespace plumb::fast::GPU_NAMESPACE
