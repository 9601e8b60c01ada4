/** The server is unreachable, or the connection to it broke. */
export class Unreachable extends Error {
  constructor(cause?: unknown) {
    super('The server cannot be reached.', { cause });
    this.name = 'Unreachable';
  }
}

/** Whether a query asks again, after some seconds: twice, and only if the server could not be reached. */
export function asksAgain(failures: number, error: Error): boolean {
  return error instanceof Unreachable && failures < 2;
}
