import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { beforeAll, describe, expect, test } from 'vitest';
import { createZip } from './testing/backup-calls.ts';
import { bundledScript } from './testing/bundled-script.ts';
import { startHeldProvider } from './testing/held-provider.ts';
import type { Fault, FaultReport } from './testing/inject-faults.ts';
import { parseAnswer } from './testing/parse-answer.ts';
import { readTree } from './testing/read-tree.ts';
import { skillFile } from './testing/skill-folder.ts';
import { type Product, startProduct } from './testing/start-product.ts';
import { defaultFiles, modelWith, type Visitor } from './testing/start-test-server.ts';
import { takeTurn } from './testing/take-turn.ts';
import { waitFor } from './testing/wait-for.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

let script: string;
let faults: string;

beforeAll(async () => {
  script = await bundledScript('main');
  faults = await bundledScript('inject-faults');
}, 60_000);

/** A kind of write; `n` differs on each attempt. */
interface Write {
  before?: (admin: Visitor, n: number) => Promise<unknown>;
  take: (admin: Visitor, n: number) => Promise<Response>;
}

const notes = '/api/admin/skills/meeting-notes';
const other = '/api/admin/skills/release-notes';
const policy = '/api/admin/skills/policy';
const draft = '/api/skill-drafts/policy';
const openReview = async (admin: Visitor) =>
  (await parseAnswer(skillReviewsApi.list.response, admin('/api/skill-reviews'))).items[0];
const text = (n: number) => skillFile('meeting-notes', `Turns notes into decisions, ${n}.`);
const put = (body: string) => ({ method: 'PUT', body });
const fresh = (n: number) => ({ name: `made-${n}`, description: 'Is made.', body: 'Do it.' });
const prompt = (n: number) => ({ id: `p${n}`, name: 'P', prompt: 'Write.' });

const writes: Record<string, Write> = {
  'enabling a skill': {
    take: (admin, n) => admin(notes, { method: 'PUT', json: { enabled: n % 2 === 0 } }),
  },
  'assigning a skill': {
    take: (admin, n) =>
      admin(other, {
        method: 'PUT',
        json: { priority: n, apps: n % 2 ? ['legal'] : [], groups: n % 2 ? ['staff'] : [] },
      }),
  },
  'editing a file': { take: (admin, n) => admin(`${notes}/files/SKILL.md`, put(text(n))) },
  'adding a file': { take: (admin, n) => admin(`${notes}/files/new/${n}/a.md`, put('New.')) },
  'removing a file': {
    before: (admin, n) => admin(`${notes}/files/old/${n}.md`, put('Old.')),
    take: (admin, n) => admin(`${notes}/files/old/${n}.md`, { method: 'DELETE' }),
  },
  'creating a skill': { take: (admin, n) => admin('/api/admin/skills', { json: fresh(n) }) },
  'importing over a skill': {
    take: (admin, n) =>
      admin('/api/admin/skills/import?overwrite=true', {
        method: 'POST',
        body: text(n),
        headers: { 'content-type': 'text/markdown' },
      }),
  },
  'restoring a version': {
    before: (admin, n) => admin(`${notes}/files/SKILL.md`, put(text(n))),
    take: async (admin) => {
      const versions = await parseAnswer(
        skillVersionsApi.list.response,
        admin('/api/skill-versions/meeting-notes'),
      );
      const number = versions.items[1]?.number;
      return admin(`/api/skill-versions/meeting-notes/${number}/restore`, { method: 'POST' });
    },
  },
  'approving a review': {
    before: async (admin, n) => {
      const refused = await openReview(admin);
      if (refused) {
        await admin(`/api/skill-reviews/${refused.id}/withdraw`, { json: {} });
        await admin(draft, { method: 'DELETE' });
      }
      await admin(`${draft}/files/SKILL.md`, put(skillFile('policy', `Is draft ${n}.`)));
      await admin(`${draft}/submit`, { json: { message: 'Is new.' } });
    },
    take: async (admin) => {
      const { id } = (await openReview(admin)) ?? {};
      const answer = await admin(`/api/skill-reviews/${id}/approve`, { json: {} });
      expect(await openReview(admin)).toEqual(
        answer.ok ? undefined : expect.objectContaining({ id }),
      );
      return answer;
    },
  },
  'blocking a skill': {
    take: (admin, n) => admin(`${policy}/block`, { method: 'PUT', json: { reason: `No. ${n}` } }),
  },
  'unblocking a skill': {
    before: (admin) =>
      admin(`${policy}/block`, { method: 'PUT', json: { reason: 'It is wrong.' } }),
    take: (admin) => admin(`${policy}/block`, { method: 'DELETE' }),
  },
  'deleting a skill': {
    before: (admin, n) => admin('/api/admin/skills', { json: fresh(n) }),
    take: (admin, n) => admin(`/api/admin/skills/made-${n}`, { method: 'DELETE' }),
  },
  'writing an app': {
    take: (admin, n) =>
      admin('/api/admin/apps/chat', {
        method: 'PUT',
        json: { id: 'chat', name: { en: 'Chat' }, system: { en: `Be ${n}.` }, skills: ['*'] },
      }),
  },
  'creating a prompt': {
    take: (admin, n) => admin(`/api/admin/prompts/p${n}`, { method: 'PUT', json: prompt(n) }),
  },
  'restoring a backup': {
    take: (admin, n) =>
      admin('/api/admin/backup/import?only=prompts', {
        method: 'POST',
        body: createZip({ [`contents/prompts/p${n}.json`]: prompt(n) }),
        headers: { 'content-type': 'application/zip' },
      }),
  },
  'deleting a prompt': {
    before: (admin, n) => admin(`/api/admin/prompts/p${n}`, { method: 'PUT', json: prompt(n) }),
    take: (admin, n) => admin(`/api/admin/prompts/p${n}`, { method: 'DELETE' }),
  },
};

