/** The database did not answer. Whether the statement took effect is unknown; it can be retried. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database does not answer.', { cause });
  }
}
