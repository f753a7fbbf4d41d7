// The table that a handle names (rules L1–L7).
#pragma once

#include "reference/ops/lib/named_resource.h"
#include "reference/state/lookup_table.h"

namespace plumb::reference {

inline constexpr char kTableType[] = "Table";

inline LookupTable& TableOf(const OpContext& c) {
  const ResourceName name = NamedBy(c, kTableType);
  LookupTable* table = c.resources.Find<LookupTable>(name);
  if (table == nullptr) throw NotFound("there is no table '", name.name, "' in the container '", name.container, "'");
  return *table;
}

}  // namespace plumb::reference
