import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

/** Written while a turn runs, but not by it: the traces of earlier turns, and sessions that were last used. */
const others = /\btraces\b|\bturn_facts\b|\bskill_facts\b|\bsearch_|update "sessions"/;

/** Reads of the session count once each, and are cached elsewhere. */
const ofSessions = /from "sessions"/;

test('a turn that continues a conversation needs few statements before its first word', async () => {
  let statements: string[] = [];
  const write = (line: string) => {
    const { sql = '' } = JSON.parse(line);
    statements.push(...(sql === '' || others.test(sql) ? [] : [sql]));
  };
  const model = scriptedModel(says('Hello.'));
  let beforeFirstWord: string[] = [];
  const server = await startTestServer({
    log: createLog('trace', { write }),
    model: async function* (request, signal) {
      beforeFirstWord = [...statements];
      yield* model.ask(request, signal);
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const skills = ['meeting-notes'];
  const { conversationId } = await takeTurn(admin, { message: 'Hello', skills });
  await takeTurn(admin, { message: 'And again', conversationId });
  statements = [];
  await takeTurn(admin, { message: 'Once more', conversationId });
  const ownStatements = beforeFirstWord.filter((sql) => !ofSessions.test(sql));
  expect(ownStatements.length, ownStatements.join('\n')).toBeLessThanOrEqual(10);
});
