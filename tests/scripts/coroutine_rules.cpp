// Read by lint_cpp_test.py, never compiled: each line that ends in "refused" breaks a rule, no other does.

#include <coroutine>
#include <functional>

struct Work {
  bool await_ready();
  void await_suspend(std::coroutine_handle<>);
  int await_resume();
};

struct Task {
  struct promise_type {
    Task get_return_object();
    std::suspend_never initial_suspend();
    std::suspend_never final_suspend() noexcept;
    void return_void();
    void unhandled_exception();
  };
};

struct Pair {
  int first;
  int second;
};

Work run(std::function<int()> job);
Work add(Pair pair);

Task captures(int x) {
  co_await run([x] { return x; });  // refused
}
Task braces() { co_await add({1, 2}); }                        // refused
Task inside_braces() { Pair pair{.first = co_await Work()}; }  // refused
Task conditional(bool c) { int x = c ? co_await Work() : 3; }  // refused
Task captures_nothing() {
  co_await run([] { return 3; });
}
Task named(int x) {
  auto job = [x] { return x; };
  co_await run(job);
  const Pair pair{1, 2};
  const int sum = co_await add(pair);
  const bool both = co_await Work() || co_await Work();
}
