import {
  type AbsolutePath,
  type CurrentParams,
  parseAbsolutePath,
  protectedNames,
  type SandboxContext,
  type SandboxEntry,
  type SandboxIntent,
  toFileUri,
} from "@codex/protocol";

/** The fields that say what may be done. */
export type SaidSandbox = Pick<CurrentParams<"fsWriteFile">, "sandbox" | "sandboxIntent">;

/** An intent in our own words where the server understands them, else in the original's. */
export function sayIntent(
  intent: SandboxIntent | undefined,
  how: { readonly ownWords: boolean; readonly cwd: string },
): SaidSandbox {
  if (intent === undefined || intent.mode === "danger-full-access") return { sandbox: null };
  if (how.ownWords) return { sandboxIntent: intent };
  return { sandbox: toSandboxContext(intent, how.cwd) };
}

function toSandboxContext(
  intent: Exclude<SandboxIntent, { readonly mode: "danger-full-access" }>,
  cwd: string,
): SandboxContext {
  const workspaceRoots = intent.mode === "read-only" ? [cwd] : intent.writableRoots;
  return {
    permissions: {
      type: "managed",
      file_system: {
        type: "restricted",
        entries: [entry({ kind: "root" }, "read"), ...writableEntries(intent)],
      },
      network: intent.networkAccess ? "enabled" : "restricted",
    },
    cwd: toUri(cwd),
    workspaceRoots: workspaceRoots.map(toUri),
    windowsSandboxLevel: "disabled",
    useLegacyLandlock: false,
  };
}

function writableEntries(intent: SandboxIntent): SandboxEntry[] {
  if (intent.mode !== "workspace-write") return [];
  const { includeSlashTmp, includeTmpdir, readOnlyPaths = [] } = intent;
  return [
    entry({ kind: "project_roots" }, "write"),
    ...(includeSlashTmp ? [entry({ kind: "slash_tmp" }, "write")] : []),
    ...(includeTmpdir ? [entry({ kind: "tmpdir" }, "write")] : []),
    ...protectedNames.map((subpath) => readOnly(entry({ kind: "project_roots", subpath }, "read"))),
    ...readOnlyPaths.map((path) =>
      readOnly({ path: { type: "path", path: toUri(path) }, access: "read" }),
    ),
  ];
}

type Special = Extract<SandboxEntry["path"], { type: "special" }>["value"];

function entry(value: Special, access: "read" | "write"): SandboxEntry {
  return { path: { type: "special", value }, access };
}

function readOnly(one: SandboxEntry): SandboxEntry {
  return { ...one, missing_path_behavior: "skip" };
}

/** What is no absolute path is passed on, for the server to refuse. */
export function toUri(path: string): string {
  const absolute: AbsolutePath | undefined = parseAbsolutePath(path);
  return absolute === undefined ? path : toFileUri(absolute);
}
