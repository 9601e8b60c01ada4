import type { SharedAnswer } from '@knowhow/shared/chat/sharing';
import { findLanguage } from '../../../platform/lib/locales.ts';
import type { FrozenMessage } from '../sharing/freeze-message.ts';
import { type ExportWords, exportWords } from './export-words.ts';
import type { ExportFiles, ExportHead, ExportWriter } from './export-writer.ts';
import { escapeHtml, markdownRenderer } from './render-markdown.ts';

/** Writes a self-contained page: it has no scripts, and its CSP blocks scripts and network access. */
export function htmlWriter(language: string): ExportWriter {
  const words = exportWords(language);
  const markdown = markdownRenderer();
  return {
    begin: (head) => pageStart(head, language),
    write: async function* (messages, _from, files) {
      const answers = messages.filter(({ role }) => role === 'assistant');
      const rendered = await markdown.render(answers.map(({ content }) => content));
      for (const message of messages) {
        const html = rendered[answers.indexOf(message)] ?? '';
        yield message.role === 'user'
          ? renderQuestion(message, await renderImages(message, files), words)
          : renderAnswer(message, html, words);
      }
    },
    end: () => '</main></body></html>\n',
    close: markdown.close,
  };
}

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

function pageStart({ title, created_at }: ExportHead, language: string): string {
  const name = escapeHtml(title);
  return `<!doctype html>
<html lang="${findLanguage(language)}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title><style>${exportStyle}</style></head><body><main>
<h1>${name}</h1><p class="quiet">${created_at.slice(0, 10)}</p>
`;
}

type Question = Extract<FrozenMessage, { role: 'user' }>;

function renderQuestion(
  { content, skills, attachments = [] }: Question,
  shown: string,
  words: ExportWords,
): string {
  const names = attachments.map(({ name }) => name);
  return `<article class="user"><h2>${words.you}</h2>
${renderList(words, 'skills', skills)}${renderList(words, 'files', names)}${shown}
<p class="said">${escapeHtml(content)}</p></article>\n`;
}

/** Only images that every browser supports and that fit the size limit are embedded; the others are only named. */
async function renderImages({ attachments = [] }: Question, files: ExportFiles): Promise<string> {
  const shown: string[] = [];
  for (const file of attachments.filter(
    ({ kind, type }) => kind === 'picture' && isWebImage(type),
  )) {
    const bytes = await files.read(file);
    if (bytes) {
      const address = `data:${file.type};base64,${bytes.toString('base64')}`;
      shown.push(`<img src="${address}" alt="${escapeHtml(file.name)}">`);
    }
  }
  return shown.join('');
}

function isWebImage(type: string): boolean {
  return ['image/png', 'image/jpeg', 'image/webp', 'image/gif'].includes(type);
}

function renderAnswer(message: SharedAnswer, html: string, words: ExportWords): string {
  const { model, activations, thinking, status } = message;
  const thinkingHtml = thinking
    ? `<details open><summary>${words.thinking}</summary><p class="said">${escapeHtml(thinking)}</p></details>`
    : '';
  const skills = activations.map(({ name }) => name);
  return `<article><h2>${escapeHtml(model)}</h2>
${renderList(words, 'skills', skills)}${thinkingHtml}${renderCalls(message, words)}
<div>${html}</div>${status === 'complete' ? '' : `<p class="quiet">${words.stopped}</p>`}</article>\n`;
}

function renderCalls({ toolCalls, results }: SharedAnswer, words: ExportWords): string {
  return results
    ? toolCalls
        .map(({ name, title, source, input }, number) => {
          const called = escapeHtml(source === undefined ? name : `${title ?? name} · ${source}`);
          const given = escapeHtml(JSON.stringify(input, null, 2));
          const result = results[number] ?? '…';
          const gave = result
            ? `\n<p class="quiet">${words.result}</p><pre>${escapeHtml(result)}</pre>`
            : '';
          return `<details open><summary>${called}</summary>
<p class="quiet">${words.input}</p><pre>${given}</pre>${gave}</details>`;
        })
        .join('')
    : '';
}

function renderList(
  words: ExportWords,
  label: 'skills' | 'files',
  names: readonly string[],
): string {
  return names.length === 0
    ? ''
    : `<p class="quiet">${words[label]}${words.colon}${names.map(escapeHtml).join(', ')}</p>`;
}

/** Styles of an exported page, including print. */
const exportStyle = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0 0 .5rem; font-size: .85rem; opacity: .7; }
article { margin: 1.5rem 0; overflow-wrap: anywhere; }
.user { padding: .75rem 1rem; border-radius: 12px; background: color-mix(in srgb, currentColor 7%, transparent); }
.user img { display: block; max-width: min(100%, 24rem); max-height: 24rem; margin: .5rem 0; border-radius: 8px; }
.said { margin: 0; white-space: pre-wrap; unicode-bidi: plaintext; }
p, li, h1, h2, h3, h4, h5, h6, td, th { unicode-bidi: plaintext; }
code { unicode-bidi: isolate; }
.quiet { margin: .25rem 0; font-size: .85rem; opacity: .7; }
pre { direction: ltr; padding: .75rem; border-radius: 8px; white-space: pre-wrap; background: color-mix(in srgb, currentColor 6%, transparent); }
code, pre { font: .9em/1.5 ui-monospace, monospace; }
table { border-collapse: collapse; }
th, td { padding: .25rem .6rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); text-align: start; }
blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid color-mix(in srgb, currentColor 25%, transparent); }
details { margin: .5rem 0; padding-inline-start: .75rem; border-inline-start: 2px solid color-mix(in srgb, currentColor 20%, transparent); }
summary { cursor: pointer; }
@media print {
  :root { color-scheme: light; font-size: 11pt; }
  main { max-width: none; margin: 0; padding: 0; }
  h2, summary { break-after: avoid; }
}
`;
