import { readAsset } from '../../../platform/lib/read-asset.ts';
import { readParts } from '../../skills/archives/office-parts.ts';

const maxBytes = 4 * 1024 * 1024;

/**
 * Provides Adobe's predefined character maps to pdf.js, since many Chinese, Japanese and Korean
 * PDFs only reference them.
 */
export class CMapFactory {
  /** Throws if the map does not exist. */
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const archive = await readAsset('pdf-cmaps.zip');
    const isWanted = (name: string) => kind === 'cMapUrl' && name === filename;
    const map = readParts(archive, isWanted, { maxBytes, maxParts: 1 }).get(filename);
    if (!map) {
      throw new Error(`There is no ${kind} named ${filename}.`);
    }
    return map;
  }
}
