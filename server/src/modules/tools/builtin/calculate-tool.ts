import { z } from 'zod';
import { toolError } from '../tool.ts';
import { builtinTool } from './builtin-tool.ts';
import type { CreateTool } from './builtin-tools.ts';
import { evaluateExpression } from './evaluate-expression.ts';
import { functionNames } from './expression-functions.ts';
import { ExpressionError } from './expression-tokens.ts';

/** Arithmetic in double precision. */
export const createTool: CreateTool = () =>
  builtinTool({
    name: 'calculate',
    hints: { readOnly: true, destructive: false, openWorld: false },
    consent: 'never',
    values: { functions: functionNames.join(', ') },
    arguments: z.strictObject({ expression: z.string().min(1).max(2000) }),
    run: ({ expression }) => {
      try {
        const value = evaluateExpression(expression);
        const text = formatNumber(value);
        const isRounded = Math.abs(value) > Number.MAX_SAFE_INTEGER;
        const content = `${expression} = ${text}${isRounded ? ' (rounded to 15 digits)' : ''}`;
        return { content, isError: false, summary: text, structured: { value } };
      } catch (error) {
        if (error instanceof ExpressionError) {
          return toolError(error.message, 'wrong arguments');
        }
        throw error;
      }
    },
  });

/** Rounds to 15 digits, so that 0.1 + 0.2 is 0.3. */
function formatNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? String(value)
    : String(Number(value.toPrecision(15)));
}
