import type { Element } from 'hast';
import type { Html, Parent, Root, RootContent } from 'mdast';
import type { Processor } from 'unified';

/** An element that was written as HTML. */
interface TagNode extends Parent {
  type: 'tag';
  name: string;
  isOpen: boolean;
}

declare module 'mdast' {
  interface RootContentMap {
    tag: TagNode;
  }
}

/** What is known of HTML, without attributes: the rest of it is text. */
const tag = /<(\/?)(details|summary|sub|sup|kbd|br)(\s+open(?:="")?)?\s*\/?>/gi;

const blocks = new Set(['details', 'summary']);

/**
 * A plugin of remark: of the HTML in a text, a few tags that models write become elements: what can be
 * folded, letters above and below the line, keys, and line breaks.
 */
export function knownTags(this: Processor) {
  const parse = (text: string) => (this.parse(text) as Root).children;
  return (tree: Root) => {
    const left: Parent[] = [tree];
    for (let parent = left.pop(); parent; parent = left.pop()) {
      if (parent.children.some(({ type }) => type === 'html')) {
        parent.children = fold(pieces(parent, parse));
      }
      for (const child of parent.children) {
        if ('children' in child) {
          left.push(child as Parent);
        }
      }
    }
  };
}

/** How the nodes become elements: a handler for remark-rehype. */
export const tagHandlers = {
  tag: (state: { all: (node: never) => Element['children'] }, node: TagNode): Element => ({
    type: 'element',
    tagName: node.name,
    properties: node.isOpen ? { open: true } : {},
    children: state.all(node as never),
  }),
};

interface Mark {
  type: 'mark';
  name: string;
  kind: 'begin' | 'end';
  isOpen: boolean;
  source: string;
}

/** The children of a node with the tags in them by themselves. */
function pieces(parent: Parent, parse: (text: string) => RootContent[]): (RootContent | Mark)[] {
  const isFlow = parent.type !== 'paragraph' && parent.children.every(isFlowContent);
  return parent.children.flatMap((child): (RootContent | Mark)[] => {
    if (child.type !== 'html') {
      return [child];
    }
    const found: (RootContent | Mark)[] = [];
    let end = 0;
    for (const { 0: source, 1: slash, 2: written = '', 3: open, index } of child.value.matchAll(
      tag,
    )) {
      const name = written.toLowerCase();
      if (blocks.has(name) !== isFlow && name !== 'br') {
        continue;
      }
      found.push(...between(child.value.slice(end, index), found.at(-1)));
      found.push(
        name === 'br'
          ? { type: 'break' }
          : { type: 'mark', name, kind: slash ? 'end' : 'begin', isOpen: Boolean(open), source },
      );
      end = index + source.length;
    }
    return end === 0 ? [child] : [...found, ...between(child.value.slice(end), found.at(-1))];
  });

  /** What is between tags is Markdown, and in a title it is text. */
  function between(text: string, before: RootContent | Mark | undefined): RootContent[] {
    if (text.trim() === '') {
      return [];
    }
    const isTitle = before?.type === 'mark' && before.name === 'summary' && before.kind === 'begin';
    if (!isFlow || isTitle) {
      return [{ type: 'text', value: text.replace(/<\/?(?:b|strong|i|em|code)>/gi, '').trim() }];
    }
    // Text that is HTML again is left as it is.
    return text.trimStart().startsWith('<') ? [{ type: 'html', value: text }] : parse(text);
  }
}

function isFlowContent({ type }: RootContent): boolean {
  return !['text', 'emphasis', 'strong', 'inlineCode', 'link', 'image', 'break'].includes(type);
}

/**
 * Makes elements of what is between two tags. A block that is never closed ends with its parent; any other tag
 * that is alone stays text.
 */
function fold(parts: (RootContent | Mark)[]): RootContent[] {
  const open: { mark: Mark; children: RootContent[] }[] = [];
  const done: RootContent[] = [];
  const children = () => open.at(-1)?.children ?? done;
  const close = (isClosed: boolean) => {
    const last = open.pop();
    if (last) {
      const { name, isOpen, source } = last.mark;
      const isElement = isClosed || blocks.has(name);
      children().push(
        ...(isElement
          ? [{ type: 'tag', name, isOpen, children: last.children } satisfies TagNode]
          : [{ type: 'html', value: source } satisfies Html, ...last.children]),
      );
    }
  };
  for (const part of parts) {
    if (part.type !== 'mark') {
      children().push(part);
    } else if (part.kind === 'begin') {
      open.push({ mark: part, children: [] });
    } else if (open.some(({ mark }) => mark.name === part.name)) {
      while (open.at(-1)?.mark.name !== part.name) {
        close(false);
      }
      close(true);
    } else {
      children().push({ type: 'html', value: part.source });
    }
  }
  while (open.length > 0) {
    close(false);
  }
  return done;
}
