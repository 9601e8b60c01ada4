import type { Field } from './field.ts';
import { inParallel } from './in-parallel.ts';

/** Asks many times at once for what anybody may ask for. */
export async function attackWithFloods(field: Field): Promise<void> {
  const paths = [
    '/api/openapi.json',
    '/api/docs',
    '/api/ready',
    '/api/skills?limit=200',
    '/api/apps',
    '/api/models',
    '/api/skills/attack-run',
    '/api/skills/attack-often/content',
    '/',
    '/no/such/page',
  ];
  // On two cores, 50 at once and what measures them get in each other's way.
  const [atOnce, count] = field.options.isShort ? [12, 1000] : [50, 20_000];
  await inParallel(atOnce, count, async (each) => {
    const path = paths[each % paths.length];
    if (path && !field.isOver) {
      await field.ask({ method: 'GET', path }, { as: each % 3 === 0 ? 'user' : 'anonymous' });
    }
  });
}
