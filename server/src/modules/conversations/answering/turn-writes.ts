import type { WriteInGroup } from '../../../platform/storage/group-writes.ts';
import { insertActivations } from '../activation-rows.ts';
import { saveOfferedTools } from '../call-rows.ts';
import { insertCompaction } from '../compaction-rows.ts';
import { storeEnds } from '../comparison/store-ends.ts';
import type { TurnStore } from '../turn-store.ts';
import { type AnswerLocation, lockRunningAnswer } from './lock-running-answer.ts';

type TurnWrites = Pick<
  TurnStore,
  'addActivation' | 'endActivation' | 'addCompaction' | 'saveOfferedTools'
>;

/**
 * The writes of a turn other than its answer. They only succeed while the answer is running, so that another turn is
 * never affected.
 */
export function turnWrites(write: WriteInGroup): TurnWrites {
  const writeWhileRunning = (at: AnswerLocation, run: Parameters<WriteInGroup>[0]) =>
    write(async (transaction) => {
      await lockRunningAnswer(transaction, at);
      await run(transaction);
    });
  return {
    addActivation: (at, added, replaced) =>
      writeWhileRunning(at, async (transaction) => {
        await storeEnds(transaction, at.conversationId, replaced ? [replaced] : []);
        await insertActivations(transaction, at.conversationId, [added]);
      }),
    endActivation: (at, record) =>
      writeWhileRunning(at, (transaction) => storeEnds(transaction, at.conversationId, [record])),
    addCompaction: (at, compaction) =>
      writeWhileRunning(at, (transaction) =>
        insertCompaction(transaction, at.conversationId, compaction),
      ),
    saveOfferedTools: (at, tools) =>
      writeWhileRunning(at, (transaction) =>
        saveOfferedTools(transaction, at.conversationId, tools),
      ),
  };
}
