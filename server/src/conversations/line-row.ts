import { endReasons } from '@knowhow/shared/chat/chat';
import { z } from 'zod';

const id = z.uuid();
const time = z.iso.datetime();

/** What the activations of before, which end in a line, are given when it is brought back. */
const endsSchema = z.array(
  z.strictObject({
    id: z.string(),
    ended_at: time.nullable(),
    end_reason: z.enum(endReasons).nullable(),
    ended_in: id.nullable(),
  }),
);

/** A line that is put away, as a backup has it. */
export const lineRow = z.strictObject({
  id,
  conversation_id: id,
  position: z.number().int().min(0),
  ends: z.string().refine(areEnds, 'Not JSON of the expected shape.'),
  bytes: z.number().int().min(0),
  created_at: time,
  /** Not in backups of before. */
  beside: z.number().int().min(0).max(1).default(0),
});

function areEnds(value: string): boolean {
  try {
    return endsSchema.safeParse(JSON.parse(value)).success;
  } catch {
    return false;
  }
}
