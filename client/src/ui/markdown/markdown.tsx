import { memo, useMemo } from 'react';
import classes from './markdown.module.css';
import { MarkdownTree } from './markdown-tree.tsx';
import { PlainBlock } from './plain-block.tsx';
import { splitBlocks } from './split-blocks.ts';
import { useMarkdownTree } from './use-markdown-tree.ts';

export interface MarkdownProps {
  text: string;
  /** Whether more of it is still to come. */
  streaming: boolean;
}

/** An answer's Markdown. While it streams only its last block is parsed and rendered again. */
export function Markdown({ text, streaming }: MarkdownProps) {
  const blocks = useMemo(() => splitBlocks(text), [text]);
  return (
    <div className={classes.prose} data-streaming={streaming || undefined}>
      {blocks.map((block, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is what is at its position
        <Block key={position} text={block} open={streaming && position === blocks.length - 1} />
      ))}
    </div>
  );
}

const Block = memo(function Block({ text, open }: { text: string; open: boolean }) {
  const tree = useMarkdownTree(text, open);
  if (text.trim() === '') {
    return null;
  }
  if (tree === 'pending' || tree === 'too-complex') {
    return <PlainBlock text={text} pending={tree === 'pending'} />;
  }
  return <MarkdownTree tree={tree} />;
});
