import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkSkill, fixSkillFile, type SkillFile } from '../public.ts';
import { findSkills, readSkill, type SkillFolder, UnreadablePath } from './read-skills.ts';
import { type Format, formats, type Report, writeReports } from './write-report.ts';

const help = `Checks Agent Skills: folders with a SKILL.md.

Usage: skill-check [options] PATH…

PATH is a skill's folder, its SKILL.md, or a folder with skills below.

  --fix             write what can be fixed without a decision back to SKILL.md
  --strict          refuse what the reference library skills-ref refuses, too
  --format FORMAT   text (default), json, or github for annotations in GitHub Actions
  --help

Exits with 0 if all skills pass, 1 if one is refused, 2 if it cannot start.
`;

interface Options {
  fix: boolean;
  strict: boolean;
  format: Format;
}

/** Runs the command. Resolves to its exit code. */
async function run(args: readonly string[]): Promise<number> {
  const { paths, ...options } = parse(args);
  const reports: Report[] = [];
  for (const path of paths) {
    for (const folder of await findSkills(path)) {
      reports.push(await report(folder, options));
    }
  }
  process.stdout.write(`${writeReports(reports, options.format)}\n`);
  return reports.every(({ passes }) => passes) ? 0 : 1;
}

class UsageError extends Error {}

function parse(args: readonly string[]): Options & { paths: string[] } {
  const { values, positionals } = parseArguments(args);
  const { help: isHelp = false, fix = false, strict = false, format = 'text' } = values;
  if (isHelp) {
    throw new UsageError('');
  }
  const known = formats.find((each) => each === format);
  if (!known) {
    throw new UsageError(`There is no format "${format}". Choose one of ${formats.join(', ')}.`);
  }
  if (positionals.length === 0) {
    throw new UsageError('Name a skill or a folder with skills.');
  }
  return { paths: positionals, fix, strict, format: known };
}

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        fix: { type: 'boolean' },
        strict: { type: 'boolean' },
        format: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function report(folder: SkillFolder, { fix, strict }: Options): Promise<Report> {
  const files = await readSkill(folder);
  const fixed = fix ? await fixOnDisk(folder, files) : [];
  const skill = checkSkill(folder.name, files);
  const passes = skill.isUsable && (!strict || skill.passesReference);
  return { path: folder.path, passes, skill, fixed };
}

/** Fixes `SKILL.md` among the files, and on the disk without a moment in which it is half written. */
async function fixOnDisk(
  { path, name }: SkillFolder,
  files: SkillFile[],
): Promise<readonly string[]> {
  const main = files.find((file) => file.path.toLowerCase() === 'skill.md');
  if (!main) {
    return [];
  }
  const { bytes, fixed } = fixSkillFile(name, main.bytes);
  if (fixed.length > 0) {
    main.bytes = bytes;
    const file = join(path, main.path);
    const fresh = `${file}.${process.pid}.tmp`;
    await writeFile(fresh, bytes);
    await rename(fresh, file);
  }
  return fixed;
}

run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isUsage = error instanceof UsageError;
    const text = error instanceof Error ? error.message : String(error);
    const isKnown = isUsage || error instanceof UnreadablePath;
    process.stderr.write(isUsage && text === '' ? help : `${text}\n${isUsage ? `\n${help}` : ''}`);
    process.exitCode = isUsage && text === '' ? 0 : 2;
    if (!isKnown && error instanceof Error && error.stack) {
      process.stderr.write(`${error.stack}\n`);
    }
  },
);
