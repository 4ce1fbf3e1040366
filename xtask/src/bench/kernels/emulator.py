"""Runs a kernel in tinygrad's emulator: emulator.py CHECKOUT CODE RSRC2 GROUPS LOCAL ROUNDS ARGUMENT…

CODE holds the instructions of the kernel alone; GROUPS and LOCAL are X,Y,Z; an argument is a number, the name of a file with the
contents of a buffer, or its bytes after "zero:". Prints the seconds of each round after a first one, which compiles."""
import ctypes, os, sys, time

checkout, code, rsrc2, groups, local, rounds = sys.argv[1:7]
os.environ.setdefault("DEV", "CPU")
sys.path.insert(0, checkout)
from test.mockgpu.amd.emu import run_asm  # noqa: E402

def buffer(contents):
    return ctypes.create_string_buffer(contents, len(contents))

text = buffer(open(code, "rb").read())
buffers, arguments = [], b""
for argument in sys.argv[7:]:
    if argument.isdigit():
        arguments += int(argument).to_bytes(4, "little")
        continue
    zero = argument.removeprefix("zero:")
    buffers.append(buffer(bytes(int(zero)) if zero != argument else open(argument, "rb").read()))
    arguments += bytes(-len(arguments) % 8) + ctypes.addressof(buffers[-1]).to_bytes(8, "little")
arguments = buffer(arguments)
grid = [int(number) for size in (groups, local) for number in size.split(",")]
for round in range(int(rounds) + 1):
    begin = time.perf_counter()
    status = run_asm(ctypes.addressof(text), len(text), *grid, ctypes.addressof(arguments), int(rsrc2, 0))
    assert status == 0, status
    if round:
        print(time.perf_counter() - begin, flush=True)
