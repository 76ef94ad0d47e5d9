/** Processor architectures a program can be built for, as Node names them. */
export type SeccompArchitecture = "x64" | "arm64";

export function isSeccompArchitecture(architecture: string): architecture is SeccompArchitecture {
  return architecture === "x64" || architecture === "arm64";
}

/**
 * A classic BPF program for `bwrap --seccomp`: 8-byte instructions, little-endian. Everything is allowed but, with
 * EPERM: sockets of the families unix and vsock (a read-only mount does not stop `connect`; socketpair stays),
 * pushing input into a terminal (TIOCSTI, TIOCLINUX), reading or steering other processes (ptrace,
 * process_vm_readv, process_vm_writev), and io_uring, which would get round all of these. System calls of another
 * architecture's table are refused whole.
 */
export function seccompProgram(architecture: SeccompArchitecture): Uint8Array {
  const calls = systemCalls[architecture];
  const deniedCalls = [calls.ptrace, calls.processVmReadv, calls.processVmWritev, ...ioUringCalls];
  return assemble([
    load(offset.architecture),
    ...denyUnless(auditArchitecture[architecture]),
    load(offset.call),
    ...(architecture === "x64" ? denyFrom(x32Bit) : []),
    ...deniedCalls.flatMap((call) => denyIf(call)),
    ...denyArgument({
      call: calls.socket,
      argument: 0,
      values: [addressFamily.unix, addressFamily.vsock],
    }),
    ...denyArgument({
      call: calls.ioctl,
      argument: 1,
      values: [terminalRequest.pushInput, terminalRequest.linuxConsole],
    }),
    allow,
  ]);
}

/** From linux/audit.h. */
const auditArchitecture = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** From the kernel's system call tables. */
const systemCalls = {
  x64: { socket: 41, ioctl: 16, ptrace: 101, processVmReadv: 310, processVmWritev: 311 },
  arm64: { socket: 198, ioctl: 29, ptrace: 117, processVmReadv: 270, processVmWritev: 271 },
} as const;
/** setup, enter, register: the same numbers everywhere. */
const ioUringCalls = [425, 426, 427];
/** Calls of the x32 table carry this bit. */
const x32Bit = 0x40000000;

const addressFamily = { unix: 1, vsock: 40 } as const;
const terminalRequest = { pushInput: 0x5412, linuxConsole: 0x541c } as const;

/** Into `struct seccomp_data`. */
const offset = {
  call: 0,
  architecture: 4,
  argument: (index: number): number => 16 + 8 * index,
} as const;

interface Instruction {
  readonly code: number;
  readonly jumpTrue: number;
  readonly jumpFalse: number;
  readonly value: number;
}

/** From linux/bpf_common.h and linux/seccomp.h. */
const opcode = { load: 0x20, jumpEqual: 0x15, jumpGreaterEqual: 0x35, return: 0x06 } as const;
const refusal = { allow: 0x7fff0000, errno: 0x00050000 } as const;
const EPERM = 1;

const allow: Instruction = { code: opcode.return, jumpTrue: 0, jumpFalse: 0, value: refusal.allow };
const deny: Instruction = {
  code: opcode.return,
  jumpTrue: 0,
  jumpFalse: 0,
  value: refusal.errno | EPERM,
};

function load(at: number): Instruction {
  return { code: opcode.load, jumpTrue: 0, jumpFalse: 0, value: at };
}

function denyIf(value: number): Instruction[] {
  return [{ code: opcode.jumpEqual, jumpTrue: 0, jumpFalse: 1, value }, deny];
}

function denyUnless(value: number): Instruction[] {
  return [{ code: opcode.jumpEqual, jumpTrue: 1, jumpFalse: 0, value }, deny];
}

function denyFrom(value: number): Instruction[] {
  return [{ code: opcode.jumpGreaterEqual, jumpTrue: 0, jumpFalse: 1, value }, deny];
}

/** Expects the call's number to be loaded, and loads it again afterwards. Families and requests fit in 32 bits. */
function denyArgument(rule: {
  readonly call: number;
  readonly argument: number;
  readonly values: readonly number[];
}): Instruction[] {
  const check = [
    load(offset.argument(rule.argument)),
    ...rule.values.flatMap((value) => denyIf(value)),
    load(offset.call),
  ];
  return [
    { code: opcode.jumpEqual, jumpTrue: 0, jumpFalse: check.length, value: rule.call },
    ...check,
  ];
}

function assemble(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8));
  for (const [index, { code, jumpTrue, jumpFalse, value }] of instructions.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, jumpTrue);
    bytes.setUint8(index * 8 + 3, jumpFalse);
    bytes.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}
