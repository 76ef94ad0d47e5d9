import type { EnvironmentInfo } from "@codex/environment";
import type { SandboxIntent } from "@codex/protocol";

export interface EnvironmentContextOptions {
  readonly info: EnvironmentInfo;
  readonly sandbox: SandboxIntent;
  /** `YYYY-MM-DD`, where the agent runs. */
  readonly currentDate: string;
  /** IANA name, where the agent runs. */
  readonly timezone: string;
}

/** The `<environment_context>` of the first user message: where the work happens, in that machine's own paths. */
export function environmentContext({
  info,
  sandbox,
  currentDate,
  timezone,
}: EnvironmentContextOptions): string {
  return [
    "<environment_context>",
    `  <cwd>${escaped(info.cwd)}</cwd>`,
    `  <shell>${escaped(info.shell.name)}</shell>`,
    `  <current_date>${currentDate}</current_date>`,
    `  <timezone>${escaped(timezone)}</timezone>`,
    `  <filesystem>${workspaceRoots(info)}${permissionProfile(sandbox)}</filesystem>`,
    "</environment_context>",
  ].join("\n");
}

function workspaceRoots(info: EnvironmentInfo): string {
  return `<workspace_roots><root>${escaped(info.cwd)}</root></workspace_roots>`;
}

function permissionProfile(sandbox: SandboxIntent): string {
  if (sandbox.mode === "danger-full-access") {
    return '<permission_profile type="disabled"><file_system type="unrestricted"></file_system></permission_profile>';
  }
  const entries = [
    '<entry access="read"><special>:root</special></entry>',
    ...writableEntries(sandbox),
  ];
  return `<permission_profile type="managed"><file_system type="restricted">${entries.join("")}</file_system></permission_profile>`;
}

function writableEntries(sandbox: SandboxIntent): string[] {
  if (sandbox.mode !== "workspace-write") return [];
  const write = (inner: string): string => `<entry access="write">${inner}</entry>`;
  return [
    ...sandbox.writableRoots.map((root) => write(`<path>${escaped(root)}</path>`)),
    ...(sandbox.includeSlashTmp ? [write("<special>:slash_tmp</special>")] : []),
    ...(sandbox.includeTmpdir ? [write("<special>:tmpdir</special>")] : []),
  ];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
