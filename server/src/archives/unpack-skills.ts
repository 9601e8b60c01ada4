import { faultOfPath } from '../skill-format/skill-format.ts';
import type { MemberEntry, UnpackEntry } from './unpack-entry.ts';
import type { Report } from './unpack-faults.ts';
import { type SkillFiles, unpackFiles } from './unpack-files.ts';
import type { SizeLimits } from './unpack-limits.ts';
import { leadsOut, linkFaults } from './unpack-links.ts';
import { faultOfEntryName, plainName, reportCollisions } from './unpack-names.ts';
import { isClutter, leftOut, type Places, skillOf, skillPlaces } from './unpack-places.ts';

/** The files of one skill of an archive. */
export interface UnpackedFiles extends SkillFiles {
  /** Where the skill is in the archive, empty for the root. */
  place: string;
}

/** The skills among the entries of an archive, and what is not taken. Reports all that is wrong. */
export function unpackSkills(
  found: readonly UnpackEntry[],
  limits: SizeLimits,
  report: Report,
): { skills: UnpackedFiles[]; leftOut: string[] } {
  const entries = plainEntries(found, report);
  const files = entries.filter(({ kind }) => kind !== 'folder').map(({ name }) => name);
  const places = skillPlaces(files);
  if (places.size === 0) {
    report('', noSkill);
  }
  for (const { name } of entries) {
    const place = skillOf(places, name);
    const fault = faultOfEntryName(place ? name.slice(place.length + 1) : name);
    if (fault) {
      report(name, fault);
    }
  }
  const taken = entries.filter(({ name }) => !isClutter(name));
  reportCollisions(taken, report);
  const members = bySkill(taken, places);
  verify(members.get(undefined) ?? [], limits, report);
  const tree = new Map(taken.map((entry) => [entry.name, entry]));
  const skills = [...places].map((place) => ({
    place,
    ...unpackFiles({ place, members: members.get(place) ?? [], tree, limits }, report),
  }));
  return { skills, leftOut: leftOut(files, places) };
}

/** No file system takes longer ones, and it would take long to judge them. */
const maxNameLength = 4096;
const noSkill = { code: 'no-skill', message: 'There is no SKILL.md in it.' };

function plainEntries(found: readonly UnpackEntry[], report: Report): UnpackEntry[] {
  return found
    .map((entry) => ({ ...entry, name: plainName(entry) }))
    .filter(({ name, kind }) => {
      const fault = name.length > maxNameLength ? faultOfPath(name) : undefined;
      if (fault) {
        report(name, fault);
      }
      return !fault && (name !== '' || kind !== 'folder');
    });
}

/** Files and links by the skill they belong to; undefined for those of none. */
function bySkill(
  entries: readonly UnpackEntry[],
  places: Places,
): Map<string | undefined, MemberEntry[]> {
  const groups = new Map<string | undefined, MemberEntry[]>();
  for (const entry of entries) {
    if (entry.kind !== 'folder') {
      const place = skillOf(places, entry.name);
      const group = groups.get(place);
      if (group) {
        group.push(entry);
      } else {
        groups.set(place, [entry]);
      }
    }
  }
  return groups;
}

/** Nothing is taken of these, but what they hold tells whether the archive can be trusted. */
function verify(outside: readonly MemberEntry[], limits: SizeLimits, report: Report): void {
  for (const entry of outside) {
    if (entry.kind === 'link' && leadsOut(entry)) {
      report(entry.name, linkFaults.outside);
    }
    if (entry.kind === 'file' && entry.size <= limits.fileBytes) {
      entry.read();
    }
  }
}
