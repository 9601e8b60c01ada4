import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { exportedConversationSchema } from '@knowhow/shared/chat/conversation-export';
import { expect, onTestFinished, test } from 'vitest';
import { locales } from '../../../platform/lib/locales.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { startTestServer, withAllTools } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { wantedFiles } from '../../skills/archives/wanted-files.ts';

const hostile =
  '# Herons\n\n<script>alert(1)</script> \n\n[x](javascript:alert(1)) ![p](https://x.example/p.png)';

async function start() {
  const model = scriptedModel(calls(['calculate', { expression: '6*7' }]), says(hostile));
  const server = await startTestServer({ model: model.ask, files: withAllTools });
  onTestFinished(server.close);
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  const message = 'Which <b>birds</b>?';
  const { conversationId } = await takeTurn(visitor, { message });
  const read = async (query: string) => {
    const response = await visitor(`/api/conversations/${conversationId}/export?${query}`);
    return { response, text: await response.text() };
  };
  return { server, visitor, conversationId, read };
}

test('a conversation is exported as Markdown, verbatim', async () => {
  const { server, conversationId, read } = await start();
  const { response, text } = await read('format=markdown');
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="Which b birds b.md"',
  );
  expect(text).toMatch(/^# Which \\<b>birds\\<\/b>\?\n/);
  expect(text).toContain('## You\n\nWhich <b>birds</b>?\n\n## Scripted\n\n# Herons');
  expect(text).not.toContain('6*7');
  const { text: whole } = await read('format=markdown&details=true');
  expect(whole).toContain('"expression": "6*7"');
  expect(whole).toMatch(/Result:\n\n```\n.+\n```/);
  const stranger = await server.visitor()(
    `/api/conversations/${conversationId}/export?format=html`,
  );
  expect(stranger.status).toBe(404);
});

test('parses emphasis next to Chinese punctuation, and URLs, as the chat does', async () => {
  const answer = '请看**“引号”**加粗：https://a.example/x。**重要** 3~5 [a](https://b.example/。)';
  const server = await startTestServer({ model: scriptedModel(says(answer)).ask });
  onTestFinished(server.close);
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  const { conversationId } = await takeTurn(visitor, { message: 'Hi' });
  const response = await visitor(`/api/conversations/${conversationId}/export?format=html`);
  expect(await response.text()).toContain(
    '<p>请看<strong>“引号”</strong>加粗：<a href="https://a.example/x">https://a.example/x</a>。<strong>重要</strong> ' +
      '3~5 <a href="https://b.example/%E3%80%82">a</a></p>',
  );
});

test('the HTML page loads nothing, runs nothing, and contains only our tags', async () => {
  const { read } = await start();
  const { response, text } = await read('format=html&details=true');
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
  expect(text).toContain("default-src 'none'");
  expect(text).toContain('<h1>Herons</h1>');
  expect(text).toContain('&lt;script&gt;');
  expect(text).toContain('Which &lt;b&gt;birds&lt;/b&gt;?');
  expect(text).not.toMatch(/<script|javascript:|<b>/);
  expect(text).toMatch(/Result<\/p><pre>.+<\/pre>/);
});

test.each([...locales])('labels are in the language %s', async (language, { export: words }) => {
  const { visitor, conversationId } = await start();
  const read = async (format: string) => {
    const path = `/api/conversations/${conversationId}/export?format=${format}&details=true`;
    const response = await visitor(path, { headers: { 'accept-language': `${language}-XX` } });
    return response.text();
  };
  const page = await read('html');
  expect(page).toContain(`<html lang="${language}">`);
  expect(page).toContain(`<h2>${words.you}</h2>`);
  expect(page).toContain(`<p class="quiet">${words.result}</p>`);
  const text = await read('markdown');
  expect(text).toContain(`## ${words.you}\n\nWhich`);
  expect(text).toContain(`\n${words.input}${words.colon.trimEnd()}\n\n`);
});

test('the JSON has the documented shape', async () => {
  const { read, conversationId } = await start();
  const { text } = await read('format=json&details=true');
  expect(exportedConversationSchema.parse(JSON.parse(text))).toMatchObject({
    id: conversationId,
    messages: [
      { role: 'user', content: 'Which <b>birds</b>?' },
      { model: 'Scripted', content: hostile, calls: [{ name: 'calculate', isError: false }] },
    ],
  });
});

test('endless nesting and endless lines appear verbatim in the page', async () => {
  const { server, conversationId, read } = await start();
  const database = await openTestDatabase(join(server.folder, 'data'));
  for (const content of [`${'>'.repeat(10_000)} deep`, `${'a*b_'.repeat(2_500_000)}`]) {
    await database
      .updateTable('messages')
      .set({ content })
      .where('conversation_id', '=', conversationId)
      .where('role', '=', 'assistant')
      .execute();
    const { text } = await read('format=html');
    expect(text).toContain(`<pre>${content.slice(0, 40).replaceAll('>', '&gt;')}`);
    expect(text.length).toBeGreaterThan(content.length);
  }
  await database.destroy();
});

test('every answer of a long conversation is rendered, also after one that cannot be', async () => {
  const { server, conversationId, read } = await start();
  const database = await openTestDatabase(join(server.folder, 'data'));
  const row = await database
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('role', '=', 'assistant')
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: 120 }, (_, index) => ({
    ...{ ...row, id: randomUUID(), position: row.position + 1 + index },
    content: index === 60 ? '>'.repeat(10_000) : `# Answer ${index}`,
  }));
  await database.insertInto('messages').values(rows).execute();
  await database.destroy();
  const { text } = await read('format=html');
  expect(text.match(/<h1>Answer \d+<\/h1>/g)).toHaveLength(119);
  expect(text.endsWith('</main></body></html>\n')).toBe(true);
});

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

test('images are inlined in the page, and files are in the zip, next to the JSON that names them', async () => {
  const { visitor } = await start();
  const upload = async (name: string, body: Uint8Array | string) => {
    const headers = { 'content-type': 'application/octet-stream' };
    const sent = visitor(`/api/files?name=${name}`, { method: 'POST', headers, body });
    return (await parseAnswer(attachmentSchema, sent)).id;
  };
  const attachments = [await upload('heron.png', pixel), await upload('pl`an.txt', 'Step one.')];
  const { conversationId } = await takeTurn(visitor, { message: 'Look', attachments });
  const read = (format: string) =>
    visitor(`/api/conversations/${conversationId}/export?format=${format}`);
  const page = await (await read('html')).text();
  expect(page).toMatch(/<img src="data:image\/png;base64,iVBOR[^"]+" alt="heron.png">/);
  expect(page).toContain('img-src data:;');
  expect(await (await read('markdown')).text()).toContain('Files: `heron.png`, ``pl`an.txt``');
  const zip = Buffer.from(await (await read('zip')).arrayBuffer());
  const json = await wantedFiles(zip, (name) => name === 'knowhow.json');
  const { messages } = exportedConversationSchema.parse(
    JSON.parse(('files' in json && json.files[0]?.toString()) || ''),
  );
  const files = messages[0]?.role === 'user' ? (messages[0].files ?? []) : [];
  expect(files.map(({ name }) => name)).toEqual(['heron.png', 'pl`an.txt']);
  const plan = await wantedFiles(zip, (name) => name === files[1]?.path);
  expect('files' in plan && plan.files[0]?.toString()).toBe('Step one.');
});
