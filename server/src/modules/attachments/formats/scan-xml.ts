import { DocumentError } from '../document.ts';

/** A token of an XML document. */
export interface XmlPiece {
  kind: 'open' | 'close' | 'text';
  /** Qualified element name; '' for text. */
  name: string;
  /** Raw attributes, or text with resolved references. */
  value: string;
  /** A self-closing element, without a `close`. */
  isEmpty: boolean;
  /** Offsets in the document. */
  start: number;
  end: number;
}

/** The lookahead prevents backtracking, so matching is linear (ReDoS). */
const tag = /<(\/?)([^\s/>]+)(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/y;

/**
 * Streams elements and texts in linear time, without building a tree. Skips declarations, comments
 * and processing instructions, and never expands custom entities (XXE). Throws `DocumentError` for
 * invalid XML.
 */
export function* scanXml(xml: string): Generator<XmlPiece> {
  let at = 0;
  while (at < xml.length) {
    const open = xml.indexOf('<', at);
    const textEnd = open < 0 ? xml.length : open;
    if (textEnd > at) {
      const value = resolveReferences(xml.slice(at, textEnd));
      yield { kind: 'text', name: '', value, isEmpty: false, start: at, end: textEnd };
    }
    if (open < 0) {
      return;
    }
    if (xml.startsWith('<![CDATA[', open)) {
      const end = endOf(xml, ']]>', open);
      const value = xml.slice(open + 9, end - 3);
      yield { kind: 'text', name: '', value, isEmpty: false, start: open, end };
      at = end;
      continue;
    }
    const skipped = xml.startsWith('<!--', open)
      ? '-->'
      : /^<[!?]/.test(xml.slice(open, open + 2))
        ? '>'
        : '';
    if (skipped !== '') {
      at = endOf(xml, skipped, open);
      continue;
    }
    tag.lastIndex = open;
    const found = tag.exec(xml);
    if (!found) {
      throw new DocumentError('broken');
    }
    const [whole, slash, name = '', attributes = ''] = found;
    at = open + whole.length;
    const isEmpty = slash === '' && attributes.endsWith('/');
    const kind = slash === '/' ? 'close' : 'open';
    yield { kind, name, value: attributes, isEmpty, start: open, end: at };
  }
}

function endOf(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from);
  if (at < 0) {
    throw new DocumentError('broken');
  }
  return at + mark.length;
}

const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

function resolveReferences(text: string): string {
  return text.includes('&')
    ? text.replace(/&(#x?[\da-f]{1,8}|[a-z]{2,4});/gi, (whole, name: string) => {
        if (!name.startsWith('#')) {
          return named[name] ?? whole;
        }
        const isHex = /^#x/i.test(name);
        const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
        return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
      })
    : text;
}

/** An attribute's value by qualified name; undefined if missing. */
export function getXmlAttribute(
  { value }: Pick<XmlPiece, 'value'>,
  name: string,
): string | undefined {
  for (const quote of ['"', "'"]) {
    const mark = `${name}=${quote}`;
    let at = value.indexOf(mark);
    while (at > 0 && !/\s/.test(value.charAt(at - 1))) {
      at = value.indexOf(mark, at + 1);
    }
    if (at > 0) {
      const start = at + mark.length;
      return resolveReferences(value.slice(start, value.indexOf(quote, start)));
    }
  }
  return undefined;
}

/** An integer attribute, clamped to 1 to `max`; 1 by default. */
export function getXmlCount(piece: Pick<XmlPiece, 'value'>, name: string, max: number): number {
  const count = Number.parseInt(getXmlAttribute(piece, name) ?? '', 10);
  return Number.isNaN(count) ? 1 : Math.min(Math.max(count, 1), max);
}

/** Escapes text for XML and HTML. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
