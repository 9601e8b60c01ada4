import { resolve } from 'node:path';
import { runKnowhow } from './run-knowhow.ts';

/** Gives the exit code. The figures, and what is wrong without a folder, are said by the command. */
export function measureRetrieval(directory: string | undefined): number {
  return runKnowhow(['retrieval', ...(directory === undefined ? [] : [resolve(directory)])]);
}
