import { labelToName, TextDecoder } from '@exodus/bytes/encoding.js';

/** The decoder of the WHATWG Encoding Standard, for libraries that take the global one. */
export { TextDecoder as StandardTextDecoder };

/**
 * Decodes bytes as the WHATWG Encoding Standard says: the label "latin1" means windows-1252, and 0x80 in it is "€".
 * Node's own decoder for windows-1252 is wrong before 22.20, and its Korean and Chinese tables lack characters.
 * A byte order mark of the same encoding is removed.
 *
 * @param label any label of the standard; throws a RangeError for another one, see `encodingName`
 * @param fatal throws a TypeError for bytes that are not in the encoding; otherwise they become U+FFFD
 */
export function decodeBytes(bytes: Uint8Array, label = 'utf-8', { fatal = false } = {}): string {
  return new TextDecoder(label, { fatal }).decode(bytes);
}

/** The standard's name of an encoding in lower case; undefined if the label is unknown or cannot be decoded. */
export function encodingName(label = ''): string | undefined {
  const name = labelToName(label)?.toLowerCase();
  return name === 'replacement' ? undefined : name;
}
