import type { Records } from '../../conversations/records.ts';
import { countTokens, firstOf } from '../../lib/count-tokens.ts';
import { textsOf } from '../attached/render-attached.ts';
import { windowIn } from '../correct-estimate.ts';
import type { TurnAccess } from '../turn-access.ts';

/** The longest result, in tokens. */
const longestResult = 64_000;
const leastResult = 200;

/** How many tokens a result may have so that the turn, with what it has already, finds room in the window. */
export function roomForResult(records: Records, access: TurnAccess): number {
  const [user, answer] = records.messages.slice(-2);
  const results = (answer && records.answers.get(answer.id)?.results) ?? [];
  const activated = records.activations.filter(({ messageId }) => messageId === user?.id);
  const texts = [...textsOf(user, records.attached), ...results.map(({ content }) => content)];
  const own =
    activated.reduce((sum, { activation }) => sum + activation.tokens, 0) +
    texts.reduce((sum, text) => sum + countTokens(text), 0);
  return Math.max(
    leastResult,
    Math.min(longestResult, windowIn(records, access).request / 2 - own),
  );
}

/** The beginning of a result, with a line that says so where it is cut. */
export function cutTo(content: string, tokens: number): string {
  const first = firstOf(content, tokens);
  return first === content
    ? content
    : `${first}\n\n[The result was longer than there is room for, and is cut here. Ask for less of it.]`;
}
