import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

/** Statements of other work in the background: traces and figures of earlier turns, the search index, transactions. */
const others =
  /\btraces\b|\btrace_parts\b|\bturn_facts\b|\bskill_facts\b|\bsearch_|\bleases\b|\bnodes\b|^(?:begin|commit)$/;

/** Sessions are read with each check of access. */
const ofSessions = /"sessions"/;

test('a turn that continues a conversation needs few statements before its first word', async () => {
  let statements: string[] = [];
  const write = (line: string) => {
    const { sql = '' } = JSON.parse(line);
    if (sql !== '' && !others.test(sql) && !ofSessions.test(sql)) {
      statements.push(sql);
    }
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
  // Besides, one transaction is begun and committed.
  expect(beforeFirstWord.length, beforeFirstWord.join('\n')).toBeLessThanOrEqual(8);
});
