import type { ImportReport } from '@knowhow/shared/chat/conversation-import';
import { problem } from '@knowhow/shared/problem';
import { runWorker, WorkerFailed } from '../../lib/run-worker.ts';
import { workerAddress } from '../../lib/worker-address.ts';
import type { Imported, ImportedMessage } from './imported.ts';

export interface ImportTask {
  bytes: Uint8Array<ArrayBuffer>;
}

/** A conversation without its messages, which are somewhere in the texts of a file. */
export interface ImportedHead extends Omit<Imported, 'messages'> {
  messages: number;
  /** Of what was said, without thinking. */
  characters: number;
  /** In bytes. */
  start: number;
  end: number;
  pictures: PackedPicture[];
}

/** A picture somewhere in those of a file. */
export interface PackedPicture {
  name: string;
  /** In bytes. */
  start: number;
  end: number;
}

/** Its pictures by their numbers in the conversation. */
export type PackedMessage = Omit<ImportedMessage, 'pictures'> & { pictures: number[] };

/** What a file holds. The messages come as bytes: a hundred thousand objects would hold up whoever takes them over. */
export interface ReadImport {
  conversations: ImportedHead[];
  /** The messages of all, in JSON. */
  texts: Uint8Array<ArrayBuffer>;
  /** The bytes of all pictures. */
  pictures: Uint8Array<ArrayBuffer>;
  losses: ImportReport['losses'];
}

/** The messages of one of them. */
export function messagesOf({ texts }: ReadImport, { start, end }: ImportedHead): PackedMessage[] {
  return JSON.parse(Buffer.from(texts.buffer, start, end - start).toString());
}

/** What the worker answers: a problem cannot cross over as it is. */
export type ImportAnswer = ReadImport | { refused: string };

const limits = { timeLimit: 60_000, heapLimit: 1024, memoryLimit: 1536 };

/** Reads an export file of another product, in a thread of its own. Throws `invalid-archive`. */
export async function readImport(bytes: Buffer): Promise<ReadImport> {
  const task: ImportTask = { bytes: new Uint8Array(bytes) };
  const answer = await runWorker<ImportAnswer>(workerAddress('read-import-worker'), {
    data: task,
    handedOver: [task.bytes.buffer],
    ...limits,
  }).catch((cause: unknown) => {
    if (cause instanceof WorkerFailed) {
      const detail = 'Reading the file took more time or memory than it may. Split it.';
      throw problem('invalid-archive', detail, { cause });
    }
    throw cause;
  });
  if ('refused' in answer) {
    throw problem('invalid-archive', answer.refused);
  }
  return answer;
}
