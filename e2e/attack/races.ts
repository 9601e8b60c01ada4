import { randomUUID } from 'node:crypto';
import { activate, say } from '../provider-script.ts';
import { findLastAnswer, takeTurn } from './chat-turn.ts';
import type { Field } from './field.ts';
import { inParallel } from './in-parallel.ts';

/** Creates and deletes resources while others read them, and writes concurrently. */
export async function attackWithRaces(field: Field): Promise<void> {
  const { isShort } = field.options;
  await inParallel(1, isShort ? 12 : 120, async (round) => {
    if (!field.isOver) {
      await raceSkill(field, `racing-${round % 3}`);
      await raceConfig(field, round);
      await raceWriters(field, round);
      await raceTurn(field, round);
    }
  });
}

async function raceSkill(field: Field, name: string): Promise<void> {
  const admin = { as: 'admin' as const };
  const skill = { name, description: 'Comes and goes.', body: 'Do it.' };
  const path = `/api/admin/skills/${name}`;
  const read = ['', '/access', '/export', '/files/SKILL.md'];
  const versions = ['', '/1', '/1/diff'].map((part) => `/api/skill-versions/${name}${part}`);
  const mine = [`/api/skills/${name}`, `/api/skills/${name}/content`, '/api/skills'];
  const reads = async () => {
    await Promise.all([
      ...read.map((part) => field.ask({ method: 'GET', path: path + part }, admin)),
      ...versions.map((part) => field.ask({ method: 'GET', path: part }, admin)),
      ...mine.map((part) => field.ask({ method: 'GET', path: part }, { as: 'user' })),
    ]);
  };
  await Promise.all([field.askJson('POST', '/api/admin/skills', skill, admin), reads(), reads()]);
  const file = { method: 'PUT', path: `${path}/files/notes.md`, body: 'Notes.' };
  await Promise.all([
    field.ask(file, admin),
    field.ask({ method: 'DELETE', path }, admin),
    field.askJson('PUT', path, { priority: 3 }, admin),
    field.ask({ method: 'GET', path: '/api/admin/backup/export?only=skills' }, admin),
    reads(),
  ]);
  await field.ask({ method: 'DELETE', path }, admin);
}

/** Deletes a turn, its conversation and its skill while others read and rate the answer. */
async function raceTurn(field: Field, round: number): Promise<void> {
  const [user, admin] = [{ as: 'user' as const }, { as: 'admin' as const }];
  const conversation = randomUUID();
  const own = `/api/conversations/${conversation}`;
  field.provider.plays([activate('attack-once')], [say('Slowly, word by word.', { everyMs: 5 })]);
  const turn = takeTurn(field, { ...user, message: 'Go.', conversation });
  const answer = `/api/messages/${(await findLastAnswer(field, conversation)) || randomUUID()}`;
  const prompts = [{ text: 'Go.', expect: true }];
  const trial = { prompts, models: ['scripted'] };
  await Promise.all([
    turn,
    field.askJson('PUT', `${answer}/feedback`, { value: 'up', reason: '=1' }, user),
    ...['/trace', '/trace/skills/attack-once'].map((part) =>
      field.ask({ method: 'GET', path: answer + part }, admin),
    ),
    ...['skills', 'skills.csv', 'reasons'].map((report) =>
      field.ask({ method: 'GET', path: `/api/admin/analytics/${report}` }, admin),
    ),
    field.askJson('POST', '/api/admin/skills/attack-once/trigger-tests', trial, admin),
    field.askJson('PUT', '/api/admin/skills/attack-once', { enabled: round % 2 === 0 }, admin),
    field.ask({ method: 'GET', path: `${own}/turn?after=1` }, user),
    field.ask(
      { method: 'DELETE', path: round % 3 === 0 ? `${own}/skills/attack-once` : own },
      user,
    ),
  ]);
  await field.askJson('PUT', '/api/admin/skills/attack-once', { enabled: true }, admin);
}

async function raceConfig(field: Field, round: number): Promise<void> {
  const admin = { as: 'admin' as const };
  const path = '/api/admin/prompts/racing';
  const prompt = { id: 'racing', name: 'R', prompt: 'Go.', order: round };
  await Promise.all([
    field.askJson('PUT', path, prompt, admin),
    field.ask({ method: 'GET', path }, admin),
    field.ask({ method: 'DELETE', path }, admin),
    field.askJson('PUT', path, { ...prompt, order: -1 }, admin),
    field.ask({ method: 'GET', path: '/api/prompts' }, { as: 'user' }),
    field.ask({ method: 'GET', path: '/api/admin/backup/export' }, admin),
  ]);
}

/** Optimistic locking: of several writers who read the same state, exactly one may overwrite it. */
async function raceWriters(field: Field, round: number): Promise<void> {
  const path = '/api/admin/skills/victim';
  const { body } = await field.ask({ method: 'GET', path }, { as: 'admin' });
  const checksum = /"checksum":"([^"]+)"/.exec(body.toString())?.[1] ?? '';
  const answers = await Promise.all(
    [1, 2, 3].map((writer) =>
      field.ask(
        {
          method: 'PUT',
          path: `${path}/files/contested.md`,
          headers: { 'if-match': `"${checksum}"` },
          body: `Round ${round}, writer ${writer}, ${Date.now()}.`,
        },
        { as: 'admin' },
      ),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  field.check(
    statuses.join() === '200,412,412',
    `Three concurrent writers of the same state got ${statuses.join(', ')}.`,
  );
}
