import { problem } from '@knowhow/shared/problem';
import type { SkillUpstream } from '@knowhow/shared/skills/skill-upstreams';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import type { MailSettings, SourceStates, TakenSkill } from '../../skills/index.ts';
import type { Change, SkillAdmin } from '../skills/skill-admin.ts';
import type { SourceAccess } from './check-source.ts';
import {
  type Proposal,
  type ProposedBranch,
  proposeUpstream,
  type Upstream,
} from './propose-upstream.ts';
import { updateLocked } from './sources-lock.ts';
import { withLease } from './with-lease.ts';

/** Skills and the sources from which they were taken. */
export interface SkillUpstreams {
  /** The sources of a skill, by its name here. */
  ofSkill(name: string): Promise<SkillUpstream[]>;
  /** The skills that were taken from a source. */
  ofSource(source: string): Promise<SkillUpstream[]>;
  /** Detaches a skill from its source: later syncs leave it alone, also if it is removed there. */
  detach(taken: TakenName, work: Work): Promise<SkillUpstream>;
  /** Lets a detached skill follow its source again. Throws `conflict` if either is another now. */
  follow(taken: TakenName, work: Work): Promise<SkillUpstream>;
  /** Pushes a branch with the files of a skill here. */
  propose(taken: TakenName, work: Work & Pick<Proposal, 'message'>): Promise<ProposedBranch>;
}

/** A skill that was taken from a source, by its name in the repository. */
interface TakenName {
  source: string;
  name: string;
}

interface Work extends Pick<Change, 'by'> {
  signal: AbortSignal;
}

interface Options extends SkillAdmin, SourceAccess {
  states: SourceStates;
  cluster: Cluster;
  mailSettings: Pick<MailSettings, 'get'>;
  /** The address of this server, if it is configured. */
  publicUrl: string | undefined;
  /** Called after the state of a source has changed. */
  onChange: () => Promise<void>;
}

export function createSkillUpstreams(options: Options): SkillUpstreams {
  const { contents, states, audit } = options;
  const toUpstream = (source: string, row: TakenSkill): Upstream[] => {
    const config = contents().skillSources.find(({ id }) => id === source);
    const url = row.url ?? config?.url;
    return url === undefined ? [] : [{ source, url, row, config }];
  };
  const list = async (source: string) =>
    (await states.taken(source)).flatMap((row) => toUpstream(source, row));
  const find = async ({ source, name }: TakenName) => {
    const found = (await list(source)).find(({ row }) => row.skill === name);
    if (!found) {
      throw problem('not-found', `No skill "${name}" was taken from the source "${source}".`);
    }
    return found;
  };
  const record = ({ source, url, row }: Upstream, by: Work['by'], action: string, more = {}) =>
    audit.record({
      ...{ by, action, kind: 'skill' as const, target: row.localName ?? row.skill },
      after: { source, url, path: row.path, commit: row.commit, ...more },
    });
  const set = async (upstream: Upstream, { by }: Work, url: string | undefined) => {
    const { source, row } = upstream;
    await states.detach(source, row.skill, url);
    // The next sync compares all skills again; the other proposed changes stay.
    await states.compareAgain(source);
    if (upstream.config) {
      await updateLocked(options, upstream.config);
    }
    await record(upstream, by, url === undefined ? 'followed' : 'detached');
  };
  const change = (taken: TakenName, work: Work, run: (upstream: Upstream) => Promise<unknown>) =>
    withLease(options, taken.source, work, async () => {
      await run(await find(taken));
      return describeUpstream(await find(taken));
    });
  return {
    ofSkill: async (name) => {
      const rows = await states.upstreams(name);
      return rows.flatMap((row) => toUpstream(row.source, row)).map(describeUpstream);
    },
    ofSource: async (source) => (await list(source)).map(describeUpstream),
    detach: (taken, work) =>
      change(taken, work, async (upstream) =>
        upstream.row.detachedAt === undefined ? set(upstream, work, upstream.url) : undefined,
      ),
    follow: (taken, work) =>
      change(taken, work, async (upstream) => {
        if (upstream.row.detachedAt !== undefined) {
          checkFollowed(upstream);
          await set(upstream, work, undefined);
        }
      }),
    propose: (taken, { message, ...work }) =>
      withLease(options, taken.source, work, async ({ by, signal }) => {
        const upstream = await find(taken);
        const pushed = await proposeUpstream(options, upstream, { by, message, signal });
        await record(upstream, by, 'proposed-upstream', { branch: pushed.branch, message });
        return pushed;
      }),
  };
}

function checkFollowed({ source, url, row, config }: Upstream): void {
  if (config?.url !== url) {
    throw problem(
      'conflict',
      `There is no source "${source}" that reads ${url}. Add it again, then let the skill follow it.`,
    );
  }
  if (row.localName !== undefined && row.localName !== row.skill) {
    throw problem(
      'conflict',
      `The skill has the name "${row.localName}" here, and "${row.skill}" in the source. Rename it here first.`,
    );
  }
}

function describeUpstream({ source, url, row, config }: Upstream): SkillUpstream {
  const { skill: name, localName, path, commit, detachedAt } = row;
  return {
    ...{ source, name, url, path, commit },
    ...(localName === undefined ? {} : { localName }),
    ...(detachedAt === undefined ? {} : { detachedAt }),
    isReadable: config?.url === url,
    hasCredentials: config?.credentials !== undefined,
  };
}
