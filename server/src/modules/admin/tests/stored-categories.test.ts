import { join } from 'node:path';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import AdmZip from 'adm-zip';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../platform/storage/open-database.ts';
import { exportBackup, importBackup, manifestZip } from '../../../testing/backup-calls.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

const group = (id: string, permissions: object) => ({ [id]: { id, name: id, permissions } });
const files = {
  'config/skills.json': { settings: { publishing: { mode: 'review' } } },
  'config/groups.json': {
    groups: {
      ...group('admins', { skills: ['*'], adminAccess: true }),
      ...group('hr-authors', { skillRights: { author: ['HR'] } }),
    },
  },
};
const tableNames = ['skill_versions', 'skill_drafts', 'skill_reviews'];

const text = (name: string, category: string) =>
  `---\nname: ${name}\ndescription: Does ${name}.\ncategory: ${category}\n---\n\nSteps of ${name}.\n`;
const saveDraft = async (visitor: Visitor, name: string, category: string) =>
  (
    await visitor(`/api/skill-drafts/${name}`, {
      method: 'PUT',
      json: {
        formatVersion: 2,
        skill: { name, slug: name, content: text(name, category), files: [] },
      },
    })
  ).status;

async function start(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer({ files, ...options });
  onTestFinished(server.close);
  return { server, admin: await signInAdmin(server) };
}

/** Makes a draft with an open review, and a deleted skill with a closed one, in each category. */
async function fill(admin: Visitor) {
  for (const category of ['HR', 'Law']) {
    const submit = async (name: string) => {
      expect(await saveDraft(admin, name, category)).toBe(200);
      const submitted = admin(`/api/skill-drafts/${name}/submit`, { json: { message: 'Please.' } });
      return (await parseAnswer(skillDraftsApi.submit.response, submitted)).id;
    };
    await submit(`asked-${category.toLowerCase()}`);
    const deleted = `deleted-${category.toLowerCase()}`;
    const path = `/api/skill-reviews/${await submit(deleted)}/approve`;
    expect((await admin(path, { json: { comment: 'Read.' } })).status).toBe(200);
    expect((await admin(`/api/admin/skills/${deleted}`, { method: 'DELETE' })).status).toBe(200);
  }
}

/** What an author of HR sees, and which names of deleted skills they may use again. */
async function lookAsAuthor(server: TestServer, admin: Visitor) {
  const { visitor } = await signInNew(server, admin, { username: 'ann', groups: ['hr-authors'] });
  const reviews = async (state: string) =>
    (
      await parseAnswer(skillReviewsApi.list.response, visitor(`/api/skill-reviews?state=${state}`))
    ).items.map(({ skill }) => skill);
  const drafts = await parseAnswer(skillDraftsApi.list.response, visitor('/api/skill-drafts'));
  return {
    drafts: drafts.items.map(({ skill }) => skill),
    open: await reviews('open'),
    closed: await reviews('closed'),
    again: [
      await saveDraft(visitor, 'deleted-hr', 'HR'),
      await saveDraft(visitor, 'deleted-law', 'HR'),
    ],
  };
}

const laterTables = [
  ...['trigger_rounds', 'trigger_round_skills', 'draft_trigger_runs', 'skill_comment_reads'],
  ...['skill_folder_edits', 'skill_folder_writes', 'skill_folder_review'],
];
const laterColumns = {
  skill_source_states: ['edited', 'settled'],
  skill_source_skills: ['skill_id', 'manifest', 'url', 'detached_at', 'tree'],
};

/** Stops a server, and makes its database one of the release before categories were stored. */
async function downgrade(
  server: TestServer,
  change: (database: Database) => Promise<unknown> = () => Promise.resolve(),
) {
  await server.close();
  const database = await openTestDatabase(join(server.folder, 'data'));
  await change(database);
  for (const table of tableNames) {
    await sql`alter table ${sql.table(table)} drop column category`.execute(database);
  }
  // Later migrations run again.
  for (const table of laterTables) {
    await sql`drop table ${sql.table(table)}`.execute(database);
  }
  for (const [table, columns] of Object.entries(laterColumns)) {
    for (const column of columns) {
      await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(database);
    }
  }
  await sql`drop index skill_review_comments_created`.execute(database);
  await sql`delete from kysely_migration where name >= '0084'`.execute(database);
  await database.destroy();
}

const seen = {
  drafts: ['asked-hr'],
  open: ['asked-hr'],
  closed: ['deleted-hr'],
  again: [200, 404],
};

/** Starts two servers, each with its own database. Timeout in milliseconds. */
const startsTwice = { timeout: 60_000 };

test(
  'after an upgrade, an author sees the drafts, reviews and deleted skills of their category',
  startsTwice,
  async () => {
    const { server, admin } = await start();
    await fill(admin);
    await downgrade(server);

    const next = await start({ folder: server.folder });

    expect(await lookAsAuthor(next.server, next.admin)).toEqual(seen);
  },
);

test(
  'after an upgrade, an author does not see a review whose files are not stored',
  startsTwice,
  async () => {
    const { server, admin } = await start();
    await fill(admin);
    await downgrade(server, (database) => database.deleteFrom('skill_blobs').execute());

    const next = await start({ folder: server.folder });

    expect(await lookAsAuthor(next.server, next.admin)).toEqual({
      drafts: [],
      open: [],
      closed: [],
      again: [404, 404],
    });
    const all = parseAnswer(skillReviewsApi.list.response, next.admin('/api/skill-reviews'));
    expect((await all).total).toBe(2);
  },
);

test.each([
  ['this release', true],
  ['the release before', false],
])(
  'after the restore of a backup of %s, an author sees what is in their category',
  async (_, isCurrent) => {
    const { admin } = await start();
    await fill(admin);
    const zip = await exportBackup(admin, '?data=true');
    const other = await start();

    await importBackup(other.admin, isCurrent ? zip : makeFormer(zip));

    const again = await signInAdmin(other.server);
    expect(await lookAsAuthor(other.server, again)).toEqual(seen);
    const file = await again('/api/skill-drafts/asked-hr/files/SKILL.md');
    expect(await file.text()).toBe(text('asked-hr', 'HR'));
  },
);

/** The backup as the release before categories were stored would have made it. */
function makeFormer(backup: Buffer): Buffer {
  const zip = new AdmZip(backup);
  const entries = zip.getEntries().filter(({ entryName }) => entryName !== 'manifest.json');
  const contents = entries.map((entry) => {
    const content = zip.readAsText(entry);
    return [entry.entryName, dropCategories(entry.entryName, content)];
  });
  return manifestZip(Object.fromEntries(contents), (manifest) => ({
    ...manifest,
    migration: '0083-skills-review-comments',
  }));
}

/** The rows of a table in a backup without their categories. */
function dropCategories(path: string, content: string): string {
  if (!tableNames.some((table) => path === `data/${table}.jsonl`)) {
    return content;
  }
  const rows = content.split('\n').filter((line) => line !== '');
  return rows
    .map((line) => {
      const { category, ...row } = JSON.parse(line);
      expect([null, 'HR', 'Law']).toContain(category);
      return `${JSON.stringify(row)}\n`;
    })
    .join('');
}
