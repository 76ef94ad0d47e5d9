import { type AbsolutePath, baseName, joinPath, parentPath } from "@codex/protocol";
import { osError } from "@codex/environment";

interface NodeFacts {
  mode: number;
  readonly createdAtMs: number;
  modifiedAtMs: number;
}

export type MemoryNode =
  | ({ readonly kind: "file"; bytes: Uint8Array } & NodeFacts)
  | ({
      readonly kind: "directory";
      readonly children: Map<string, MemoryNode>;
      isReadable: boolean;
    } & NodeFacts)
  | ({ readonly kind: "link"; readonly target: string } & NodeFacts);

export type MemoryDirectory = Extract<MemoryNode, { kind: "directory" }>;

/** A place in the tree: a real path, the directory that holds it, what is there. */
export interface MemoryPlace {
  readonly real: AbsolutePath;
  readonly parent: MemoryDirectory;
  readonly name: string;
  readonly node: MemoryNode | undefined;
}

const maxLinks = 40;

/** Finds places in a tree of nodes as a kernel does: links of the parents followed, the last one when asked. */
export class MemoryTree {
  readonly root: MemoryDirectory;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.root = this.newDirectory();
  }

  newFile(bytes: Uint8Array): MemoryNode {
    return { kind: "file", bytes, ...this.#facts(0o644) };
  }

  newDirectory(): MemoryDirectory {
    return { kind: "directory", children: new Map(), isReadable: true, ...this.#facts(0o755) };
  }

  newLink(target: string): MemoryNode {
    return { kind: "link", target, ...this.#facts(0o777) };
  }

  /** The place of `path`; its parents must be there. Throws what a kernel would. */
  find(path: AbsolutePath, followLast: boolean, linksLeft = maxLinks): MemoryPlace {
    if (linksLeft === 0) throw osError("ELOOP", path);
    const up = parentPath(path);
    if (up === undefined) return { real: path, parent: this.root, name: "", node: this.root };
    const holder = this.find(up, true, linksLeft);
    if (holder.node === undefined) throw osError("ENOENT", path);
    if (holder.node.kind !== "directory") throw osError("ENOTDIR", path);
    const name = baseName(path);
    const node = holder.node.children.get(name);
    if (followLast && node?.kind === "link")
      return this.find(joinPath(holder.real, node.target), true, linksLeft - 1);
    return { real: joinPath(holder.real, name), parent: holder.node, name, node };
  }

  /** As {@link find}, but something must be there. */
  get(path: AbsolutePath, followLast: boolean): MemoryPlace & { readonly node: MemoryNode } {
    const { node, ...place } = this.find(path, followLast);
    if (node === undefined) throw osError("ENOENT", path);
    return { ...place, node };
  }

  put(place: MemoryPlace, node: MemoryNode): void {
    place.parent.children.set(place.name, node);
    place.parent.modifiedAtMs = this.#now();
  }

  /** Makes every missing directory up to `path`. */
  makeDirectories(path: AbsolutePath): MemoryDirectory {
    const up = parentPath(path);
    if (up === undefined) return this.root;
    this.makeDirectories(up);
    const place = this.find(path, true);
    if (place.node === undefined) this.put(place, this.newDirectory());
    const made = this.get(path, true).node;
    if (made.kind !== "directory") throw osError("EEXIST", path);
    return made;
  }

  touch(node: MemoryNode): void {
    node.modifiedAtMs = this.#now();
  }

  #facts(mode: number): NodeFacts {
    const now = this.#now();
    return { mode, createdAtMs: now, modifiedAtMs: now };
  }
}
