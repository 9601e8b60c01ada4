import { z } from 'zod';
import { callEngine } from './call-engine.ts';
import type { EngineAddress } from './container-settings.ts';
import { labels } from './container-spec.ts';
import { removeContainers } from './run-container.ts';

const listMs = 10_000;
const listSchema = z.array(
  z.object({
    Id: z.string().regex(/^[\da-f]+$/),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
);

/** Removes expired containers of any owner and, if `all`, every container of this owner. */
export async function removeLeftovers(
  engine: EngineAddress,
  { owner, all }: { owner: string; all: boolean },
): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ label: [labels.owner] }));
  const listed = await callEngine(engine, {
    ...{ method: 'GET', path: `/containers/json?all=true&filters=${filters}` },
    signal: AbortSignal.timeout(listMs),
  });
  const left = listSchema.parse(listed).filter(({ Labels }) => {
    const isOver = Number(Labels?.[labels.until] ?? Number.NaN) < Date.now() / 1000;
    return isOver || (all && Labels?.[labels.owner] === owner);
  });
  // Newest first: containers with volumes are older than those that use them.
  await removeContainers(
    engine,
    left.map(({ Id }) => Id),
  );
}
