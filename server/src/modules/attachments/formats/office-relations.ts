import { posix } from 'node:path';
import { decodeBytes } from '@knowhow/shared/decode-bytes';
import { getXmlAttribute, scanXml } from './scan-xml.ts';

/** A reference from one part of an Office document to another. */
export interface Relation {
  path: string;
  type: string;
}

type Parts = ReadonlyMap<string, Uint8Array>;

/**
 * Reads a part's relations by ID.
 *
 * @param path '' for the document itself
 */
export function readRelations(parts: Parts, path: string): Map<string, Relation> {
  const folder = posix.dirname(path);
  const found = new Map<string, Relation>();
  const relations = parts.get(posix.join(folder, '_rels', `${posix.basename(path)}.rels`));
  for (const piece of relations ? scanXml(decodeBytes(relations)) : []) {
    if (piece.kind === 'open' && piece.name.replace(/^.*:/, '') === 'Relationship') {
      const target = getXmlAttribute(piece, 'Target') ?? '';
      const located = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      const type = getXmlAttribute(piece, 'Type') ?? '';
      found.set(getXmlAttribute(piece, 'Id') ?? '', { path: located, type });
    }
  }
  return found;
}

/** Counts the parts whose name matches. */
export function countParts(parts: Parts, name: RegExp): number {
  return [...parts.keys()].filter((path) => name.test(path)).length;
}
