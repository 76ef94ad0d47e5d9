/** Colours for a terminal, or none at all. */
export interface Style {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

export type ColorChoice = "auto" | "always" | "never";

/** `auto`: on a terminal that is not `dumb`, unless `NO_COLOR` is set. */
export function usesColor(
  choice: ColorChoice,
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (choice !== "auto") return choice === "always";
  return isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

export function createStyle(isColored: boolean): Style {
  const paint = (open: number, close: number) => (text: string) =>
    isColored ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    dim: paint(2, 22),
    bold: paint(1, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}
