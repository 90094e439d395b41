// Pango reads fonts on a thread of its own, in libraries that are compiled without the thread
// sanitizer: it cannot see how they lock. Compiled into the program and every test binary when it
// is on, so that it reports only ours.

extern "C" const char* __tsan_default_suppressions();

const char* __tsan_default_suppressions() {
    return "race:libglib-2.0.so\n"
           "race:libpango\n"
           "race:libfontconfig.so\n"
           "race:libcairo.so\n"
           "race:libharfbuzz.so\n"
           "mutex:libpango\n";
}
