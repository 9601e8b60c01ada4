import { problemSchema } from '@knowhow/shared/problem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;
beforeAll(async () => {
  server = await startTestServer();
  admin = await signInAdmin(server);
}, 60_000);
afterAll(() => server.close());

const skill = { name: 'new-one', description: 'Does it.', body: 'Do it.' };
const create = (changed: object) =>
  ['/api/admin/skills', 'POST', { ...skill, ...changed }] as const;
const put = (json: object) => ['/api/admin/skills/meeting-notes', 'PUT', json] as const;

test.each([
  [
    'a number instead of a string',
    create({ description: 1 }),
    'This must be a text, not a number.',
  ],
  [
    'a list instead of a string',
    create({ description: ['a'] }),
    'This must be a text, not a list.',
  ],
  ['null instead of a string', create({ description: null }), 'This must be a text, not null.'],
  ['a missing field', create({ description: undefined }), 'This is missing. It must be a text.'],
  ['an empty text', create({ description: '' }), 'This must not be empty.'],
  ['an empty body', create({ body: '' }), 'The instructions are empty. Write what to do.'],
  ['a blank body', create({ body: ' \n\t' }), 'The instructions are empty. Write what to do.'],
  [
    'too long a string',
    create({ name: 'x'.repeat(301) }),
    'This must have at most 300 characters.',
  ],
  ['an unknown field', create({ other: 1 }), 'Unknown field "other".'],
  [
    'a string instead of a boolean',
    put({ enabled: 'yes' }),
    'This must be true or false, not a text.',
  ],
  [
    'a string in another format',
    put({ approvedScripts: 'x' }),
    'This is not in the expected form.',
  ],
])('explains in plain English what is wrong with %s', async (_, [path, method, json], message) => {
  const response = await admin(path, { method, json });
  expect(response.status).toBe(400);
  const { issues = [] } = problemSchema.parse(await response.json());
  expect(issues.map((issue) => issue.message)).toEqual([message]);
});

test.each([
  ['one of several', 'source=none', /^This must be one of "local", /],
  ['a number that is too large', 'limit=100000', /^This must be at most \d+\.$/],
  ['a string instead of a number', 'limit=x', /^This must be a number, not /],
])('explains what a query accepts: %s', async (_, query, message) => {
  const response = await admin(`/api/admin/skills?${query}`);
  const { issues = [] } = problemSchema.parse(await response.json());
  expect(issues[0]?.message).toMatch(message);
});
