import { getFilesChecksum } from '../../platform/lib/files-checksum.ts';
import type { VisibleSkill } from '../skills/index.ts';
import type { ConsentSubject } from './tool.ts';

type WholeFiles = Parameters<typeof getFilesChecksum>[0];

const prefix = 'scripts/';

/** Consent to run a skill's code covers the exact content of all its files. */
export async function codeConsent(
  { id, approvedScripts }: Pick<VisibleSkill, 'id' | 'approvedScripts'>,
  files: WholeFiles,
): Promise<ConsentSubject> {
  const digest = await getFilesChecksum(files);
  return { id: `${prefix}${id}`, digest, isApproved: approvedScripts === digest };
}

/** The skill ID of a code consent. */
export function getConsentSkill(subject: string): string | undefined {
  return subject.startsWith(prefix) ? subject.slice(prefix.length) : undefined;
}
