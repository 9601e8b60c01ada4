import type { Element, ElementContent, Root } from 'hast';

const tags = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+=(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;
const attributes = /([\w:-]+)=(?:"([^"]*)"|'([^']*)')/g;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** Parses the library's markup, which is well-formed with only basic entities, into a tree. */
export function parseMarkup(markup: string): { root: Root; nodes: number; depth: number } {
  const root: Root = { type: 'root', children: [] };
  const open: (Root | Element)[] = [root];
  let [end, nodes, depth] = [0, 0, 0];
  const add = (child: ElementContent) => {
    open.at(-1)?.children.push(child);
    nodes += 1;
  };
  for (const {
    0: whole,
    1: slash,
    2: tagName = '',
    3: written = '',
    4: empty,
    index,
  } of markup.matchAll(tags)) {
    if (index > end) {
      add({ type: 'text', value: unescapeEntities(markup.slice(end, index)) });
    }
    end = index + whole.length;
    if (slash) {
      open.pop();
      continue;
    }
    const element: Element = {
      type: 'element',
      tagName,
      properties: parseProperties(written),
      children: [],
    };
    add(element);
    if (!empty) {
      open.push(element);
      depth = Math.max(depth, open.length);
    }
  }
  return { root, nodes, depth };
}

function parseProperties(written: string): Element['properties'] {
  return Object.fromEntries(
    [...written.matchAll(attributes)].map(({ 1: name = '', 2: double, 3: single }) => [
      name,
      unescapeEntities(double ?? single ?? ''),
    ]),
  );
}

function unescapeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name] ?? '');
}
