import { countTokens, truncateToTokens } from '../../platform/lib/count-tokens.ts';
import type { Records } from '../conversations/records.ts';
import { collectTexts } from './attached/render-attached.ts';
import { calibratedWindow } from './calibrated-window.ts';
import type { TurnAccess } from './turn-access.ts';

/** Maximum tokens of a result. */
const maxResultTokens = 64_000;
const minResultTokens = 200;

/** Token budget of the next tool result, so that the current turn still fits the context window. */
export function resultTokenBudget(records: Records, access: TurnAccess): number {
  const [user, answer] = records.messages.slice(-2);
  const results = (answer && records.answers.get(answer.id)?.results) ?? [];
  const activated = records.activations.filter(({ messageId }) => messageId === user?.id);
  const texts = [...collectTexts(user, records.attached), ...results.map(({ content }) => content)];
  const used =
    activated.reduce((sum, { activation }) => sum + activation.tokens, 0) +
    texts.reduce((sum, text) => sum + countTokens(text), 0);
  return Math.max(
    minResultTokens,
    Math.min(maxResultTokens, calibratedWindow(records, access).request / 2 - used),
  );
}

/** Truncates a result to a token budget and appends a notice if it was truncated. */
export function truncateResult(content: string, tokens: number): string {
  const first = truncateToTokens(content, tokens);
  return first === content
    ? content
    : `${first}\n\n[The result was longer than there is room for, and is cut here. Ask for less of it.]`;
}
