import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import {
  getSkillId,
  parseSkill,
  readSkillAt,
  type SkillFilePath,
} from '../modules/skills/index.ts';
import { resolveInside } from '../platform/lib/resolve-inside.ts';
import { findAllSkills } from './find-skills.ts';
import { renderTable } from './render-table.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** The measured result of one skill. */
interface Case {
  /** Its folder, relative to the corpus. */
  path: string;
  id: string;
  valid: boolean;
  loads: boolean;
  enabled: boolean;
  codes: string[];
}

/**
 * Reads every folder with a `SKILL.md` in a tree, prints counts, and writes one JSON line per skill
 * to `out`. Returns the exit code: 1 if reading crashed.
 */
export async function corpusCommand(
  directory: string,
  out: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const files = await findAllSkills(directory);
  const cases: Case[] = [];
  const crashes: string[] = [];
  const times: number[] = [];
  for (const file of files) {
    const path = relative(resolve(directory), dirname(file.path)) || '.';
    const before = performance.now();
    try {
      cases.push({ path, ...(await measure(file)) });
    } catch (error) {
      crashes.push(`${path}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    times.push(performance.now() - before);
  }
  if (out !== undefined) {
    await writeCases(out, cases);
  }
  terminal.out(renderTable(counts(cases, crashes)));
  terminal.out(`\n${timesText(times)}; ${megabytes(process.memoryUsage().rss)} MB of memory`);
  for (const crash of crashes.slice(0, 20)) {
    terminal.error(`Crashed on ${crash}`);
  }
  return crashes.length === 0 ? 0 : 1;
}

/** Durations of reading and validating, in ms. */
function timesText(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const total = times.reduce((sum, ms) => sum + ms, 0);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${total.toFixed(0)} ms, ${median.toFixed(2)} ms the median, ${(sorted.at(-1) ?? 0).toFixed(0)} ms the slowest`;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

async function writeCases(file: string, cases: readonly Case[]): Promise<void> {
  try {
    await writeFile(file, cases.map((each) => `${JSON.stringify(each)}\n`).join(''));
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${String(error)}`);
  }
}

async function measure(file: SkillFilePath): Promise<Omit<Case, 'path'>> {
  const found = await readSkillAt(file);
  if ('diagnostic' in found) {
    const { code } = found.diagnostic;
    if (code === 'unreadable') {
      await rethrowCrash(file);
    }
    return { id: getSkillId(found), valid: false, loads: false, enabled: false, codes: [code] };
  }
  const { id, valid, loads, enabledByDefault, diagnostics } = found;
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  return { id, valid, loads, enabled: enabledByDefault, codes };
}

/** Reading never throws, so a bug of ours looks like an unreadable file. */
async function rethrowCrash({ root, path }: SkillFilePath): Promise<void> {
  const bytes = await readInside(root, path).catch(() => undefined);
  if (bytes) {
    parseSkill(bytes, basename(dirname(path)));
  }
}

/** Undefined outside the root (path traversal), and for pipes, which would block forever. */
async function readInside(root: string, path: string): Promise<Buffer | undefined> {
  const file = await resolveInside(root, relative(root, path));
  return file !== undefined && (await stat(file)).isFile() ? await readFile(file) : undefined;
}

function counts(cases: readonly Case[], crashes: readonly string[]): (string | number)[][] {
  const count = (chosen: (each: Case) => boolean) => cases.filter(chosen).length;
  const codes = [...new Set(cases.flatMap((each) => each.codes))]
    .map((code) => ({ code, found: count((each) => each.codes.includes(code)) }))
    .sort((one, other) => other.found - one.found);
  return [
    [cases.length + crashes.length, 'cases'],
    [count(({ valid }) => valid), 'valid'],
    [count(({ loads }) => loads), 'load'],
    [count(({ enabled }) => enabled), 'enabled'],
    [crashes.length, 'crashed'],
    [],
    ...codes.map(({ code, found }) => [found, code]),
  ];
}
