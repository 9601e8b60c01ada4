import { adminMailApi, mailApi } from '@knowhow/shared/access/mail';
import { healthApi } from '@knowhow/shared/config/health';
import { inboxApi } from '@knowhow/shared/skills/inbox';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { reviewCommentsSchema } from '@knowhow/shared/skills/skill-reviews';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { jobOnDemand } from '../../../testing/job-on-demand.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { type SmtpServer, startSmtpServer } from '../../../testing/smtp-server.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { startOf, takeTurn } from '../../../testing/take-turn.ts';
import type { Files } from '../../../testing/write-files.ts';

const skill = 'release-notes';

const { groups } = rightsFiles['config/groups.json'] as { groups: object };

afterEach(() => {
  vi.useRealTimers();
});

interface Options {
  smtp?: SmtpServer;
  environment?: Record<string, string>;
  files?: Files;
}

/** Ann owns the skill; she and Ben, who uses it, have addresses. */
async function start({ smtp, environment = {}, files = {} }: Options = {}) {
  const receiver = smtp ?? (await startSmtpServer());
  const { cluster, run } = jobOnDemand('mail');
  const server = await startTestServer({
    files: { ...rightsFiles, ...files },
    cluster,
    environment: {
      SMTP_URL: receiver.url,
      MAIL_FROM: 'Knowhow <knowhow@example.org>',
      PUBLIC_URL: 'http://127.0.0.1:3000',
      ...environment,
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const signIn = async (username: string, groups: string[]) => {
    const person = await signInNew(server, admin, { username, groups });
    await setAddress(admin, person.id, `${username}@example.org`);
    return person;
  };
  const ann = await signIn('ann', ['staff']);
  const ben = await signIn('ben', ['interns']);
  await setOwner(admin, { kind: 'user', id: ann.id });
  /** Advances the clock, and sends what is due. */
  const later = async (minutes = 11) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
    await run();
  };
  return { server, admin, ann, ben, receiver, later, run, signIn };
}

const setAddress = async (admin: Visitor, id: string, address: string | null) => {
  const answer = await admin(`/api/admin/users/${id}/mail`, { method: 'PUT', json: { address } });
  expect(answer.status).toBe(200);
};
const setOwner = (admin: Visitor, owner: unknown) =>
  admin(`/api/admin/skills/${skill}/owner`, { method: 'PUT', json: { owner } });

async function suggest({ visitor }: SignedIn, ...comments: string[]) {
  const messageId = startOf(
    await takeTurn(visitor, { message: 'New?', skills: [skill] }),
  ).messageId;
  for (const comment of comments) {
    const json = { skill, comment, withExchange: true };
    expect((await visitor(`/api/messages/${messageId}/suggestion`, { json })).status).toBe(204);
  }
}

const inbox = async (visitor: Visitor) =>
  (await parseAnswer(inboxApi.list.response, visitor('/api/inbox'))).items;
const switchOff = ({ visitor }: SignedIn) =>
  visitor('/api/account/mail', { method: 'PUT', json: { isOn: false } });
const recipients = ({ received }: SmtpServer) => received.map(({ to }) => to.join());
const faults = async (visitor: Visitor) =>
  (await parseAnswer(healthApi.faults.response, visitor('/api/admin/faults'))).items;
const lines = (receiver: SmtpServer) => receiver.received.map(({ text }) => text.split('\n')[0]);

test('the owner gets one message about two suggestions, without what was written', async () => {
  const { ben, receiver, later } = await start();
  await suggest(ben, 'Name the date.', 'Name the author.');
  await later(5);
  expect(receiver.received).toEqual([]);
  await later(6);
  const [mail, ...more] = receiver.received;
  expect(more).toEqual([]);
  expect(mail?.to).toEqual(['ann@example.org']);
  expect(mail?.headers.get('subject')).toBe('2 updates about skills');
  expect(mail?.headers.get('from')).toBe('Knowhow <knowhow@example.org>');
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
  const line = 'ben suggests an improvement of “release-notes”.\nhttp://127.0.0.1:3000/inbox\n';
  expect(mail?.text.split(line)).toHaveLength(3);
  expect(mail?.text).not.toMatch(/Name the|New\?|Hello/);
  await later(60);
  expect(receiver.received).toHaveLength(1);
});

test('the text is in the language in which the owner last saw the pages', async () => {
  const { ann, ben, receiver, later } = await start();
  await ann.visitor('/api/auth/me', { headers: { 'Accept-Language': 'de' } });
  await suggest(ben, 'Name the date.');
  await later();
  expect(receiver.received[0]?.headers.get('subject')).toBe(
    'ben schlägt eine Verbesserung von „release-notes“ vor.',
  );
  expect(receiver.received[0]?.headers.get('content-language')).toBe('de');
});

test('the sender gets the answer, and the owner no message about an item that is closed', async () => {
  const { ann, ben, receiver, later } = await start();
  await suggest(ben, 'Name the date.');
  const [item] = await inbox(ann.visitor);
  await ann.visitor(`/api/inbox/${item?.id}/close`, { json: { reply: 'It does now.' } });
  await later();
  expect(recipients(receiver)).toEqual(['ben@example.org']);
  expect(lines(receiver)).toEqual(['ann has answered your suggestion about “release-notes”.']);
  expect(receiver.received[0]?.text).toContain('http://127.0.0.1:3000/inbox?state=sent');
  expect(receiver.received[0]?.text).not.toContain('It does now.');
});

test('who switches e-mail off, has no address or is disabled gets none', async () => {
  const { admin, ann, ben, receiver, later, signIn } = await start();
  await setOwner(admin, { kind: 'group', id: 'staff' });
  const [cem, dee] = [await signIn('cem', ['staff']), await signIn('dee', ['staff'])];
  await suggest(ben, 'Name the date.');
  await later(5);
  const answer = parseAnswer(mailApi.set.response, switchOff(ann));
  expect(await answer).toEqual({ address: 'ann@example.org', isSetHere: true, isOn: false });
  await setAddress(admin, cem.id, null);
  await admin(`/api/admin/users/${dee.id}`, { method: 'PUT', json: { disabled: true } });
  await later();
  expect(receiver.received).toEqual([]);
});

test('who no longer owns the skill when the message is sent gets none', async () => {
  const { admin, ann, ben, receiver, later, signIn } = await start();
  await setOwner(admin, { kind: 'group', id: 'staff' });
  const cem = await signIn('cem', ['staff']);
  await suggest(ben, 'Name the date.');
  await later(5);
  await admin(`/api/admin/users/${cem.id}`, { method: 'PUT', json: { groups: ['interns'] } });
  await later();
  expect(recipients(receiver)).toEqual(['ann@example.org']);
  expect(await inbox(ann.visitor)).toHaveLength(1);
});

test('administrators are told about a skill without an owner', async () => {
  const { admin, ben, receiver, later, signIn } = await start();
  await setOwner(admin, null);
  await signIn('eva', ['admins']);
  await suggest(ben, 'Name the date.');
  await later();
  expect(recipients(receiver)).toEqual(['eva@example.org']);
});

test('a message waits while the mail server is away, which administrators see', async () => {
  const { admin, ben, receiver, later } = await start();
  await receiver.close();
  await suggest(ben, 'Name the date.');
  await later();
  const [fault] = await faults(admin);
  expect(fault).toMatchObject({ path: 'SMTP_URL', message: expect.stringMatching(/ECONNREFUSED/) });
  const state = await parseAnswer(adminMailApi.state.response, admin('/api/admin/mail'));
  expect(state.failures?.people).toBe(1);
  const again = await startSmtpServer(Number(new URL(receiver.url).port));
  await later(2);
  expect(recipients(again)).toEqual(['ann@example.org']);
  expect(await faults(admin)).toEqual([]);
});

test('a message that was not sent before a stop is sent after the next start', async () => {
  const { server, ben, receiver } = await start();
  await suggest(ben, 'Name the date.');
  await server.close();
  const { cluster, run } = jobOnDemand('mail');
  const environment = { SMTP_URL: receiver.url, MAIL_FROM: 'knowhow@example.org' };
  const again = await startTestServer({ folder: server.folder, cluster, environment });
  onTestFinished(again.close);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
  await run();
  expect(recipients(receiver)).toEqual(['ann@example.org']);
  expect(receiver.received[0]?.text).not.toContain('http');
});

test('a refused recipient does not hold up the others, and is given up after three days', async () => {
  const { server, admin, ben, receiver, later, signIn } = await start();
  await setOwner(admin, { kind: 'group', id: 'staff' });
  await signIn('cem', ['staff']);
  receiver.mode = 'refuse';
  await suggest(ben, 'Name the date.');
  await later();
  expect((await faults(admin))[0]?.message).toMatch(/2 people.*550 No such user/);
  await later(73 * 60);
  receiver.mode = 'accept';
  await later(60);
  expect([receiver.received, await faults(await signInAdmin(server))]).toEqual([[], []]);
});

test('a language that the pages do not have is not stored', async () => {
  const { admin, ann } = await start();
  const headers = { 'Accept-Language': `xx-${'a'.repeat(3000)}` };
  expect((await ann.visitor('/api/auth/me', { headers })).status).toBe(200);
  await importBackup(admin, await exportBackup(admin, '?data=true'));
});

test('a recipient who is deferred does not hold up the others', async () => {
  const { admin, ben, receiver, later, signIn } = await start();
  await setOwner(admin, { kind: 'group', id: 'staff' });
  await signIn('cem', ['staff']);
  receiver.mode = 'defer';
  await suggest(ben, 'Name the date.');
  await later();
  expect(receiver.received.map(({ to }) => to)).toHaveLength(1);
  expect((await faults(admin))[0]?.message).toMatch(/1 person .*451/);
  receiver.mode = 'accept';
  await later();
  expect(receiver.received).toHaveLength(2);
});

test('a mail server that never answers delays no request', async () => {
  const { admin, ben, receiver, later, server } = await start();
  receiver.mode = 'hang';
  await suggest(ben, 'Name the date.');
  const sending = later();
  await vi.waitFor(() => expect(receiver.connections).toBe(1));
  const begin = performance.now();
  expect((await server.visitor()('/api/health')).status).toBe(200);
  expect((await admin('/api/inbox')).status).toBe(200);
  expect(performance.now() - begin).toBeLessThan(1000);
  await receiver.close();
  await sending;
  expect((await faults(admin))[0]?.path).toBe('SMTP_URL');
});

test('line breaks in a title add no header', async () => {
  const displayName = 'Notes\r\nBcc: eve@example.org\r\n\r\nHello';
  const { ben, receiver, later } = await start({
    files: { 'config/skills.json': { skills: { [skill]: { overrides: { displayName } } } } },
  });
  await suggest(ben, 'Name the date.');
  await later();
  const [mail] = receiver.received;
  expect(mail?.to).toEqual(['ann@example.org']);
  expect(mail?.headers.has('bcc')).toBe(false);
  expect(mail?.headers.get('subject')).toBe(
    'ben suggests an improvement of “Notes Bcc: eve@example.org Hello”.',
  );
});

/** A change by Ada that Rita may publish. */
async function startReview() {
  const started = await start({
    files: {
      'config/skills.json': { settings: { publishing: { mode: 'review' } } },
      'config/groups.json': {
        groups: {
          ...groups,
          authors: { id: 'authors', name: 'A', permissions: { adminAccess: ['skills'] } },
          reviewers: { id: 'reviewers', name: 'R', permissions: { adminAccess: ['publish'] } },
        },
      },
    },
  });
  const author = await started.signIn('ada', ['authors']);
  const reviewer = await started.signIn('rita', ['reviewers']);
  const put = await author.visitor(`/api/skill-drafts/${skill}/files/SKILL.md`, {
    method: 'PUT',
    body: skillFile(skill, 'Writes release notes.', 'Be very brief.'),
  });
  expect(put.status).toBe(200);
  const submit = author.visitor(`/api/skill-drafts/${skill}/submit`, { json: { message: 'New.' } });
  const { id } = await parseAnswer(skillDraftsApi.submit.response, submit);
  return { ...started, author, reviewer, id };
}

test('those who publish are told of a review, and its author of the decision', async () => {
  const { admin, receiver, later, reviewer, id } = await startReview();
  await later();
  expect(recipients(receiver)).toEqual(['rita@example.org']);
  expect(lines(receiver)).toEqual(['ada has submitted “release-notes” for review.']);
  expect(receiver.received[0]?.text).toContain(`http://127.0.0.1:3000/admin/reviews/${id}\n`);
  const approved = await reviewer.visitor(`/api/skill-reviews/${id}/approve`, { json: {} });
  expect(approved.status).toBe(200);
  await later();
  expect(recipients(receiver).slice(1)).toEqual(['ada@example.org']);
  expect(lines(receiver)[1]).toBe(
    'rita has approved and published your change of “release-notes”.',
  );
  expect((await admin('/api/admin/mail')).status).toBe(200);
});

test('those who publish the category of a new skill are told of its review', async () => {
  const publisher = (name: string) => ({
    [name]: { id: name, name, permissions: { skillRights: { publish: [name] } } },
  });
  const { admin, receiver, later, signIn } = await start({
    files: {
      'config/groups.json': { groups: { ...groups, ...publisher('office'), ...publisher('law') } },
    },
  });
  await signIn('otto', ['office']);
  await signIn('lou', ['law']);
  const content = skillFile('pay', 'Pays.').replace('---\n', '---\ncategory: Office\n');
  const put = await admin('/api/skill-drafts/pay', {
    method: 'PUT',
    json: { formatVersion: 2, skill: { name: 'pay', slug: 'pay', content, files: [] } },
  });
  expect(put.status).toBe(200);
  await admin('/api/skill-drafts/pay/submit', { json: { message: 'New.' } });
  await later();
  expect(recipients(receiver)).toEqual(['otto@example.org']);
});

test('authors and reviewers are told of a comment, but not its writer, nor of a deleted one', async () => {
  const { author, reviewer, receiver, later, id, signIn } = await startReview();
  const path = `/api/skill-reviews/${id}/comments`;
  await signIn('rob', ['reviewers']);
  await later();
  const before = receiver.received.length;
  const write = async ({ visitor }: SignedIn, text: string) => {
    const answer = await parseAnswer(reviewCommentsSchema, visitor(path, { json: { text } }));
    return answer.items.at(-1)?.id;
  };
  await write(reviewer, 'Which dates?');
  await later();
  expect(recipients(receiver).slice(before)).toEqual(['ada@example.org']);
  expect(lines(receiver).at(-1)).toBe('rita has commented on the review of “release-notes”.');
  expect(receiver.received.at(-1)?.text).toContain(`http://127.0.0.1:3000/admin/reviews/${id}\n`);
  expect(receiver.received.at(-1)?.text).not.toContain('Which dates?');
  await write(author, 'All of them.');
  await later();
  expect(recipients(receiver).slice(before + 1)).toEqual(['rita@example.org']);
  const removed = await write(author, 'A mistake.');
  await author.visitor(`${path}/${removed}`, { method: 'DELETE' });
  await later();
  expect(receiver.received).toHaveLength(before + 2);
});

test('an administrator sends a test message to themselves, a few times a minute', async () => {
  const { admin, receiver } = await start();
  const send = () => admin('/api/admin/mail/test', { method: 'POST' });
  expect((await send()).status).toBe(409);
  const { id } = (await (await admin('/api/auth/me')).json()) as { id: string };
  await setAddress(admin, id, 'admin@example.org');
  expect(await (await send()).json()).toEqual({});
  expect(recipients(receiver)).toEqual(['admin@example.org']);
  receiver.mode = 'refuse';
  const refused = parseAnswer(adminMailApi.test.response, send());
  expect(await refused).toMatchObject({
    failed: expect.stringContaining('550 No such user'),
    reason: 'refused',
  });
  await send();
  expect((await send()).status).toBe(429);
  const audit = JSON.stringify(await (await admin('/api/admin/audit?kind=settings')).json());
  expect(audit).toContain('mail-test');
});

test.each(['ann', 'a@b@c', 'Ann <ann@example.org>', 'a@b\r\nc', `${'a'.repeat(65)}@b.org`])(
  'a wrong address is a clear problem: %j',
  async (address) => {
    const { admin, ann } = await start();
    const json = { address };
    const answer = await admin(`/api/admin/users/${ann.id}/mail`, { method: 'PUT', json });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'invalid-request' });
  },
);

test('without a mail server, nothing is sent or kept, and the pages say what to set', async () => {
  const server = await startTestServer();
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  expect(await (await admin('/api/admin/mail')).json()).toEqual({});
  const answer = await admin('/api/admin/mail/test', { method: 'POST' });
  expect([answer.status, JSON.stringify(await answer.json())]).toEqual([
    409,
    expect.stringContaining('SMTP_URL'),
  ]);
  expect(await (await admin('/api/auth/me')).json()).not.toHaveProperty('hasMail');
});
