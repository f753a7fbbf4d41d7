// How one op of the catalogue looks as a C++ function.
#pragma once

#include <string>
#include <vector>

#include "spec/ops/op_def.h"

namespace plumb {

struct OpFunction {
  explicit OpFunction(const OpDef& op);

  std::string Declaration() const;  // documentation, the structs of attributes and outputs, the prototype
  std::string Definition() const;

 private:
  bool IsInferred(const AttrDef& attr) const;
  std::string AttrsStruct() const;
  std::string OutputsStruct() const;
  std::string ReturnType() const;
  std::string Parameters() const;
  std::string Body() const;
  std::string ReturnStatement() const;

  const OpDef& op_;
  std::vector<const AttrDef*> required_;  // parameters after the inputs
  std::vector<const AttrDef*> optional_;  // members of the attributes' struct
};

// The C++ spelling of an attribute's type and of its default.
std::string CppTypeOfAttr(const AttrDef& attr);
std::string CppDefaultOf(const AttrDef& attr);
// `name`, changed where it is a keyword or a name that the generated code uses itself.
std::string CppName(const std::string& name);

}  // namespace plumb
