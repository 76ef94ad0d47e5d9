/** The patch cannot be applied as it is; `message` is for the model. Nothing was changed. */
export class PatchError extends Error {
  override readonly name = "PatchError";
}
