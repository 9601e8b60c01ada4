import rehypeHighlight from 'rehype-highlight';
import { MarkdownBlock } from './markdown-block.tsx';

const plugins = [rehypeHighlight];

/** A block of Markdown with its code highlighted. Loaded when the first code is shown. */
export function HighlightedBlock({ text }: { text: string }) {
  return <MarkdownBlock text={text} rehypePlugins={plugins} />;
}
