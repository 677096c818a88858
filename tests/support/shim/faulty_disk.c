/*
 * A disk that fails, for a program that is started with this library before all others (LD_PRELOAD).
 *
 * ICHIDO_DISK_ROOT   what counts is done to files below this folder (canonical)
 * ICHIDO_DISK_FAULT  EROFS, EIO, ENOSPC, or SHORT: a write writes half and says so, the next one finds no space
 * ICHIDO_DISK_AT     the number of the operation that fails, from 1; none fails without it
 * ICHIDO_DISK_FOR    "once", or "ever": that operation and every later one
 * ICHIDO_DISK_OPS    which operations count: any of w (writes, truncates, allocations), s (syncs), r (reads),
 *                    o (opens that may write, renames, links, folders, mappings); all but reads without it
 * ICHIDO_DISK_TRACE  a file to which each counted operation, and each write to a socket, adds a line
 * ICHIDO_DISK_RECORD a file to which everything that changes the disk is added with its bytes, syncs with their begin
 *                    and their end, and the head of what is written to a socket
 * ICHIDO_DISK_CUT    the number of the record after which the program dies, from 1
 * ICHIDO_DISK_HALF   the program dies in the middle of the first request that begins with this
 *
 * A record is, each number in the machine's order: kind (1 byte), which file (8), where or how long (8), how many bytes the
 * path has (4), how many follow (4), the path, the bytes. Kinds: C a file was made, D a folder was made, W a write,
 * T a truncate, S a sync begins, s it has ended, R a rename (to the path in the bytes), U an unlink, X bytes to a socket.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static long done_so_far;
static int space_is_gone;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The write of the kernel, which none of the functions below stands before. */
static ssize_t plain_write(int fd, const void *bytes, size_t count) {
    return syscall(SYS_write, fd, bytes, count);
}

static void trace(const char *what, const char *path, const char *bytes, size_t count) {
    static int file = -2;
    if (file == -2) {
        const char *name = getenv("ICHIDO_DISK_TRACE");
        file = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    }
    if (file < 0) return;
    char line[768];
    int length = snprintf(line, 512, "%s %s ", what, path);
    /* The head of a request, on one line. */
    for (size_t at = 0; at < count && at < 600 && length < 760; at++) {
        char byte = bytes[at];
        line[length++] = byte < ' ' || byte > '~' ? '|' : byte;
    }
    line[length++] = '\n';
    plain_write(file, line, (size_t)length);
}

static int record_file(void) {
    static int file = -2;
    if (file == -2) {
        const char *name = getenv("ICHIDO_DISK_RECORD");
        file = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    }
    return file;
}

/* Adds a record; the caller has the turn. */
static void record(char kind, unsigned long file, unsigned long at, const char *path, const void *bytes, size_t count) {
    int to = record_file();
    if (to < 0) return;
    unsigned long numbers[2] = {file, at};
    unsigned int lengths[2] = {(unsigned int)strlen(path), (unsigned int)count};
    struct iovec parts[5] = {
        {&kind, 1}, {numbers, sizeof numbers}, {lengths, sizeof lengths},
        {(void *)path, lengths[0]}, {(void *)bytes, count},
    };
    syscall(SYS_writev, to, parts, 5);
}

/* What was recorded last has been done; is that the end? The caller has the turn. */
static void die_in_turn(void) {
    static long recorded;
    const char *cut = getenv("ICHIDO_DISK_CUT");
    recorded++;
    if (cut && record_file() >= 0 && recorded == atol(cut)) kill(getpid(), SIGKILL);
}

static unsigned long number_of(int fd) {
    struct stat found;
    return fstat(fd, &found) == 0 ? (unsigned long)found.st_ino : 0;
}

