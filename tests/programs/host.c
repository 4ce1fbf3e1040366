// Runs a kernel of this folder on the host: `host X,Y,Z X,Y,Z ARGUMENT…`, an argument being a number or @FILE, a buffer that is
// read from the file and written back.
#include "program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 256 << 10, MOST = 1024 };

struct item *item;
void call(const u64 *a);

static struct item items[MOST];
static ucontext_t contexts[MOST], scheduler;
static char *stacks[MOST];
static int is_done[MOST];
static u32 current, exchanged[MOST];
static u64 arguments[32];

void barrier_all(void) { swapcontext(&contexts[current], &scheduler); }

u32 from_lane(u32 value, u32 lane) {
    u32 self = current;
    exchanged[self] = value;
    barrier_all();
    u32 other = exchanged[(self & ~31u) + (lane & 31)];
    barrier_all();
    return other;
}

static void start(void) {
    call(arguments);
    is_done[current] = 1;
}

static void run_group(u32 count) {
    for (u32 i = 0; i < count; i++) {
        if (!stacks[i]) stacks[i] = malloc(STACK);
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = stacks[i];
        contexts[i].uc_stack.ss_size = STACK;
        contexts[i].uc_link = &scheduler;
        makecontext(&contexts[i], start, 0);
        is_done[i] = 0;
    }
    for (u32 left = count; left > 0;) {
        left = 0;
        for (current = 0; current < count; current++) {
            if (is_done[current]) continue;
            item = &items[current];
            swapcontext(&scheduler, &contexts[current]);
            left += !is_done[current];
        }
    }
}

static void sizes(const char *text, u32 *to) {
    to[0] = to[1] = to[2] = 1;
    sscanf(text, "%u,%u,%u", &to[0], &to[1], &to[2]);
}

int main(int count, char **args) {
    u32 global[3], local[3], whole[3];
    size_t bytes[32] = { 0 };
    sizes(args[1], global);
    sizes(args[2], local);
    for (int i = 3; i < count; i++) {
        if (args[i][0] != '@') {
            arguments[i - 3] = strtoull(args[i], 0, 0);
            continue;
        }
        FILE *file = fopen(args[i] + 1, "rb");
        if (!file) return 1;
        fseek(file, 0, SEEK_END);
        bytes[i - 3] = ftell(file);
        rewind(file);
        void *buffer = malloc(bytes[i - 3] + 64);
        if (fread(buffer, 1, bytes[i - 3], file) != bytes[i - 3]) return 1;
        fclose(file);
        arguments[i - 3] = (u64)buffer;
    }
    for (u32 k = 0; k < 3; k++) whole[k] = (global[k] + local[k] - 1) / local[k];
    for (u32 z = 0; z < whole[2]; z++)
        for (u32 y = 0; y < whole[1]; y++)
            for (u32 x = 0; x < whole[0]; x++) {
                u32 group[3] = { x, y, z }, size[3], index = 0;
                for (u32 k = 0; k < 3; k++) {
                    u32 rest = global[k] - group[k] * local[k];
                    size[k] = rest < local[k] ? rest : local[k];
                }
                for (u32 c = 0; c < size[2]; c++)
                    for (u32 b = 0; b < size[1]; b++)
                        for (u32 a = 0; a < size[0]; a++, index++) {
                            struct item one = { { a, b, c }, { x, y, z }, { global[0], global[1], global[2] },
                                { local[0], local[1], local[2] }, index };
                            items[index] = one;
                        }
                run_group(index);
            }
    for (int i = 3; i < count; i++) {
        if (args[i][0] != '@') continue;
        FILE *file = fopen(args[i] + 1, "wb");
        if (!file || fwrite((void *)arguments[i - 3], 1, bytes[i - 3], file) != bytes[i - 3]) return 1;
        fclose(file);
    }
    return 0;
}
