// Learns y = 2x − 1 from files of records, which threads read, shuffle and batch beside the steps until each record was
// read fifty times. Usage: 05_input_pipeline [reference|cpu]
#include <cmath>
#include <cstdio>

#include "backends/backends.h"
#include "client/input/batch.h"
#include "client/input/producers.h"
#include "client/ops.h"
#include "client/optimizers/optimizer.h"
#include "client/program.h"
#include "client/training/coordinator.h"
#include "client/training/queue_runner.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/record.h"
#include "spec/proto/example.pb.h"

using namespace plumb;

namespace {

// A TFRecord file of ten examples.
std::string WritePoints(const std::string& path, int first) {
  RecordWriter writer(path);
  for (int i = first; i < first + 10; ++i) {
    const float x = static_cast<float>(i) / 10;
    pb::Example example;
    auto& features = *example.mutable_features()->mutable_feature();
    features["x"].mutable_float_list()->add_value(x);
    features["y"].mutable_float_list()->add_value(2 * x - 1);
    writer.Write(example.SerializeAsString());
  }
  writer.Close();
  return path;
}

struct Points {
  Output x, y;  // float32 [batch]
};

// Names of files → records → shuffled batches of them → their features.
Points ReadBatch(Scope& scope, const std::vector<std::string>& files, int64_t batch) {
  const Queue names = StringInputProducer(scope, files, {.num_epochs = 50, .seed = 1});
  const Output reader = scope.Call("TFRecordReaderV2", {}, {}, "reader");
  const NodeId read = scope.Add("ReaderReadV2", {reader, names.handle()});  // gives key and value
  const Example record = {Output{&scope.builder(), {read, 1}}};
  const Example records = ShuffleBatch(scope, record, {.batch_size = batch, .shapes = {PartialShape(Shape())}},
                                       {.min_after_dequeue = 10, .seed = 1});
  const Output no_names = Constant(scope, Tensor(DType::kString, {0})),
               none = Constant(scope, Tensor(DType::kFloat, {0}));
  const NodeId parse = scope.Add(
      "ParseExample",
      {records[0], no_names, Constant(scope, std::string("x")), Constant(scope, std::string("y")), none, none},
      {{"Nsparse", int64_t{0}},
       {"Ndense", int64_t{2}},
       {"sparse_types", std::vector<DType>()},
       {"Tdense", std::vector<DType>{DType::kFloat, DType::kFloat}},
       {"dense_shapes", std::vector<PartialShape>{PartialShape(Shape()), PartialShape(Shape())}}});
  return {Output{&scope.builder(), {parse, 0}}, Output{&scope.builder(), {parse, 1}}};
}

}  // namespace

int main(int argc, char** argv) {
  const TemporaryFolder folder;
  const std::vector<std::string> files = {WritePoints(folder.path() + "/points-0", 0),
                                          WritePoints(folder.path() + "/points-1", 10)};
  Scope scope;
  const Points points = ReadBatch(scope, files, 5);
  const Variable slope = MakeVariable(scope, Constant(scope, 0.F), {.name = "slope"});
  const Variable offset = MakeVariable(scope, Constant(scope, 0.F), {.name = "offset"});
  const Output error = slope * points.x + offset - points.y;
  const Output loss = ops::Mean(scope, error * error, Constant(scope, {0}));
  const NodeId train = Sgd({.learning_rate = 0.3})->Minimize(scope, loss);

  Program program(scope, OpenSession(argc > 1 ? argv[1] : "cpu"));
  program.Run(InitializeAll(scope));
  program.Run(InitializeLocal(scope));  // where epochs are counted
  Coordinator coordinator;
  StartQueueRunners(scope.queue_runners(), program.session(), coordinator);
  int steps = 0;
  while (!coordinator.should_stop()) {
    try {
      program.Run(train);
      ++steps;
    } catch (const Error& end) {
      coordinator.RequestStop(end.status());  // OutOfRange: every record was read fifty times
    }
  }
  const Status status = coordinator.Join();
  const std::vector<Tensor> line = program.Fetch({slope, offset});
  const float a = line[0].scalar<float>(), b = line[1].scalar<float>();
  std::printf("y = %.3f x + %.3f after %d steps (%s)\n", a, b, steps, status.ToString().c_str());
  const bool is_found = std::abs(a - 2) < 0.05 && std::abs(b + 1) < 0.05;
  return status.ok() && steps == 200 && is_found ? 0 : 1;
}
