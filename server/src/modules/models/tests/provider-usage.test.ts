import { expect, onTestFinished, test } from 'vitest';
import { openAiChatWire } from '../../../testing/openai-chat-wire.ts';
import { readReport } from '../../../testing/read-report.ts';
import { readTrace } from '../../../testing/read-trace.ts';
import { scriptedHttp } from '../../../testing/scripted-http.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { openModel } from '../open-model.ts';

const provider = scriptedHttp();

/** The second pair overflows a database's sum. */
const lies = [9e18, 9e18, 1e308, -1, Number.MAX_SAFE_INTEGER + 1];

test('a provider that reports wrong token counts corrupts no conversation, trace or report', async () => {
  const scripted = { id: 'scripted', modelId: 'p', name: 'Liar', provider: 'local' };
  const prices = { input: 1_000_000, cachedInput: 0, output: 1_000_000 };
  const server = await startTestServer({
    files: { 'models/scripted.json': { ...scripted, prices, url: `${provider.origin}/v1` } },
    openModel,
  });
  onTestFinished(() => server.close());
  const admin = await signInAdmin(server);
  const headers = { 'content-type': 'text/event-stream' };
  for (const count of [...lies, 7]) {
    const usage = { inputTokens: count, outputTokens: count };
    provider.reply({ headers, chunks: openAiChatWire.answer({ text: ['Hello.'], usage }) });
    const turn = await takeTurn(admin, { message: 'A' });
    expect(turn.events.at(-1)).toMatchObject({ type: 'done' });
    await readTrace(admin, turn);
    await readConversation(admin, turn.conversationId);
  }
  const { totals } = await readReport(admin);
  expect(totals).toMatchObject({ answers: lies.length + 1, inputTokens: 7, outputTokens: 7 });
  expect(totals.costs).toEqual([{ currency: 'USD', amount: 12 }]);
});
