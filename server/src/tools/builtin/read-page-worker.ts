import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../lib/lower-priority.ts';
import type { PageTask } from './read-page.ts';
import { readableText } from './readable-text.ts';

// Runs in a thread of its own, for one page: see `read-page.ts`.
lowerPriority();
parentPort?.postMessage(readableText(workerData as PageTask));
