import { json } from '@codemirror/lang-json';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { yaml, yamlFrontmatter } from '@codemirror/lang-yaml';
import type { Extension } from '@codemirror/state';
import { isExpensiveToHighlight } from './expensive-text.ts';

/** The editor language by file extension; plain text if highlighting would take too long. */
export function getEditorLanguage(path: string, text: string): Extension {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return languages[ending]?.(text) ?? [];
}

const languages: Partial<Record<string, (text: string) => Extension>> = {
  md: markdownWithFields,
  markdown: markdownWithFields,
  json: () => json(),
  yaml: () => yaml(),
  yml: () => yaml(),
};

function markdownWithFields(text: string): Extension {
  if (isExpensiveToHighlight(text)) {
    return [];
  }
  return yamlFrontmatter({
    content: markdown({ base: markdownLanguage, completeHTMLTags: false }),
  });
}
