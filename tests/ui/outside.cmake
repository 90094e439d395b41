# Picture tests run on Mesa's default software driver with the rest of test_ui; here on softpipe as
# well, which is OpenGL 3.3 and no more.
if(TARGET test_ui)
  add_test(NAME "ui on softpipe" COMMAND test_ui "[gl]")
  set_tests_properties("ui on softpipe" PROPERTIES TIMEOUT 600
    ENVIRONMENT "LIBGL_ALWAYS_SOFTWARE=1;GALLIUM_DRIVER=softpipe")
endif()

# The real window: opened, pasted into, clicked and exported from. Skipped, with the reason, where
# Xvfb, xdotool or xclip are missing.
add_test(NAME "ui: the real window" COMMAND
  sh "${CMAKE_CURRENT_SOURCE_DIR}/ui/real_window.sh" $<TARGET_FILE:heed>)
add_test(NAME "ui: the real window, step by step" COMMAND
  sh "${CMAKE_CURRENT_SOURCE_DIR}/ui/real_steps.sh" $<TARGET_FILE:heed>)
add_test(NAME "ui: the real window, training" COMMAND
  sh "${CMAKE_CURRENT_SOURCE_DIR}/ui/real_training.sh" $<TARGET_FILE:heed>)
add_test(NAME "ui: the real window, with faults" COMMAND
  sh "${CMAKE_CURRENT_SOURCE_DIR}/ui/real_faults.sh" $<TARGET_FILE:heed>)
add_test(NAME "ui: the real window, learning" COMMAND
  sh "${CMAKE_CURRENT_SOURCE_DIR}/ui/real_learn.sh" $<TARGET_FILE:heed>)
# What drops a file on a window stands beside it, where Xlib is there to be built with.
find_package(X11 QUIET)
set(HEED_DROP_FILE no-such-program)
if(X11_FOUND)
  add_executable(drop_file "${CMAKE_CURRENT_SOURCE_DIR}/ui/tools/drop_file.cpp")
  target_link_libraries(drop_file PRIVATE X11::X11)
  set(HEED_DROP_FILE $<TARGET_FILE:drop_file>)
endif()
add_test(NAME "ui: the real window, with pictures" COMMAND
  sh "${CMAKE_CURRENT_SOURCE_DIR}/ui/real_pictures.sh" $<TARGET_FILE:heed> ${HEED_DROP_FILE}
  "${CMAKE_CURRENT_SOURCE_DIR}")
add_test(NAME "ui: the real window, a checkpoint" COMMAND
  sh "${CMAKE_CURRENT_SOURCE_DIR}/ui/real_checkpoint.sh" $<TARGET_FILE:heed>
  "${CMAKE_CURRENT_SOURCE_DIR}/models/checkpoints/gpt2" ${HEED_DROP_FILE})
set_tests_properties("ui: the real window" "ui: the real window, with faults" "ui: the real window, with pictures" "ui: the real window, a checkpoint" "ui: the real window, step by step"
  "ui: the real window, training" "ui: the real window, learning" PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600
  RUN_SERIAL TRUE)
