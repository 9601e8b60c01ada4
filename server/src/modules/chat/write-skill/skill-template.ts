import type { Conversation } from '@knowhow/shared/chat/conversations';
import { createTitle } from '@knowhow/shared/chat/create-title';
import { fillIn } from '@knowhow/shared/fill-in';
import { findTexts } from '../../../platform/lib/locales.ts';

const maxQuoted = 2000;

/** A skill that a person completes, with what the user asked for. For installations without a language model. */
export function skillTemplate(messages: Conversation['messages'], language: string) {
  const texts = findTexts(language).skillTemplate;
  const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content.trim());
  const [first = ''] = asked;
  const title = createTitle(first);
  const quoted = first.slice(0, maxQuoted).replace(/^/gm, '> ');
  return {
    name: title,
    description: fillIn(texts.description, { task: title }),
    instructions: fillIn(texts.instructions, { request: quoted }),
    prompts: asked.slice(0, 3),
    names: [],
  };
}
