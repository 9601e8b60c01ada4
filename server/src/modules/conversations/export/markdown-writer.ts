import type { SharedAnswer } from '@knowhow/shared/chat/sharing';
import type { FrozenMessage } from '../sharing/freeze-message.ts';
import { type ExportWords, exportWords } from './export-words.ts';
import type { ExportWriter } from './export-writer.ts';

/** Writes the original texts under a heading for each message. */
export function markdownWriter(language: string): ExportWriter {
  const words = exportWords(language);
  return {
    begin: ({ title, created_at }) => `# ${escapeMarkdown(title)}\n\n${created_at.slice(0, 10)}\n`,
    write: (messages) => messages.map((message) => renderMessage(message, words)),
    end: () => '',
  };
}

function renderMessage(message: FrozenMessage, words: ExportWords): string {
  const parts = message.role === 'user' ? userParts(message, words) : answerParts(message, words);
  return `\n${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`;
}

function userParts(
  message: Extract<FrozenMessage, { role: 'user' }>,
  words: ExportWords,
): string[] {
  const { content, skills, attachments = [] } = message;
  return [
    `## ${words.you}`,
    renderList(words, 'skills', skills),
    renderList(
      words,
      'files',
      attachments.map(({ name }) => name),
    ),
    content,
  ];
}

function answerParts(answer: SharedAnswer, words: ExportWords): string[] {
  const { model, activations, thinking, content, toolCalls, results, status } = answer;
  const colon = words.colon.trimEnd();
  const calls = results
    ? toolCalls.flatMap(({ name, title, source, input }, number) => [
        `**${escapeMarkdown(title ?? name)}**${source === undefined ? '' : ` (${escapeMarkdown(source)})`}`,
        `${words.input}${colon}\n\n${fenced(JSON.stringify(input, null, 2), 'json')}`,
        results[number] === ''
          ? ''
          : `${words.result}${colon}\n\n${fenced(results[number] ?? '…')}`,
      ])
    : [];
  return [
    `## ${escapeMarkdown(model)}`,
    renderList(
      words,
      'skills',
      activations.map(({ name }) => name),
    ),
    thinking && `<details><summary>${words.thinking}</summary>\n\n${thinking}\n\n</details>`,
    ...calls,
    content,
    status === 'complete' ? '' : `*${words.stopped}*`,
  ];
}

function renderList(
  words: ExportWords,
  label: 'skills' | 'files',
  names: readonly string[],
): string {
  return names.length === 0 ? '' : `${words[label]}${words.colon}${names.map(codeSpan).join(', ')}`;
}

/** Escapes what would start a link, an image, an element or code. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`<[]/g, '\\$&');
}

/** Fenced by more backticks than the text contains in a row. */
function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

/** Fenced by more backticks than the text contains in a row. */
function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(2, longestRun(text)) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Length of the longest run of backticks. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, run.length);
  }
  return longest;
}
