#pragma once
// The report of parley bench as a table for people, on standard output. Main thread. Throws when the report
// lacks a figure, a bug.

#include <boost/json/object.hpp>

namespace parley::app::cli {

void print_bench_report(const boost::json::object& report);

}  // namespace parley::app::cli
