import { problemSchema } from '@knowhow/shared/problem';
import type { z } from 'zod';

/** Parses a response with its contract. */
export async function parseAnswer<Schema extends z.ZodType>(
  schema: Schema,
  response: Response | Promise<Response>,
): Promise<z.output<Schema>> {
  return schema.parse(await (await response).json());
}

/** Parses an error response. */
export function parseProblem(response: Response | Promise<Response>) {
  return parseAnswer(problemSchema, response);
}
