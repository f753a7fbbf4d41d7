#include "spec/ops/op_def.h"

namespace plumb::topics {

// JSON is read by the library of protocol buffers, which both sides call: recorded cases judge it.
std::span<const OpRow> ParsingJsonExample() {
  static const OpRow rows[] = {
      {.signature = "DecodeJSONExample(json_examples: string) -> (binary_examples: string)",
       .doc = "Each string, an Example in JSON, as the bytes of the message.",
       .shape = "[d...] -> [d...]",
       .samples =
           {R"({'{}', '{"features": {"feature": {"a": {"int64List": {"value": ["1", 2]}}}}}'})",
            R"({{'{"features": {"feature": {"b": {"bytesList": {"value": ["YWJj"]}}, "a": {"floatList": {"value": [1.5, "NaN", -2e3]}}}}}'}})",
            R"(' {"features":{}} ')",
            R"(s = Shape T=float32 out_type=int32: [n]; f = Fill T=string index_type=int32: s '{"features":{}}'; f)"}},
  };
  return rows;
}

}  // namespace plumb::topics
