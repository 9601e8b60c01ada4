import type { Message } from '@knowhow/shared/chat/conversations';
import { createTitle } from '@knowhow/shared/chat/create-title';
import { modelConfigSchema } from '@knowhow/shared/config/models';
import { escapeXml } from '@knowhow/shared/escape-xml';
import { slug } from '@knowhow/shared/skills/skill-name';
import {
  compareFiles,
  findSecrets,
  inspectFiles,
  judgeReferences,
  judgeStrictly,
  locateResource,
  nearestFiles,
  parseSkill,
  renameSkill,
} from '@knowhow/skill-format';
import { describe, expect, test } from 'vitest';
import { diagnoseRuntimes } from './modules/admin/skills/diagnose-runtimes.ts';
import { renderTurns } from './modules/chat/render-turns.ts';
import { emptyRecords } from './modules/conversations/records.ts';
import { collectToolCalls } from './modules/models/collect-tool-calls.ts';
import { demoTexts } from './modules/models/demo-answer.ts';
import { readCatalogue, readSkillContents, readUserWords } from './modules/models/demo-skills.ts';
import type { ModelMessage } from './modules/models/model.ts';
import { openAiChatBody } from './modules/models/openai-chat-body.ts';
import { googleBody } from './modules/models/providers/google-body.ts';
import { rankByWords } from './modules/models/rank-by-words.ts';
import { readSse } from './modules/models/read-sse.ts';
import { parseToolInput, validateToolInput } from './modules/models/tool-input.ts';
import { readCodeScope } from './modules/skills/conversion/code-scope.ts';
import { readTypedDocument } from './modules/skills/conversion/typed-document.ts';
import { renderSkillContent } from './modules/skills/render-skill-content.ts';
import { cpuTime } from './testing/cpu-time.ts';

const units = [
  ...[
    'a',
    ' ',
    '\n',
    '€',
    '😀',
    '\u0301',
    '\u200b',
    '$1 ',
    '<',
    '&',
    '[a](',
    '`',
    '```\n',
    '---\n',
  ],
  ...['a:b: ', 'a: b\n', '/x ', '{', '[', '"', "'", '- ', '\n \n', '1. a\n', '../', 'token="'],
  ...['<file ', '<skill>', '<available_skills>', '<skill_content name="a">', '\nBase: skill://'],
];
const size = 300_000;
/** Milliseconds: many times the linear duration, but below that of quadratic algorithms (ReDoS). */
const bound = 1000;

const file = (text: string, path = 'a.md') => ({
  path,
  bytes: Buffer.from(text),
  executable: false,
});
const entries = [
  { name: 'notes', description: 'Turns notes into decisions.' },
  { name: 'a', description: 'Token file.' },
];
const files = Array.from({ length: 1000 }, (_, at) => `references/part-${at}/chapter-${at}.md`);
const content = (text: string) => `<skill_content name="a">\n${text}\n</skill_content>`;
/** A `SKILL.md` with fields of 50,000 characters at most, which JSON writes as YAML reads them. */
const withFields = (fields: Record<string, string>) => {
  const lines = Object.entries(fields).map(
    ([name, value]) => `${name}: ${JSON.stringify(value.slice(0, 50_000) + value.slice(-5))}`,
  );
  return Buffer.from(['---', 'name: a', 'description: b', ...lines, '---', 'A'].join('\n'));
};
const asked = (text: string, id: string): Message => ({
  role: 'user',
  id,
  content: text,
  skills: [text],
  createdAt: '',
});

