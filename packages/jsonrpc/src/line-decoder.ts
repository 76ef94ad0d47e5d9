const newline = 10;
const smallPieceBytes = 16 * 1024;

/**
 * Bytes → lines, without their line ends. Pieces of an unfinished line are kept as they came and joined once, so a
 * line of any length costs its length; a line that grows over `maxLineBytes` is refused before it is kept.
 */
export class LineDecoder {
  readonly #maxLineBytes: number;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** Lines completed by `bytes`, in order; the returned buffers may share its memory. Throws a `RangeError` over the limit. */
  *push(bytes: Buffer): Generator<Buffer> {
    let from = 0;
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, from)) {
      yield this.#take(bytes.subarray(from, at));
      from = at + 1;
    }
    if (from < bytes.length) this.#keep(bytes.subarray(from));
  }

  /** The last line, when the input ended without a line end. */
  finish(): Buffer | undefined {
    return this.#size === 0 ? undefined : this.#take(Buffer.alloc(0));
  }

  /** Bytes of the unfinished line. */
  get pendingBytes(): number {
    return this.#size;
  }

  #take(last: Buffer): Buffer {
    if (this.#pieces.length === 0) {
      this.#check(last.length);
      return last;
    }
    this.#keep(last);
    const line = Buffer.concat(this.#pieces, this.#size);
    this.#pieces = [];
    this.#size = 0;
    return line;
  }

  #keep(piece: Buffer): void {
    this.#check(this.#size + piece.length);
    this.#size += piece.length;
    this.#pieces.push(this.#withSmallerBefore(piece));
  }

  /** Joins small pieces as they come, so that a line sent byte by byte does not cost an object a byte. */
  #withSmallerBefore(piece: Buffer): Buffer {
    let joined = piece;
    for (let last = this.#pieces.at(-1); last !== undefined; last = this.#pieces.at(-1)) {
      if (last.length > joined.length || last.length > smallPieceBytes) break;
      this.#pieces.pop();
      joined = Buffer.concat([last, joined]);
    }
    return joined;
  }

  #check(size: number): void {
    if (size > this.#maxLineBytes)
      throw new RangeError(`line is longer than ${this.#maxLineBytes} bytes`);
  }
}
