import type { ContentFault } from '@knowhow/shared/health';
import { describeLeftOut } from './skills/describe-left-out.ts';
import type { ScanLimits } from './skills/scan-limits.ts';
import type { SkillSources } from './skills/skill-source.ts';
import type { SourceState } from './skills/skill-store.ts';

export const skillsConfigPath = 'contents/config/skills.json';

/** What keeps skills of some sources from being read. */
export function faultsOfSources(
  found: SkillSources,
  states: readonly SourceState[],
  limits: ScanLimits,
): ContentFault[] {
  const leftOut = states.flatMap(({ source: { directory }, leftOut }) =>
    describeLeftOut(directory, leftOut, limits).map((message) => ({ path: directory, message })),
  );
  const refused = found.refused.map(({ field, message }) => ({ field, message }));
  const ofFields = [...refused, ...missingSources(found, states)];
  return [...ofFields.map((fault) => ({ path: skillsConfigPath, ...fault })), ...leftOut].map(
    (fault) => ({ ...fault, isUsed: true }),
  );
}

/** The folders of `settings.sources` that are not there. */
export function missingSources(
  { configured }: SkillSources,
  states: readonly SourceState[],
): { field: string; message: string }[] {
  const missing = new Set(
    states.filter(({ isThere }) => !isThere).map(({ source }) => source.directory),
  );
  return [...configured]
    .filter(([, directory]) => missing.has(directory))
    .map(([field, directory]) => ({
      field,
      message: `There is no folder ${directory}. Create it, or take it out of settings.sources.`,
    }));
}
