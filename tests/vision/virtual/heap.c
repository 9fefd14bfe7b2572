/* Scaffolding of .ci/camera-virtual, for kernels without a DMA heap: plain memory in its place. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static int opened(const char *path) {
    return strncmp(path, "/dev/dma_heap/", 14) == 0 ? memfd_create("heap", 0) : -1;
}

#define OPENER(name)                                                            \
    int name(const char *path, int flags, ...) {                                \
        int fd = opened(path);                                                  \
        if (fd >= 0) return fd;                                                 \
        va_list rest;                                                           \
        va_start(rest, flags);                                                  \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;       \
        va_end(rest);                                                           \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);          \
        return real(path, flags, mode);                                         \
    }
OPENER(open)
OPENER(open64)

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *given = va_arg(rest, void *);
    va_end(rest);
    if (request == DMA_HEAP_IOCTL_ALLOC) {
        struct dma_heap_allocation_data *wanted = given;
        int made = memfd_create("buffer", MFD_ALLOW_SEALING);
        if (made < 0 || ftruncate(made, wanted->len) < 0) return -1;
        wanted->fd = made;
        return 0;
    }
    if (request == DMA_BUF_SET_NAME_A || request == DMA_BUF_SET_NAME_B) return 0;
    if (request == DMA_BUF_IOCTL_SYNC) return 0;
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return real(fd, request, given);
}
