/** The executor of a run could not be reached. `cause` is the client's own error. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
  readonly environment: string;

  constructor(environment: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Failed to create unified exec process: environment \`${environment}\`: ${reason}`, {
      cause,
    });
    this.environment = environment;
  }
}
