/* Large arrays on large pages. A tree of a million nodes lies on tens of thousands of pages of 4 KB, more than the processor keeps in
   mind where they are; a walk through it then waits for addresses before it waits for memory. Linux gives pages of 2 MB to
   whoever asks, for what begins where such a page could; elsewhere this is realloc. Blocks are freed by free(). */
#ifndef PAIDIA_PAGES_H
#define PAIDIA_PAGES_H
#include <stdlib.h>
#include <string.h>
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)    /* the sanitizer watches realloc better */
#include <sys/mman.h>
#endif

#define PAIDIA_LARGE_PAGE ((size_t)2 << 20)

/* A block of `size` bytes with what was in the block of `held` bytes; NULL, and nothing changed, if there is no memory. Both are
   there for a moment. */
static inline void *paidia_on_large_pages(void *block, size_t held, size_t size) {
#if defined(MADV_HUGEPAGE) && !defined(__SANITIZE_ADDRESS__)
    void *larger = NULL;
    if (posix_memalign(&larger, PAIDIA_LARGE_PAGE, size) == 0) {
        madvise(larger, size / PAIDIA_LARGE_PAGE * PAIDIA_LARGE_PAGE, MADV_HUGEPAGE);   /* a refusal costs only time */
        if (block != NULL) memcpy(larger, block, held < size ? held : size);
        free(block);
        return larger;
    }
#endif
    (void)held;
    return realloc(block, size);
}
#endif
