import type { QuestionField } from '@knowhow/shared/config/tools';
import { z } from 'zod';
import { builtinTool } from './builtin-tool.ts';

const maxChoices = 12;

/** Asks the user a question during an answer and continues with the reply. */
export const askUserTool = builtinTool({
  name: 'ask_user',
  title: 'Ask the user',
  description:
    'Asks the user one question and waits for the answer. Use it only when different answers would lead to different results and you cannot sensibly assume one. Offer choices where you can; with several they may pick more than one.',
  translations: {
    de: {
      description:
        'Stellt dem Nutzer eine Frage und wartet auf die Antwort. Nur verwenden, wenn verschiedene Antworten zu verschiedenen Ergebnissen führen und sich keine sinnvoll annehmen lässt. Wenn möglich, Antworten zur Auswahl anbieten; mit several sind mehrere wählbar.',
      parameters: {
        question: 'Die ganze Frage.',
        choices: 'Antworten zur Auswahl. Ohne Angabe schreibt der Nutzer selbst eine.',
        several: 'Ob mehr als eine Antwort gewählt werden kann.',
      },
    },
  },
  hints: { readOnly: true, destructive: false, openWorld: false },
  consent: 'never',
  arguments: z.strictObject({
    question: z.string().trim().min(1).max(1000).describe('The whole question.'),
    choices: z
      .array(z.string().trim().min(1).max(200))
      .max(maxChoices)
      .optional()
      .describe('Answers to choose from. Left out: the user writes one.'),
    several: z.boolean().optional().describe('Whether more than one choice may be picked.'),
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
