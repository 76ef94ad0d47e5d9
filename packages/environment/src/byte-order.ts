/**
 * Compares two texts by their UTF-8 bytes, for `sort`. JavaScript's own `<` goes by UTF-16 units and puts
 * characters beyond U+FFFF before U+E000 to U+FFFF.
 */
export function compareByteOrder(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** Orders one differing unit: the end of the text first, surrogates last. */
function rank(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
