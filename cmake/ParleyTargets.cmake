include(GoogleTest)
add_custom_target(thread_tests)
set(PARLEY_BATCH 8 CACHE STRING "How many sources of a folder are compiled together; 1: each by itself")

# parley_add_folder(inference/engine): its library, and its mirrored tests when tests are built.
function(parley_add_folder folder)
  add_subdirectory(${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/${folder})
  set(tests ${PROJECT_SOURCE_DIR}/tests/${folder})
  if(PARLEY_BUILD_TESTS AND EXISTS ${tests}/CMakeLists.txt)
    add_subdirectory(${tests} ${PROJECT_BINARY_DIR}/tests/${folder})
  endif()
endfunction()

# parley_batches(OUT target a.cpp b.cpp …): what to compile for these sources. A batch includes up to PARLEY_BATCH of
# them, since what costs time is parsing the same headers again: it takes a third of the time. CMake's own unity build
# writes absolute paths, with which the compiler cache would serve no other clone.
function(parley_batches out target)
  list(LENGTH ARGN count)
  math(EXPR batches "(${count} + ${PARLEY_BATCH} - 1) / ${PARLEY_BATCH}")
  if(batches EQUAL count)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  foreach(batch RANGE 1 ${batches})
    math(EXPR first "(${batch} - 1) * ${count} / ${batches}")
    math(EXPR length "${batch} * ${count} / ${batches} - ${first}")
    list(SUBLIST ARGN ${first} ${length} sources)
    set(includes "")
    foreach(source IN LISTS sources)
      file(REAL_PATH ${source} path BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
      file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${path})
      string(APPEND includes "#include \"${path}\"\n")
    endforeach()
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_batch${batch}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${includes}" @ONLY)
    list(APPEND files ${file})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# parley_library(SOURCES a.cpp b.cpp DEPENDS parley_kernels_cpu Boost::json PRIVATE_DEPENDS SQLite::SQLite3)
# The target is named after the folder: inference/engine becomes parley_inference_engine.
# SEPARATE: further sources that are compiled each by itself, since they have flags of their own or includes that
# others do not bear.
function(parley_library)
  cmake_parse_arguments(arg "" "" "SOURCES;SEPARATE;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" name ${folder})
  parley_batches(sources parley_${name} ${arg_SOURCES})
  add_library(parley_${name} STATIC ${sources} ${arg_SEPARATE})
  target_include_directories(parley_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(parley_${name} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
endfunction()

# parley_test(SOURCES a_test.cpp DEPENDS parley_inference_engine [LABELS threads]): one test program per folder.
# Label `threads`: threads meet in it, so the thread sanitizer checks it (target thread_tests builds these).
function(parley_test)
  cmake_parse_arguments(arg "" "SUFFIX" "SOURCES;DEPENDS;LABELS" ${ARGN})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" name ${folder}${arg_SUFFIX})
  parley_batches(sources ${name} ${arg_SOURCES})
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)  # an empty one would shift the list of properties
  endif()
  # Tests run in the source folder: no absolute path is compiled in, so the compiler cache serves every clone.
  target_compile_options(${name} PRIVATE -O0)  # what is tested is optimised; the test need not be: half the time
  target_compile_definitions(${name} PRIVATE PARLEY_SOURCE_DIR=".")
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} GTest::gtest_main)
  if("threads" IN_LIST arg_LABELS)
    add_dependencies(thread_tests ${name})
  endif()
  gtest_discover_tests(${name} TEST_PREFIX ${folder}/ DISCOVERY_TIMEOUT 60
                       WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 600)
endfunction()
