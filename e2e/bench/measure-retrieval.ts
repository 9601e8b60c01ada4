import { resolve } from 'node:path';
import { runKnowhow } from './run-knowhow.ts';

/** Returns the exit code. The command itself prints figures and errors. */
export function measureRetrieval(directory: string | undefined): number {
  return runKnowhow(['retrieval', ...(directory === undefined ? [] : [resolve(directory)])]);
}
