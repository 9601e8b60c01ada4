import { memo, useId, useLayoutEffect, useMemo, useState } from 'react';
import classes from './markdown.module.css';
import { OpenBlockContext, TextIdContext } from './markdown-text-context.ts';
import { MarkdownTree } from './markdown-tree.tsx';
import { PlainBlock } from './plain-block.tsx';
import { hasDefinitions, splitBlocks } from './split-blocks.ts';
import { useMarkdownTree } from './use-markdown-tree.ts';

export interface MarkdownProps {
  text: string;
  /** Whether it is still streaming. */
  streaming: boolean;
}

/**
 * An answer's Markdown. While streaming, only its last block is parsed and rendered again; definitions of
 * footnotes and links apply once the text is complete.
 */
export function Markdown({ text, streaming }: MarkdownProps) {
  const id = useId();
  const [hasStreamed] = useState(streaming);
  const [whole, setWhole] = useState<string>();
  const isWhole = useMemo(() => !streaming && hasDefinitions(text), [text, streaming]);
  return (
    <TextIdContext value={id}>
      <div className={classes.prose} data-markdown data-streaming={streaming || undefined}>
        {!(isWhole && (whole === text || !hasStreamed)) && (
          <Blocks text={text} streaming={streaming} />
        )}
        {isWhole && <Whole text={text} isPendingShown={!hasStreamed} onShown={setWhole} />}
      </div>
    </TextIdContext>
  );
}

function Blocks({ text, streaming }: MarkdownProps) {
  const blocks = useMemo(() => splitBlocks(text), [text]);
  return blocks.map((block, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a block is what is at its position
    <Block key={position} text={block} open={streaming && position === blocks.length - 1} />
  ));
}

const Block = memo(function Block({ text, open }: { text: string; open: boolean }) {
  const tree = useMarkdownTree(text, open);
  if (text.trim() === '') {
    return null;
  }
  if (tree === 'pending' || tree === 'too-complex') {
    return <PlainBlock text={text} pending={tree === 'pending'} />;
  }
  return (
    <OpenBlockContext value={open}>
      <MarkdownTree tree={tree} />
    </OpenBlockContext>
  );
});

interface WholeProps {
  text: string;
  /** Whether the raw text is shown while parsing, because there is nothing else to show. */
  isPendingShown: boolean;
  onShown: (text: string) => void;
}

/** The complete text as one block. It replaces the partial blocks before the next paint. */
function Whole({ text, isPendingShown, onShown }: WholeProps) {
  const tree = useMarkdownTree(text, false);
  const isShown = tree !== 'pending';
  useLayoutEffect(() => {
    if (isShown) {
      onShown(text);
    }
  }, [isShown, text, onShown]);
  if (tree === 'pending' || tree === 'too-complex') {
    return isShown || isPendingShown ? <PlainBlock text={text} pending={!isShown} /> : null;
  }
  return <MarkdownTree tree={tree} />;
}
