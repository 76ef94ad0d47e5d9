const separator = "\n\n--- project-doc ---\n\n";

/** The person's own text, then the project's; undefined when there is neither. */
export function userInstructions(
  globalText: string | undefined,
  docsText: string | undefined,
): string | undefined {
  const texts = [globalText, docsText].filter((text) => text !== undefined && text !== "");
  return texts.length > 0 ? texts.join(separator) : undefined;
}

/** How the part of the first message that carries the instructions begins. */
export const agentsTitle = "# AGENTS.md instructions";

/**
 * The part of the first user message that carries the instructions. `cwd` is the directory the project's docs hold
 * for; undefined when the text holds none, only the person's own.
 */
export function agentsFragment(cwd: string | undefined, text: string): string {
  const title = cwd === undefined ? agentsTitle : `${agentsTitle} for ${cwd}`;
  return `${title}\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`;
}