/** Functions that process untrusted texts, by their source. */
const readers: Record<string, (text: string) => unknown> = {
  'a title': createTitle,
  'a history': (text) =>
    renderTurns(
      { ...emptyRecords(), messages: [asked(text, 'a'), asked(text, 'b')] },
      {
        model: 'a',
        app: { customInstructions: true },
        usesTools: true,
        sees: false,
        isVisible: () => true,
        isUnlisted: () => true,
        skillTokenBudget: 1e9,
      },
    ),
  'the words of a message': (text) => rankByWords(text, entries),
  'the words of a description': (text) => rankByWords('notes', [{ name: 'a', description: text }]),
  'a system prompt': (text) => [readCatalogue(text), readUserWords(text), readSkillContents(text)],
  'an active skill': (text) => readSkillContents(content(text)),
  "an active skill's files": (text) => readSkillContents(content(`x\nBase: skill://a\n${text}`)),
  'a quotation': (text) => demoTexts('en').quote([{ name: 'a', body: text, resources: [text] }]),
  'a refusal': (text) => demoTexts('en').failed(text, text),
  'an entity': escapeXml,
  'a skill for the model': (text) =>
    renderSkillContent({
      name: 'a',
      body: text,
      files: [{ path: text, size: 1 }],
    }),
  'a path': (text) => locateResource(text, 'a'),
  'the nearest files': (text) => nearestFiles(text, files),
  'a tool input': (text) => validateToolInput(parseToolInput(text)),
  'a name': slug,
  'a SKILL.md': (text) => parseSkill(Buffer.from(text), 'a'),
  'a frontmatter': (text) => parseSkill(Buffer.from(`---\n${text.slice(0, 60_000)}\n---\nA`), 'a'),
  'a list that YAML takes for a text': (text) => parseSkill(withFields({ tags: `[${text}x` }), 'a'),
  'the runtimes that a skill names': (text) =>
    diagnoseRuntimes({ compatibility: `python${text}x`, metadata: {} }, { runner: undefined }),
  'the imports of a code skill': (text) =>
    readCodeScope(
      readTypedDocument(
        Buffer.from(`# A\n\n## Imports\n\n- import${text}x\n- a${text}x\n- const a${text}x\n`),
      ),
      undefined,
      [],
    ),
  'the files it names': (text) => judgeReferences({ text, firstLine: 1 }, { id: 'a', files }),
  'a frontmatter, strictly': (text) => judgeStrictly(Buffer.from(`---\n${text}\n---\nA`)),
  'a new name': (text) => renameSkill(Buffer.from(`---\n${text}\nname: a\n---\n`), 'b'),
  secrets: findSecrets,
  'a file of an archive': (text) => inspectFiles([file(text)]),
  'a new file': (text) => compareFiles([], [file(text.slice(0, 250_000))]),
  'another file': (text) =>
    compareFiles(
      [file(text.slice(0, 250_000))],
      [file(text.slice(1, 240_000).replace(/\n/g, '\nx'))],
    ),
};

describe('processes a long text in linear time as', () => {
  test.each(Object.entries(readers))('%s', { timeout: 60_000 }, (_, read) => {
    const slow = units.flatMap((unit) => {
      const text = unit.repeat(Math.ceil(size / unit.length));
      const took = cpuTime(() => read(text));
      return took > bound ? [`${JSON.stringify(unit)}: ${Math.round(took)} ms`] : [];
    });
    expect(slow).toEqual([]);
  });
});

describe('processes provider responses in linear time:', () => {
  test('twenty thousand tool calls in one answer', () => {
    const took = cpuTime(() => {
      const collector = collectToolCalls();
      for (let index = 0; index < 20_000; index += 1) {
        collector.add({ index, id: `call-${index}`, function: { name: 'a', arguments: '{}' } });
      }
      expect(collector.calls()).toHaveLength(20_000);
    });
    expect(took).toBeLessThan(bound);
  });

  test.each([
    ['Google', googleBody],
    ['OpenAI', openAiChatBody],
  ])('the results of five thousand tool calls, sent to %s', (_, bodyOf) => {
    const ids = Array.from({ length: 5000 }, (_each, at) => `call-${at}`);
    const results = ids.map(
      (callId): ModelMessage => ({
        role: 'tool',
        callId,
        name: 'a',
        content: 'b',
        isError: false,
      }),
    );
    const toolCalls = ids.map((id) => ({ id, name: 'a', input: {} }));
    const messages: ModelMessage[] = [{ role: 'assistant', content: '', toolCalls }, ...results];
    const config = modelConfigSchema.parse({ id: 'a', modelId: 'a', name: 'A', provider: 'local' });
    const took = cpuTime(() => bodyOf({ system: '', messages, tools: [] }, config));
    expect(took).toBeLessThan(bound);
  });

  test('gives up early on lines that are not events', async () => {
    async function* lines() {
      for (let piece = 0; piece < 1000; piece += 1) {
        yield Buffer.from('x\n'.repeat(1000));
      }
    }
    const started = performance.now();
    await expect(readSse(lines()).next()).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(bound);
  });
});
