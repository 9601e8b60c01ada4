import { favouritesApi } from '@knowhow/shared/skills/favourites';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const greet = { id: 'greet', name: 'Greet', prompt: 'Say hello.' };

const everything = { apps: ['*'], models: ['*'], prompts: ['*'], skills: ['*'] };
const groups = {
  anonymous: { id: 'anonymous', name: 'A', permissions: everything },
  staff: { id: 'staff', name: 'Staff', permissions: everything },
  interns: {
    id: 'interns',
    name: 'Interns',
    permissions: { ...everything, prompts: [], skills: ['release-notes'] },
  },
  outside: { id: 'outside', name: 'Outside', permissions: {} },
  admins: { id: 'admins', name: 'Admins', permissions: { apps: ['*'], adminAccess: true } },
};

let server: TestServer;
let admin: Visitor;
let people = 0;

beforeAll(async () => {
  const model = scriptedModel(...Array.from({ length: 2 }, () => says('Done.')));
  const files = { ...rightsFiles, 'prompts/greet.json': greet, 'config/groups.json': { groups } };
  server = await startTestServer({ files, model: model.ask });
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

const newUser = (...groups: string[]): Promise<SignedIn> => {
  people += 1;
  return signInNew(server, admin, { username: `user-${people}`, groups });
};
const star = (visitor: Visitor, id: string, isFavourite = true, kind = 'skill') =>
  visitor('/api/favourites', { method: 'PUT', json: { kind, id, isFavourite } });
async function ownOf(visitor: Visitor) {
  const answer = visitor('/api/favourites?app=chat');
  const { skills, recent, ...rest } = await parseAnswer(favouritesApi.list.response, answer);
  const names = (some: typeof skills) => some.map(({ name }) => name);
  return { ...rest, skills: names(skills), recent: names(recent) };
}
const none = { canKeep: true, skills: [], prompts: [], recent: [] };

test('favourites belong to a user, newest first, in all of their browsers', async () => {
  const { visitor, cookie } = await newUser('staff');
  const { visitor: other } = await newUser('staff');
  await star(visitor, 'meeting-notes');
  await star(visitor, 'release-notes');
  await star(visitor, 'greet', true, 'prompt');
  expect((await star(visitor, 'release-notes')).status).toBe(204);
  const again = await fetch(`${server.url}/api/favourites?app=chat`, { headers: { cookie } });
  expect(await again.json()).toMatchObject({ skills: [{ name: 'release-notes' }, {}] });
  expect(await ownOf(visitor)).toEqual({
    ...none,
    skills: ['release-notes', 'meeting-notes'],
    prompts: ['greet'],
  });
  expect(await ownOf(other)).toEqual(none);
  await star(visitor, 'release-notes', false);
  expect((await ownOf(visitor)).skills).toEqual(['meeting-notes']);
});

test('a forbidden skill cannot be a favourite, looks like a missing one, and leaves the list', async () => {
  const { visitor, id } = await newUser('interns');
  const { code, detail } = await parseProblem(star(visitor, 'meeting-notes'));
  expect([code, detail]).toEqual(['not-found', 'Skill "meeting-notes" is not available.']);
  expect((await parseProblem(star(visitor, 'invented'))).detail).toBe(
    'Skill "invented" is not available.',
  );
  expect((await parseProblem(star(visitor, 'greet', true, 'prompt'))).code).toBe('not-found');
  await star(visitor, 'release-notes');
  const json = { groups: ['outside'] };
  await admin(`/api/admin/users/${id}`, { method: 'PUT', json });
  expect((await visitor('/api/favourites')).status).toBe(200);
  const left = await parseAnswer(favouritesApi.list.response, visitor('/api/favourites'));
  expect(left.skills).toEqual([]);
});

test('recently used skills are listed, last one first, for guests as well', async () => {
  const guest = server.visitor();
  await takeTurn(guest, { message: 'Sort this', skills: ['meeting-notes'] });
  await takeTurn(guest, { message: 'And this', skills: ['release-notes'] });
  expect(await ownOf(guest)).toEqual({
    ...none,
    canKeep: false,
    recent: ['release-notes', 'meeting-notes'],
  });
  expect((await parseProblem(star(guest, 'meeting-notes'))).code).toBe('forbidden');
  const { visitor } = await newUser('staff');
  expect((await ownOf(visitor)).recent).toEqual([]);
});

test('favourites are in a backup, and are deleted with their user', async () => {
  const { visitor, id } = await newUser('staff');
  await star(visitor, 'meeting-notes');
  const zip = await exportBackup(admin, '?data=true');
  await star(visitor, 'meeting-notes', false);
  await importBackup(admin, zip);
  expect((await ownOf(visitor)).skills).toEqual(['meeting-notes']);
  admin = await signInAdmin(server);
  const gone = `/api/admin/users/${id}?conversations=delete`;
  expect((await admin(gone, { method: 'DELETE' })).status).toBe(204);
  expect((await exportBackup(admin, '?data=true')).includes(id)).toBe(false);
});
