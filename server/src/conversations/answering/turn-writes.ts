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

/** What a turn writes beside its answer: only while that is running, and so its own. */
export function turnWrites(write: WriteInGroup): TurnWrites {
  const writeIn = (at: AnswerPlace, run: Parameters<WriteInGroup>[0]) =>
    write(async (transaction) => {
      await holdAnswer(transaction, at);
      await run(transaction);
    });
  return {
    addActivation: (at, added, replaced) =>
      writeIn(at, async (transaction) => {
        await endIn(transaction, at.conversationId, replaced ? [replaced] : []);
        await insertActivations(transaction, at.conversationId, [added]);
      }),
    endActivation: (at, record) =>
      writeIn(at, (transaction) => endIn(transaction, at.conversationId, [record])),
    addCompaction: (at, made) =>
      writeIn(at, (transaction) => insertCompaction(transaction, at.conversationId, made)),
    keepTools: (at, tools) =>
      writeIn(at, (transaction) => keepTools(transaction, at.conversationId, tools)),
  };
}
