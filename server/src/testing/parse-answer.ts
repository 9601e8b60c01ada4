import { problemSchema } from '@knowhow/shared/problem';
import type { z } from 'zod';

/** The body of an answer, as its contract has it. */
export async function parseAnswer<Schema extends z.ZodType>(
  schema: Schema,
  response: Response | Promise<Response>,
): Promise<z.output<Schema>> {
  return schema.parse(await (await response).json());
}

/** What was wrong, as every refusal says it. */
export function problemOf(response: Response | Promise<Response>) {
  return parseAnswer(problemSchema, response);
}
