/* Runs a kernel of a code object with checks, and prints its findings and its fault. */

#include <amdgpu_isa.h>
#include <stdio.h>
#include <string.h>

/* Prints an error and frees it. Returns whether there is one. */
static int failed(isa_status status, isa_error *error)
{
    if (status == ISA_STATUS_OK)
        return 0;
    isa_error_info info = { .size = sizeof info };
    if (isa_error_get(error, &info) == ISA_STATUS_OK)
        fprintf(stderr, "%s: %s%s%s\n", isa_status_name(status), info.message, info.help ? "; help: " : "",
                info.help ? info.help : "");
    isa_error_free(error);
    return 1;
}

/* Counts the bytes of a text on the CPU. Returns the number of findings, or -1. */
static int count_bytes(const isa_object *object, const char *text, uint32_t bytes, uint32_t counts[256])
{
    isa_error *error = NULL;
    size_t kernel = 0;
    if (failed(isa_object_find_kernel(object, "histogram", &kernel, &error), error))
        return -1;
    const isa_argument arguments[] = {
        { ISA_ARGUMENT_KIND_POINTER, ISA_MEMORY_FLAG_READ_ONLY, (void *)text, strlen(text) },
        { ISA_ARGUMENT_KIND_VALUE, 0, &bytes, sizeof bytes },
        { ISA_ARGUMENT_KIND_POINTER, 0, counts, 256 * sizeof counts[0] },
    };
    const isa_launch_options options = {
        .size = sizeof options,
        .flags = ISA_LAUNCH_FLAG_CHECK,
        .grid = { (bytes + 255) / 256 },
        .block = { 256 },
        .arguments = arguments,
        .argument_count = sizeof arguments / sizeof arguments[0],
        .timeout = 10000000000, /* nanoseconds */
    };
    isa_launch_result *result = NULL;
    isa_status status = isa_launch(object, kernel, &options, &result, &error);
    /* A fault is an error of the launch, and the result has its fields. */
    isa_fault fault = { .size = sizeof fault };
    if (result && isa_launch_result_fault(result, &fault) == ISA_STATUS_OK)
        printf("fault in wave %u: %s\n", (unsigned)fault.wave, fault.message);
    isa_launch_statistics statistics = { .size = sizeof statistics };
    if (failed(status, error) || failed(isa_launch_result_statistics(result, &statistics), NULL)) {
        isa_launch_result_free(result);
        return -1;
    }
    for (size_t i = 0; i < statistics.finding_count; i++) {
        isa_finding finding = { .size = sizeof finding };
        if (isa_launch_result_finding(result, i, &finding) == ISA_STATUS_OK)
            printf("%s: `%s` %s; help: %s\n", finding.kind, finding.instruction ? finding.instruction : "?",
                   finding.message, finding.help);
    }
    isa_launch_result_free(result);
    return (int)statistics.finding_count;
}

int main(int argc, char **argv)
{
    isa_error *error = NULL;
    isa_object *object = NULL;
    if (argc != 2 || failed(isa_object_read(argv[1], NULL, &object, &error), error))
        return 1;
    static const char text[] = "Hello, waves!";
    uint32_t counts[256] = { 0 };
    int clean = count_bytes(object, text, sizeof text - 1, counts);
    int is_right = clean == 0 && counts['e'] == 2 && counts['l'] == 2;
    /* The kernel is told of 20 bytes, of which 7 are not there: a finding that names the argument. */
    int found = count_bytes(object, text, 20, counts);
    isa_object_free(object);
    isa_end_threads();
    return is_right && found == 1 ? 0 : 1;
}
