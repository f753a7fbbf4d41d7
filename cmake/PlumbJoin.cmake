# Reading headers, and instantiating what they share, is most of the time that the compiler takes for a source: so some
# are compiled at once.
option(PLUMB_JOIN "compile up to eight sources at once, where no name is in the way of another" ON)
find_program(PLUMB_PYTHON python3)

# PLUMB_CHECKED names sources in which the standard library checks indices, as tools/mutate has it of what it changes.
set(PLUMB_CHECKED "" CACHE STRING "sources with checked indices: fastpath/cpu/array/fill.cc;…")

# What a program is linked with instead of what its archives have, or leaves there, is in files of its own: the races
# (property-tests/CMakeLists.txt) have spec/core and the fast path compiled anew, but for PLUMB_NOT_FOR_RACES and oneDNN;
# the bundle (PlumbBundle.cmake) has something smaller for oneDNN, Open MPI and what draws.
set(PLUMB_NOT_FOR_RACES "/fastpath/cpu/(activation|linalg|logging|math|parsing|summary)/")
set(PLUMB_APART "/spec/core/" ${PLUMB_NOT_FOR_RACES}
  "/fastpath/cpu/lib/onednn/" "/mpi/transport/open_mpi/" "/tools/plot/(line_plot|loss_plot|page)")

# plumb_join(OUT NAME SOURCES...): what is compiled of SOURCES, which lie in the project: files in joined/NAME that include
# some of them each, and those that stay alone. join.py says which come together.
function(plumb_join out name)
  set(sources "")
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source)
    list(APPEND sources ${source})
  endforeach()
  if(PLUMB_JOIN AND PLUMB_PYTHON AND sources)
    set(script ${PROJECT_SOURCE_DIR}/cmake/join.py)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
    list(JOIN PLUMB_APART " " apart)
    execute_process(COMMAND ${PLUMB_PYTHON} ${script} ${PROJECT_BINARY_DIR}/joined/${name} "${apart}" ${sources}
      OUTPUT_VARIABLE sources OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" sources "${sources}")
  endif()
  plumb_check_indices(${sources})
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# plumb_check_indices(FILES...): where one is, or includes, what PLUMB_CHECKED names.
function(plumb_check_indices)
  if(NOT PLUMB_CHECKED)
    return()
  endif()
  foreach(file ${ARGN})
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE members)
    if(file MATCHES "^${PROJECT_BINARY_DIR}/joined/")
      file(STRINGS ${file} members REGEX "\\.c[cu]\"$")
      list(TRANSFORM members REPLACE "^#include \"(.*)\"$" "\\1")
    endif()
    foreach(member ${members})
      if(member IN_LIST PLUMB_CHECKED)
        set_source_files_properties(${file} PROPERTIES COMPILE_DEFINITIONS _GLIBCXX_ASSERTIONS)
      endif()
    endforeach()
  endforeach()
endfunction()
