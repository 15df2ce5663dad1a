/* The little that a table shared between threads needs: a lock, and pointers that are complete once they are seen. */
#ifndef PAIDIA_GDL_ATOMIC_H
#define PAIDIA_GDL_ATOMIC_H

#ifdef _MSC_VER
#include <intrin.h>
static __inline void paidia_lock(volatile int *lock) { while (_InterlockedExchange((volatile long *)lock, 1)) {} }
static __inline void paidia_unlock(volatile int *lock) { _InterlockedExchange((volatile long *)lock, 0); }
static __inline void *paidia_load(void *const *at) { void *p = *(void *volatile const *)at; _ReadWriteBarrier(); return p; }
static __inline void paidia_store(void **at, void *p) { _ReadWriteBarrier(); *(void *volatile *)at = p; }
#else
static inline void paidia_lock(volatile int *lock) { while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) {} }
static inline void paidia_unlock(volatile int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }
static inline void *paidia_load(void *const *at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
static inline void paidia_store(void **at, void *p) { __atomic_store_n(at, p, __ATOMIC_RELEASE); }
#endif

#endif
