// Bytes → serialised examples, which every op of their topics parses by the attributes of its samples: both sides give
// the same code and the same bits. The first byte chooses the sample, the rest is cut into messages by their lengths.
#include <string_view>
#include <vector>

#include "conformance/suites/single_node.h"
#include "property-tests/fuzz/sides/bytes.h"
#include "property-tests/fuzz/sides/sides.h"
#include "spec/ops/catalogue.h"
#include "spec/samples/sample.h"

namespace plumb::fuzz {
namespace {

struct Parser {
  const OpDef* op;
  SampledCase sample;
};

// Each op of the topic with each of its samples, those of a scenario aside.
void AddParsersOf(std::string_view name, std::vector<Parser>& parsers) {
  for (const Topic& topic : Topics()) {
    if (topic.family != "parsing" || topic.name != name) continue;
    for (const OpRow& row : topic.rows) {
      const OpDef& op = GetOp(std::string_view(row.signature).substr(0, std::string_view(row.signature).find('(')));
      for (SampledCase& sample : SampleInputs(op, {}, 1)) {
        if (sample.StandsAlone()) parsers.push_back({&op, std::move(sample)});
      }
    }
  }
}

const std::vector<Parser>& Parsers() {
  static const std::vector<Parser> parsers = [] {
    std::vector<Parser> all;
    for (const char* topic : {"example", "sequence_example", "json_example"}) AddParsersOf(topic, all);
    return all;
  }();
  return parsers;
}

// "Lmessage…": a length of two bytes, then what it is the length of. The last message is what is left.
Tensor Messages(Bytes& bytes, const Shape& shape) {
  Tensor messages(DType::kString, shape);
  const auto texts = messages.mutable_data<std::string>();
  for (size_t i = 0; i < texts.size(); ++i) {
    texts[i] = i + 1 == texts.size() ? bytes.Rest() : bytes.Take(bytes.Below(1 << 16));
  }
  return messages;
}

}  // namespace
}  // namespace plumb::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plumb;
  fuzz::Bytes bytes(data, size);
  const fuzz::Parser& parser = fuzz::Parsers()[bytes.Below(fuzz::Parsers().size())];
  SampledCase sample = parser.sample;
  sample.inputs[0] = fuzz::Messages(bytes, sample.inputs[0].shape());
  const conformance::SingleNode single = conformance::MakeSingleNode(*parser.op, sample);
  fuzz::Sides(single.graph, fuzz::Alike::kBits).Run(single.run);
  return 0;
}
