// Vectors that say "no memory" instead of throwing: for code that runs without the interpreter lock of Python, where an exception
// of C++ has nobody to catch it.
#pragma once

#include <algorithm>
#include <exception>
#include <vector>

// Whether there is room for n more entries without another allocation.
template <class T>
inline bool paidia_room(std::vector<T>& v, size_t n) noexcept {
    if (v.capacity() - v.size() >= n) return true;
    try {
        v.reserve(std::max(v.size() + n, 2 * v.capacity()));
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

// Whether it now has n entries of one value; as it was, if not.
template <class T>
inline bool paidia_refill(std::vector<T>& v, size_t n, T value) noexcept {
    try {
        v.assign(n, value);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

// Whether one is now equal to the other.
template <class T>
inline bool paidia_copied(std::vector<T>& to, const std::vector<T>& from) noexcept {
    try {
        to = from;
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

// Whether some work got through; what it had half done is left as it is.
template <class Work, class... Arguments>
inline bool paidia_attempt(Work work, Arguments... arguments) noexcept {
    try {
        work(arguments...);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}
