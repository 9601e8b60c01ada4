import { endReasons } from '@knowhow/shared/chat/chat';
import { z } from 'zod';

const id = z.uuid();
const time = z.iso.datetime();

/** Ends to apply to activations of earlier messages when a branch is restored. */
const endsSchema = z.array(
  z.strictObject({
    id: z.string(),
    ended_at: time.nullable(),
    end_reason: z.enum(endReasons).nullable(),
    ended_in: id.nullable(),
  }),
);

/** An archived branch as stored in a backup. */
export const branchRow = z.strictObject({
  id,
  conversation_id: id,
  position: z.number().int().min(0),
  ends: z.string().refine(isValidEnds, 'Not JSON of the expected shape.'),
  bytes: z.number().int().min(0),
  created_at: time,
  /** Missing in older backups. */
  beside: z.number().int().min(0).max(1).default(0),
});

function isValidEnds(value: string): boolean {
  try {
    return endsSchema.safeParse(JSON.parse(value)).success;
  } catch {
    return false;
  }
}
