/** A fenced block of a Markdown text: what follows the fence, and what stands in it. */
export interface FencedBlock {
  readonly info: string;
  readonly text: string;
}

/** The fenced blocks of a text, in order. */
export function fencedBlocks(markdown: string): FencedBlock[] {
  const blocks = markdown.matchAll(/^```([^\n]*)\n(.*?)^```$/gms);
  return Array.from(blocks, ([, info = "", text = ""]) => ({ info, text }));
}