const legal = { id: 'legal', name: 'Legal', system: 'Be careful.', skills: [] };
const withGroup = ({ groups }: { groups: object }) => ({
  groups: { ...groups, staff: { id: 'staff', name: 'Staff' } },
});
const contents = {
  ...defaultFiles,
  'config/groups.json': withGroup(defaultFiles['config/groups.json']),
  'apps/legal.json': legal,
  'skills/policy/SKILL.md': skillFile('policy', 'Is the policy.'),
};

const codes = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EDQUOT'];

async function start(folder: string): Promise<Product> {
  return startProduct(script, folder, { NODE_OPTIONS: `--import=${faults}` });
}

async function send(product: Product, message: Fault | 'report'): Promise<FaultReport> {
  const heard = once(product.process, 'message');
  product.process.send(message);
  return (await heard)[0];
}

/** Active files only: no staging files and no empty folders. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const tree = await readTree(join(folder, 'contents'));
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => !/\.knowhow-(?:staging|restore)|\.tmp$|\/$/.test(path)),
  );
}

/** Installations tested in parallel, since much of the time is spent waiting for the disk. */
const lanes = 3;

describe.each([
  ['that fails once', false],
  ['that keeps failing', true],
])('on a disk %s, at each step of', (_, stays) => {
  test('each kind of write: either a problem and the old state, or the new state', async () => {
    const all = Object.entries(writes);
    const many = all.length / lanes;
    const shares = Array.from({ length: lanes }, (_, lane) =>
      all.slice(lane * many, (lane + 1) * many),
    );
    await Promise.all(shares.map((share) => failAtEachStep(share, stays)));
  }, 400_000);
});

test.each(codes)('reports a disk that fails with %s in the readiness check', async (code) => {
  const folder = await temporaryFolder();
  await writeFiles(join(folder, 'contents'), contents);
  const product = await start(folder);
  const ready = () => product.visitor()('/api/ready');
  await send(product, { code, at: 1, stays: true });
  const response = await ready();
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    code: 'not-ready',
    detail: expect.stringMatching(/^The data folder cannot be written: /),
  });
  await send(product, 'report');
  await waitFor(async () => (await ready()).status === 200);
});

