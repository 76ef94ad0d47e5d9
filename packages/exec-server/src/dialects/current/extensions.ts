import { type ExtensionName, extensionNames } from "@codex/protocol";
import { invalidParams } from "./server-errors.ts";

/** What both sides of one connection have named. */
export class GrantedExtensions {
  /** In the client's order; undefined when it asked for none. */
  readonly names: readonly ExtensionName[] | undefined;
  readonly #granted: ReadonlySet<string>;

  constructor(asked: readonly string[] | undefined) {
    this.names = asked?.filter(isExtension);
    this.#granted = new Set(this.names);
  }

  has(name: ExtensionName): boolean {
    return this.#granted.has(name);
  }

  /** Throws when one of these fields is there without its extension. */
  check(fields: readonly (readonly [field: string, value: unknown, name: ExtensionName])[]): void {
    for (const [field, value, name] of fields)
      if (value !== undefined && value !== false && !this.has(name))
        throw invalidParams(`field \`${field}\` needs the extension \`${name}\``);
  }
}

function isExtension(name: string): name is ExtensionName {
  return (extensionNames as readonly string[]).includes(name);
}
