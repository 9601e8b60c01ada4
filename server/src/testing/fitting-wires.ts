import { randomUUID } from 'node:crypto';
import { encode } from 'gpt-tokenizer';
import { afterEach, expect, inject, test } from 'vitest';
import { openModel } from '../modules/models/open-model.ts';
import { wires } from './ask-wire.ts';
import { otherTokenizer } from './other-tokenizer.ts';
import { type ScriptedHttp, startScriptedHttp } from './scripted-http.ts';
import { seededRandom } from './seeded-random.ts';
import { skillFile } from './skill-folder.ts';
import { startTestServer, type TestServer } from './start-test-server.ts';
import { readConversation, takeTurn } from './take-turn.ts';
import type { WireAnswer } from './vendor-wire.ts';
import type { Files } from './write-files.ts';

const texts = {
  english: 'The team met on Monday and decided to move the launch by two weeks. ',
  german: 'Das Team hat am Montag beschlossen, den Start um zwei Wochen zu verschieben. ',
  chinese: '团队在星期一开会，决定将发布推迟两个星期，以便完成剩余的测试工作。',
  code: 'export const sum = (a: number[]): number => a.reduce((x, y) => x + y, 0); // {"k": [1, 2]}\n',
};
const languages = Object.keys(texts) as (keyof typeof texts)[];
const windows = [2000, 8000, 128_000];
const turns = 200;
/**
 * Each message or answer uses about this fraction of the window (at least a sentence), so that
 * together they exceed it.
 */
const share = 500;

interface Case {
  wire: (typeof wires)[number];
  window: number;
  language: (typeof languages)[number];
  /** For the test name. */
  provider: string;
}

const all: Case[] = wires.flatMap((wire) =>
  windows.flatMap((window) =>
    languages.map((language) => ({ wire, window, language, provider: wire.provider })),
  ),
);

/** One random case per run, or all of them on request, which takes minutes. */
function chosenOf(cases: Case[]): Case[] {
  const at = Math.floor(seededRandom(inject('seed'))() * cases.length);
  return inject('fitsAll') ? cases : cases.slice(at, at + 1);
}

/** Repeats a text up to about this many tokens. */
function textOf(language: keyof typeof texts, tokens: number): string {
  const own = encode(texts[language]).length;
  return texts[language].repeat(Math.max(1, Math.round(tokens / own)));
}

function filesFor({ wire, language, window }: Case, url: string): Files {
  return {
    'models/scripted.json': {
      id: 'scripted',
      modelId: wire.modelId,
      name: 'Tested',
      provider: wire.provider,
      url,
      contextWindow: window,
      maxOutputTokens: window / 8,
    },
    'skills/brief/SKILL.md': skillFile('brief', 'Makes it short.', 'Be brief.'),
    'skills/brief/references/a.md': textOf(language, window),
    'skills/polite/SKILL.md': skillFile('polite', 'Makes it polite.', texts[language]),
    'skills/exact/SKILL.md': skillFile('exact', 'Makes it exact.', texts[language]),
  };
}

/**
 * A fake vendor model that reads a file and then answers, and sometimes activates a skill instead.
 */
function vendor({ wire, language, window }: Case) {
  const tokensIn = otherTokenizer();
  const seen = { largest: 0, summaries: 0, lost: [] as string[], active: ['brief'] };
  let asked = 0;
  const answerTo = (raw: string): WireAnswer => {
    if (raw.includes('Below is the beginning of a conversation')) {
      seen.summaries += 1;
      return { text: [textOf(language, 100)] };
    }
    for (const name of seen.active) {
      if (raw.split(`<skill_content name=\\"${name}\\">`).length !== 2) {
        seen.lost.push(`${name} at request ${asked}`);
      }
    }
    asked += 1;
    if (asked % 2 === 0) {
      return { text: [textOf(language, window / share)] };
    }
    const skill_name = { 21: 'polite', 101: 'exact' }[asked];
    if (skill_name) {
      seen.active.push(skill_name);
    }
    const offset = asked * 16;
    const [name, input] = skill_name
      ? ['activate_skill', { skill_name }]
      : [
          'read_skill_resource',
          {
            skill_name: 'brief',
            file_path: 'references/a.md',
            offset,
            limit: (4 * window) / share,
          },
        ];
    const written = JSON.stringify(input);
    return {
      ...(asked % 10 === 3 ? { thinking: texts[language] } : {}),
      calls: [{ id: `call${asked}`, name, arguments: [written] }],
    };
  };
  return {
    seen,
    answer: ({ raw }: { raw: string }) => {
      const inputTokens = tokensIn(raw);
      seen.largest = Math.max(seen.largest, inputTokens);
      const answer = answerTo(raw);
      const usage = { inputTokens, outputTokens: 100 };
      return { chunks: [wire.answer({ ...answer, usage }).join('')] };
    },
  };
}

/** Declares the test for some wire formats; separate files let them run in parallel. */
export function testFitting(...providers: string[]): void {
  let provider: ScriptedHttp;
  let server: TestServer;
  afterEach(async () => {
    await server.close();
    await provider.close();
  });

  test.each(chosenOf(all.filter((each) => providers.includes(each.provider))))(
    'fits requests of $provider in $language into a window of $window without losing skills',
    { timeout: 300_000 },
    async (each) => {
      const { window } = each;
      const { answer, seen } = vendor(each);
      provider = await startScriptedHttp((request) => {
        provider.requests.length = 0;
        return answer(request);
      });
      server = await startTestServer({
        files: filesFor(each, provider.origin),
        openModel: (config, key) => openModel(config, key, { backOffMs: [] }),
      });
      const visitor = server.visitor();
      const conversationId = randomUUID();
      const message = textOf(each.language, window / share);
      for (let turn = 0; turn < turns; turn += 1) {
        const { events } = await takeTurn(visitor, {
          message,
          conversationId,
          ...(turn === 0 ? { skills: ['brief'] } : {}),
        });
        expect(events.at(-1)).toEqual({ type: 'done', finishReason: 'stop' });
      }
      expect(seen.lost).toEqual([]);
      expect(seen.largest).toBeLessThanOrEqual(window - window / 8);
      const { activeSkills } = await readConversation(visitor, conversationId);
      expect(activeSkills.map(({ name }) => name)).toEqual(['brief', 'polite', 'exact']);
    },
  );
}
