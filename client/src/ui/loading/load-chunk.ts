/** A chunk could not be loaded: the connection is lost, or the server has a newer version. */
export class NotLoaded extends Error {
  constructor(cause?: unknown) {
    super('A part of the page could not be loaded.', { cause });
    this.name = 'NotLoaded';
  }
}

/** Loads a chunk. Throws `NotLoaded` on failure. */
export async function loadChunk<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    throw new NotLoaded(error);
  }
}
