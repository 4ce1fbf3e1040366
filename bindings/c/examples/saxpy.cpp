// Assembles a kernel, runs it on a vector in place with a check, and compares the result with the host's.

#include <amdgpu_isa.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace {

// Frees a handle of the library at the end of a scope.
template <auto Free>
struct Deleter {
    template <typename T>
    void operator()(T *handle) const { Free(handle); }
};
using Assembly = std::unique_ptr<isa_assembly, Deleter<isa_assembly_free>>;
using Object = std::unique_ptr<isa_object, Deleter<isa_object_free>>;
using Result = std::unique_ptr<isa_launch_result, Deleter<isa_launch_result_free>>;
using Error = std::unique_ptr<isa_error, Deleter<isa_error_free>>;

bool failed(isa_status status, isa_error *raw)
{
    Error error(raw);
    if (status == ISA_STATUS_OK)
        return false;
    isa_error_info info = {};
    info.size = sizeof info;
    if (error && isa_error_get(error.get(), &info) == ISA_STATUS_OK)
        std::fprintf(stderr, "%s: %s, line %llu%s%s\n", isa_status_name(status), info.message,
                     static_cast<unsigned long long>(info.line), info.help ? "; help: " : "", info.help ? info.help : "");
    return true;
}

template <typename T>
isa_argument pointer(std::vector<T> &data, uint32_t flags)
{
    return {ISA_ARGUMENT_KIND_POINTER, flags, data.data(), data.size() * sizeof(T)};
}

template <typename T>
isa_argument value(T &number)
{
    return {ISA_ARGUMENT_KIND_VALUE, 0, &number, sizeof number};
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: saxpy saxpy.s\n");
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    const std::string source{std::istreambuf_iterator<char>(file), {}};
    isa_error *error = nullptr;

    isa_assembly *assembly = nullptr;
    isa_status status = isa_assemble(source.data(), source.size(), nullptr, &assembly, &error);
    Assembly assembly_owner(assembly);
    if (failed(status, error))
        return 1;
    const uint8_t *code = nullptr;
    size_t size = 0;
    if (failed(isa_assembly_output(assembly, ISA_OUTPUT_CODE_OBJECT, &code, &size, &error), error))
        return 1;

    isa_object *object = nullptr;
    status = isa_object_load(code, size, nullptr, &object, &error);
    Object object_owner(object);
    if (failed(status, error))
        return 1;
    size_t kernel = 0;
    if (failed(isa_object_find_kernel(object, "saxpy", &kernel, &error), error))
        return 1;

    // y = 2.5 * x + y
    const uint32_t count = 1000;
    std::vector<float> x(count), y(count);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = static_cast<float>(i);
        y[i] = 1.0f;
    }
    float factor = 2.5f;
    uint32_t n = count;
    const isa_argument arguments[] = {pointer(x, ISA_MEMORY_FLAG_READ_ONLY), pointer(y, 0), value(factor), value(n)};
    isa_launch_options options = {};
    options.size = sizeof options;
    options.flags = ISA_LAUNCH_FLAG_CHECK;
    options.grid[0] = (count + 255) / 256;
    options.block[0] = 256;
    options.arguments = arguments;
    options.argument_count = std::size(arguments);
    options.timeout = 10'000'000'000;
    isa_launch_result *result = nullptr;
    status = isa_launch(object, kernel, &options, &result, &error);
    Result result_owner(result);
    if (failed(status, error))
        return 1;

    isa_launch_statistics statistics = {};
    statistics.size = sizeof statistics;
    isa_launch_result_statistics(result, &statistics);
    std::printf("%llu work-groups, %llu instructions, %zu findings\n",
                static_cast<unsigned long long>(statistics.groups),
                static_cast<unsigned long long>(statistics.instructions), statistics.finding_count);
    bool right = statistics.finding_count == 0;
    for (uint32_t i = 0; i < count; i++)
        right &= y[i] == 2.5f * static_cast<float>(i) + 1.0f;

    // A buffer that is too small is a fault, which names the argument; nothing outside of the buffers is written.
    options.arguments = arguments;
    x.resize(count / 2);
    isa_argument shorter[] = {pointer(x, ISA_MEMORY_FLAG_READ_ONLY), arguments[1], arguments[2], arguments[3]};
    options.arguments = shorter;
    options.flags = 0;
    isa_launch_result *faulty = nullptr;
    status = isa_launch(object, kernel, &options, &faulty, &error);
    Result faulty_owner(faulty);
    Error error_owner(error);
    isa_fault fault = {};
    fault.size = sizeof fault;
    right &= status == ISA_STATUS_FAULT && isa_launch_result_fault(faulty, &fault) == ISA_STATUS_OK && fault.argument == 0;
    std::printf("%s\n", fault.message ? fault.message : "no fault");

    isa_end_threads();
    std::printf(right ? "right\n" : "wrong\n");
    return right ? 0 : 1;
}
