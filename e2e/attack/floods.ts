import type { Field } from './field.ts';
import { inParallel } from './in-parallel.ts';

/** Sends many concurrent requests to public endpoints. */
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
  await inParallel(50, field.options.isShort ? 1000 : 20_000, async (each) => {
    const path = paths[each % paths.length];
    if (path && !field.isOver) {
      await field.ask({ method: 'GET', path }, { as: each % 3 === 0 ? 'user' : 'anonymous' });
    }
  });
}
