import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.tsx';
import { MarkdownCheckbox } from './markdown-checkbox.tsx';
import { MarkdownImage } from './markdown-image.tsx';
import { MarkdownLink } from './markdown-link.tsx';
import { MarkdownTable } from './markdown-table.tsx';

interface MarkdownBlockProps {
  text: string;
  rehypePlugins?: Options['rehypePlugins'];
}

/** Markdown without HTML: tags in the text are shown as they are written. */
export function MarkdownBlock({ text, rehypePlugins }: MarkdownBlockProps) {
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      components={components}
    >
      {text}
    </ReactMarkdown>
  );
}

const remarkPlugins = [remarkGfm];

const components: Components = {
  // The page has its first heading already.
  h1: ({ children }) => <h2 data-first>{children}</h2>,
  a: ({ href, children }) => <MarkdownLink href={href}>{children}</MarkdownLink>,
  img: MarkdownImage,
  input: MarkdownCheckbox,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => <MarkdownTable>{children}</MarkdownTable>,
};
