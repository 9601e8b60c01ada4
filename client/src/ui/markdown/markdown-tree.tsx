import type { Root } from 'hast';
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { memo } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { CodeBlock } from './code-block.tsx';
import { FootnoteItem, FootnotesTitle } from './footnotes.tsx';
import { Formula } from './formulas/formula.tsx';
import { MarkdownCheckbox } from './markdown-checkbox.tsx';
import { MarkdownImage } from './markdown-image.tsx';
import { MarkdownLink } from './markdown-link.tsx';
import { MarkdownTable } from './markdown-table.tsx';

/** Renders parsed Markdown. */
export const MarkdownTree = memo(function MarkdownTree({ tree }: { tree: Root }) {
  return toJsxRuntime(tree, { Fragment, jsx, jsxs, components, ignoreInvalidStyle: true });
});

const components: Partial<Components> = {
  // The page already has a first-level heading.
  h1: ({ children }) => <h2 data-first>{children}</h2>,
  h2: FootnotesTitle,
  li: FootnoteItem,
  a: MarkdownLink,
  img: MarkdownImage,
  input: MarkdownCheckbox,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children, dir }) => <MarkdownTable dir={dir}>{children}</MarkdownTable>,
  var: Formula,
};
