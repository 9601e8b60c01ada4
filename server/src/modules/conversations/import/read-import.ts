import type { ImportReport } from '@knowhow/shared/chat/conversation-import';
import { problem } from '@knowhow/shared/problem';
import { runWorker, WorkerFailed } from '../../../platform/lib/run-worker.ts';
import { workerAddress } from '../../../platform/lib/worker-address.ts';
import type { ImportedConversation, ImportedMessage } from './imported.ts';

export interface ImportTask {
  bytes: Uint8Array<ArrayBuffer>;
}

/** A conversation without its messages, which are in a byte range of `texts`. */
export interface ImportedHead extends Omit<ImportedConversation, 'messages'> {
  messages: number;
  /** Characters of the messages' content, without thinking. */
  characters: number;
  /** Byte range in `texts`. */
  start: number;
  end: number;
  pictures: PackedPicture[];
}

/** A picture as a byte range in `pictures`. */
export interface PackedPicture {
  name: string;
  /** Byte offsets. */
  start: number;
  end: number;
}

/** A message whose pictures are indexes into those of the conversation. */
export type PackedMessage = Omit<ImportedMessage, 'pictures'> & { pictures: number[] };

/**
 * Content of an export file. Messages are passed as bytes, because cloning a hundred thousand objects would block the
 * receiving thread.
 */
export interface ReadImport {
  conversations: ImportedHead[];
  /** Messages of all conversations, as JSON. */
  texts: Uint8Array<ArrayBuffer>;
  /** Bytes of all pictures. */
  pictures: Uint8Array<ArrayBuffer>;
  losses: ImportReport['losses'];
}

/** Parses the messages of one conversation. */
export function messagesOf({ texts }: ReadImport, { start, end }: ImportedHead): PackedMessage[] {
  return JSON.parse(Buffer.from(texts.buffer, start, end - start).toString());
}

/** The worker's result; a problem instance cannot be cloned between threads. */
export type ImportAnswer = ReadImport | { refused: string };

const limits = { timeLimit: 60_000, heapLimit: 1024, memoryLimit: 1536 };

/** Reads another product's export file in a worker thread. Throws `invalid-archive`. */
export async function readImport(bytes: Buffer): Promise<ReadImport> {
  const task: ImportTask = { bytes: new Uint8Array(bytes) };
  const answer = await runWorker<ImportAnswer>(workerAddress('read-import-worker'), {
    data: task,
    transferList: [task.bytes.buffer],
    ...limits,
  }).catch((cause: unknown) => {
    if (cause instanceof WorkerFailed) {
      const detail = 'Reading the file exceeded the limit for time or memory. Split the file.';
      throw problem('invalid-archive', detail, { cause });
    }
    throw cause;
  });
  if ('refused' in answer) {
    throw problem('invalid-archive', answer.refused);
  }
  return answer;
}
