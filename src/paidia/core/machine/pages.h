/* Large arrays on large pages. A tree of a million nodes lies on tens of thousands of pages of 4 KB, more than the processor keeps in
   mind where they are; a walk through it then waits for addresses before it waits for memory. Linux gives pages of 2 MB to
   whoever asks. Such an array grows without a copy: its pages move to where there is room for more, whatever is in them. Elsewhere
   this is realloc. */
#ifndef PAIDIA_PAGES_H
#define PAIDIA_PAGES_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE     /* mremap */
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)    /* the sanitizer watches realloc better */
#include <sys/mman.h>
#endif

#define PAIDIA_LARGE_PAGE ((size_t)2 << 20)

#if defined(MADV_HUGEPAGE) && defined(MREMAP_FIXED) && !defined(__SANITIZE_ADDRESS__)
#define PAIDIA_MAPS 1

/* What stands before the block of a mapping, at the start of a large page. `self` is its own address: by that, and by where it
   stands, a block of a mapping is told from one of malloc(). */
typedef struct { void *self; size_t size; char rest[64 - sizeof(void *) - sizeof(size_t)]; } paidia_mapping;

static inline paidia_mapping *paidia_mapping_of(void *block) {
    paidia_mapping *head = (paidia_mapping *)((uintptr_t)block - sizeof(paidia_mapping));
    if (block == NULL || (uintptr_t)head % PAIDIA_LARGE_PAGE != 0 || head->self != head) return NULL;
    return head;
}

/* Addresses for `size` bytes from the start of a large page on, with nothing behind them yet; NULL if there are none. */
static inline void *paidia_reserve(size_t size) {
    char *start = (char *)mmap(NULL, size + PAIDIA_LARGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    size_t before, after;
    if (start == (char *)MAP_FAILED) return NULL;
    before = (PAIDIA_LARGE_PAGE - (uintptr_t)start % PAIDIA_LARGE_PAGE) % PAIDIA_LARGE_PAGE;
    after = PAIDIA_LARGE_PAGE - before;
    if (before) munmap(start, before);
    if (after) munmap(start + before + size, after);
    return start + before;
}

static inline paidia_mapping *paidia_map(size_t size) {
    paidia_mapping *head = (paidia_mapping *)paidia_reserve(size);
    if (head == NULL) return NULL;
    if (mprotect(head, size, PROT_READ | PROT_WRITE) != 0) {
        munmap(head, size);
        return NULL;
    }
    madvise(head, size, MADV_HUGEPAGE);     /* a refusal costs only time */
    return head;
}

static inline paidia_mapping *paidia_stretch(paidia_mapping *head, size_t size) {
    void *to;
    if (mremap(head, head->size, size, 0) != MAP_FAILED) return head;
    to = paidia_reserve(size);
    if (to == NULL) return NULL;
    if (mremap(head, head->size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED) {
        munmap(to, size);
        return NULL;
    }
    return (paidia_mapping *)to;
}
#endif

/* A block of `size` bytes with what was in the block of `held` bytes, or in as much of it as there is room for; NULL, and nothing
   changed, if there is no memory. Such blocks are freed by paidia_discard(). */
static inline void *paidia_enlarge(void *block, size_t held, size_t size) {
#ifdef PAIDIA_MAPS
    paidia_mapping *head = paidia_mapping_of(block), *larger;
    size_t whole = (size + sizeof(paidia_mapping) + PAIDIA_LARGE_PAGE - 1) / PAIDIA_LARGE_PAGE * PAIDIA_LARGE_PAGE;
    if (head != NULL && whole <= head->size) return block;
    if (head != NULL || size >= PAIDIA_LARGE_PAGE) {
        larger = head != NULL ? paidia_stretch(head, whole) : paidia_map(whole);
        if (larger == NULL) return NULL;
        larger->self = larger;
        larger->size = whole;
        if (head == NULL && block != NULL) {
            memcpy(larger + 1, block, held < size ? held : size);
            free(block);
        }
        return larger + 1;
    }
#endif
    (void)held;
    return realloc(block, size);
}

static inline void paidia_discard(void *block) {
#ifdef PAIDIA_MAPS
    paidia_mapping *head = paidia_mapping_of(block);
    if (head != NULL) {
        munmap(head, head->size);
        return;
    }
#endif
    free(block);
}
#endif
