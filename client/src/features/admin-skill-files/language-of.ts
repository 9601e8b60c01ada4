import { json } from '@codemirror/lang-json';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { yaml, yamlFrontmatter } from '@codemirror/lang-yaml';
import type { Extension } from '@codemirror/state';

/** How to read a file, by the ending of its name. */
export function languageOf(path: string): Extension {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return languages[ending]?.() ?? [];
}

const languages: Partial<Record<string, () => Extension>> = {
  md: markdownWithFields,
  markdown: markdownWithFields,
  json,
  yaml,
  yml: yaml,
};

function markdownWithFields(): Extension {
  return yamlFrontmatter({
    content: markdown({ base: markdownLanguage, completeHTMLTags: false }),
  });
}
