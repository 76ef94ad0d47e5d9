import { joinPath, toAbsolutePath } from "@codex/protocol";
import type { MemoryProgram } from "./memory-environment.ts";

/** The few programs that the environment contract starts, for a memory environment. */
export const memoryPrograms: Readonly<Record<string, MemoryProgram>> = {
  printf: ({ options, process }) => {
    process.print((options.argv[1] ?? "").replaceAll("\\n", "\n"));
    process.finish();
  },
  pwd: ({ options, process }) => {
    process.print(`${options.cwd}\n`);
    process.finish();
  },
  env: ({ options, process }) => {
    for (const [name, value] of Object.entries(options.env.overlay))
      process.print(`${name}=${value}\n`);
    process.finish();
  },
  cat: async ({ options, process, fileSystem }) => {
    const path = joinPath(toAbsolutePath(options.cwd), options.argv[1] ?? "");
    process.print(await fileSystem.readFile(path));
    process.finish();
  },
  cp: async ({ options, process, fileSystem }) => {
    const [from = "", to = ""] = options.argv.slice(1);
    const cwd = toAbsolutePath(options.cwd);
    await fileSystem.copy(joinPath(cwd, from), joinPath(cwd, to));
    process.finish();
  },
  false: ({ process }) => process.finish({ code: 1 }),
  sleep: () => {}, // until it is ended
};
