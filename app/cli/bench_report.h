#pragma once
// The reports of parley bench as tables for people, on standard output. Main thread. Throws when the report
// lacks a figure, a bug.

#include <boost/json/object.hpp>

namespace parley::app::cli {

void print_bench_report(const boost::json::object& report);
void print_grammar_report(const boost::json::object& report);

}  // namespace parley::app::cli
