/** A typed skill as its file has it. */
export interface TypedDocument {
  title: string | undefined;
  /** The first paragraph below the title. */
  intro: string;
  /** In their order. */
  sections: readonly TypedSection[];
}

export interface TypedSection {
  heading: string;
  text: string;
}

/** With more it is no typed skill: they are part of the last one. */
const mostSections = 200;
/** Of a list. */
const mostItems = 500;

/** Takes a file apart at its headings of the first and second level; what is in a code fence is no heading. */
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
      fence === undefined && parts.length <= mostSections
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

/** The parts of a text that begin with headings of one level; what is in a code fence is no heading. */
export function headingsIn(text: string, level: number): TypedSection[] {
  const start = `${'#'.repeat(level)} `;
  const parts: { heading: string; lines: string[] }[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = markOf(line);
    if (mark !== undefined) {
      fence = fenceAfter(fence, mark);
    }
    if (fence === undefined && line.startsWith(start) && parts.length < mostSections) {
      parts.push({ heading: headingText(line.slice(start.length)), lines: [] });
    } else {
      parts.at(-1)?.lines.push(line);
    }
  }
  return parts.map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }));
}

/** A fence ends with at least as many of the same sign. */
function fenceAfter(open: string | undefined, mark: string): string | undefined {
  if (open === undefined) {
    return mark;
  }
  return mark.startsWith(open) ? undefined : open;
}

/** Without the signs that may close it. Not by a pattern, which would try each blank of a long line. */
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

/** The section of one of these names, in lower case with blanks: the first that is there. */
export function sectionOf(
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

/** A heading as it is compared: `Allowed-Skills` and `allowed skills` are one. */
export function plainHeading(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[-_\s]+/g, ' ')
    .replace(/:$/, '')
    .trim();
}

/** The items of the first list of a section; those nested in it are part of none. */
export function itemsIn(section: TypedSection | undefined): string[] {
  const items: string[] = [];
  for (const line of section?.text.split('\n') ?? []) {
    const item = /^ ?[-*+]\s+(\S.*)$/.exec(line)?.[1];
    if (item !== undefined && items.length < mostItems) {
      items.push(item.trim());
    } else if (items.length > 0 && /^\S/.test(line)) {
      break;
    }
  }
  return items;
}

/** The names that a list begins its items with. */
export function namesIn(section: TypedSection | undefined): string[] {
  return itemsIn(section).flatMap((item) => /^[`*"']*([\w./:-]+)/.exec(item)?.[1] ?? []);
}

/** The text of the first code fence; else all of it. */
export function fencedIn({ text }: TypedSection): string {
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

/** The signs that begin or end a fence. */
function markOf(line: string): string | undefined {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
}

/** The first paragraph that is no heading, list or code, in one line. */
export function firstParagraph(text: string): string {
  const found = text
    .slice(0, 16_384)
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .find((part) => part !== '' && !/^(?:#|```|~~~|\|)/.test(part));
  return (found ?? '').replace(/^[-*+]\s+/, '').replace(/\s+/g, ' ');
}
