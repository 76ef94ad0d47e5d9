// Escape sequences: CSI, then the string kinds (OSC, DCS, ...), then any other two-character one.
const escapeSequence =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text of somebody else, safe to show on a terminal: escape sequences are dropped, other control characters made visible. */
export function printable(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(escapeSequence, "")
    .replace(control, (character) => visible(character.charCodeAt(0)));
}

function visible(code: number): string {
  if (code === 0x0d) return "\n";
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\u2421";
}
