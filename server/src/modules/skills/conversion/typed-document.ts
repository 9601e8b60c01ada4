/** The parsed file of a typed skill. */
export interface TypedDocument {
  title: string | undefined;
  /** The first paragraph below the title. */
  intro: string;
  /** In document order. */
  sections: readonly TypedSection[];
}

export interface TypedSection {
  heading: string;
  text: string;
}

/** Maximum number; further ones are part of the last section. */
const maxSections = 200;
/** Per list. */
const maxItems = 500;

/** Splits a document at level 1 and 2 headings, ignoring code fences. */
export function readTypedDocument(bytes: Uint8Array): TypedDocument {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n');
  let title: string | undefined;
  let fence: string | undefined;
  const parts: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  for (const line of withoutFrontmatter(text).split('\n')) {
    const mark = markOf(line);
    const heading =
      fence === undefined && parts.length <= maxSections
        ? /^(#{1,2})[ \t]+(\S.*)$/.exec(line)
        : null;
    if (mark !== undefined) {
      fence = fenceAfter(fence, mark);
    }
    if (heading?.[1] === '#' && title === undefined && parts.length === 1) {
      title = headingText(heading[2]);
    } else if (heading) {
      parts.push({ heading: headingText(heading[2]), lines: [] });
    } else {
      parts.at(-1)?.lines.push(line);
    }
  }
  const [intro, ...sections] = parts.map(({ heading, lines }) => ({
    heading,
    text: lines.join('\n').trim(),
  }));
  return { title, intro: intro?.text ?? '', sections };
}

/** Splits a text at headings of one level, ignoring code fences. */
export function headingsIn(text: string, level: number): TypedSection[] {
  const start = `${'#'.repeat(level)} `;
  const parts: { heading: string; lines: string[] }[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = markOf(line);
    if (mark !== undefined) {
      fence = fenceAfter(fence, mark);
    }
    if (fence === undefined && line.startsWith(start) && parts.length < maxSections) {
      parts.push({ heading: headingText(line.slice(start.length)), lines: [] });
    } else {
      parts.at(-1)?.lines.push(line);
    }
  }
  return parts.map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }));
}

/** A fence is closed by at least as many of the same characters. */
function fenceAfter(open: string | undefined, mark: string): string | undefined {
  if (open === undefined) {
    return mark;
  }
  return mark.startsWith(open) ? undefined : open;
}

/** Without closing `#`s. No regular expression, which would backtrack on long lines (ReDoS). */
function headingText(text = ''): string {
  const plain = text.trim();
  let end = plain.length;
  while (plain[end - 1] === '#') {
    end -= 1;
  }
  return /[ \t]/.test(plain[end - 1] ?? '') ? plain.slice(0, end).trim() : plain;
}

function withoutFrontmatter(text: string): string {
  return text.replace(/^---[ \t]*\n[\s\S]*?\n---[ \t]*(?:\n|$)/, '');
}

/** The first existing section of these names, given in lowercase with spaces. */
export function findSection(
  { sections }: TypedDocument,
  ...names: readonly string[]
): TypedSection | undefined {
  for (const name of names) {
    const found = sections.find(({ heading }) => plainHeading(heading) === name);
    if (found) {
      return found;
    }
  }
  return undefined;
}

/** Normalizes a heading: `Allowed-Skills` equals `allowed skills`. */
export function plainHeading(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[-_\s]+/g, ' ')
    .replace(/:$/, '')
    .trim();
}

/** Items of a section's first list, without nested ones. */
export function itemsIn(section: TypedSection | undefined): string[] {
  const items: string[] = [];
  for (const line of section?.text.split('\n') ?? []) {
    const item = /^ ?[-*+]\s+(\S.*)$/.exec(line)?.[1];
    if (item !== undefined && items.length < maxItems) {
      items.push(item.trim());
    } else if (items.length > 0 && /^\S/.test(line)) {
      break;
    }
  }
  return items;
}

/** The names at the start of list items. */
export function namesIn(section: TypedSection | undefined): string[] {
  return itemsIn(section).flatMap((item) => /^[`*"']*([\w./:-]+)/.exec(item)?.[1] ?? []);
}

/** The content of the first code fence, or the whole text. */
export function extractFence({ text }: TypedSection): string {
  const lines = text.split('\n');
  let open: { mark: string; at: number } | undefined;
  for (const [at, line] of lines.entries()) {
    const mark = markOf(line);
    if (mark !== undefined && open && fenceAfter(open.mark, mark) === undefined) {
      return lines.slice(open.at + 1, at).join('\n');
    }
    open ??= mark === undefined ? undefined : { mark, at };
  }
  return text;
}

/** The characters of a fence line. */
function markOf(line: string): string | undefined {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
}

/** The first prose paragraph, as one line. */
export function firstParagraph(text: string): string {
  const found = text
    .slice(0, 16_384)
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .find((part) => part !== '' && !/^(?:#|```|~~~|\|)/.test(part));
  return (found ?? '').replace(/^[-*+]\s+/, '').replace(/\s+/g, ' ');
}
