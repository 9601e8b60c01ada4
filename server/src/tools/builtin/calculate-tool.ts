import { z } from 'zod';
import { toolError } from '../tool.ts';
import type { SourceTool } from '../tool-source.ts';
import { builtinTool } from './builtin-tool.ts';
import { evaluateExpression } from './evaluate-expression.ts';
import { functionNames } from './expression-functions.ts';
import { ExpressionError } from './expression-tokens.ts';

/** Arithmetic in double precision. */
export const calculateTool: SourceTool = builtinTool({
  name: 'calculate',
  title: 'Calculator',
  description: `Works out an arithmetic expression exactly as written, such as "(3 + 4) * 2 ^ 10" or "round(1234.5 * 0.19, 2)". Use it instead of calculating yourself. Operators: + - * / ^, % for the remainder, ! for the factorial. Constants: pi, e, tau. Functions: ${functionNames.join(', ')}; angles are in radians.`,
  translations: {
    de: {
      description: `Berechnet einen Ausdruck genau so, wie er dasteht, etwa "(3 + 4) * 2 ^ 10" oder "round(1234.5 * 0.19, 2)". Verwenden, statt selbst zu rechnen. Operatoren: + - * / ^, % für den Rest, ! für die Fakultät. Konstanten: pi, e, tau. Funktionen: ${functionNames.join(', ')}; Winkel im Bogenmaß.`,
      parameters: { expression: 'Der Ausdruck, mit Dezimalpunkt.' },
    },
  },
  hints: { readOnly: true, destructive: false, openWorld: false },
  consent: 'never',
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
