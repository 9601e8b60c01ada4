import type { QuestionField } from '@knowhow/shared/config/tools';
import { z } from 'zod';
import { builtinTool } from './builtin-tool.ts';
import type { CreateTool } from './builtin-tools.ts';

const maxChoices = 12;

/** Asks the user a question during an answer and continues with the reply. */
export const createTool: CreateTool = () =>
  builtinTool({
    name: 'ask_user',
    hints: { readOnly: true, destructive: false, openWorld: false },
    consent: 'never',
    arguments: z.strictObject({
      question: z.string().trim().min(1).max(1000),
      choices: z.array(z.string().trim().min(1).max(200)).max(maxChoices).optional(),
      several: z.boolean().optional(),
    }),
    run: async ({ question, choices = [], several = false }, call) => {
      const field = { name: 'answer', label: question, required: true };
      const { action, values } = await call.ask({
        message: question,
        fields: [fieldOf(field, [...new Set(choices)], several)],
      });
      const answer = values?.answer;
      if (action !== 'accept' || answer === undefined) {
        return {
          content: 'The user did not answer. Continue with a sensible assumption, and name it.',
          isError: false,
          summary: '',
        };
      }
      const text = Array.isArray(answer) ? answer.join(', ') : String(answer);
      return { content: `The user answered: ${text}`, isError: false, summary: text.slice(0, 100) };
    },
  });

function fieldOf(
  field: Pick<QuestionField, 'name' | 'label' | 'required'>,
  choices: readonly string[],
  several: boolean,
): QuestionField {
  if (choices.length === 0) {
    return { ...field, type: 'text' };
  }
  const options = choices.map((choice) => ({ value: choice, label: choice }));
  return { ...field, type: several ? 'choices' : 'choice', options };
}
