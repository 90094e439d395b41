# heed_room(NAME USES rooms... EXTERNAL libraries...): the library of one folder of src.
# EXTERNAL names are the interface targets heed_dep_<name> of third_party, each with the
# include prefixes it brings. A folder of more than forty files has sub-rooms, each with a row of its
# own: heed_subroom(ROOM/NAME USES names...); it may use what its room may, and of the room's other
# sub-rooms those that its row names. Files of the room's own folder may use all of its sub-rooms.
set_property(GLOBAL PROPERTY HEED_ROOM_LINES "")

function(heed_room name)
  cmake_parse_arguments(ROOM "" "" "USES;EXTERNAL" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
       "${PROJECT_SOURCE_DIR}/src/${name}/*.cpp" "${PROJECT_SOURCE_DIR}/src/${name}/*.hpp")
  # kernels_*.cpp are compiled once per instruction set, by cmake/instruction_sets.cmake.
  list(FILTER sources EXCLUDE REGEX "/kernels_[^/]*\\.cpp$")
  set(compiled ${sources})
  list(FILTER compiled INCLUDE REGEX "\\.cpp$")
  if(compiled)
    add_library(heed_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(heed_${name} PRIVATE heed_flags)
    target_precompile_headers(heed_${name} REUSE_FROM heed_precompiled)
    set_target_properties(heed_${name} PROPERTIES
      UNITY_BUILD ${HEED_UNITY} UNITY_BUILD_BATCH_SIZE 12)
  else()
    add_library(heed_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(heed_${name} ${scope} "${PROJECT_SOURCE_DIR}/src")
  set(prefixes "")
  foreach(room IN LISTS ROOM_USES)
    target_link_libraries(heed_${name} ${scope} heed_${room})
  endforeach()
  foreach(library IN LISTS ROOM_EXTERNAL)
    target_link_libraries(heed_${name} ${scope} heed_dep_${library})
    get_target_property(headers heed_dep_${library} HEED_HEADERS)
    list(APPEND prefixes ${headers})
  endforeach()
  string(REPLACE ";" " " uses "${ROOM_USES}")
  string(REPLACE ";" " " prefixes "${prefixes}")
  set_property(GLOBAL APPEND PROPERTY HEED_ROOM_LINES "${name}|${uses}|${prefixes}")
endfunction()

function(heed_subroom name)
  cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
  get_filename_component(room "${name}" DIRECTORY)
  list(TRANSFORM ROOM_USES PREPEND "${room}/")
  string(REPLACE ";" " " uses "${ROOM_USES}")
  set_property(GLOBAL APPEND PROPERTY HEED_ROOM_LINES "${name}|${uses}|")
endfunction()

# Writes rooms.txt: one line a room or sub-room, `name|rooms it may use|outside include prefixes`.
function(heed_write_rooms)
  get_property(lines GLOBAL PROPERTY HEED_ROOM_LINES)
  list(JOIN lines "\n" text)
  file(WRITE "${PROJECT_BINARY_DIR}/rooms.txt" "${text}\n")
endfunction()

include(cmake/instruction_sets.cmake)
