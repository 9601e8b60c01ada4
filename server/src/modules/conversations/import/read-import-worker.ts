import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../../platform/lib/lower-priority.ts';
import { parseImport } from './parse-import.ts';
import type { ImportAnswer, ImportTask } from './read-import.ts';

// Runs in a worker thread per file; see `read-import.ts`.
lowerPriority();
const { bytes } = workerData as ImportTask;
const answer: ImportAnswer = await parseImport(Buffer.from(bytes.buffer));
parentPort?.postMessage(
  answer,
  'texts' in answer ? [answer.texts.buffer, answer.pictures.buffer] : [],
);
