// Control flow wired at random: every step ends, with a value or a status, on one thread and on several.
#include <gtest/gtest.h>

#include <random>

#include "fastpath/compile/compile.h"
#include "fastpath/device/async_kernel.h"
#include "fastpath/execute/executor.h"
#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

// Values, switches, merges, frames and control edges that point anywhere; back edges now and then.
class RandomWiring {
 public:
  explicit RandomWiring(uint32_t seed) : random_(seed) {
    graph_.Float("x", 1);
    graph_.Placeholder("pred", DType::kBool);
    values_ = {"x"};
    for (int i = 0; i < 25; ++i) AddNode("n" + std::to_string(i));
  }
  const TestGraph& graph() const { return graph_; }
  std::string Pick() { return values_[random_() % values_.size()]; }

 private:
  bool Chance(int one_in) { return random_() % one_in == 0; }
  std::string Frame() { return std::string(1, static_cast<char>('a' + random_() % 2)); }

  void AddNode(const std::string& name) {
    std::vector<std::string> inputs = {Pick()};
    const auto with_control = [&] {
      if (Chance(6)) inputs.push_back("^" + Pick().substr(0, Pick().find(':')));
      for (std::string& input : inputs) {
        if (input[0] == '^') input = input.substr(0, input.find(':'));
      }
      return inputs;
    };
    switch (random_() % 8) {
      case 0:
        inputs.push_back("pred");
        graph_.Op(name, "Switch", kFloat, with_control());
        values_.push_back(name + ":1");
        break;
      case 1:
        inputs.push_back(Chance(2) ? "back" + name : Pick());
        if (inputs[1] == "back" + name) graph_.Op("back" + name, "NextIteration", kFloat, {Pick()});
        graph_.Merge(name, kFloat, with_control(), 2);
        break;
      case 2:
        graph_.Enter(name, kFloat, with_control(), Frame(), Chance(2), 1 + static_cast<int>(random_() % 3));
        break;
      case 3:
        graph_.Op(name, "Exit", kFloat, with_control());
        break;
      case 4:
        graph_.Op(name, "NextIteration", kFloat, with_control());
        break;
      default:
        graph_.Op(name, "Neg", kFloat, with_control());
    }
    values_.push_back(name);
  }

  std::mt19937 random_;
  TestGraph graph_;
  std::vector<std::string> values_;
};

class NegKernel : public Kernel {
 public:
  void Run(KernelContext& context) override { context.SetOutput(0, MakeScalar(-context.input(0).scalar<float>())); }
};

// The same, such that the step shares its nodes between threads.
class SharedNegKernel : public AsyncKernel {
 public:
  void Start(AsyncContext& context, Done done) override {
    context.SetOutput(0, MakeScalar(-context.input(0).scalar<float>()));
    done(OkStatus());
  }
};

Code RunOnce(const std::shared_ptr<const Graph>& graph, const std::string& fetch, bool taken, bool is_shared) {
  static ThreadPool one(1), three(3);
  static ResourceManager resources;
  static Watchdog watchdog;
  try {
    const Request request = ResolveRequest(*graph, std::vector<std::string>{"pred"}, std::vector{fetch}, {});
    ThreadPool& pool = is_shared ? three : one;
    const auto plan = Compile(
        graph, request, CompileOptions(),
        [&](const Node&) -> std::shared_ptr<Kernel> {
          if (is_shared) return std::make_shared<SharedNegKernel>();
          return std::make_shared<NegKernel>();
        },
        pool);
    StepEnvironment environment{pool, resources, watchdog};
    const auto executor = std::make_shared<Executor>(plan, environment);
    RunOptions options;
    options.timeout_ms = 5;  // loops whose predicate is fed may have no end
    Code code = Code::kOk;
    for (int step = 0; step < 2; ++step) {
      std::vector<Tensor> outputs;
      const Tensor pred = MakeScalar(taken);
      code = executor->Run(options, {&pred, 1}, &outputs, nullptr).code();
      EXPECT_EQ(code == Code::kOk, !outputs.empty());
    }
    return code;
  } catch (const Error& error) {
    return error.status().code();
  }
}

TEST(Hostile, RandomWiringAlwaysEndsWithAStatus) {
  int loaded = 0, succeeded = 0;
  for (uint32_t seed = 0; seed < 600; ++seed) {
    RandomWiring wiring(seed);
    std::shared_ptr<const Graph> graph;
    try {
      graph = std::make_shared<const Graph>(Graph::Load(wiring.graph().def()));
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kInvalidArgument) << error.what();
      continue;
    }
    ++loaded;
    for (int request = 0; request < 3; ++request) {
      const std::string fetch = wiring.Pick();
      const bool taken = request % 2 == 0;
      for (const bool is_shared : {false, true}) {
        const Code code = RunOnce(graph, fetch, taken, is_shared);
        succeeded += code == Code::kOk;
        EXPECT_TRUE(code == Code::kOk || code == Code::kInvalidArgument || code == Code::kInternal ||
                    code == Code::kDeadlineExceeded)
            << "seed " << seed << ": " << CodeName(code);
      }
    }
  }
  RecordProperty("loaded", loaded);
  RecordProperty("succeeded", succeeded);
  EXPECT_GT(loaded, 0);
  EXPECT_GT(succeeded, 0) << "the generator makes nothing that runs";
}

}  // namespace
}  // namespace plumb::fast
