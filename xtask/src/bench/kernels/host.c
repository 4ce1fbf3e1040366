// Runs the function of a kernel on the host: prints the seconds that it took on a processor, and a checksum of its results.
// Arguments: the second parameter of the kernel, the number of work-items, and the results of each.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void host(unsigned *out, unsigned first, unsigned parameter, unsigned count);

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    unsigned parameter = strtoul(argv[1], NULL, 0), count = strtoul(argv[2], NULL, 0), results = strtoul(argv[3], NULL, 0);
    unsigned *out = calloc((size_t)count * results, sizeof *out);
    if (!out)
        return 1;
    double begun = seconds();
    host(out, 0, parameter, count);
    double took = seconds() - begun;
    unsigned checksum = 0;
    for (size_t i = 0; i < (size_t)count * results; i++)
        checksum = (checksum << 5 | checksum >> 27) ^ out[i];
    printf("%.9f %u\n", took, checksum);
    return 0;
}
