#pragma once
// A schema as it is checked: numbered nodes, each a list of keywords. Immutable, any thread.

#include <memory>
#include <vector>

#include "inference/json/json.h"
#include "inference/json_schema/marks.h"
#include "inference/json_schema/schema.h"
#include "inference/json_schema/schema_index.h"

namespace parley::inference::json_schema {

class Run;

class Keyword {
 public:
  virtual ~Keyword() = default;

  // Whether `instance` is as the keyword wants it; if not, has told `run` why. Marks the children of
  // `instance` that it applied schemas to.
  virtual bool check(const json::JsonValue& instance, Run& run, Marks& marks) const = 0;
};

struct Node {
  ResourceId resource = 0;
  bool allows_nothing = false;  // the schema `false`
  std::vector<std::unique_ptr<const Keyword>> keywords;
  std::vector<std::unique_ptr<const Keyword>> last;  // those that ask what the others have marked
};

struct ResourceScope {  // what dynamic references look for
  NodeId root = 0;
  bool recursive_anchor = false;
  NamedNodes dynamic_anchors;
};

struct CompiledSchema {
  std::vector<Node> nodes;  // the first is the whole schema
  std::vector<ResourceScope> resources;
  bool takes_marks = false;  // some node has keywords that come last
  SchemaOptions options;
};

}  // namespace parley::inference::json_schema
