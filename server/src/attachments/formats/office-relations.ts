import { posix } from 'node:path';
import { decodeBytes } from '../../lib/decode-bytes.ts';
import { attributeOf, scanXml } from './scan-xml.ts';

/** Another part to which a part of an Office document refers. */
export interface Relation {
  path: string;
  type: string;
}

type Parts = ReadonlyMap<string, Uint8Array>;

/** Finds the relations of a part by their ids. @param path '' for the document itself */
export function relationsOf(parts: Parts, path: string): Map<string, Relation> {
  const folder = posix.dirname(path);
  const found = new Map<string, Relation>();
  const relations = parts.get(posix.join(folder, '_rels', `${posix.basename(path)}.rels`));
  for (const piece of relations ? scanXml(decodeBytes(relations)) : []) {
    if (piece.kind === 'open' && piece.name.replace(/^.*:/, '') === 'Relationship') {
      const target = attributeOf(piece, 'Target') ?? '';
      const located = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      const type = attributeOf(piece, 'Type') ?? '';
      found.set(attributeOf(piece, 'Id') ?? '', { path: located, type });
    }
  }
  return found;
}

/** Counts the parts of which the name fits. */
export function countParts(parts: Parts, name: RegExp): number {
  return [...parts.keys()].filter((path) => name.test(path)).length;
}
