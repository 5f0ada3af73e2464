# Libraries, all from the distribution. A folder links the ones it needs by these target names.
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json program_options)
find_package(simdjson REQUIRED)
find_package(SQLite3 REQUIRED)
find_library(PARLEY_SECCOMP seccomp REQUIRED)
find_package(CURL 7.85 REQUIRED)
find_package(ICU REQUIRED COMPONENTS i18n uc)
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
if(PARLEY_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()

# Everything that uses Asio, Beast or Boost.JSON links this one target.
add_library(parley_boost STATIC ${PROJECT_SOURCE_DIR}/cmake/boost_sources.cpp)
target_compile_options(parley_boost PRIVATE -fno-sanitize=undefined)  # not ours to check, and slow to compile
target_link_libraries(parley_boost PUBLIC Boost::headers Boost::json Threads::Threads)
