import { problem } from '@knowhow/shared/problem';
import type { GitCommit, GitProgress } from '@knowhow/shared/skills/git-commit';
import { skillAddressApi } from '@knowhow/shared/skills/skill-address';
import type { ArchiveReport } from '@knowhow/shared/skills/skill-archives';
import { type Input, toProblem } from '../../api/request.ts';
import { stream } from '../../api/stream.ts';

/** The part of a git repository to read. */
export type AddressInput = Input<typeof skillAddressApi.read>['body'];

export interface ReadRepository {
  report: ArchiveReport;
  commit: GitCommit;
}

interface Options {
  signal: AbortSignal;
  onProgress?: (progress: GitProgress) => void;
}

/** Previews the skills of a git repository. Throws a `Problem` or `Unreachable`. */
export async function readAddress(
  body: AddressInput,
  { signal, onProgress }: Options,
): Promise<ReadRepository> {
  for await (const { event } of stream(skillAddressApi.read, { body }, { signal })) {
    switch (event.type) {
      case 'progress':
        onProgress?.(event);
        break;
      case 'error':
        throw toProblem(event.problem);
      case 'report':
        return event;
    }
  }
  throw problem('internal', 'The server ended the answer too early. Try again.');
}
