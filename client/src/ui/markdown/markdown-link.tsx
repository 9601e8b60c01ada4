import { type ReactNode, useContext } from 'react';
import { Link } from 'react-router';
import { MarkdownBaseContext, relativePath } from './markdown-base.ts';

/** A link elsewhere, or to another file of the folder that the text is in. */
export function MarkdownLink({ href = '', children }: { href?: string; children?: ReactNode }) {
  const base = useContext(MarkdownBaseContext);
  const path = base && relativePath(href);
  if (path !== undefined) {
    return <Link to={base?.link(path) ?? ''}>{children}</Link>;
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
