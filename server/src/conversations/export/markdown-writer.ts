import type { SharedAnswer } from '@knowhow/shared/chat/sharing';
import type { FrozenMessage } from '../sharing/freeze-message.ts';
import { type ExportWords, exportWords } from './export-words.ts';
import type { ExportWriter } from './export-writer.ts';

/** What was said as it was written, under a heading for each message. */
export function markdownWriter(language: string): ExportWriter {
  const words = exportWords(language);
  return {
    begin: ({ title, created_at }) => `# ${plain(title)}\n\n${created_at.slice(0, 10)}\n`,
    write: (messages) => messages.map((message) => written(message, words)),
    end: () => '',
  };
}

function written(message: FrozenMessage, words: ExportWords): string {
  const parts = message.role === 'user' ? ofUser(message, words) : ofAnswer(message, words);
  return `\n${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`;
}

function ofUser(message: Extract<FrozenMessage, { role: 'user' }>, words: ExportWords): string[] {
  const { content, skills, attachments = [] } = message;
  return [
    `## ${words.you}`,
    listed(words.skills, skills),
    listed(
      words.files,
      attachments.map(({ name }) => name),
    ),
    content,
  ];
}

function ofAnswer(answer: SharedAnswer, words: ExportWords): string[] {
  const { model, activations, thinking, content, toolCalls, results, status } = answer;
  const calls = results
    ? toolCalls.flatMap(({ name, title, source, input }, number) => [
        `**${plain(title ?? name)}**${source === undefined ? '' : ` (${plain(source)})`}`,
        `${words.input}:\n\n${fenced(JSON.stringify(input, null, 2), 'json')}`,
        results[number] === '' ? '' : `${words.result}:\n\n${fenced(results[number] ?? '…')}`,
      ])
    : [];
  return [
    `## ${plain(model)}`,
    listed(
      words.skills,
      activations.map(({ name }) => name),
    ),
    thinking && `<details><summary>${words.thinking}</summary>\n\n${thinking}\n\n</details>`,
    ...calls,
    content,
    status === 'complete' ? '' : `*${words.stopped}*`,
  ];
}

function listed(label: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${label}: ${names.map(codeSpan).join(', ')}`;
}

/** Without what begins a link, a picture, an element or code. */
function plain(text: string): string {
  return text.replaceAll(/[\\`<[]/g, '\\$&');
}

/** Between more backticks than are in it. */
function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

/** With a fence that is longer than any in the text. */
function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(2, longestRun(text)) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** How many backticks stand together at most. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, run.length);
  }
  return longest;
}
