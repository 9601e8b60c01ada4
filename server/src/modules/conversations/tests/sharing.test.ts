import { join } from 'node:path';
import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { sharedConversationSchema, sharingApi } from '@knowhow/shared/chat/sharing';
import { adminApi } from '@knowhow/shared/config/admin';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { rightsFiles, signInNew } from '../../../testing/rights-chat.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { writeFiles } from '../../../testing/write-files.ts';

const onlyWords = { files: false, details: false, isPublic: false };
const secret = 'The secret way to write notes.';

function platform(sharing: object, requests = 0) {
  return {
    'config/platform.json': {
      rateLimit: { requests, turns: 0 },
      anonymousAuth: { enabled: false },
      sharing,
    },
  };
}

/**
 * Ann, with a conversation that has a file, a skill and a call; and Ben, who sees neither skill nor
 * conversation.
 */
async function start(sharing: object = {}) {
  const model = scriptedModel(
    calls(['activate_skill', { skill_name: 'meeting-notes' }]),
    says('Decided.'),
    says('Later words.'),
  );
  const server = await startTestServer({
    model: model.ask,
    files: {
      ...rightsFiles,
      ...platform(sharing),
      'skills/meeting-notes/SKILL.md': skillFile(
        'meeting-notes',
        'Turns notes into decisions.',
        secret,
      ),
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const ann = await signInNew(server, admin, { username: 'ann', groups: ['staff'] });
  const ben = await signInNew(server, admin, { username: 'ben', groups: ['interns'] });
  const uploaded = await ann.visitor('/api/files?name=plan.txt', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: 'Step one.',
  });
  const file = await parseAnswer(attachmentSchema, uploaded);
  const { conversationId } = await takeTurn(ann.visitor, {
    message: 'What was decided?',
    attachments: [file.id],
  });
  return { server, admin, ann, ben: ben.visitor, conversationId, file };
}

function share(visitor: Visitor, conversationId: string, json: object) {
  return visitor(`/api/conversations/${conversationId}/share`, { json });
}

async function linkOf(visitor: Visitor, conversationId: string, json: object = onlyWords) {
  return parseAnswer(sharingApi.share.response, share(visitor, conversationId, json));
}

const read = (visitor: Visitor, path: string) =>
  parseAnswer(sharedConversationSchema, visitor(`/api${path}`));

test('a link shows members the text as of sharing, until it is updated', async () => {
  const { server, ann, ben, conversationId } = await start();
  const link = await linkOf(ann.visitor, conversationId);
  await takeTurn(ann.visitor, { conversationId, message: 'And then?' });
  const shown = await read(ben, link.path);
  expect(shown).toMatchObject({
    title: 'What was decided?',
    by: 'ann',
    without: ['files', 'details'],
  });
  expect(shown.messages.map(({ content }) => content)).toEqual(['What was decided?', 'Decided.']);
  const text = JSON.stringify(shown);
  expect(text).not.toContain('plan.txt');
  expect(text).not.toContain('secret way');
  expect(text).not.toContain('Turns notes');
  const state = await parseAnswer(
    sharingApi.get.response,
    ann.visitor(`/api/conversations/${conversationId}/share`),
  );
  expect(state).toMatchObject({
    isOutdated: true,
    messages: 4,
    extras: ['files', 'details'],
    mayBePublic: false,
  });
  const updated = await linkOf(ann.visitor, conversationId);
  expect(updated.path).toBe(link.path);
  expect((await read(ben, link.path)).messages).toHaveLength(4);
  const guest = await server.visitor()(`/api${link.path}`);
  expect(guest.status).toBe(404);
  expect(guest.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(guest.headers.getSetCookie()).toEqual([]);
});

test('files, results and skill texts are included only if selected', async () => {
  const { ann, ben, conversationId, file } = await start();
  const link = await linkOf(ann.visitor, conversationId, {
    ...onlyWords,
    files: true,
    details: true,
  });
  const { messages, without } = await read(ben, link.path);
  expect(without).toEqual([]);
  expect(messages[0]).toMatchObject({ attachments: [{ id: file.id, name: 'plan.txt' }] });
  expect(JSON.stringify(messages[1])).toContain(secret);
  const address = `/api${link.path}/files/${file.id}`;
  const served = await ben(address);
  expect(await served.text()).toBe('Step one.');
  expect(served.headers.get('content-disposition')).toMatch(/^attachment/);
  const updated = await linkOf(ann.visitor, conversationId, { ...onlyWords, details: true });
  expect(updated.files).toBe(false);
  expect((await ben(address)).status).toBe(404);
  expect((await ben(`/api/files/${file.id}`)).status).toBe(404);
});

test('a skill that its owner may no longer see is not shared', async () => {
  const { server, ann, ben, conversationId } = await start();
  const staff = { id: 'staff', name: 'Staff', permissions: { apps: ['*'], models: ['*'] } };
  const groups = { groups: { staff } };
  await writeFiles(join(server.folder, 'contents'), { 'config/groups.json': groups });
  await expect.poll(async () => (await ann.visitor('/api/skills/meeting-notes')).status).toBe(404);
  const link = await linkOf(ann.visitor, conversationId, { ...onlyWords, details: true });
  const shown = JSON.stringify(await read(ben, link.path));
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain('Turns notes');
});

test('a link ends with its revocation, its conversation, and its owner; all give the same message', async () => {
  const { server, admin, ann, ben, conversationId } = await start();
  const first = await linkOf(ann.visitor, conversationId);
  const list = await parseAnswer(sharingApi.list.response, ann.visitor('/api/account/shares'));
  expect(list.items).toMatchObject([{ id: first.id, path: first.path, conversationId }]);
  expect((await ben(`/api/account/shares/${first.id}`, { method: 'DELETE' })).status).toBe(404);
  expect((await ann.visitor(`/api/account/shares/${first.id}`, { method: 'DELETE' })).status).toBe(
    204,
  );
  const gone = await parseProblem(ben(`/api${first.path}`));
  expect(await parseProblem(ben('/api/shared/invented'))).toEqual(gone);
  const second = await linkOf(ann.visitor, conversationId, { ...onlyWords, files: true });
  expect(second.path).not.toBe(first.path);
  await admin(`/api/admin/users/${ann.id}`, { method: 'PUT', json: { disabled: true } });
  expect(await parseProblem(ben(`/api${second.path}`))).toEqual(gone);
  await admin(`/api/admin/users/${ann.id}`, { method: 'PUT', json: { disabled: false } });
  expect((await ben(`/api${second.path}`)).status).toBe(200);
  await admin(`/api/admin/users/${ann.id}?conversations=delete`, { method: 'DELETE' });
  expect(await parseProblem(ben(`/api${second.path}`))).toEqual(gone);
  const database = await openTestDatabase(join(server.folder, 'data'));
  const left = await database.selectFrom('file_contents').select('sha256').execute();
  await database.destroy();
  expect(left).toEqual([]);
  const audit = await parseAnswer(adminApi.audit.response, admin('/api/admin/audit?kind=share'));
  expect(audit.items.map(({ action }) => action)).toEqual(['shared', 'revoked', 'shared']);
});

test('a public link opens without an account and without a cookie, as long as public links are allowed', async () => {
  const { server, ann, conversationId } = await start({ public: true });
  const link = await linkOf(ann.visitor, conversationId, { ...onlyWords, isPublic: true });
  const opened = await server.visitor()(`/api${link.path}`);
  expect(opened.status).toBe(200);
  expect(opened.headers.getSetCookie()).toEqual([]);
  expect(sharedConversationSchema.parse(await opened.json()).by).toBeUndefined();
  const set = (sharing: object) =>
    writeFiles(join(server.folder, 'contents'), platform(sharing, 100));
  await set({ public: false });
  await expect.poll(async () => (await server.visitor()(`/api${link.path}`)).status).toBe(404);
  expect((await ann.visitor(`/api${link.path}`)).status).toBe(200);
  expect((await share(ann.visitor, conversationId, { ...onlyWords, isPublic: true })).status).toBe(
    403,
  );
  await set({ enabled: false, public: true });
  await expect.poll(async () => (await ann.visitor(`/api${link.path}`)).status).toBe(404);
  expect((await share(ann.visitor, conversationId, onlyWords)).status).toBe(403);
});

test('guests have a rate limit for links, members a higher one', async () => {
  const { server, ann, conversationId } = await start({ public: true });
  const link = await linkOf(ann.visitor, conversationId);
  await writeFiles(join(server.folder, 'contents'), platform({ public: true }, 1000));
  const guess = () => server.visitor()('/api/shared/wrong');
  await expect.poll(async () => (await guess()).headers.get('ratelimit')).not.toBeNull();
  const tries = await Promise.all(Array.from({ length: 125 }, guess));
  expect(tries.at(-1)?.status).toBe(429);
  expect((await ann.visitor(`/api${link.path}`)).status).toBe(200);
});
