#include "client/input/batch.h"
#include "client/input/producers.h"
#include "models/image/cifar10.h"

namespace plumb::models {
namespace {

constexpr int32_t kSide = 32, kChannels = 3, kPixels = kSide * kSide * kChannels;

Output Int32s(Scope& scope, std::initializer_list<int32_t> values) { return Constant<int32_t>(scope, values); }

// Bytes from `first` up to `end`.
Output Part(Scope& scope, Output bytes, int32_t first, int32_t length) {
  return scope.Call("Slice", {bytes, Int32s(scope, {first}), Int32s(scope, {length})});
}

struct Record {
  Output image;  // float32 [32, 32, 3], 0 … 255
  Output label;  // int32 []
};

Record ReadRecord(Scope& scope, const Cifar10InputOptions& options) {
  ProducerOptions producing;
  if (options.once) producing.num_epochs = 1;
  producing.shuffle = options.distort;
  producing.seed = options.seed;
  const Queue files = StringInputProducer(scope, options.files, producing);
  const Output reader = scope.Call("FixedLengthRecordReaderV2", {}, {{"record_bytes", int64_t{1 + kPixels}}}, "reader");
  const NodeId read = scope.Add("ReaderReadV2", {reader, files.handle()});
  const Output bytes = scope.Call("DecodeRaw", {Output{&scope.builder(), {read, 1}}}, {{"out_type", DType::kUint8}});
  const Output label = scope.Call("Reshape", {Part(scope, bytes, 0, 1), Constant(scope, Tensor(DType::kInt32, {0}))});
  const Output planes =
      scope.Call("Reshape", {Part(scope, bytes, 1, kPixels), Int32s(scope, {kChannels, kSide, kSide})});
  const Output pixels = scope.Call("Transpose", {planes, Int32s(scope, {1, 2, 0})});
  return {AsType(pixels, DType::kFloat), AsType(label, DType::kInt32)};
}

// Random changes of one image. Each draws from the next seed.
class Distortions {
 public:
  Distortions(Scope& scope, int64_t seed) : scope_(scope), seed_(seed) {}

  Output Crop(Output image, int32_t side) {
    const AttrMap attrs = {{"seed", seed_}, {"seed2", ++draws_}};
    const Output corner = scope_.Call(
        "RandomUniformInt",
        {Int32s(scope_, {2}), Constant<int32_t>(scope_, 0), Constant<int32_t>(scope_, kSide - side + 1)}, attrs);
    const Output begin =
        scope_.Call("ConcatV2", {corner, Int32s(scope_, {0}), Constant<int32_t>(scope_, 0)}, {{"N", int64_t{2}}});
    return scope_.Call("Slice", {image, begin, Int32s(scope_, {side, side, kChannels})});
  }
  // Left and right exchanged, every second time.
  Output Flip(Output image) {
    const Output flipped = scope_.Call("ReverseV2", {image, Int32s(scope_, {1})});
    return scope_.Call("Select", {Draw(0, 1) < 0.5, flipped, image});
  }
  Output Brightness(Output image) { return image + Draw(-63, 63); }
  Output Contrast(Output image) { return scope_.Call("AdjustContrastv2", {image, Draw(0.2, 1.8)}); }

 private:
  Output Draw(double low, double high) {
    const AttrMap attrs = {{"dtype", DType::kFloat}, {"seed", seed_}, {"seed2", ++draws_}};
    const Output shape = Constant(scope_, Tensor(DType::kInt32, {0}));
    return scope_.Call("RandomUniform", {shape}, attrs) * (high - low) + low;
  }

  Scope& scope_;
  const int64_t seed_;
  int64_t draws_ = 0;
};

// (x − mean) / max(standard deviation, 1 / √n): an image of one colour becomes 0.
Output Standardised(Scope& scope, Output image) {
  const Output all = Int32s(scope, {0, 1, 2});
  const Output centred = image - scope.Call("Mean", {image, all});
  const Output variance = scope.Call("Mean", {scope.Call("Square", {centred}), all});
  const auto pixels = static_cast<double>(image.shape().ToShape().elements());
  const Output least = Constant(scope, static_cast<float>(1 / pixels));
  return centred / scope.Call("Sqrt", {scope.Call("Maximum", {variance, least})});
}

}  // namespace

Cifar10Batch Cifar10Input(Scope& scope, const Cifar10InputOptions& options) {
  const auto named = scope.Sub("input");
  Require(options.side >= 1 && options.side <= kSide, "images of CIFAR-10 have ", kSide, " pixels a side, of which ",
          options.side, " cannot be used");
  const Record record = ReadRecord(scope, options);
  const auto side = static_cast<int32_t>(options.side);
  BatchOptions batching = {.batch_size = options.batch, .num_threads = options.num_threads};
  batching.allow_smaller_final_batch = options.once;
  if (!options.distort) {
    const int32_t corner = (kSide - side) / 2;
    const Output middle =
        scope.Call("Slice", {record.image, Int32s(scope, {corner, corner, 0}), Int32s(scope, {side, side, kChannels})});
    batching.capacity = 3 * options.batch;
    const Example batch = Batch(scope, {Standardised(scope, middle), record.label}, batching);
    return {batch[0], batch[1]};
  }
  Distortions distortions(scope, options.seed);
  const Output image =
      distortions.Contrast(distortions.Brightness(distortions.Flip(distortions.Crop(record.image, side))));
  batching.capacity = options.min_after_dequeue + 3 * options.batch;
  const Example batch = ShuffleBatch(scope, {Standardised(scope, image), record.label}, batching,
                                     {.min_after_dequeue = options.min_after_dequeue, .seed = options.seed});
  return {batch[0], batch[1]};
}

}  // namespace plumb::models
