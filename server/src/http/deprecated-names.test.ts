import { adminSkillDetailSchema, adminSkillListSchema } from '@knowhow/shared/skills/admin-skill';
import { archiveReportSchema } from '@knowhow/shared/skills/skill-archives';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAnswer } from '../testing/parse-answer.ts';
import { signInAdmin } from '../testing/sign-in-admin.ts';
import { skillFile } from '../testing/skill-folder.ts';
import { startTestServer, type TestServer, type Visitor } from '../testing/start-test-server.ts';
import { temporaryFolder, writeFiles } from '../testing/write-files.ts';

let server: TestServer;
let admin: Visitor;

beforeAll(async () => {
  const extra = await temporaryFolder();
  await writeFiles(extra, { 'meeting-notes/SKILL.md': skillFile('meeting-notes', 'Is hidden.') });
  server = await startTestServer({ environment: { SKILLS_EXTRA_DIRS: extra } });
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

describe('a field that was renamed since the previous release', () => {
  test('is returned under both names', async () => {
    const local = { location: 'local:meeting-notes', place: 'local:meeting-notes' };
    const hidden = { location: 'extra:meeting-notes', place: 'extra:meeting-notes' };
    const { items } = await parseAnswer(adminSkillListSchema, admin('/api/admin/skills'));
    expect(items).toContainEqual(expect.objectContaining(hidden));
    const path = '/api/admin/skills/meeting-notes';
    const skill = await parseAnswer(adminSkillDetailSchema, admin(path));
    expect(skill).toMatchObject({ ...local, hides: [hidden] });
    const sent = {
      method: 'POST',
      body: skillFile('meeting-notes', 'Is new.'),
      headers: { 'content-type': 'text/markdown' },
    };
    const report = await parseAnswer(
      archiveReportSchema,
      admin('/api/admin/skills/validate', sent),
    );
    expect(report.skills).toMatchObject([{ folder: '', place: '', conflict: local }]);
  });

  test('is documented as deprecated under its old name', async () => {
    const document = await (await server.visitor()('/api/openapi.json')).json();
    const properties = {
      location: { type: 'string' },
      place: { type: 'string', deprecated: true },
    };
    const schema = { properties: { items: { items: { properties } } } };
    expect(document).toMatchObject({
      paths: {
        '/api/admin/skills': {
          get: { responses: { 200: { content: { 'application/json': { schema } } } } },
        },
      },
    });
  });
});
