import { askForText } from './ask-for-text.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import type { TurnAccess } from './turn-access.ts';
import { windowOf } from './window.ts';

/** So often a call may ask. */
const mostRequests = 8;
const maxOutputTokens = 4096;
const charactersPerToken = 3;

/**
 * The turn's model, for one call of a tool: it is given a text alone, neither conversation nor tools. Throws what
 * it throws, and when it is asked too often or too much.
 */
export function textModel(
  turn: PreparedTurn,
  access: TurnAccess,
  signal: AbortSignal,
): (prompt: string) => Promise<string> {
  const { app, model, ask } = access;
  const longest = windowOf(model.config, app).request * charactersPerToken;
  let left = mostRequests;
  return (prompt) => {
    if (left === 0) {
      throw new Error(`The model can be asked ${mostRequests} times in one call of a tool.`);
    }
    if (prompt.length > longest) {
      throw new Error(`A prompt for the model has at most ${longest} characters.`);
    }
    left -= 1;
    return askForText(turn, {
      ...{ purpose: 'tool', access, asked: { model, ask }, signal, maxOutputTokens },
      ...{ system: '', messages: [{ role: 'user', content: prompt }] },
    });
  };
}
