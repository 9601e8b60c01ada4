/** The database did not answer: what was asked of it may be done or not, and can be asked again in a while. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super('The database does not answer.', { cause });
  }
}
