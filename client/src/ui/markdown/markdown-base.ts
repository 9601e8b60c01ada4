import { createContext } from 'react';

/** Where a relative address in a Markdown text leads: for a link, and for a picture. */
export interface MarkdownBase {
  link: (path: string) => string;
  picture: (path: string) => string;
}

/** Stands above a text that is in a folder. Without it relative addresses are those of the page. */
export const MarkdownBaseContext = createContext<MarkdownBase | undefined>(undefined);

/** The path in the folder that a relative address means; undefined for one that is none. */
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
