import { readParts } from '../../archives/office-parts.ts';
import { readAsset } from '../../lib/read-asset.ts';

const maxBytes = 4 * 1024 * 1024;

/** Gives pdf.js the predefined character maps of Adobe, which many PDFs in Chinese, Japanese and Korean only name. */
export class CMapFactory {
  /** Throws if there is no such map. */
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
