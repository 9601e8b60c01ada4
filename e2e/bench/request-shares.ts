import { randomUUID } from 'node:crypto';
import { activate, read, type ScriptedAnswer, say } from '../provider-script.ts';
import { type RecordedRequest, ScriptedProvider } from '../scripted-provider.ts';
import { addScriptedModel, startKnowhow } from '../start-knowhow.ts';
import { anonymousCookie } from './stand.ts';

const turns = 20;
/** The model's tool calls in some turns before its answer. */
const calls: Record<number, ScriptedAnswer> = {
  2: [activate('meeting-notes')],
  4: [read('meeting-notes', 'references/decision-or-not.md')],
  7: [activate('release-notes')],
  9: [read('release-notes', 'references/categories-and-versions.md')],
  13: [activate('contract-analysis')],
};
/** In this turn the user picks a skill. */
const picked = { turn: 16, skills: ['incident-postmortem'] };

/**
 * The share of a request, from 0 to 1, that is a prefix of the next one (prompt caching). The minimum over a
 * conversation of 20 turns in which the model activates three skills and reads two files, and the user picks
 * a skill.
 */
export async function minPrefixShare(): Promise<number> {
  const provider = await ScriptedProvider.start();
  const knowhow = await startKnowhow({
    prepare: (contents) => addScriptedModel(contents, provider.url),
  });
  try {
    const cookie = await anonymousCookie(knowhow.url);
    const address = `${knowhow.url}/api/apps/chat/chat/${randomUUID()}`;
    for (let turn = 0; turn < turns; turn++) {
      provider.plays(...(calls[turn] ?? []), say(`This is the answer to question ${turn}.`));
      const skills = turn === picked.turn ? picked.skills : [];
      const json = { message: `This is question ${turn}.`, model: 'scripted', skills };
      await runTurn(address, { cookie, origin: knowhow.url }, json);
    }
    return Math.min(...prefixShares(provider.requests));
  } finally {
    await knowhow.dispose();
    provider.stop();
  }
}

async function runTurn(
  address: string,
  headers: Record<string, string>,
  json: Record<string, unknown>,
): Promise<void> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const text = await response.text();
  if (!text.includes('event: done')) {
    throw new Error(`A turn failed: ${text.slice(0, 300)}`);
  }
}

function prefixShares(requests: readonly RecordedRequest[]): number[] {
  const expected = turns + Object.keys(calls).length;
  if (requests.length !== expected) {
    throw new Error(`The model was asked ${requests.length} times instead of ${expected}.`);
  }
  const bytes = requests.map(serializePrompt);
  return bytes.slice(1).map((next, at) => prefixShare(bytes[at] ?? '', next));
}

/** The text that the provider reads, in order, without the closing brackets. */
function serializePrompt({ body: { tools, messages } }: RecordedRequest): string {
  return JSON.stringify({ tools, messages }).slice(0, -2);
}

function prefixShare(before: string, next: string): number {
  let same = 0;
  while (same < before.length && before[same] === next[same]) {
    same += 1;
  }
  return same / before.length;
}
