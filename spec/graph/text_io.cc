#include "spec/graph/text_io.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>

#include <climits>

#include "spec/graph/messages/text.h"
#include "spec/graph/proto_io.h"
#include "spec/proto/graph.pb.h"

namespace plumb {
namespace {

constexpr int kMaxDepth = 100;  // as in binary messages

// Keeps the first mistake.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (text_.empty()) text_ = Str("line ", line + 1, ", column ", column + 1, ": ", message);
  }
  void AddWarning(int, int, const std::string&) override {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Messages in an Any are named as TensorFlow names them.
class OurMessages : public google::protobuf::TextFormat::Finder {
 public:
  const google::protobuf::Descriptor* FindAnyType(const google::protobuf::Message& message, const std::string& prefix,
                                                  const std::string& name) const override {
    constexpr std::string_view kPackage = "tensorflow.";
    if (name == "google.protobuf.Any") return nullptr;  // one in the other, to a depth that the parser does not count
    if (!name.starts_with(kPackage)) return Finder::FindAnyType(message, prefix, name);
    const auto* const pool = message.GetDescriptor()->file()->pool();
    return pool->FindMessageTypeByName("plumb.pb." + name.substr(kPackage.size()));
  }
};

}  // namespace

void ParseText(std::string_view text, std::string_view what, google::protobuf::Message* message) {
  Require(text.size() <= INT_MAX, "a text of ", text.size(), " bytes is above the limit of 2 GiB");
  google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  google::protobuf::TextFormat::Parser parser;
  FirstError error;
  parser.RecordErrorsTo(&error);
  const OurMessages messages;
  parser.SetFinder(&messages);
  parser.SetRecursionLimit(kMaxDepth);
  const bool parsed = parser.Parse(&stream, message);
  Require(parsed && error.text().empty(), "this text is not a ", what, ": ", error.text());
  // Text lets any byte into a string, binary messages only UTF-8: what is read here must be writable there.
  const google::protobuf::LogSilencer silence;
  Require(message->ByteSizeLong() <= INT_MAX, "this text says more than the 2 GiB that a ", what, " may have");
  const std::string bytes = message->SerializeAsString();
  Require(message->ParseFromString(bytes), "this text is not a ", what,
          ": a name or another string is not valid UTF-8, or it is nested too deeply");
}

GraphDef ParseGraphDefText(std::string_view text) {
  return FromProto(ParseTextMessage<pb::GraphDef>(text, "GraphDef"));
}

std::string PrintGraphDefText(const GraphDef& graph) {
  pb::GraphDef message;
  ToProto(graph, &message);
  std::string text;
  google::protobuf::TextFormat::PrintToString(message, &text);
  return text;
}

}  // namespace plumb
