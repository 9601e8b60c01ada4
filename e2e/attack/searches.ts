import { say } from '../provider-script.ts';
import { takeTurn } from './chat-turn.ts';
import type { Field } from './field.ts';
import { inParallel } from './in-parallel.ts';
import { runOf, worstNames, worstPieces } from './worst-texts.ts';

/** Maximum length of a query. */
const maxQueryLength = 200;

/** Searches large conversations, skills and users with worst-case queries. */
export async function attackWithSearches(field: Field): Promise<void> {
  const { isShort } = field.options;
  field.provider.plays(say('Yes.'));
  const texts = [runOf('a', 99_000), runOf('a%_', 99_000), runOf('ab "*" ', 99_000)];
  await inParallel(4, isShort ? 16 : 120, async (each) => {
    if (!field.isOver) {
      await takeTurn(field, { as: 'user', message: texts[each % texts.length] ?? '' });
    }
  });
  await inParallel(4, queries(isShort).length, async (each) => {
    const query = encodeURIComponent(Buffer.from(queries(isShort)[each] ?? '').toString());
    for (const path of isShort
      ? ['conversations']
      : ['conversations', 'admin/skills', 'admin/users']) {
      if (!field.isOver) {
        await field.ask(
          { method: 'GET', path: `/api/${path}?query=${query}` },
          { as: path === 'conversations' ? 'user' : 'admin' },
        );
      }
    }
  });
}

function queries(isShort: boolean): string[] {
  const worst = [
    runOf('a', maxQueryLength),
    `${runOf('a', maxQueryLength - 1)}b`,
    runOf('%a', maxQueryLength),
    runOf('_', maxQueryLength),
    'NEAR("a" "b", 10)',
    'a* OR (b',
    '"',
    'AND',
    'content:a',
  ];
  return isShort
    ? worst
    : [...worst, ...worstNames, ...worstPieces.map((piece) => runOf(piece, maxQueryLength))];
}
