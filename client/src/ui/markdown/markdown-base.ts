import { createContext } from 'react';

/** Resolves relative URLs in a Markdown text, for links and pictures. */
export interface MarkdownBase {
  link: (path: string) => string;
  picture: (path: string) => string;
}

/** Provides the base of a text in a folder. Without it, URLs are relative to the page. */
export const MarkdownBaseContext = createContext<MarkdownBase | undefined>(undefined);

/** The normalised path of a relative URL in the folder; undefined if invalid (path traversal). */
export function relativePath(address: string): string | undefined {
  if (address.startsWith('/') || address.startsWith('#') || URL.canParse(address)) {
    return undefined;
  }
  const root = 'file:///';
  const path = new URL(address, root).href.slice(root.length).split(/[?#]/)[0] ?? '';
  try {
    return decodeURIComponent(path) || undefined;
  } catch {
    return undefined;
  }
}
