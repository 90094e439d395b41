// The error of a tokeniser's file that asks for something in vain. Thrown within this room alone,
// and caught where a Result leaves it: components are nested functions that have nothing to say
// about failures.
#pragma once

#include "base/result.hpp"

#include <exception>
#include <string>
#include <utility>

namespace heed::tokenizers {

class Refused : public std::exception {
  public:
    explicit Refused(base::Error error) : error_(std::move(error)), what_(describe(error_)) {}
    Refused(base::ErrorKind kind, std::string subject, std::string message)
        : Refused(base::Error{kind, std::move(subject), std::move(message)}) {}

    const base::Error& error() const { return error_; }
    const char* what() const noexcept override { return what_.c_str(); }

  private:
    base::Error error_;
    std::string what_;
};

} // namespace heed::tokenizers
