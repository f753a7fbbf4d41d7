// Events that are written into files, as TensorFlow 2.12.1 writes them.
#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/record.h"
#include "spec/proto/event.pb.h"

namespace plumb::fast::cpu {
namespace {

Entry Text(std::string text) { return In(MakeScalar(std::move(text))); }

class SummaryEventTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(harness_.CodeOf("CreateSummaryFileWriter", {writer_, Text(folder_.path()), In(MakeScalar<int32_t>(100)),
                                                          In(MakeScalar<int32_t>(1000000)), Text("x")}),
              Code::kOk);
  }
  Code Flush() { return harness_.CodeOf("FlushSummaryWriter", {writer_}); }
  // The events behind the version, without their times.
  std::vector<std::string> Events() {
    std::vector<std::string> events;
    RecordReader reader(folder_.path() + "/" + Files().List(folder_.path()).at(0));
    while (const auto record = reader.Next()) {
      pb::Event event;
      EXPECT_TRUE(event.ParseFromString(*record));
      event.clear_wall_time();
      events.push_back(event.SerializeAsString());
    }
    events.erase(events.begin());
    return events;
  }

  KernelHarness harness_;
  const TemporaryFolder folder_;
  const Entry writer_ =
      In(harness_.Value("SummaryWriter", {}, {{"shared_name", std::string("w")}, {"container", std::string()}}));
  const Entry step_ = In(MakeScalar<int64_t>(3)), tag_ = Text("t");
};

TEST_F(SummaryEventTest, HoldsANumberOrAHistogram) {
  const auto scalar = [&](const Tensor& value) {
    return harness_.CodeOf("WriteScalarSummary", {writer_, step_, tag_, In(value)});
  };
  EXPECT_EQ(scalar(MakeScalar(0.5F)), Code::kOk);
  EXPECT_EQ(scalar(MakeVector<int32_t>({1, 2})), Code::kOk);
  EXPECT_EQ(scalar(Tensor(DType::kFloat, Shape({0}))), Code::kInvalidArgument);
  const auto histogram = [&](const Tensor& values) {
    return harness_.CodeOf("WriteHistogramSummary", {writer_, step_, tag_, In(values)});
  };
  EXPECT_EQ(histogram(Tensor(DType::kFloat, Shape({0}))), Code::kOk);
  EXPECT_EQ(histogram(MakeVector<float>({NAN})), Code::kInvalidArgument);
  EXPECT_EQ(histogram(MakeVector<bool>({true, false})), Code::kOk);
  ASSERT_EQ(Flush(), Code::kOk);
  const auto events = Events();
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0], std::string("\x10\x03*\n\n\x08\n\x01t\x15\x00\x00\x00?", 14));
  EXPECT_EQ(events[1], std::string("\x10\x03*\n\n\x08\n\x01t\x15\x00\x00\x80?", 14));
  EXPECT_EQ(events[2],
            std::string("\x10\x03*-\n+\n\x01t*&\t\xff\xff\xff\xff\xff\xff\xef\x7f\x11\xff\xff\xff\xff\xff\xff\xef\xff"
                        "2\x08\xff\xff\xff\xff\xff\xff\xef\x7f:\x08\x00\x00\x00\x00\x00\x00\x00\x00",
                        49));
  pb::Event event;
  ASSERT_TRUE(event.ParseFromString(events[3]));
  EXPECT_EQ(event.summary().value(0).histo().sum(), 1);
  EXPECT_EQ(event.summary().value(0).histo().num(), 2);
}

TEST_F(SummaryEventTest, HoldsImagesAndSound) {
  const Tensor images = MakeTensor<float>({2, 1, 2, 1}, {0, 1, 0.5F, NAN}), color = MakeVector<uint8_t>({9, 0, 0, 255});
  const auto image = [&](const Tensor& bad_color, int64_t most) {
    return harness_.CodeOf("WriteImageSummary", {writer_, step_, tag_, In(images), In(bad_color)},
                           {{"max_images", most}});
  };
  EXPECT_EQ(image(color, 1), Code::kOk);
  EXPECT_EQ(image(Tensor(DType::kUint8, Shape({0})), 1), Code::kInvalidArgument);
  EXPECT_EQ(image(MakeScalar<uint8_t>(3), 1), Code::kInvalidArgument);
  const auto sound = [&](float rate) {
    const Tensor sounds = MakeTensor<float>({2, 2}, {0.5F, -0.5F, 0.1F, 0.2F});
    return harness_.CodeOf("WriteAudioSummary", {writer_, step_, tag_, In(sounds), In(MakeScalar(rate))},
                           {{"max_outputs", 1}});
  };
  EXPECT_EQ(sound(8000.5F), Code::kOk);
  EXPECT_EQ(sound(0), Code::kInvalidArgument);
  ASSERT_EQ(Flush(), Code::kOk);
  const auto events = Events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_TRUE(
      events[0].starts_with(std::string("\x10\x03*Y\nW\n\x07t/image\"L\x08\x01\x10\x02\x18\x01\"D\x89PNG", 29)));
  EXPECT_TRUE(
      events[1].starts_with(std::string("\x10\x03*S\nQ\n\x07t/audio2F\r\x00\x04\xfa"
                                        "E\x10\x01\x18\x02\"0RIFF(\x00\x00\x00WAVEfmt ",
                                        44)));
}

TEST_F(SummaryEventTest, HoldsMessages) {
  const std::string value(
      "\n\x08\n\x01"
      "a\x15\x00\x00\x80?",
      10);
  const std::string graph("\n\x03\n\x01n\"\x02\x08\x03", 9), event = "\x10\x09*\n" + value;
  const auto raw = [&](std::initializer_list<std::string> summaries) {
    return harness_.CodeOf("WriteRawProtoSummary", {writer_, step_, In(MakeVector<std::string>(summaries))});
  };
  EXPECT_EQ(raw({value, value}), Code::kOk);
  EXPECT_EQ(raw({value, "\xff\xff"}), Code::kDataLoss);
  EXPECT_EQ(harness_.CodeOf("WriteGraphSummary", {writer_, step_, Text(graph)}), Code::kOk);
  EXPECT_EQ(harness_.CodeOf("WriteGraphSummary", {writer_, step_, Text("\xff\xff")}), Code::kDataLoss);
  EXPECT_EQ(harness_.CodeOf("ImportEvent", {writer_, Text(event)}), Code::kOk);
  EXPECT_EQ(harness_.CodeOf("ImportEvent", {writer_, Text("\xff\xff")}), Code::kDataLoss);
  ASSERT_EQ(Flush(), Code::kOk);
  EXPECT_EQ(Events(), (std::vector<std::string>{"\x10\x03*\x14" + value + value, "\x10\x03\"\x09" + graph, event}));
}

TEST_F(SummaryEventTest, IsInTheFileWhenItsWriterIsClosed) {
  EXPECT_EQ(harness_.CodeOf("WriteScalarSummary", {writer_, step_, tag_, In(MakeScalar(1.0F))}), Code::kOk);
  EXPECT_EQ(Events().size(), 0U);
  EXPECT_EQ(harness_.CodeOf("CloseSummaryWriter", {writer_}), Code::kOk);
  EXPECT_EQ(Events().size(), 1U);
  EXPECT_EQ(Flush(), Code::kNotFound);
  EXPECT_EQ(harness_.CodeOf("CloseSummaryWriter", {writer_}), Code::kNotFound);
  EXPECT_EQ(harness_.CodeOf("WriteScalarSummary", {writer_, step_, tag_, In(MakeScalar(1.0F))}), Code::kNotFound);
}

}  // namespace
}  // namespace plumb::fast::cpu
