import { join } from 'node:path';
import { attachmentSchema, maxFileBytes, maxFilesAttached } from '@knowhow/shared/chat/attachments';
import { expect, onTestFinished, test } from 'vitest';
import { officeFile } from '../../../testing/documents/office-files.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { rawRequest, requestText } from '../../../testing/raw-request.ts';
import { calls, type Step, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { modelWith, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { readConversation, startOf, takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { Files } from '../../../testing/write-files.ts';

async function start(script: Step[], files: Files = {}) {
  const model = scriptedModel(...script);
  const server = await startTestServer({ model: model.ask, files });
  onTestFinished(server.close);
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  return { model, server, visitor };
}

/** Uploads a file as a form. */
async function upload(visitor: Visitor, name: string, content: string | Uint8Array) {
  const response = await send(visitor, name, content);
  expect(response.status).toBe(201);
  return attachmentSchema.parse(await response.json());
}

function send(visitor: Visitor, name: string, content: string | Uint8Array): Promise<Response> {
  return visitor(`/api/files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: content,
  });
}

const lastSaid = ({ messages }: { messages: { content: string }[] }) => messages.at(-1)?.content;

test('an attached text goes to the model with the message, and stays with it', async () => {
  const { model, visitor } = await start([says('A plan.'), says('Again.')]);
  const file = await upload(visitor, 'plan.txt', 'Step one: <b>begin</b>.');
  expect(file).toMatchObject({ name: 'plan.txt', size: 23, kind: 'text', length: 23 });
  const turn = await takeTurn(visitor, { message: 'What is this?', attachments: [file.id] });
  const [request] = model.requests;
  expect(request && lastSaid(request)).toMatch(
    /<attachment name="plan.txt" characters="23">\nStep one: <b>begin<\/b>\.\n<\/attachment>\n\nWhat is this\?$/,
  );
  const { conversationId } = turn;
  const { messages } = await readConversation(visitor, conversationId);
  expect(messages[0]).toMatchObject({
    content: 'What is this?',
    attachments: [{ id: file.id, name: 'plan.txt', tokens: file.tokens, shown: 23 }],
  });
  await takeTurn(visitor, { message: 'And now?', conversationId });
  const { messages: later = [] } = model.requests[1] ?? {};
  expect(later[0]).toEqual(request?.messages[0]);
});

test('a file is deleted with its conversation, and is accessible only to its owner', async () => {
  const { server, visitor } = await start([says('Yes.')]);
  const file = await upload(visitor, 'page.html', '<p>Hi</p><script>alert(1)</script>');
  const path = `/api/files/${file.id}`;
  const stranger = server.visitor();
  await stranger('/api/auth/me');
  expect((await stranger(path)).status).toBe(404);
  const { conversationId } = await takeTurn(visitor, { message: 'Look', attachments: [file.id] });
  const response = await visitor(path);
  expect(await response.text()).toBe('<p>Hi</p><script>alert(1)</script>');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
  expect(response.headers.get('set-cookie')).toBeNull();
  const stolen = await takeTurn(stranger, { message: 'Look', attachments: [file.id] });
  expect(stolen.status).toBe(404);
  await visitor(`/api/conversations/${conversationId}`, { method: 'DELETE' });
  expect((await visitor(path)).status).toBe(404);
  const database = await openTestDatabase(join(server.folder, 'data'));
  const left = await database.selectFrom('file_contents').select('sha256').execute();
  await database.destroy();
  expect(left).toEqual([]);
});

test('a message that is sent again keeps its files; an empty one can have only files', async () => {
  const { model, visitor } = await start([says('One.'), says('Two.')]);
  const file = await upload(visitor, '../../secret\u202etxt.md', '# Notes');
  expect(file.name).toBe('secrettxt.md');
  const first = await takeTurn(visitor, { message: '', attachments: [file.id] });
  const { conversationId } = first;
  const again = await takeTurn(visitor, {
    ...{ message: 'Better', conversationId, attachments: [file.id] },
    replaces: startOf(first).userMessageId,
  });
  expect(again.text).toBe('Two.');
  const conversation = await readConversation(visitor, conversationId);
  expect(conversation.messages[0]).toMatchObject({ attachments: [{ id: file.id }] });
  expect(model.requests.at(-1)?.messages[0]?.content).toContain('# Notes');
  expect((await takeTurn(visitor, { message: ' ' })).status).toBe(400);
});

test('the beginning of a long text goes with the message, and the model reads on', async () => {
  const lines = Array.from({ length: 9000 }, (_, number) => `Line ${number} of the report.`);
  const read = (input: object) => calls(['read_attachment', { name: 'report.txt', ...input }]);
  const { model, visitor } = await start(
    [read({ offset: 100_000 }), read({ find: 'line 8888' }), says('Done.'), says('Bye.')],
    modelWith({ contextWindow: 64_000 }),
  );
  const file = await upload(visitor, 'report.txt', lines.join('\n'));
  const turn = await takeTurn(visitor, { message: 'Sum it up', attachments: [file.id] });
  const [first, second, third] = model.requests;
  expect(first?.tools.map(({ name }) => name)).toContain('read_attachment');
  const said = first ? (lastSaid(first) ?? '') : '';
  expect(said.length).toBeLessThan(12_000);
  expect(said).toMatch(
    /\[Characters 0 to \d+ of \d+ are included\. Continue with read_attachment /,
  );
  expect(second && lastSaid(second)).toContain(lines.join('\n').slice(100_000, 110_000));
  expect(third && lastSaid(third)).toMatch(/at \d+: … .*Line 8888 of/);
  const { conversationId } = turn;
  expect(turn.text).toBe('Done.');
  await takeTurn(visitor, { message: 'Thanks', conversationId });
  expect(model.requests.at(-1)?.messages[0]).toEqual(first?.messages[0]);
});

test('slow uploads of large files do not block others', async () => {
  const { server } = await start([]);
  const admin = await signInAdmin(server);
  const slow = Array.from({ length: 5 }, () =>
    rawRequest(
      server.url,
      `${requestText('POST /api/files?name=a.txt', [`Content-Length: ${maxFileBytes}`])}Some`,
    ),
  );
  await waitFor(() => slow.every(({ socket }) => !socket.connecting));
  await upload(admin, 'b.txt', 'Quick.');
  for (const { socket } of slow) {
    socket.destroy();
  }
});

test('a cancelled upload stops the process that reads it, and frees its place in the queue', async () => {
  const { visitor } = await start([]);
  const cancelled = new AbortController();
  const slow = sendUntil(cancelled.signal, visitor, 'slow.docx', slowDocument());
  await waitFor(() => hasChildProcess());
  const others = new AbortController();
  const waiting = Array.from({ length: maxFilesAttached + 1 }, (_, at) =>
    sendUntil(others.signal, visitor, `${at}.txt`, Buffer.from('Quick.')),
  );
  // One more cannot wait, and is rejected while the slow one is still being read.
  expect((await Promise.race(waiting)).status).toBe(429);
  cancelled.abort();
  await expect(slow).rejects.toThrow('abort');
  const taken = waiting.map(async (sent) => expect((await sent).status).toBe(201));
  await Promise.any(taken);
  others.abort();
  await Promise.allSettled(taken);
  await waitFor(() => !hasChildProcess());
});

const hasChildProcess = () => process.getActiveResourcesInfo().includes('ProcessWrap');

function sendUntil(signal: AbortSignal, visitor: Visitor, name: string, body: Uint8Array) {
  return visitor(`/api/files?name=${name}`, { method: 'POST', body: Buffer.from(body), signal });
}

/** Takes longer to parse than the limit. */
function slowDocument(): Uint8Array {
  return officeFile({ 'word/document.xml': '<w:tbl><w:tr><w:tc>'.repeat(200_000) });
}
