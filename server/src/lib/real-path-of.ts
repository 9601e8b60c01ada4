import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A path with every link on the way followed; its last parts need not exist yet. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), basename(path));
  }
}
