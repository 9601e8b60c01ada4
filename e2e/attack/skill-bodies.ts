import { say } from '../provider-script.ts';
import { attackSkills } from './attack-skills.ts';
import { takeTurn } from './chat-turn.ts';
import type { Field } from './field.ts';
import { runOf, worstPieces } from './worst-texts.ts';

/** Uses worst-case skills as users and administrators do, and creates more of them. */
export async function attackWithSkills(field: Field): Promise<void> {
  field.provider.plays(say('Yes.'));
  for (const name of Object.keys(attackSkills)) {
    await use(field, name);
    await openPages(field, name);
  }
  const path = '/api/admin/skills/attack-prompts/trigger-prompts';
  const { status } = await field.ask({ method: 'GET', path }, { as: 'admin' });
  field.check(status === 200, `${status} for the prompts of a skill.`);
  const pieces = field.options.isShort ? worstPieces.slice(0, 3) : worstPieces;
  for (const [at, piece] of pieces.entries()) {
    if (field.isOver) {
      return;
    }
    await install(field, `created-${at}`, runOf(piece, 200_000), JSON.stringify(piece));
  }
}

async function use(field: Field, name: string): Promise<void> {
  const turn = { as: 'user' as const, message: 'one "two three', skills: [name] };
  await takeTurn(field, { ...turn, replay: `(after /${name})` });
}

async function openPages(field: Field, name: string): Promise<void> {
  const admin = [`/api/admin/skills/${name}`, `/api/admin/skills/${name}/access`];
  for (const path of admin) {
    await field.ask({ method: 'GET', path }, { as: 'admin' });
  }
  await field.ask({ method: 'GET', path: `/api/skills/${name}/content` }, { as: 'user' });
  const preview = { app: 'chat', groups: ['users'] };
  await field.askJson('POST', '/api/admin/try-as', preview, { as: 'admin' });
}

async function install(field: Field, name: string, body: string, what: string): Promise<void> {
  const skill = { name, description: `Runs of ${what}.`.replaceAll(/[<>]/g, ''), body };
  const options = { as: 'admin' as const, replay: `(body: 200,000 characters of ${what})` };
  const { status } = await field.askJson('POST', '/api/admin/skills', skill, options);
  if (status !== 200) {
    return;
  }
  await use(field, name);
  await openPages(field, name);
}
