# Language level, warnings and sanitizers for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

set(PARLEY_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined or thread")

find_program(PARLEY_CCACHE ccache)
if(PARLEY_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PARLEY_CCACHE})
endif()

# -ffp-contract=off: g++ fuses intrinsics one-sidedly otherwise, and results must not depend on the build.
# -Wno-restrict: g++ 12 reports overlaps inside std::string assignments that do not exist (GCC bug 105651).
# -Wno-subobject-linkage, -Wshadow=local: to the compiler the sources of a batch (ParleyTargets.cmake) are one file.
add_compile_options(-Wall -Wextra -Werror -Wno-restrict -Wno-subobject-linkage -Wshadow=local -Wnon-virtual-dtor
                    -ffp-contract=off)
add_compile_definitions(BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION)

if(PARLEY_SANITIZE)
  # -Wno-maybe-uninitialized: what instrumentation adds confuses g++'s flow analysis.
  # -fno-sanitize=vptr: it looks at memory through a pipe, and so reports faults where descriptors run out.
  add_compile_options(-fsanitize=${PARLEY_SANITIZE} -fno-sanitize=vptr -fno-omit-frame-pointer -fno-sanitize-recover=all
                      -Wno-maybe-uninitialized -Wno-mismatched-new-delete)
  add_link_options(-fsanitize=${PARLEY_SANITIZE})
  if(PARLEY_SANITIZE MATCHES "thread")
    # ThreadSanitizer does not model the fences that Asio uses between handlers.
    add_compile_definitions(BOOST_ASIO_DISABLE_FENCED_BLOCK)
    add_compile_options(-Wno-tsan)
  endif()
endif()
