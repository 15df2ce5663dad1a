/* The little that data shared between threads needs: locks, numbers that several count up, and values that are complete once
   they are seen. On x86 reading ("get", "load") and writing ("put", "store") cost no more than without. */
#ifndef PAIDIA_ATOMIC_H
#define PAIDIA_ATOMIC_H
#include <stdint.h>
#include <string.h>

#ifdef _MSC_VER
#include <intrin.h>
#include <windows.h>
#define paidia_inline static __inline
#define paidia_pause() YieldProcessor()
#define paidia_yield() SwitchToThread()
paidia_inline int paidia_try(volatile int *lock) { return !_InterlockedExchange((volatile long *)lock, 1); }
paidia_inline void paidia_unlock(volatile int *lock) { _InterlockedExchange((volatile long *)lock, 0); }
paidia_inline void *paidia_load(void *const *at) { void *p = *(void *volatile const *)at; _ReadWriteBarrier(); return p; }
paidia_inline void paidia_store(void **at, void *p) { _ReadWriteBarrier(); *(void *volatile *)at = p; }
paidia_inline int32_t paidia_get(const int32_t *at) { int32_t n = *(volatile const int32_t *)at; _ReadWriteBarrier(); return n; }
paidia_inline void paidia_put(int32_t *at, int32_t n) { _ReadWriteBarrier(); *(volatile int32_t *)at = n; }
paidia_inline void paidia_put_long(int64_t *at, int64_t n) { _ReadWriteBarrier(); *(volatile int64_t *)at = n; }
paidia_inline int32_t paidia_add(int32_t *at, int32_t n) { return _InterlockedExchangeAdd((volatile long *)at, n); }
paidia_inline int64_t paidia_add_long(int64_t *at, int64_t n) { return _InterlockedExchangeAdd64((volatile __int64 *)at, n); }
paidia_inline int paidia_replace(int32_t *at, int32_t old, int32_t n) {
    return _InterlockedCompareExchange((volatile long *)at, n, old) == old;
}
paidia_inline int paidia_replace_long(uint64_t *at, uint64_t old, uint64_t n) {
    return _InterlockedCompareExchange64((volatile __int64 *)at, (__int64)n, (__int64)old) == (__int64)old;
}
#else
#include <sched.h>
#define paidia_inline static inline
#if defined(__x86_64__) || defined(__i386__)
#define paidia_pause() __builtin_ia32_pause()
#else
#define paidia_pause() ((void)0)
#endif
#define paidia_yield() sched_yield()
paidia_inline int paidia_try(volatile int *lock) { return !__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE); }
paidia_inline void paidia_unlock(volatile int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }
paidia_inline void *paidia_load(void *const *at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
paidia_inline void paidia_store(void **at, void *p) { __atomic_store_n(at, p, __ATOMIC_RELEASE); }
paidia_inline int32_t paidia_get(const int32_t *at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
paidia_inline void paidia_put(int32_t *at, int32_t n) { __atomic_store_n(at, n, __ATOMIC_RELEASE); }
paidia_inline void paidia_put_long(int64_t *at, int64_t n) { __atomic_store_n(at, n, __ATOMIC_RELEASE); }
paidia_inline int32_t paidia_add(int32_t *at, int32_t n) { return __atomic_fetch_add(at, n, __ATOMIC_RELAXED); }
paidia_inline int64_t paidia_add_long(int64_t *at, int64_t n) { return __atomic_fetch_add(at, n, __ATOMIC_RELAXED); }
paidia_inline int paidia_replace(int32_t *at, int32_t old, int32_t n) {
    return __atomic_compare_exchange_n(at, &old, n, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
paidia_inline int paidia_replace_long(uint64_t *at, uint64_t old, uint64_t n) {
    return __atomic_compare_exchange_n(at, &old, n, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
#endif

/* Whoever has the lock keeps it for less than a microsecond, unless the system has taken the core away: then others should
   have it. */
paidia_inline void paidia_lock(volatile int *lock) {
    int tries = 0;
    while (!paidia_try(lock)) {
        while (*lock) {
            if (++tries < 200) paidia_pause();
            else paidia_yield();
        }
    }
}

paidia_inline void paidia_add_double(double *at, double amount) {
    uint64_t old, new_;
    double value;
    do {
        old = *(volatile const uint64_t *)at;
        memcpy(&value, &old, sizeof value);
        value += amount;
        memcpy(&new_, &value, sizeof value);
    } while (!paidia_replace_long((uint64_t *)at, old, new_));
}

#endif
