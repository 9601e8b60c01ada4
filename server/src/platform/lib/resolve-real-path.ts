import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Resolves all symbolic links of a path whose last segments may not exist yet. */
export function resolveRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(resolveRealPath(above), basename(path));
  }
}
