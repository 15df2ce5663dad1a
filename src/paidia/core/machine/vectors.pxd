# std::vector in two forms, and what to do where there is no memory (see vectors.h).
#
# `vector` is for code that may raise: whatever allocates raises MemoryError (`assign` of libcpp's ends the process). Assignment
# and return of a whole vector cannot be declared so, Cython's own conversion of lists included: write `a.assign(b.begin(),
# b.end())` and `fill(a, numbers)`, and hand results out by reference.
# `Vector` is the same type for work that runs inside `attempt`: its exceptions of C++ go straight there. Code without the
# interpreter lock that is not inside `attempt` asks for `room` first, and then cannot fail.

from libc.stdint cimport int32_t

cdef extern from "<vector>" namespace "std" nogil:
    cdef cppclass vector[T]:
        cppclass iterator:
            iterator() except +
            T& operator*()
            iterator operator++()
            iterator operator+(size_t)
            ptrdiff_t operator-(iterator)
            bint operator==(iterator)
            bint operator!=(iterator)
        vector() except +
        vector(size_t) except +
        vector(size_t, const T&) except +
        vector(const vector&) except +
        bint operator==(const vector&, const vector&)
        bint operator<(const vector&, const vector&)
        T& operator[](size_t)
        T* data()
        T& back()
        size_t size()
        bint empty()
        iterator begin()
        iterator end()
        void assign(size_t, const T&) except +
        void assign[Iterator](Iterator, Iterator) except +
        void clear()
        iterator erase(iterator, iterator)
        iterator insert[Iterator](iterator, Iterator, Iterator) except +
        void pop_back()
        void push_back(const T&) except +
        void reserve(size_t) except +
        void resize(size_t) except +
        void resize(size_t, const T&) except +
        void swap(vector&)

    cdef cppclass Vector "std::vector"[T]:
        cppclass iterator:
            iterator()
            T& operator*()
            iterator operator++()
            iterator operator+(size_t)
            bint operator==(iterator)
            bint operator!=(iterator)
        Vector()
        Vector(size_t, const T&)
        bint operator==(const Vector&, const Vector&)
        bint operator<(const Vector&, const Vector&)
        T& operator[](size_t)
        T* data()
        size_t size()
        iterator begin()
        iterator end()
        void clear()
        iterator insert[Iterator](iterator, Iterator, Iterator)
        void push_back(const T&)
        void resize(size_t)

cdef extern from "paidia/core/machine/vectors.h" nogil:
    bint room "paidia_room"(...) noexcept               # vector&, size_t
    bint refill "paidia_refill"(...) noexcept           # vector&, size_t, value
    bint copied "paidia_copied"(...) noexcept           # vector& to, vector& from
    # `paidia_attempt` takes a function and its arguments: it is declared with their types where it is used.


cdef inline int fill(vector[int32_t]& out, numbers) except -1:
    """Numbers of Python, instead of what was there."""
    out.clear()
    for number in numbers:
        out.push_back(number)
    return 0
