import { Problem, problem } from '@knowhow/shared/problem';
import type { GitProgress } from '@knowhow/shared/skills/git-commit';
import { type SkillAddressEvent, skillAddressApi } from '@knowhow/shared/skills/skill-address';
import type { Router } from 'express';
import { followRun } from '../../../platform/http/follow-run.ts';
import { getLogFields } from '../../../platform/http/request-log-fields.ts';
import { stream } from '../../../platform/http/stream.ts';
import type { Log } from '../../../platform/lib/log.ts';
import { type GitReader, parseGitAddress } from '../../skills/index.ts';
import { reportArchive } from '../skills/report-archive.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import type { UploadCache } from '../skills/upload-cache.ts';
import { isPublisher } from './get-skill-write.ts';

interface Services extends SkillAdmin {
  git: GitReader;
  log: Log;
  uploads: UploadCache;
}

/** Import of skills from the address of a git repository. */
export function skillAddressRoutes(
  router: Router,
  { git, uploads, log, ...admin }: Services,
): void {
  stream(router, skillAddressApi.read, ({ body, caller, request }) => {
    const address = parseGitAddress(body.address, body);
    const read = async (signal: AbortSignal, send: (event: SkillAddressEvent) => void) => {
      const onProgress = (progress: GitProgress) => send({ type: 'progress', ...progress });
      const archive = await git.read(address, { signal, onProgress });
      send({ type: 'progress', phase: 'checking', files: archive.skills.length });
      const report = await reportArchive(admin, archive, isPublisher(caller));
      const token = uploads.keep(caller.id, archive);
      if (token === undefined) {
        throw problem(
          'too-large',
          'The skills need too much memory. Name a folder of the repository.',
        );
      }
      send({ type: 'report', report: { ...report, token }, commit: archive.commit });
    };
    return Promise.resolve(
      followRun(request, skillAddressApi.read, (signal, send) =>
        read(signal, send).catch((error: unknown) => {
          if (!(error instanceof Problem) && !signal.aborted) {
            log.child(getLogFields(request)).error({ error }, 'a git repository could not be read');
          }
          const known = error instanceof Problem ? error : failed(error);
          send({ type: 'error', problem: known.toBody() });
        }),
      ),
    );
  });
}

function failed(cause: unknown): Problem {
  return problem('internal', 'The repository could not be read. Try again later.', { cause });
}
