#include "backends/library/library.h"

#include <gtest/gtest.h>

#include <csignal>

#include "backends/backends.h"
#include "backends/library/testing/testing.h"

namespace plumb::library {
namespace {

// What opening the library is refused with; "it opened" when it is not.
Status Opened(const std::string& path) {
  try {
    OpenSession(path);
  } catch (const Error& error) {
    return error.status();
  }
  return Status(Code::kUnknown, "it opened");
}

void ExpectRefused(const std::string& path, Code code, const std::string& reason) {
  const Status status = Opened(path);
  EXPECT_EQ(status.code(), code) << status.ToString();
  EXPECT_NE(status.message().find(path), std::string::npos) << status.ToString();
  EXPECT_NE(status.message().find(reason), std::string::npos) << status.ToString();
}

TEST(Library, IsWhatANameWithASlashOrASuffixMeans) {
  for (const char* name : {"./mine.so", "mine.so", "/opt/mine", "a/b"}) EXPECT_TRUE(IsLibrary(name)) << name;
  for (const char* name : {"cpu", "reference", "so", "mine.so.1"}) EXPECT_FALSE(IsLibrary(name)) << name;
}

TEST(Library, SaysWhyItCannotBeLoaded) {
  ExpectRefused("/no/such/library.so", Code::kNotFound, "No such file");
  ExpectRefused("./no_such_library.so", Code::kNotFound, "No such file");
  ExpectRefused("/etc/hostname", Code::kFailedPrecondition, "cannot be loaded");
  ExpectRefused(TestLibrary("unresolved"), Code::kFailedPrecondition, "this_function_is_nowhere");
}

TEST(Library, SaysWhyItIsNoBackend) {
  ExpectRefused(TestLibrary("no_entry"), Code::kFailedPrecondition, "no function plumb_backend()");
  ExpectRefused(TestLibrary("null_table"), Code::kFailedPrecondition, "plumb_backend() answers null");
  ExpectRefused(TestLibrary("other_version"), Code::kFailedPrecondition, "version 7");
  ExpectRefused(TestLibrary("no_size"), Code::kFailedPrecondition, "sizeof(PlumbBackend)");
  ExpectRefused(TestLibrary("no_run"), Code::kFailedPrecondition, "no run()");
  ExpectRefused(TestLibrary("half_callables"), Code::kFailedPrecondition, "no run_callable()");
  ExpectRefused(TestLibrary("half_partial_runs"), Code::kFailedPrecondition, "no partial_run()");
}

TEST(Library, DeclaresItsKernels) {
  const std::string own = TestLibrary("own_cpu");
  EXPECT_TRUE(IsImplemented(own, "MatMul"));
  EXPECT_FALSE(IsImplemented(own, "NoSuchOp"));
  EXPECT_TRUE(Library::Open(own).HasKernel("MatMul", {{"T", DType::kFloat}, {"transpose_a", true}}));
  EXPECT_FALSE(Library::Open(own).HasKernel("MatMul", {{"T", DType::kUint8}}));
  EXPECT_THROW(IsImplemented(TestLibrary("hostile"), "Sqrt"), Error) << "neither yes nor no";
}

class Hostile : public testing::Test {
 protected:
  // A step of two fetches on the hostile library, which does what `deed` says.
  Status Does(const std::string& deed) {
    const auto session = OpenSession(TestLibrary("hostile"));
    EXPECT_TRUE(session->Extend({{{deed, "NoOp", {}, "", {}, ""}}, {}, ""}).ok());
    const std::vector<std::string> fetches = {"first", "second"};
    return session->Run({}, fetches, {}, &outputs_);
  }
  void ExpectFault(const std::string& deed, const std::string& reason) {
    const Status status = Does(deed);
    EXPECT_EQ(status.code(), kFault) << deed;
    EXPECT_TRUE(status.message().starts_with("backend library " + TestLibrary("hostile") + " answered "))
        << status.ToString();
    EXPECT_NE(status.message().find(reason), std::string::npos) << deed << ": " << status.ToString();
  }
  std::vector<Tensor> outputs_;
};

TEST_F(Hostile, AnswersWellWhenItIsAskedTo) {
  ASSERT_TRUE(Does("well").ok());
  ASSERT_EQ(outputs_.size(), 2u);
  EXPECT_TRUE(outputs_[1].BitwiseEquals(MakeVector<float>({1, 2})));
}

TEST_F(Hostile, HandsOverWhatIsNoValue) {
  ExpectFault("negative_dim", "the dimension -3 for the fetch 'first'");
  ExpectFault("huge_dims", "a shape that is none");
  ExpectFault("many_bytes", "8 bytes for the fetch 'first', where float32[1125899906842624] has 4503599627370496");
  ExpectFault("negative_rank", "the rank -1");
  ExpectFault("huge_rank", "the rank 255");
  ExpectFault("null_dims", "without dims");
  ExpectFault("null_data", "null data");
  ExpectFault("null_value", "null for the fetch 'first'");
  ExpectFault("unknown_type", "the element type 99");
  ExpectFault("reference_type", "the element type 101");
  ExpectFault("other_type", "8 bytes for the fetch 'first', where float64[2] has 16");
  ExpectFault("null_string", "a string without data");
  ExpectFault("endless_string", "a string of 18446744073709551615 bytes");
  ExpectFault("no_bool", "a bool that is neither 0 nor 1");
  ExpectFault("no_message", "no TensorProto");
  EXPECT_EQ(Does("no_memory").code(), Code::kResourceExhausted);
}

TEST_F(Hostile, HandsOverTooFewOrTooMany) {
  ExpectFault("too_few", "OK, and no value for the fetch 'second'");
  ExpectFault("too_many", "a value for fetch 2 of 2");
  ExpectFault("twice", "two values for the fetch 'first'");
}

TEST_F(Hostile, AnswersCodesThatDoNotExist) {
  ExpectFault("unknown_code", "the status code 99");
  EXPECT_EQ(OpenSession(TestLibrary("hostile"))->Reset({}).code(), kFault);
}

TEST_F(Hostile, SaysMoreThanThereIsRoomFor) {
  const Status status = Does("long_message");
  EXPECT_EQ(status.code(), Code::kAborted);
  EXPECT_EQ(status.message(), std::string(4095, 'x'));
}

TEST_F(Hostile, SaysThatItHasNoKernel) {
  const Status status = Does("Relu");
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_EQ(status.reason(), Reason::kNoKernel);
}

TEST_F(Hostile, GivesNoSessionAndNoCallable) {
  SessionOptions options;
  options.threads = 1001;
  EXPECT_THROW(OpenSession(TestLibrary("hostile"), options), Error);
  options.threads = 1002;
  try {
    OpenSession(TestLibrary("hostile"), options);
    ADD_FAILURE() << "it opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().ToString(), "INVALID_ARGUMENT: not more than a thousand threads");
  }
  std::unique_ptr<Session::Callable> callable;
  EXPECT_EQ(OpenSession(TestLibrary("hostile"))->MakeCallable({}, {}, {}, &callable).code(), kFault);
}

// Made before there were callables: the library is asked by the names of the step.
TEST(LibrarySession, DoesWithoutTheFunctionsThatALibraryDoesNotKnow) {
  const auto session = OpenSession(TestLibrary("short"));
  const std::vector<std::string> fetches = {"first"};
  std::unique_ptr<Session::Callable> callable;
  ASSERT_TRUE(session->MakeCallable({}, fetches, {}, &callable).ok());
  std::vector<Tensor> outputs;
  EXPECT_TRUE(callable->Run({}, &outputs).ok());
  EXPECT_EQ(outputs.size(), 1u);
}

// Made for the first version of the header: it has neither steps in pieces nor traces, and all else.
TEST(LibrarySession, TakesLibrariesOfTheFirstVersion) {
  const auto session = OpenSession(TestLibrary("version_1"));
  const std::vector<std::string> fetches = {"first"};
  std::vector<Tensor> outputs;
  EXPECT_TRUE(session->Run({}, fetches, {}, &outputs).ok());
  EXPECT_EQ(outputs.size(), 1u);
  std::string handle;
  EXPECT_EQ(session->PartialRunSetup({}, fetches, {}, &handle).code(), Code::kUnimplemented);
  EXPECT_EQ(session->PartialRun("step in pieces 1", {}, fetches, &outputs).code(), Code::kUnimplemented);
}

TEST_F(Hostile, HandsOverTracesThatCannotBe) {
  for (const auto& [deed, reason] :
       std::vector<std::pair<std::string, std::string>>{{"backwards", "ended at 0"},
                                                        {"nameless", "a string without data for the node of a trace"},
                                                        {"no_stats", "null for the trace of a node"}}) {
    const auto session = OpenSession(TestLibrary("hostile"));
    EXPECT_TRUE(session->Extend({{{deed, "NoOp", {}, "", {}, ""}}, {}, ""}).ok());
    const std::vector<std::string> fetches = {"first"};
    RunOptions options;
    options.trace = true;
    RunMetadata metadata;
    const Status status = session->Run(options, {}, fetches, {}, &outputs_, &metadata);
    EXPECT_EQ(status.code(), kFault) << deed;
    EXPECT_NE(status.message().find(reason), std::string::npos) << status.ToString();
  }
}

TEST_F(Hostile, HandsOverTooFewInAPiece) {
  const auto session = OpenSession(TestLibrary("hostile"));
  const std::vector<std::string> fetches = {"first", "second"};
  std::string handle;
  ASSERT_TRUE(session->PartialRunSetup({}, fetches, {}, &handle).ok());
  const Status status = session->PartialRun(handle, {}, fetches, &outputs_);
  EXPECT_EQ(status.code(), kFault);
  EXPECT_NE(status.message().find("no value for the fetch 'second'"), std::string::npos) << status.ToString();
  for (const char* other : {"", "step in pieces ", "step in pieces 1x", "step in pieces -1", "step in pieces 7"}) {
    EXPECT_EQ(session->PartialRun(other, {}, fetches, &outputs_).code(), Code::kInvalidArgument) << other;
  }
}

// What a node did is told as it is on the backend itself.
TEST(LibrarySession, CarriesTraces) {
  const auto session = OpenSession(TestLibrary("own_cpu"), {.cpu_devices = 2});
  ASSERT_TRUE(session
                  ->Extend({{{"x", "Placeholder", {}, "", {{"dtype", DType::kFloat}}, ""},
                             {"y", "Neg", {"x"}, "/cpu:1", {{"T", DType::kFloat}}, ""}},
                            {kGraphVersion, 0, {}},
                            ""})
                  .ok());
  const std::vector<Feed> feeds = {{"x", MakeScalar(1.0f)}};
  const std::vector<std::string> fetches = {"y"};
  RunOptions options;
  options.trace = true;
  RunMetadata metadata;
  std::vector<Tensor> outputs;
  ASSERT_TRUE(session->Run(options, feeds, fetches, {}, &outputs, &metadata).ok());
  std::string seen;
  for (const DeviceStats& device : metadata.step_stats) {
    for (const NodeStats& node : device.nodes) {
      if (node.node == "y") seen += device.device + " " + node.op;
      EXPECT_LE(node.start_ns, node.end_ns);
    }
  }
  EXPECT_EQ(seen, "/job:localhost/replica:0/task:0/device:CPU:1 Neg");
  options.trace = false;
  metadata = {};
  ASSERT_TRUE(session->Run(options, feeds, fetches, {}, &outputs, &metadata).ok());
  EXPECT_TRUE(metadata.step_stats.empty());
}

using HostileDeathTest = Hostile;
TEST_F(HostileDeathTest, LetsNoExceptionOut) { EXPECT_EXIT(Does("throws").ok(), testing::KilledBySignal(SIGABRT), ""); }

// Values of each kind, there and back.
TEST(LibrarySession, CarriesValuesOfAllKinds) {
  const Tensor values[] = {MakeTensor<float>({2, 2}, {1, 2, 3, 4}), MakeScalar<bool>(true),
                           MakeTensor<int64_t>({0, 3}, {}),
                           MakeVector<std::string>({"", std::string("a\0b", 3), "long enough not to be stored inside"}),
                           MakeVector<std::complex<double>>({{1, -1}})};
  for (const Tensor& value : values) {
    const auto session = OpenSession(TestLibrary("own_cpu"));
    const AttrMap type = {{"dtype", value.dtype()}};
    ASSERT_TRUE(session
                    ->Extend({{{"x", "Placeholder", {}, "", type, ""},
                               {"y", "Identity", {"x"}, "", {{"T", value.dtype()}}, ""}},
                              {kGraphVersion, 0, {}},
                              ""})
                    .ok());
    const std::vector<Feed> feeds = {{"x", value}};
    const std::vector<std::string> fetches = {"y:0"}, names = {"x"};
    std::vector<Tensor> outputs;
    Status status = session->Run(feeds, fetches, {}, &outputs);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_TRUE(outputs.at(0).BitwiseEquals(value)) << outputs[0].ToString();
    std::unique_ptr<Session::Callable> callable;
    ASSERT_TRUE(session->MakeCallable(names, fetches, {}, &callable).ok());
    ASSERT_TRUE(callable->Run({&value, 1}, &outputs).ok());
    EXPECT_TRUE(outputs.at(0).BitwiseEquals(value)) << outputs[0].ToString();
  }
}

TEST(LibrarySession, HandlesLeadToWhatTheyName) {
  const auto session = OpenSession(TestLibrary("own_cpu"));
  const AttrMap attrs = {{"dtype", DType::kFloat}, {"shape", PartialShape(Shape())}, {"shared_name", "v"}};
  ASSERT_TRUE(session->Extend({{{"v", "VarHandleOp", {}, "", attrs, ""}}, {kGraphVersion, 0, {}}, ""}).ok());
  std::vector<Tensor> outputs;
  const std::vector<std::string> fetches = {"v"};
  ASSERT_TRUE(session->Run({}, fetches, {}, &outputs).ok());
  EXPECT_EQ(outputs.at(0).scalar<ResourceHandle>().name, "v");
}

}  // namespace
}  // namespace plumb::library
