/** Code of the page that could not be loaded: the connection is lost, or the server has a newer version. */
export class NotLoaded extends Error {
  constructor(cause?: unknown) {
    super('A part of the page could not be loaded.', { cause });
    this.name = 'NotLoaded';
  }
}

/** Loads code that the page did not begin with. Throws `NotLoaded` where it cannot. */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    throw new NotLoaded(error);
  }
}
