/** What `make` gives in the first of `directories` where it does not throw; throws its last error when it always does. */
export function inFirstFolder<T>(
  directories: readonly string[],
  make: (directory: string) => T,
): T {
  let refusal: unknown;
  for (const directory of directories) {
    try {
      return make(directory);
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal;
}
