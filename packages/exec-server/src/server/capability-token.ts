/** Knows a secret by its SHA-256 only, and compares in a time that tells nothing about it. */
export class CapabilityToken {
  readonly #digest: Buffer;

  private constructor(digest: Buffer) {
    this.#digest = digest;
  }

  /** Blanks around it do not count: a file ends with a newline. Undefined when nothing is left. */
  static fromText(text: string): CapabilityToken | undefined {
    const token = text.trim();
    return token === "" ? undefined : new CapabilityToken(digestOf(token));
  }

  /** 64 hexadecimal digits; undefined for anything else. */
  static fromSha256(hex: string): CapabilityToken | undefined {
    return /^[0-9a-f]{64}$/i.test(hex) ? new CapabilityToken(Buffer.from(hex, "hex")) : undefined;
  }

  matches(presented: string): boolean {
    return crypto().timingSafeEqual(digestOf(presented), this.#digest);
  }
}

function digestOf(text: string): Buffer {
  return crypto().createHash("sha256").update(text).digest();
}

/** Loaded when there is a token: it is a twentieth of the start. */
function crypto(): typeof import("node:crypto") {
  return process.getBuiltinModule("node:crypto");
}
