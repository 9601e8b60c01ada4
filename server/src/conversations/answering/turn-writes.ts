import type { WriteInGroup } from '../../storage/group-writes.ts';
import { insertActivations } from '../activation-rows.ts';
import { keepTools } from '../call-rows.ts';
import { insertCompaction } from '../compaction-rows.ts';
import { endIn } from '../comparison/end-in.ts';
import type { TurnStore } from '../turn-store.ts';
import { type AnswerPlace, holdAnswer } from './hold-answer.ts';

type TurnWrites = Pick<
  TurnStore,
  'addActivation' | 'endActivation' | 'addCompaction' | 'keepTools'
>;

/**
 * The writes of a turn other than its answer. They only succeed while the answer is running, so that another turn is
 * never affected.
 */
export function turnWrites(write: WriteInGroup): TurnWrites {
  const writeWhileRunning = (at: AnswerPlace, run: Parameters<WriteInGroup>[0]) =>
    write(async (transaction) => {
      await holdAnswer(transaction, at);
      await run(transaction);
    });
  return {
    addActivation: (at, added, replaced) =>
      writeWhileRunning(at, async (transaction) => {
        await endIn(transaction, at.conversationId, replaced ? [replaced] : []);
        await insertActivations(transaction, at.conversationId, [added]);
      }),
    endActivation: (at, record) =>
      writeWhileRunning(at, (transaction) => endIn(transaction, at.conversationId, [record])),
    addCompaction: (at, compaction) =>
      writeWhileRunning(at, (transaction) =>
        insertCompaction(transaction, at.conversationId, compaction),
      ),
    keepTools: (at, tools) =>
      writeWhileRunning(at, (transaction) => keepTools(transaction, at.conversationId, tools)),
  };
}
