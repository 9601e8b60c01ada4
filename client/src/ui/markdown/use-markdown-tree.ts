import type { Root } from 'hast';
import { startTransition, use, useEffect, useRef, useState } from 'react';
import { healMarkdown } from './heal-markdown.ts';
import { MarkdownParserContext } from './markdown-parser.ts';

interface Parsed {
  text: string;
  open: boolean;
  tree: Root | undefined;
}

/**
 * The tree of a Markdown block: its own, the previous one until it is ready, 'pending' before the first, and
 * 'too-complex' if it has none. An `open` block is still streaming; it stays too complex as it grows.
 */
export function useMarkdownTree(text: string, open: boolean): Root | 'pending' | 'too-complex' {
  const parser = use(MarkdownParserContext);
  const [parsed, setParsed] = useState<Parsed>();
  const asking = useRef<AbortController>(undefined);
  const isTooComplex = parsed !== undefined && !parsed.tree && text.startsWith(parsed.text);
  const isSettled = isTooComplex || (parsed?.text === text && parsed.open === open);

  // One request at a time: a streaming block is requested again after the response.
  useEffect(() => {
    if (isSettled || asking.current || !parser) {
      return;
    }
    const controller = new AbortController();
    asking.current = controller;
    const task = { text: open ? healMarkdown(text) : text, highlighted: !open };
    void parser.parse(task, controller.signal).then((tree) => {
      if (asking.current === controller) {
        asking.current = undefined;
        const show = () => setParsed({ text, open, tree });
        // A transition: the thousands of blocks of a long conversation must not delay typing.
        return open ? show() : startTransition(show);
      }
    });
  });

  useEffect(
    () => () => {
      asking.current?.abort();
      asking.current = undefined;
    },
    [],
  );

  if (!parsed) {
    return 'pending';
  }
  return parsed.tree ?? (isTooComplex ? 'too-complex' : 'pending');
}
