import { sql, type Transaction } from 'kysely';
import { inList } from '../../platform/storage/in-list.ts';
import type { Schema } from '../../platform/storage/schema.ts';

/** Maximum number of branches at a message, including the one shown. */
export const maxBranchesPerMessage = 20;
/** Limits per conversation: number and total size in bytes of archived branches. */
const maxBranches = 100;
const maxBytes = 16_000_000;

/**
 * Deletes branches beyond the limits, oldest first, including their nested branches. Returns whether any were
 * deleted.
 */
export async function pruneBranches(write: Transaction<Schema>, id: string): Promise<boolean> {
  const branches = await loadBranches(write, id);
  const dropped = new Set<string>();
  const atPoint = new Map<string, number>();
  let kept = { count: 0, bytes: 0 };
  // Newest first, so that these are kept.
  for (const branch of branches) {
    const point = `${branch.conversation_id} ${branch.position}`;
    const countAtPoint = (atPoint.get(point) ?? 0) + 1;
    const next = { count: kept.count + 1, bytes: kept.bytes + branch.bytes };
    if (
      countAtPoint >= maxBranchesPerMessage ||
      next.count > maxBranches ||
      next.bytes > maxBytes
    ) {
      dropped.add(branch.id);
    } else {
      atPoint.set(point, countAtPoint);
      kept = next;
    }
  }
  const affected = branches.filter((branch) => isWithinDropped(branch, branches, dropped));
  await write
    .deleteFrom('conversations')
    .where('id', 'in', inList(affected.map((branch) => branch.id)))
    .execute();
  return dropped.size > 0;
}

type Branch = Schema['lines'];

/** Branches of a conversation including nested ones, newest first. */
async function loadBranches(write: Transaction<Schema>, id: string): Promise<Branch[]> {
  const { rows } = await sql<Branch>`
    with recursive own as (
      select * from lines where conversation_id = ${id}
      union all
      select lines.* from lines join own on lines.conversation_id = own.id
    )
    select * from own order by created_at desc, id`.execute(write);
  return rows;
}

/** Whether a branch is dropped or nested in one that is. */
function isWithinDropped(
  branch: Branch,
  branches: readonly Branch[],
  dropped: ReadonlySet<string>,
): boolean {
  const parent = branches.find(({ id }) => id === branch.conversation_id);
  return (
    dropped.has(branch.id) || (parent !== undefined && isWithinDropped(parent, branches, dropped))
  );
}
