# embed.cmake on a built UI, on none, and on a name that has no place in C++ source.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/dist/index.html "<p>hello</p>")
string(REPEAT "let a = 1;\n" 1000 script)
file(WRITE ${WORK}/dist/assets/index-AbCdEf12.js "${script}")
file(WRITE ${WORK}/page/missing_ui.html "build me")

function(embed dist out_status)
  execute_process(COMMAND ${CMAKE_COMMAND} -DDIST=${dist} -DFALLBACK=${WORK}/page/missing_ui.html
                          -DOUTPUT=${WORK}/out/table.cpp -P ${SCRIPT}
                  RESULT_VARIABLE status ERROR_VARIABLE text)
  set(${out_status} ${status} PARENT_SCOPE)
endfunction()

function(expect_in_table pattern)
  file(READ ${WORK}/out/table.cpp table)
  if(NOT table MATCHES "${pattern}")
    message(FATAL_ERROR "not in the table: ${pattern}\n${table}")
  endif()
endfunction()

embed(${WORK}/dist status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "embedding failed")
endif()
expect_in_table("{\"/assets/index-AbCdEf12.js\", \"[0-9a-f]+\", [^\n]*, bytes_between\\(parley_asset_0_gz,")
expect_in_table("{\"/index.html\", \"[0-9a-f]+\", [^\n]*, {}}")
file(SIZE ${WORK}/out/0.gz packed)
if(packed GREATER 1000)
  message(FATAL_ERROR "11,000 equal bytes compress to ${packed}")
endif()

embed(${WORK}/nothing status)
expect_in_table("{\"/index.html\", [^\n]*, {}}")
expect_in_table("page/missing_ui.html")

file(WRITE "${WORK}/odd/index.html" "x")
file(WRITE "${WORK}/odd/a b.js" "x")
embed(${WORK}/odd status)
if(status EQUAL 0)
  message(FATAL_ERROR "a name with a space was accepted")
endif()
