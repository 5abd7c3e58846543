# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# Runs each test of PROGRAM, all of which fail on purpose, and checks that it
# does: non-zero exit, and file, line and values in the output.
set(tests True False Eq EqSigns Ne Lt Le Gt Ge Near NearNaN Streq StreqNull
    Strne Contains Memeq PtrEq PtrNe Null NotNull Fail GoesOnAfterCheck
    RequireEnds Trace Thread)
set(text_True "2 < 1.*true against false")
set(text_Eq "41 \\+ 1.*6 \\* 9.*42 against 54")
set(text_EqSigns "-1 against 18446744073709551615")
set(text_Gt "-3 against -2")
set(text_Ge "-3 against 2")
set(text_Near "1\\.5.*against 2\\.5")
set(text_Streq "\"owned\" against \"unowned\"")
set(text_StreqNull "\"owned\" against NULL")
set(text_Contains "\"needle\" against \"hay\"")
set(text_Memeq "at 1: 01 02.*against at 1: 01 03")
set(text_Fail "given up at 77")
set(text_GoesOnAfterCheck "1 against 2.*went on")
set(text_RequireEnds "1 against 2")
set(text_Trace "live trace two")
set(text_Thread "1 against 3")
set(not_RequireEnds "did not end")
set(not_Trace "gone trace")

function(run_one filter out)
  execute_process(COMMAND ${PROGRAM} --gtest_filter=${filter}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result EQUAL 0)
    message(SEND_ERROR "${filter} should fail, but passed:\n${output}")
  endif()
  set(${out} "${output}" PARENT_SCOPE)
endfunction()

foreach(test IN LISTS tests)
  run_one(Failing.${test} output)
  foreach(text "shim_failing_test\\.c:[0-9]+" "1 FAILED TEST"
          "${text_${test}}")
    if(text AND NOT output MATCHES "${text}")
      message(SEND_ERROR "${test}: no \"${text}\" in:\n${output}")
    endif()
  endforeach()
  if(not_${test} AND output MATCHES "${not_${test}}")
    message(SEND_ERROR "${test}: \"${not_${test}}\" in:\n${output}")
  endif()
endforeach()

# Every test of the program is in the list above, and all are registered.
list(LENGTH tests count)
run_one(* output)
if(NOT output MATCHES "${count} FAILED TESTS")
  message(SEND_ERROR "not ${count} failed tests:\n${output}")
endif()
