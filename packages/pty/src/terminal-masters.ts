/**
 * The master descriptors this process holds. Module state on purpose: descriptors belong to the process, and a child
 * started on behalf of one owner inherits the terminals of every other.
 */
const masters = new Set<{ readonly descriptor: number }>();

/** Says that `descriptor` is a terminal's master. Call the result when it has been closed. */
export function rememberMaster(descriptor: number): () => void {
  const master = { descriptor }; // an object, since the number may be in use again before the old one is forgotten
  masters.add(master);
  return () => masters.delete(master);
}

export function openMasters(): number[] {
  return Array.from(masters, (master) => master.descriptor);
}
