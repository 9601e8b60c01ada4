import type { Root } from 'hast';
import {
  memo,
  startTransition,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { PlainText } from '../text/plain-text.tsx';
import { healMarkdown } from './heal-markdown.ts';
import classes from './markdown.module.css';
import { MarkdownParserContext } from './markdown-parser.ts';
import { OpenBlockContext, TextIdContext } from './markdown-text-context.ts';
import { MarkdownTree } from './markdown-tree.tsx';
import { hasDefinitions, splitBlocks } from './split-blocks.ts';

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

interface PlainBlockProps {
  text: string;
  /** Whether it is being parsed; otherwise it is too complex. */
  pending: boolean;
}

/** A raw block of Markdown. */
function PlainBlock({ text, pending }: PlainBlockProps) {
  const { t } = useTranslation();
  return (
    <>
      {!pending && <p className={classes.note}>{t('answer.tooComplex')}</p>}
      <p className={classes.text} data-pending={pending || undefined}>
        <PlainText text={text} />
      </p>
    </>
  );
}

interface Parsed {
  text: string;
  open: boolean;
  tree: Root | undefined;
}

/**
 * The tree of a Markdown block: its own, the previous one until it is ready, 'pending' before the first, and
 * 'too-complex' if it has none. An `open` block is still streaming; it stays too complex as it grows, and gets one more
 * attempt when it is complete.
 */
function useMarkdownTree(text: string, open: boolean): Root | 'pending' | 'too-complex' {
  const parser = use(MarkdownParserContext);
  const [parsed, setParsed] = useState<Parsed>();
  const asking = useRef<AbortController>(undefined);
  const isTooComplex = parsed !== undefined && !parsed.tree && text.startsWith(parsed.text);
  const isSettled = (isTooComplex && open) || (parsed?.text === text && parsed.open === open);

  // One request at a time: a streaming block is requested again after the response.
  useEffect(() => {
    if (isSettled || asking.current || !parser) {
      return;
    }
    const controller = new AbortController();
    asking.current = controller;
    const task = { text: open ? healMarkdown(text) : text, isComplete: !open };
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
