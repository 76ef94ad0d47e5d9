// A world of one's own: everything the agent sees lives in a Map. What is not offered is refused, and the agent told.
import { homedir } from "node:os";
import { createAgent, createReplayClient, loadConfig } from "@codex/core";
import { type Environment, FileSystemError, ProcessError, walkByListing } from "@codex/environment";
import { type AbsolutePath, baseName, parentPath, toAbsolutePath } from "@codex/protocol";

const root = toAbsolutePath("/");
const files = new Map([[toAbsolutePath("/notes.txt"), Buffer.from("buy milk\n")]]);

const refuse = (path: AbsolutePath): Promise<never> =>
  Promise.reject(new FileSystemError("unsupported", path, "nothing can be changed here"));
const changes = { writeFile: refuse, createDirectory: refuse, rename: refuse, remove: refuse };
const readFile = async (path: AbsolutePath): Promise<Buffer> => {
  const bytes = files.get(path);
  if (bytes === undefined) throw new FileSystemError("notFound", path, "No such file or directory");
  return bytes;
};
const kind = (isFile: boolean) => ({ isFile, isDirectory: !isFile, isSymlink: false });
const fileSystem: Environment["fileSystem"] = {
  ...changes,
  copy: refuse,
  readFile,
  readRange: async (path, range) =>
    (await readFile(path)).subarray(range.offset, range.offset + range.length),
  getMetadata: async (path) => {
    const size = path === root ? 0 : (await readFile(path)).length;
    return { ...kind(path !== root), size, mode: undefined, createdAtMs: 0, modifiedAtMs: 0 };
  },
  readDirectory: async (path) => {
    const here = [...files.keys()].filter((file) => parentPath(file) === path);
    return here.map((file) => ({ fileName: baseName(file), ...kind(true) }));
  },
  walk: (path, options) => walkByListing(fileSystem, path, options),
  canonicalize: async (path) => path,
};
const shell = { name: "none", path: root };
const world: Environment = {
  name: "in-memory",
  fileSystem,
  info: async () => ({ cwd: root, home: root, tempDirectory: root, platform: "linux", shell }),
  start: () => Promise.reject(new ProcessError("unsupported", "there are no programs here")),
  [Symbol.asyncDispose]: async () => undefined,
};

const flags = { overrides: ['experimental_supported_tools=["read_file"]'] };
const places = { variables: process.env, cwd: "/", homeDirectory: homedir() };
const { config } = await loadConfig({ ...places, flags });
const call = { name: "read_file", arguments: { file_path: "/notes.txt" } };
const lines = [
  { v: 1, events: [{ function_call: call }] },
  { v: 1, capture: { what: "L1: buy (\\w+)" }, events: [{ message: "You wanted {{what}}." }] },
];
const text = lines.map((line) => JSON.stringify(line)).join("\n");
const model = createReplayClient({ file: "in-memory", text });
const agent = createAgent({ config, environment: world, model, isEphemeral: true });
await using thread = agent.startThread();
console.log((await thread.run("What did I want to buy?")).finalMessage);
