import type { SharedAnswer } from '@knowhow/shared/chat/sharing';
import type { FrozenMessage } from '../sharing/freeze-message.ts';
import { type ExportWords, exportWords } from './export-words.ts';
import type { ExportWriter } from './export-writer.ts';

/** What was said as it was written, under a heading for each message. */
export function markdownWriter(language: string): ExportWriter {
  const words = exportWords(language);
  return {
    begin: ({ title, created_at }) => `# ${title}\n\n${created_at.slice(0, 10)}\n`,
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
        `**${title ?? name}**${source === undefined ? '' : ` (${source})`}`,
        `${words.input}:\n\n${fenced(JSON.stringify(input, null, 2), 'json')}`,
        results[number] === '' ? '' : `${words.result}:\n\n${fenced(results[number] ?? '…')}`,
      ])
    : [];
  return [
    `## ${model}`,
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
  return names.length === 0 ? '' : `${label}: ${names.map((name) => `\`${name}\``).join(', ')}`;
}

/** With a fence that is longer than any in the text. */
function fenced(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) {
    longest = Math.max(longest, run.length);
  }
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
