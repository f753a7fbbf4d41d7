// Input pipelines, as programs of TensorFlow 1 build them.
#include <cmath>

#include "bench/graphs/graphs.h"
#include "client/input/batch.h"
#include "client/input/producers.h"
#include "spec/files/file_system.h"
#include "spec/formats/image/jpeg_writer.h"

namespace plumb::bench {
namespace {

constexpr int64_t kSide = 256;

// A picture of waves, edges and some noise, which compresses about as a photograph does.
std::string Picture(int number) {
  std::vector<uint8_t> pixels;
  uint32_t noise = 1 + static_cast<uint32_t>(number);
  for (int64_t y = 0; y < kSide; ++y) {
    for (int64_t x = 0; x < kSide; ++x) {
      for (int c = 0; c < 3; ++c) {
        noise = noise * 1664525u + 1013904223u;
        const double wave = std::sin(static_cast<double>(x * (c + 1) + y * (number % 7)) / 17.0);
        const double edge = (x / 24 + y / 40 + number) % 3 == 0 ? 40 : 0;
        pixels.push_back(static_cast<uint8_t>(100 + 60 * wave + edge + static_cast<double>(noise >> 27)));
      }
    }
  }
  return JpegFile(pixels.data(), kSide, kSide, 3, {.quality = 90});
}

std::vector<std::string> WritePictures(const std::string& folder, int count) {
  Files().MakeFolders(folder);
  std::vector<std::string> paths;
  for (int i = 0; i < count; ++i) {
    paths.push_back(Str(folder, "/", i, ".jpg"));
    Files().Write(paths.back(), Picture(i));
  }
  return paths;
}

}  // namespace

BenchGraph JpegInput(const std::string& folder) {
  constexpr int64_t kBatch = 32;
  constexpr int32_t kResized = 128;
  constexpr int kThreads = 2;
  Scope scope;
  const Queue names = StringInputProducer(scope, WritePictures(folder, 64), {.shuffle = false});
  const Output reader = scope.Call("WholeFileReaderV2", {});
  const NodeId read = scope.Add("ReaderReadV2", {reader, names.handle()});
  const Output image = scope.Call("DecodeJpeg", {{&scope.builder(), {read, 1}}}, {{"channels", 3}});
  const Output images = scope.Call("ExpandDims", {image, Constant(scope, 0)});
  const Output resized =
      scope.Call("Squeeze", {scope.Call("ResizeBilinear", {images, Constant(scope, {kResized, kResized})})},
                 {{"squeeze_dims", std::vector<int64_t>{0}}});
  const Example batch =
      Batch(scope, {resized},
            {.batch_size = kBatch, .num_threads = kThreads, .shapes = {PartialShape{kResized, kResized, 3}}});
  BenchGraph bench;
  bench.name = "jpeg_input";
  bench.items = kBatch;
  for (const QueueRunnerNodes& runner : scope.queue_runners()) {
    bench.runners.insert(bench.runners.end(), runner.enqueue.begin(), runner.enqueue.end());
  }
  bench.graph = scope.ToGraphDef();
  bench.fetches = {batch[0].name()};
  return bench;
}

}  // namespace plumb::bench
