import { detectMediaType } from '../../platform/lib/media-type.ts';
import type { ScriptFile } from './runner/runner.ts';
import type { NewFile } from './tool.ts';

const headBytes = 4096;

/** A script's output files for the user, with types detected from their content. */
export function toOutputFiles(files: readonly ScriptFile[]): NewFile[] {
  return files.map(({ path: name, bytes }) => ({
    name,
    type: detectMediaType(name, bytes.subarray(0, headBytes)).type,
    bytes,
  }));
}
