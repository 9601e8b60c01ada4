import { activate, call, garbage, type ScriptedAnswer, say, send } from '../provider-script.ts';
import { findLastAnswer, takeTurn } from './chat-turn.ts';
import type { Field } from './field.ts';
import { runOf, worstPieces } from './worst-texts.ts';

/** Lets the model respond in every malformed way. The recorded result must be readable. */
export async function attackWithAnswers(field: Field): Promise<void> {
  for (const [name, answers] of Object.entries(worstAnswers())) {
    if (field.isOver) {
      break;
    }
    field.provider.plays(...answers);
    const replay = `(the model answers: ${name})`;
    const turn = { as: 'user' as const, message: 'Go on.', timeoutMs: 25_000, replay };
    const conversation = await takeTurn(field, turn);
    const trace = `/api/messages/${await findLastAnswer(field, conversation)}/trace`;
    await read(field, trace, replay);
    await read(field, `${trace}/skills/victim`, replay);
  }
  await read(field, '/api/admin/analytics/skills', '(after all answers)');
}

async function read(field: Field, path: string, replay: string): Promise<void> {
  const { status } = await field.ask({ method: 'GET', path }, { as: 'admin', replay });
  field.check(status === 200, `${status} for ${path} ${replay}`);
}

/** Responses to the rounds of a turn, by defect. */
function worstAnswers(): Record<string, ScriptedAnswer[]> {
  const end = [say('Done.')];
  const calls = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      name: 'read_skill_resource',
      input: { skill_name: 'victim', file_path: `no-${at}.md` },
    }));
  return {
    nothing: [[send([])]],
    'no JSON': [[garbage]],
    'tokens that are none': [[send([chunk('a'), usage('-1'), usage('"x"'), usage('null'), done])]],
    'more tokens than add up': [[send([chunk('a'), usage('9e18'), done])]],
    'more tokens again': [[send([chunk('a'), usage('9e18'), usage('1e308'), done])]],
    '10 MB in one piece': [[send([chunk('€'.repeat(3_400_000)), done])]],
    '10 MB in 10,000 pieces': [[send([...repeated(chunk('a'.repeat(1000)), 10_000), done])]],
    '10 MB without an end of line': [[send([`data: ${'x'.repeat(10_000_000)}`])]],
    'one byte at a time': [[send([...`${chunk('Slowly.')}${done}`])]],
    'NUL and controls': [[send([chunk('a\u0000b\u001b[2J\ud800c'), '\u0000\n\n', done])]],
    'worst runs': [[send([...worstPieces.map((piece) => chunk(runOf(piece, 50_000))), done])]],
    'JSON 10,000 deep': [
      [send([`data: ${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}\n\n`, done])],
    ],
    'wrong types': [[send(['data: {"choices":5}\n\n', 'data: null\n\n', 'data: []\n\n', done])]],
    __proto__: [[send(['data: {"__proto__":{"x":1},"choices":[{"delta":null}]}\n\n', done])]],
    'calls of no tool': [[call({ name: '__proto__', input: {} }, { name: '', input: {} })], end],
    '3,000 calls at once': [[call(...calls(3000))], end],
    'calls for ever': [[call(...calls(200))]],
    'a call with 5 MB': [
      [call({ name: 'activate_skill', input: { skill_name: 'a'.repeat(5e6) } })],
      end,
    ],
    'arguments that are no JSON': [[send([toolChunk('{"skill_name": "vic'), finish, done])], end],
    'arguments 10,000 deep': [[send([toolChunk('['.repeat(10_000)), finish, done])], end],
    'a skill by a worst name': [[activate('__proto__', 'constructor', '\ud800', '../victim')], end],
  };
}

const done = 'data: [DONE]\n\n';
const finish = line({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });

function chunk(content: string): string {
  return line({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
}

function toolChunk(text: string): string {
  const made = { name: 'activate_skill', arguments: text };
  const calls = [{ index: 0, id: 'call_1', type: 'function', function: made }];
  return line({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] });
}

/** @param count inserted verbatim */
function usage(count: string): string {
  return line({ choices: [], usage: {} }).replace(
    '"usage":{}',
    `"usage":{"prompt_tokens":${count},"completion_tokens":${count}}`,
  );
}

function line(data: object): string {
  const head = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'x' };
  return `data: ${JSON.stringify({ ...head, ...data })}\n\n`;
}

function* repeated(piece: string, count: number): Iterable<string> {
  for (let at = 0; at < count; at += 1) {
    yield piece;
  }
}