static int is_below(const char *path) {
    const char *root = getenv("ICHIDO_DISK_ROOT");
    size_t length = root ? strlen(root) : 0;
    return length > 0 && strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

/* Counts an operation on a path. Gives the error that it is to have; 0 for none, -1 for a short write. */
static int meet(char op, const char *what, const char *path, int may_be_short) {
    if (!is_below(path)) return 0;
    const char *counted = getenv("ICHIDO_DISK_OPS");
    if (!strchr(counted ? counted : "wso", op)) return 0;
    const char *at = getenv("ICHIDO_DISK_AT"), *how_long = getenv("ICHIDO_DISK_FOR"), *fault = getenv("ICHIDO_DISK_FAULT");
    int error = 0;
    pthread_mutex_lock(&turn);
    long number = ++done_so_far;
    long wanted = at ? atol(at) : 0;
    int hit = wanted > 0 && (number == wanted || (number > wanted && how_long && strcmp(how_long, "ever") == 0));
    if (space_is_gone && op == 'w') {
        error = ENOSPC;
        space_is_gone = how_long && strcmp(how_long, "ever") == 0;
    } else if (hit && fault) {
        if (strcmp(fault, "EROFS") == 0) error = EROFS;
        if (strcmp(fault, "EIO") == 0) error = EIO;
        if (strcmp(fault, "ENOSPC") == 0) error = ENOSPC;
        if (strcmp(fault, "SHORT") == 0) {
            if (may_be_short) { error = -1; space_is_gone = 1; } else error = ENOSPC;
        }
    }
    char told[64];
    snprintf(told, sizeof told, "%s%s", error ? "FAILED-" : "", what);
    trace(told, path, "", 0);
    pthread_mutex_unlock(&turn);
    return error;
}

static int meet_fd(char op, const char *what, int fd, int may_be_short) {
    char path[PATH_MAX];
    /* Asked first: there are many reads of other things. */
    const char *counted = getenv("ICHIDO_DISK_OPS");
    if (!strchr(counted ? counted : "wso", op)) return 0;
    return path_of(fd, path) ? meet(op, what, path, may_be_short) : 0;
}

#define FAIL_ON(error) do { if (error) { errno = (error); return -1; } } while (0)

static int is_socket(int fd) {
    struct stat found;
    return fstat(fd, &found) == 0 && S_ISSOCK(found.st_mode);
}

/* Sends what there is of the head, and half of what follows in the same piece; then the program is dead. */
static void die_in_the_middle(int fd, const char *bytes, size_t count) {
    const char *begin = getenv("ICHIDO_DISK_HALF");
    if (!begin || count < strlen(begin) || memcmp(bytes, begin, strlen(begin)) != 0) return;
    const char *end = memmem(bytes, count, "\r\n\r\n", 4);
    size_t head = end ? (size_t)(end - bytes) + 4 : count;
    plain_write(fd, bytes, head + (count - head) / 2);
    kill(getpid(), SIGKILL);
}

static void trace_socket(int fd, const void *bytes, size_t count) {
    pthread_mutex_lock(&turn);
    char name[32];
    snprintf(name, sizeof name, "socket:%d", fd);
    trace("send", name, bytes, count);
    record('X', (unsigned long)fd, 0, name, bytes, count < 2048 ? count : 2048);
    die_in_the_middle(fd, bytes, count);
    pthread_mutex_unlock(&turn);
}

/* Bytes have been given to a socket. */
static void gone(void) {
    pthread_mutex_lock(&turn);
    die_in_turn();
    pthread_mutex_unlock(&turn);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    if (is_socket(fd)) {
        trace_socket(fd, bytes, count);
        ssize_t sent = REAL(write)(fd, bytes, count);
        gone();
        return sent;
    }
    int error = meet_fd('w', "write", fd, 1);
    if (error == -1) count /= 2;
    FAIL_ON(error == -1 ? 0 : error);
    char path[PATH_MAX];
    if (record_file() < 0 || !path_of(fd, path) || !is_below(path)) return plain_write(fd, bytes, count);
    pthread_mutex_lock(&turn);
    record('W', number_of(fd), (unsigned long)lseek64(fd, 0, SEEK_CUR), path, bytes, count);
    ssize_t written = plain_write(fd, bytes, count);
    die_in_turn();
    pthread_mutex_unlock(&turn);
    return written;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (is_socket(fd)) {
        if (count > 0) trace_socket(fd, parts[0].iov_base, parts[0].iov_len);
        ssize_t sent = REAL(writev)(fd, parts, count);
        gone();
        return sent;
    }
    /* Nothing that is recorded writes so. */
    char path[PATH_MAX];
    if (record_file() >= 0 && path_of(fd, path) && is_below(path)) abort();
    int error = meet_fd('w', "write", fd, 0);
    FAIL_ON(error);
    return REAL(writev)(fd, parts, count);
}

static ssize_t write_at(int fd, const void *bytes, size_t count, off64_t at) {
    int error = meet_fd('w', "write", fd, 1);
    if (error == -1) count /= 2;
    FAIL_ON(error == -1 ? 0 : error);
    char path[PATH_MAX];
    if (record_file() < 0 || !path_of(fd, path) || !is_below(path)) return syscall(SYS_pwrite64, fd, bytes, count, at);
    pthread_mutex_lock(&turn);
    record('W', number_of(fd), (unsigned long)at, path, bytes, count);
    ssize_t written = syscall(SYS_pwrite64, fd, bytes, count, at);
    die_in_turn();
    pthread_mutex_unlock(&turn);
    return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return write_at(fd, bytes, count, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return write_at(fd, bytes, count, at); }

#define READS_AT(name, offset) \
    ssize_t name(int fd, void *bytes, size_t count, offset at) { \
        int error = meet_fd('r', "read", fd, 0); \
        FAIL_ON(error); \
        return syscall(SYS_pread64, fd, bytes, count, at); \
    }
READS_AT(pread, off_t)
READS_AT(pread64, off64_t)

ssize_t read(int fd, void *bytes, size_t count) {
    int error = meet_fd('r', "read", fd, 0);
    FAIL_ON(error);
    return syscall(SYS_read, fd, bytes, count);
}

static void *map(void *at, size_t length, int may, int flags, int fd, off64_t from) {
    int error = fd >= 0 && (may & PROT_WRITE) ? meet_fd('o', "map", fd, 0) : 0;
    if (error) { errno = error; return MAP_FAILED; }
    return (void *)syscall(SYS_mmap, at, length, may, flags, fd, from);
}

void *mmap(void *at, size_t length, int may, int flags, int fd, off_t from) { return map(at, length, may, flags, fd, from); }
void *mmap64(void *at, size_t length, int may, int flags, int fd, off64_t from) { return map(at, length, may, flags, fd, from); }

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
    trace_socket(fd, bytes, count);
    ssize_t sent = REAL(send)(fd, bytes, count, flags);
    gone();
    return sent;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    if (message->msg_iovlen > 0) trace_socket(fd, message->msg_iov[0].iov_base, message->msg_iov[0].iov_len);
    ssize_t sent = REAL(sendmsg)(fd, message, flags);
    gone();
    return sent;
}

/* Records a sync of something below the folder; its end is what counts: only then is anything durable. */
static void record_sync(char kind, int fd, int worked) {
    char path[PATH_MAX];
    if (!path_of(fd, path) || !is_below(path)) return;
    pthread_mutex_lock(&turn);
    if (kind == 's' && worked) trace("synced", path, "", 0);
    if (kind == 'S' || worked) {
        record(kind, number_of(fd), 0, path, "", 0);
        die_in_turn();
    }
    pthread_mutex_unlock(&turn);
}

#define SYNCS(name) \
    int name(int fd) { \
        int error = meet_fd('s', #name, fd, 0); \
        FAIL_ON(error); \
        record_sync('S', fd, 0); \
        int result = REAL(name)(fd); \
        record_sync('s', fd, result == 0); \
        return result; \
    }
SYNCS(fsync)
SYNCS(fdatasync)

static int truncate_to(int fd, off64_t length) {
    char path[PATH_MAX];
    int error = meet_fd('w', "truncate", fd, 0);
    FAIL_ON(error);
    if (record_file() < 0 || !path_of(fd, path) || !is_below(path)) return (int)syscall(SYS_ftruncate, fd, length);
    pthread_mutex_lock(&turn);
    record('T', number_of(fd), (unsigned long)length, path, "", 0);
    int result = (int)syscall(SYS_ftruncate, fd, length);
    die_in_turn();
    pthread_mutex_unlock(&turn);
    return result;
}

int ftruncate(int fd, off_t length) { return truncate_to(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncate_to(fd, length); }

int posix_fallocate(int fd, off_t at, off_t length) {
    int error = meet_fd('w', "allocate", fd, 0);
    return error ? error : REAL(posix_fallocate)(fd, at, length);
}

int posix_fallocate64(int fd, off64_t at, off64_t length) {
    int error = meet_fd('w', "allocate", fd, 0);
    return error ? error : REAL(posix_fallocate64)(fd, at, length);
}

static int meet_open(const char *path, int flags) {
    if ((flags & (O_ACCMODE | O_CREAT | O_TRUNC)) == O_RDONLY) return 0;
    return meet('o', "open", path, 0);
}

/* Opens, and records what that makes or empties. */
static int open_at(int folder, const char *path, int flags, mode_t mode) {
    int may_change = (flags & (O_CREAT | O_TRUNC)) && path[0] == '/' && record_file() >= 0 && is_below(path);
    if (!may_change) return (int)syscall(SYS_openat, folder, path, flags, mode);
    pthread_mutex_lock(&turn);
    int was_there = syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
    int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (fd >= 0 && (!was_there || (flags & O_TRUNC))) {
        record(was_there ? 'T' : 'C', number_of(fd), 0, path, "", 0);
        die_in_turn();
    }
    pthread_mutex_unlock(&turn);
    return fd;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        MODE(flags) \
        int error = meet_open(path, flags); \
        FAIL_ON(error); \
        return open_at(AT_FDCWD, path, flags, mode); \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        MODE(flags) \
        int error = path[0] == '/' ? meet_open(path, flags) : 0; \
        FAIL_ON(error); \
        return open_at(folder, path, flags, mode); \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

/* Records a change of names that worked. */
static int named(int result, char kind, const char *path, const char *to) {
    if (result == 0 && is_below(path)) {
        record(kind, 0, 0, path, to, strlen(to));
        die_in_turn();
    }
    pthread_mutex_unlock(&turn);
    return result;
}

int mkdir(const char *path, mode_t mode) {
    int error = meet('o', "mkdir", path, 0);
    FAIL_ON(error);
    pthread_mutex_lock(&turn);
    return named(REAL(mkdir)(path, mode), 'D', path, "");
}

int rename(const char *from, const char *to) {
    int error = meet('o', "rename", to, 0);
    FAIL_ON(error);
    pthread_mutex_lock(&turn);
    return named(REAL(rename)(from, to), 'R', from, to);
}

int unlink(const char *path) {
    int error = meet('o', "unlink", path, 0);
    FAIL_ON(error);
    pthread_mutex_lock(&turn);
    return named(REAL(unlink)(path), 'U', path, "");
}

int chmod(const char *path, mode_t mode) {
    int error = meet('o', "chmod", path, 0);
    FAIL_ON(error);
    return REAL(chmod)(path, mode);
}

int fchmod(int fd, mode_t mode) {
    int error = meet_fd('o', "chmod", fd, 0);
    FAIL_ON(error);
    return REAL(fchmod)(fd, mode);
}