async function failAtEachStep(share: [string, Write][], stays: boolean): Promise<void> {
  const folder = await temporaryFolder();
  await writeFiles(join(folder, 'contents'), contents);
  const product = await start(folder);
  const admin = await product.admin();
  let tried = 0;
  for (const [name, write] of share) {
    for (let at = 1; ; at += 1) {
      tried += 1;
      await write.before?.(admin, tried);
      const before = await filesOf(folder);
      const code = codes[tried % codes.length] ?? '';
      await send(product, { code, at, stays });
      const response = await write.take(admin, tried);
      const { failed } = await send(product, 'report');
      const answer = `${name}, ${code} at step ${at}: ${failed}; ${response.status}`;
      if (response.ok) {
        expect(await filesOf(folder), answer).not.toEqual(before);
        if (failed.length === 0) {
          break;
        }
      } else {
        expect(await response.json(), answer).toMatchObject({ code: 'not-writable' });
        if (stays) {
          await letWritesTidyUp(admin);
        }
        if (!failed.includes('sync of a folder')) {
          expect(await filesOf(folder), answer).toEqual(before);
        }
      }
    }
  }
  product.process.kill('SIGKILL');
  await product.ended;
  await start(folder);
  const files = Object.keys(await readTree(folder));
  expect(files.filter((path) => /\.knowhow-staging|\.tmp$/.test(path))).toEqual([]);
}

/** The next write of the same kind reverts what a failing disk left behind. */
async function letWritesTidyUp(admin: Visitor): Promise<void> {
  await admin('/api/admin/backup/import', { method: 'POST', body: 'no backup' });
  await admin(`${other}/files/a.md`, put('Anything.'));
  await admin(`${other}/files/a.md`, { method: 'DELETE' });
  await admin('/api/admin/apps/legal', { method: 'PUT', json: legal });
}

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

/** Limits the file size of the process, including its database, or lifts the limit. */
function letFilesGrow({ process: { pid } }: Product, may: boolean): void {
  spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${may ? 'unlimited' : '1'}:unlimited`]);
}

test.skipIf(!canLimit)('rejects writes on a full disk, keeps its data, and recovers', async () => {
  const provider = await startHeldProvider();
  const folder = await temporaryFolder();
  await writeFiles(join(folder, 'contents'), {
    ...defaultFiles,
    ...modelWith({ url: provider.url }),
  });
  const product = await startProduct(script, folder);
  const admin = await product.admin();
  const conversationId = randomUUID();
  const turn = takeTurn(admin, { message: 'Before', conversationId });
  const answer = await provider.asked();
  answer.say('Said');

  letFilesGrow(product, false);
  answer.end();
  expect((await turn).events.at(-1)).toMatchObject({ type: 'error', code: 'not-writable' });
  const refused = await takeTurn(admin, { message: 'Meanwhile' });
  expect(JSON.parse(refused.body)).toMatchObject({ status: 503, code: 'not-writable' });
  const toggled = await admin(notes, { method: 'PUT', json: { enabled: false } });
  expect(await toggled.json()).toMatchObject({ code: 'not-writable' });
  expect(product.output).toMatch(/"level":50.*SQLITE_/);

  letFilesGrow(product, true);
  const list = await parseAnswer(conversationsApi.list.response, admin('/api/conversations'));
  expect(list.items.map(({ id }) => id)).toEqual([conversationId]);
  const next = takeTurn(admin, { message: 'After', conversationId });
  const second = await provider.asked();
  second.say('Works');
  second.end();
  expect(await next).toMatchObject({ status: 200, text: 'Works' });
  expect((await admin(notes, { method: 'PUT', json: { enabled: false } })).status).toBe(200);
});
