import type { ConversationStore } from '../conversations/index.ts';
import type { RunningTurn, RunningTurns, TurnKey } from './running-turns.ts';

interface Dependencies {
  conversations: Pick<ConversationStore, 'findComparisonBranch'>;
  runningTurns: RunningTurns;
}

/** Claims a conversation for a turn; undefined while an answer or a comparison answer is running in it. */
export async function takeConversation(
  key: TurnKey,
  { conversations, runningTurns }: Dependencies,
): Promise<RunningTurn | undefined> {
  const turn = await runningTurns.begin(key);
  if (!turn) {
    return undefined;
  }
  try {
    if (!(await hasRunningComparison(key.conversationId, { conversations, runningTurns }))) {
      return turn;
    }
  } catch (error) {
    await turn.end();
    throw error;
  }
  await turn.end();
  return undefined;
}

export async function hasRunningComparison(
  id: string,
  { conversations, runningTurns }: Dependencies,
): Promise<boolean> {
  const line = await conversations.findComparisonBranch(id);
  return line !== undefined && (await runningTurns.find(line)) !== undefined;
}
