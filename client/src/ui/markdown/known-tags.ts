import type { Element } from 'hast';
import type { Html, Parent, Root, RootContent } from 'mdast';
import type { Processor } from 'unified';

/** An element written as HTML. */
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

/** The allowed HTML tags, without attributes: everything else is text. */
const tag = /<(\/?)(details|summary|sub|sup|kbd|br)(\s+open(?:="")?)?\s*\/?>/gi;

const blocks = new Set(['details', 'summary']);

/**
 * A remark plugin that converts an allowlist of HTML tags to elements: collapsible sections, superscript and
 * subscript, keys, and line breaks.
 */
export function knownTags(this: Processor) {
  const parse = (text: string) => (this.parse(text) as Root).children;
  return (tree: Root) => {
    const left: Parent[] = [tree];
    for (let parent = left.pop(); parent; parent = left.pop()) {
      if (parent.children.some(({ type }) => type === 'html')) {
        parent.children = buildElements(splitAtTags(parent, parse));
      }
      for (const child of parent.children) {
        if ('children' in child) {
          left.push(child as Parent);
        }
      }
    }
  };
}

/** A handler for remark-rehype that converts the nodes to elements. */
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

/** The children of a node, split at the tags in them. */
function splitAtTags(
  parent: Parent,
  parse: (text: string) => RootContent[],
): (RootContent | Mark)[] {
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

  /** Content between tags is Markdown; inside a title it is plain text. */
  function between(text: string, before: RootContent | Mark | undefined): RootContent[] {
    if (text.trim() === '') {
      return [];
    }
    const isTitle = before?.type === 'mark' && before.name === 'summary' && before.kind === 'begin';
    if (!isFlow || isTitle) {
      return [{ type: 'text', value: text.replace(/<\/?(?:b|strong|i|em|code)>/gi, '').trim() }];
    }
    // Nested HTML is left unchanged.
    return text.trimStart().startsWith('<') ? [{ type: 'html', value: text }] : parse(text);
  }
}

function isFlowContent({ type }: RootContent): boolean {
  return !['text', 'emphasis', 'strong', 'inlineCode', 'link', 'image', 'break'].includes(type);
}

/**
 * Creates elements from the content between two tags. An unclosed block ends with its parent; any other unpaired
 * tag stays text.
 */
function buildElements(parts: (RootContent | Mark)[]): RootContent[] {
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
