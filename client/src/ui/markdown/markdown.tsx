import { lazy, memo, Suspense, useMemo } from 'react';
import { healMarkdown } from './heal-markdown.ts';
import classes from './markdown.module.css';
import { MarkdownBlock } from './markdown-block.tsx';
import { splitBlocks } from './split-blocks.ts';

const HighlightedBlock = lazy(async () => ({
  default: (await import('./highlighted-block.tsx')).HighlightedBlock,
}));

interface MarkdownProps {
  text: string;
  /** Whether more of it is still to come. */
  streaming: boolean;
}

/** An answer's Markdown. While it streams only its last block is parsed and rendered again. */
export function Markdown({ text, streaming }: MarkdownProps) {
  const blocks = useMemo(() => splitBlocks(text), [text]);
  return (
    <div className={classes.prose} data-streaming={streaming || undefined}>
      {blocks.map((block, position) => {
        const open = streaming && position === blocks.length - 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is what stands at its position
          <Block key={position} text={open ? healMarkdown(block) : block} open={open} />
        );
      })}
    </div>
  );
}

const Block = memo(function Block({ text, open }: { text: string; open: boolean }) {
  const plain = <MarkdownBlock text={text} />;
  const hasCode = /^\s*(```|~~~)\s*\w/m.test(text);
  if (open || !hasCode) {
    return plain;
  }
  return (
    <Suspense fallback={plain}>
      <HighlightedBlock text={text} />
    </Suspense>
  );
});
