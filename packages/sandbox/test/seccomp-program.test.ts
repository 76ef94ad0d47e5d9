import { describe, expect, test } from "vitest";
import { type SeccompArchitecture, seccompProgram } from "../src/index.ts";

interface SystemCall {
  readonly architecture: number;
  readonly call: number;
  readonly arguments?: readonly number[];
}

/** Runs a classic BPF program as the kernel would on one system call; gives the returned action. */
function evaluate(
  program: Uint8Array,
  { architecture, call, arguments: args = [] }: SystemCall,
): number {
  const code = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call, true);
  data.setUint32(4, architecture, true);
  for (const [index, value] of args.entries())
    data.setBigUint64(16 + 8 * index, BigInt(value), true);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 8) {
    const value = code.getUint32(at + 4, true);
    const jump = (isTrue: boolean): number => code.getUint8(at + (isTrue ? 2 : 3)) * 8;
    switch (code.getUint16(at, true)) {
      case 0x20:
        accumulator = data.getUint32(value, true);
        break;
      case 0x15:
        at += jump(accumulator === value);
        break;
      case 0x35:
        at += jump(accumulator >= value);
        break;
      case 0x06:
        return value;
      default:
        throw new Error(`unexpected instruction at ${at}`);
    }
  }
  throw new Error("the program ran past its end");
}

const allowed = 0x7fff0000;
const refused = 0x00050001;
const x64 = 0xc000003e;
const arm64 = 0xc00000b7;
const i386 = 0x40000003;

const cases: readonly (readonly [string, SeccompArchitecture, SystemCall, number])[] = [
  ["read is allowed", "x64", { architecture: x64, call: 0 }, allowed],
  ["a unix socket is refused", "x64", { architecture: x64, call: 41, arguments: [1, 1] }, refused],
  ["a vsock is refused", "x64", { architecture: x64, call: 41, arguments: [40, 1] }, refused],
  [
    "an internet socket is allowed",
    "x64",
    { architecture: x64, call: 41, arguments: [2, 1] },
    allowed,
  ],
  [
    "socketpair of unix sockets is allowed",
    "x64",
    { architecture: x64, call: 53, arguments: [1, 1] },
    allowed,
  ],
  ["TIOCSTI is refused", "x64", { architecture: x64, call: 16, arguments: [0, 0x5412] }, refused],
  [
    "TIOCSTI with high bits set is refused",
    "x64",
    { architecture: x64, call: 16, arguments: [0, 0xff00005412] },
    refused,
  ],
  ["TIOCLINUX is refused", "x64", { architecture: x64, call: 16, arguments: [0, 0x541c] }, refused],
  [
    "asking for the window size is allowed",
    "x64",
    { architecture: x64, call: 16, arguments: [0, 0x5413] },
    allowed,
  ],
  ["ptrace is refused", "x64", { architecture: x64, call: 101 }, refused],
  ["process_vm_writev is refused", "x64", { architecture: x64, call: 311 }, refused],
  ["io_uring_setup is refused", "x64", { architecture: x64, call: 425 }, refused],
  ["the 32-bit table is refused whole", "x64", { architecture: i386, call: 3 }, refused],
  ["the x32 table is refused whole", "x64", { architecture: x64, call: 0x40000000 }, refused],
  [
    "a unix socket is refused",
    "arm64",
    { architecture: arm64, call: 198, arguments: [1, 1] },
    refused,
  ],
  [
    "an internet socket is allowed",
    "arm64",
    { architecture: arm64, call: 198, arguments: [2, 1] },
    allowed,
  ],
  [
    "TIOCSTI is refused",
    "arm64",
    { architecture: arm64, call: 29, arguments: [0, 0x5412] },
    refused,
  ],
  ["ptrace is refused", "arm64", { architecture: arm64, call: 117 }, refused],
];

describe("the seccomp program", () => {
  test.each(cases)("%s (%s)", (_sentence, architecture, call, action) => {
    expect(evaluate(seccompProgram(architecture), call)).toBe(action);
  });
});
