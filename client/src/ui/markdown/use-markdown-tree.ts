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
 * What a block of Markdown is shown as: a tree, the one of the text before it as long as its own is
 * not there, 'pending' before the first, and 'too-complex' when it has none. `open` is a block that
 * is still being written; it stays too complex however much is added.
 */
export function useMarkdownTree(text: string, open: boolean): Root | 'pending' | 'too-complex' {
  const parser = use(MarkdownParserContext);
  const [parsed, setParsed] = useState<Parsed>();
  const asking = useRef<AbortController>(undefined);
  const isTooComplex = parsed !== undefined && !parsed.tree && text.startsWith(parsed.text);
  const isSettled = isTooComplex || (parsed?.text === text && parsed.open === open);

  // One question at a time: what is being written is asked for again when it has been answered.
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
        // The thousands of blocks of a long conversation must not hold up what is typed meanwhile.
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
