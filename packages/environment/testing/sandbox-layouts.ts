/** Folders as they may be found, what is listed as writable, and what may be changed then. */
export interface SandboxLayout {
  readonly title: string;
  /** Default: workspace-write. */
  readonly mode?: "read-only";
  readonly roots: readonly string[];
  /** Path and text; `ROOT` stands for the folder that holds it all. */
  readonly files?: readonly (readonly [path: string, text: string])[];
  /** Path to target. */
  readonly links?: Readonly<Record<string, string>>;
  /** `write` or `remove` and a path, to what comes of it. */
  readonly changes: Readonly<Record<string, "done" | "denied">>;
}

/** Every row is tried by a file call and by a command. */
export const sandboxLayouts: readonly SandboxLayout[] = [
  {
    title: "read-only changes nothing",
    mode: "read-only",
    roots: [],
    files: [["work/file", ""]],
    changes: {
      "write work/file": "denied",
      "write work/new": "denied",
      "remove work/file": "denied",
    },
  },
  {
    title:
      "workspace-write changes what is in its roots; .git, .codex and .agents stay, missing ones too",
    roots: ["work"],
    files: [
      ["work/.git/config", ""],
      ["work/deep/file", ""],
      ["outside/file", ""],
      ["workshop/file", ""],
    ],
    changes: {
      "write work/file": "done",
      "write work/new/deep/file": "done",
      "write work/deep/.git/config": "done",
      "write work/.gitignore": "done",
      "write work/.git/config": "denied",
      "write work/.git/hooks/pre-commit": "denied",
      "write work/.codex/config.toml": "denied",
      "write work/.agents/skill": "denied",
      "remove work/.git": "denied",
      "write work/../outside/file": "denied",
      "write outside/file": "denied",
      "write workshop/file": "denied",
      "remove work": "denied",
    },
  },
  {
    title: "a link does not lead out of a root; a root may be given by a link",
    roots: ["byLink"],
    files: [
      ["work/file", ""],
      ["outside/file", ""],
    ],
    links: { byLink: "work", "work/out": "../outside", "work/fileOut": "../outside/file" },
    changes: {
      "write byLink/file": "done",
      "write work/other": "done",
      "write work/out/file": "denied",
      "write work/out/new": "denied",
      "write work/fileOut": "denied",
      "write byLink/.git/config": "denied",
    },
  },
  {
    title: "a root whose .git is a link is read-only, since the link could be replaced",
    roots: ["work", "other"],
    files: [
      ["work/real/config", ""],
      ["other/file", ""],
    ],
    links: { "work/.git": "real" },
    changes: {
      "write work/file": "denied",
      "write work/.git/config": "denied",
      "write work/real/config": "denied",
      "remove work/.git": "denied",
      "write other/file": "done",
    },
  },
  {
    title:
      "a worktree's .git file and the git directory it points to stay, also below another root",
    roots: ["tree", "main", "repositories"],
    files: [
      ["tree/.git", "gitdir: ROOT/repositories/one/tree\n"],
      ["repositories/one/tree/HEAD", ""],
      ["main/.git/config", ""],
    ],
    changes: {
      "write tree/file": "done",
      "write tree/.git": "denied",
      "write repositories/one/tree/HEAD": "denied",
      "write repositories/one/other": "done",
      "write main/.git/config": "denied",
    },
  },
  {
    title: "a protected name that is itself a root may be changed, and the others stay",
    roots: ["work", "work/.git"],
    files: [["work/.git/config", ""]],
    changes: {
      "write work/.git/config": "done",
      "write work/.git/hooks/pre-commit": "done",
      "write work/.codex/config.toml": "denied",
    },
  },
  {
    title: "of nested roots and protected paths the deepest decides",
    roots: ["work/.git/hooks", "work", "work/deep"],
    files: [
      ["work/.git/hooks/pre-commit", ""],
      ["work/.git/config", ""],
      ["work/deep/.codex/config.toml", ""],
    ],
    changes: {
      "write work/.git/hooks/pre-commit": "done",
      "write work/.git/config": "denied",
      "write work/deep/file": "done",
      "write work/deep/.codex/config.toml": "denied",
      "write work/deep/.git/config": "denied",
    },
  },
  {
    title: "a root that is missing makes nothing writable",
    roots: ["nothing"],
    changes: { "write nothing/file": "denied", "write file": "denied" },
  },
];
