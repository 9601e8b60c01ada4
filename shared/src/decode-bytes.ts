import { labelToName, TextDecoder } from '@exodus/bytes/encoding.js';

/** Spec-compliant decoder, for libraries that use the global one. */
export { TextDecoder as StandardTextDecoder };

/**
 * Decodes bytes according to the WHATWG Encoding Standard: the label "latin1" means windows-1252,
 * where 0x80 is "€". Node's windows-1252 decoder is wrong before 22.20, and its Korean and Chinese
 * tables are incomplete. A matching byte order mark is removed.
 *
 * @param label any label of the standard; throws a RangeError for others, see `encodingName`
 * @param fatal throws a TypeError for invalid bytes instead of replacing them by U+FFFD
 */
export function decodeBytes(bytes: Uint8Array, label = 'utf-8', { fatal = false } = {}): string {
  return new TextDecoder(label, { fatal }).decode(bytes);
}

/** The standard's lowercase name of an encoding; undefined for unknown or undecodable labels. */
export function encodingName(label = ''): string | undefined {
  const name = labelToName(label)?.toLowerCase();
  return name === 'replacement' ? undefined : name;
}
