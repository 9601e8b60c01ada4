import { relative } from 'node:path';
import { slug } from '@knowhow/shared/skills/skill-name';
import {
  buildSnapshot,
  getFolderName,
  getFullPath,
  parseSkill,
  renderCatalogue,
  reveal,
  type SkillSnapshot,
  type StoredSkill,
} from '../modules/skills/index.ts';
import { type ReadSkill, readSkills } from './find-skills.ts';
import { renderTable } from './render-table.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/**
 * Lists the skills at some paths as the server would load them, including those it would not offer.
 */
export async function listCommand(
  paths: readonly string[],
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  const { skills, shadowed, unreadable } = snapshotOf(await readSkills(paths, terminal));
  const rows = [
    ...[...skills.values()].map((skill) => rowOf(skill, statusOf(skill))),
    ...shadowed.map((skill) => rowOf(skill, 'shadowed')),
    ...unreadable.map((broken) => ({
      name: getFolderName(broken),
      status: 'broken',
      path: relative('', getFullPath(broken)),
      description: broken.diagnostic.message,
    })),
  ].sort((one, other) => (one.name < other.name ? -1 : 1));
  terminal.out(
    json
      ? JSON.stringify(rows, null, 2)
      : renderTable(
          rows.map(({ name, status, description }) => [name, status, shorten(description)]),
        ),
  );
  return 0;
}

/** Prints everything about one skill, including its instructions. */
export async function showCommand(
  name: string,
  paths: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const read = await readSkills(paths, terminal);
  const { skills } = snapshotOf(read);
  const skill = skills.get(name) ?? skills.get(slug(name));
  if (!skill) {
    const names = [...skills.keys()].sort().join(', ');
    throw new UsageError(`There is no skill "${name}". There are: ${names || 'none'}.`);
  }
  return show(skill, read, terminal);
}

/** Whether an argument is a path rather than a skill name. */
export function isPath(text: string): boolean {
  return /[/\\]|^\.\.?$|^skill\.md$/i.test(text);
}

/** Shows the only skill at a path: its folder, or its `SKILL.md`. */
export async function showPathCommand(path: string, terminal: Terminal): Promise<number> {
  const read = await readSkills([path], terminal);
  const { skills } = snapshotOf(read);
  const [skill, another] = skills.values();
  if (!skill || another) {
    const names = [...skills.keys()].sort().join(', ');
    throw new UsageError(
      skill
        ? `In ${path} are several skills. Say which: knowhow show NAME ${path}. There are: ${names}.`
        : `The skill at ${path} cannot be read. knowhow validate ${path} says why.`,
    );
  }
  return show(skill, read, terminal);
}

async function show(
  skill: StoredSkill,
  read: readonly ReadSkill[],
  terminal: Terminal,
): Promise<number> {
  const { body } = parseSkill(await skill.source.read(skill), skill.id);
  const rows: [string, string | undefined][] = [
    ['name', skill.id],
    ['title', skill.displayName === skill.id ? undefined : reveal(skill.displayName)],
    ['description', reveal(skill.description.replace(/\s+/g, ' '))],
    ['file', relative('', read.find(({ found }) => found === skill)?.path ?? '')],
    ['valid', skill.valid ? 'yes' : 'no'],
    ['license', skill.license],
    ['compatibility', skill.compatibility],
    ...Object.entries(skill.metadata),
    ...skill.diagnostics.map(({ code, message }): [string, string] => [code, message]),
  ];
  const known = rows.filter((row): row is [string, string] => row[1] !== undefined);
  terminal.out(`${renderTable(known)}\n\n${body.trimEnd()}`);
  return 0;
}

/** Prints the skill catalogue as sent to models. */
export async function toPromptCommand(
  paths: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { skills } = snapshotOf(await readSkills(paths, terminal));
  const offered = [...skills.values()]
    .filter(({ enabledByDefault, modelInvocable }) => enabledByDefault && modelInvocable)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  terminal.out(renderCatalogue(offered, Number.POSITIVE_INFINITY).text);
  return 0;
}

function snapshotOf(read: readonly ReadSkill[]): SkillSnapshot {
  return buildSnapshot(read.map(({ found }) => found));
}

/** As in a fresh installation without admin settings. */
function statusOf({ loads, enabledByDefault }: StoredSkill): string {
  if (!loads) {
    return 'broken';
  }
  return enabledByDefault ? 'on' : 'off';
}

function rowOf(skill: StoredSkill, status: string) {
  const { id, description } = skill;
  return { name: id, status, path: relative('', getFullPath(skill)), description };
}

function shorten(text: string): string {
  const points = [...reveal(text.replace(/\s+/g, ' '))];
  return points.length <= 80 ? points.join('') : `${points.slice(0, 79).join('')}…`;
}
