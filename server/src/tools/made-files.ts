import { mediaTypeOf } from '../lib/media-type.ts';
import type { ScriptFile } from '../runner/runner.ts';
import type { NewFile } from './tool.ts';

const headBytes = 4096;

/** What a script has left, as files for its user: of the types that their bytes say. */
export function madeFiles(files: readonly ScriptFile[]): NewFile[] {
  return files.map(({ path: name, bytes }) => ({
    name,
    type: mediaTypeOf(name, bytes.subarray(0, headBytes)).type,
    bytes,
  }));
}
