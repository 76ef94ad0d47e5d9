/**
 * Whether all of `name` matches `glob`, in any case: `*` is any run of characters, `?` any one, the rest itself.
 * Takes at most |name| x |glob| steps, whatever the glob.
 */
export function matchesGlob(name: string, glob: string): boolean {
  const text = name.toUpperCase();
  const pattern = glob.toUpperCase();
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    const wanted = pattern[inPattern];
    if (wanted === "*") {
      star = inPattern++;
      starAt = at;
    } else if (wanted === "?" || wanted === text[at]) {
      inPattern += 1;
      at += 1;
    } else if (star >= 0) {
      inPattern = star + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === "*") inPattern += 1;
  return inPattern === pattern.length;
}
