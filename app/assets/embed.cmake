# Writes a C++ source that holds the files of a folder: cmake -DDIST=… -DFALLBACK=… -DOUTPUT=… -P embed.cmake
# Text is also stored compressed, so that nothing is compressed while serving.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE files RELATIVE ${DIST} ${DIST}/*)
set(root ${DIST})
if(NOT "index.html" IN_LIST files)
  get_filename_component(root ${FALLBACK} DIRECTORY)
  get_filename_component(files ${FALLBACK} NAME)
endif()
list(SORT files COMPARE STRING)

set(blocks "")
set(rows "")
set(index 0)

# Adds the bytes of a file as the symbols parley_asset_NAME and parley_asset_NAME_end.
function(embed_bytes name file)
  string(APPEND blocks
    "__asm__(\".section .rodata\\n\"\n"
    "        \"parley_asset_${name}:\\n\"\n"
    "        \".incbin \\\"${file}\\\"\\n\"\n"
    "        \"parley_asset_${name}_end:\\n\"\n"
    "        \".previous\\n\");\n"
    "extern \"C\" const char parley_asset_${name}[] __attribute__((visibility(\"hidden\")));\n"
    "extern \"C\" const char parley_asset_${name}_end[] __attribute__((visibility(\"hidden\")));\n")
  set(blocks "${blocks}" PARENT_SCOPE)
endfunction()

get_filename_component(output_folder ${OUTPUT} DIRECTORY)
file(MAKE_DIRECTORY ${output_folder})
foreach(file IN LISTS files)
  if(NOT file MATCHES "^[A-Za-z0-9._/-]+$")
    message(FATAL_ERROR "web/dist/${file}: only letters, digits, '.', '_', '/' and '-' are expected in the names of built files")
  endif()
  file(SHA256 ${root}/${file} hash)
  string(SUBSTRING ${hash} 0 20 hash)
  file(SIZE ${root}/${file} size)
  embed_bytes(${index} ${root}/${file})
  set(gzip "{}")
  if(file MATCHES "\\.(css|html|js|json|map|svg|txt|wasm|webmanifest)$" AND size GREATER 1000)
    set(packed ${output_folder}/${index}.gz)
    execute_process(COMMAND gzip -9 -n -c ${root}/${file} OUTPUT_FILE ${packed} COMMAND_ERROR_IS_FATAL ANY)
    embed_bytes(${index}_gz ${packed})
    set(gzip "bytes_between(parley_asset_${index}_gz, parley_asset_${index}_gz_end)")
  endif()
  set(path ${file})
  if(NOT root STREQUAL DIST)
    set(path index.html)
  endif()
  string(APPEND rows
    "    {\"/${path}\", \"${hash}\", bytes_between(parley_asset_${index}, parley_asset_${index}_end), ${gzip}},\n")
  math(EXPR index "${index} + 1")
endforeach()

file(WRITE ${OUTPUT}
  "// Made by app/assets/embed.cmake.\n"
  "#include \"app/assets/assets.h\"\n\n"
  "${blocks}\n"
  "namespace parley::app::assets {\n"
  "namespace {\n\n"
  "std::string_view bytes_between(const char* begin, const char* end) {\n"
  "  return {begin, static_cast<std::size_t>(end - begin)};\n"
  "}\n\n"
  "const Asset kAssets[] = {\n${rows}};\n\n"
  "}  // namespace\n\n"
  "std::span<const Asset> embedded_assets() { return kAssets; }\n\n"
  "}  // namespace parley::app::assets\n")
