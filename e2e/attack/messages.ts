import { say } from '../provider-script.ts';
import { attackSkills } from './attack-skills.ts';
import { takeTurn } from './chat-turn.ts';
import type { Field } from './field.ts';
import { runOf, worstPieces } from './worst-texts.ts';

/** Maximum length of a message. */
const maxLength = 100_000;

/** Sends worst-case messages, after skills that repeat them, and reads the stored result. */
export async function attackWithMessages(field: Field): Promise<void> {
  field.provider.plays(say('Yes.'));
  await keepsWhatComesAfterNul(field);
  const skills = Object.keys(attackSkills);
  for (const [at, piece] of piecesFor(field).entries()) {
    if (field.isOver) {
      return;
    }
    const skill = skills[at % skills.length] ?? '';
    await sendWorst(field, 'attack-once', [piece, maxLength]);
    await sendWorst(field, skill, [piece, 40_000]);
  }
}

/** In the short form, the most expensive ones and a rotating selection of others. */
function piecesFor({ options: { isShort, seed } }: Field): string[] {
  const worst = ['€', '<|endoftext|>', ' ', 'a'];
  const others = worstPieces.filter((piece) => !worst.includes(piece));
  const first = seed % others.length;
  return [...worst, ...(isShort ? others.slice(first, first + 4) : others)];
}

async function sendWorst(
  field: Field,
  skill: string,
  [piece, length]: [piece: string, length: number],
): Promise<void> {
  const replay = `(message: ${JSON.stringify(piece)} in ${length} characters, after /${skill})`;
  // Blank messages are rejected.
  const message = `.${runOf(piece, length - 1)}`;
  const turn = { as: 'user' as const, message, skills: [skill], replay };
  const conversation = await takeTurn(field, turn);
  const path = `/api/conversations/${conversation}`;
  await field.ask({ method: 'GET', path }, { as: 'user', replay });
}

async function keepsWhatComesAfterNul(field: Field): Promise<void> {
  const conversation = await takeTurn(field, { as: 'user', message: 'before\u0000after' });
  const path = `/api/conversations/${conversation}`;
  const { body } = await field.ask({ method: 'GET', path }, { as: 'user' });
  field.check(/before.*after/.test(body.toString()), 'What comes after NUL in a message is lost.');
}
