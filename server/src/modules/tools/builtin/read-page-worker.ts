import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../../platform/lib/lower-priority.ts';
import { extractPagePart } from './extract-page-part.ts';
import type { WorkerTask } from './read-page.ts';
import { readableText } from './readable-text.ts';

// Runs in its own process for one page: see `read-page.ts`.
lowerPriority();
const { read, task } = workerData as WorkerTask;
parentPort?.postMessage(read === 'page' ? readableText(task) : extractPagePart(task));
