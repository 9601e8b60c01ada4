import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { defaultSkillsConfig } from '@knowhow/shared/skills/skills-config';
import {
  createSkillIndex,
  isEvalsFile,
  parseSkill,
  promptsIn,
  readSkillAt,
  type StoredSkill,
} from '../modules/skills/index.ts';
import { formatCount } from '../platform/lib/format-count.ts';
import { addToGroup } from '../platform/lib/group-by.ts';
import { parseJson } from '../platform/lib/parse-json.ts';
import { searchWords } from '../platform/lib/search-words.ts';
import { sha256 } from '../platform/lib/sha256.ts';
import { findAllSkills } from './find-skills.ts';
import { renderTable } from './render-table.ts';
import type { Terminal } from './terminal.ts';

/** A skill of the corpus. */
interface Case {
  skill: StoredSkill;
  prompts: readonly string[];
  text: { body: string; triggers: string };
  /** Identical for bodies that differ only in whitespace. */
  content: string;
}

/** A prompt and its correct skills. */
interface Question {
  prompt: string;
  right: Set<string>;
  /** Whether it contains the name of one of them. */
  isNamed: boolean;
}

/** Shorter prompts are too unspecific. */
const minWords = 3;

/**
 * Measures how well the ranking finds a folder's skills by their authors' prompts, compared with
 * only names and descriptions. Returns the exit code: 1 without any prompts.
 */
export async function retrievalCommand(directory: string, terminal: Terminal): Promise<number> {
  const { cases, folders } = await readCases(directory);
  const questions = questionsOf(cases);
  if (questions.length === 0) {
    terminal.error(`No prompts in ${directory}: none of its skills has any in evals/.`);
    return 1;
  }
  const named = questions.filter(({ isNamed }) => isNamed).length;
  terminal.out(
    `${formatCount(cases.length, 'skill')} (of ${formatCount(folders, 'folder')}; of one name the first with prompts), ${formatCount(questions.length, 'prompt')} (${named} say the name of the skill)\n`,
  );
  const plain = await measure(cases, questions, () => ({ body: '', triggers: '' }));
  const whole = await measure(cases, questions, ({ text }) => text);
  const rows = Object.keys(whole).map((name) => [name, plain[name] ?? '', whole[name] ?? '']);
  terminal.out(renderTable([['', 'names and descriptions', 'whole skills'], ...rows]));
  return 0;
}

/** Like a server: only enabled skills, one per name. */
async function readCases(directory: string): Promise<{ cases: Case[]; folders: number }> {
  const files = await findAllSkills(directory);
  const cases = new Map<string, Case>();
  for (const file of files) {
    const skill = await readSkillAt(file);
    if ('diagnostic' in skill || !skill.enabledByDefault) {
      continue;
    }
    const known = cases.get(skill.id);
    const prompts = known?.prompts.length ? [] : await findPrompts(file.path);
    if (!known || prompts.length > 0) {
      const { body, triggers } = parseSkill(await skill.source.read(skill), skill.id);
      const content = sha256(body.replace(/\s+/g, ' ').trim());
      cases.set(skill.id, { skill, prompts, text: { body, triggers }, content });
    }
  }
  return {
    cases: [...cases.values()],
    folders: new Set(files.map(({ path }) => dirname(path))).size,
  };
}

function questionsOf(cases: readonly Case[]): Question[] {
  const alike = new Map<string, string[]>();
  for (const { content, skill } of cases) {
    addToGroup(alike, content, skill.id);
  }
  const questions = new Map<string, Question>();
  for (const { prompts, content } of cases) {
    const right = alike.get(content) ?? [];
    for (const prompt of prompts.filter((each) => searchWords(each).length >= minWords)) {
      const question = questions.get(prompt) ?? { prompt, right: new Set(), isNamed: false };
      for (const id of right) {
        question.right.add(id);
      }
      question.isNamed ||= right.some((id) => spaced(prompt).includes(spaced(id)));
      questions.set(prompt, question);
    }
  }
  return [...questions.values()];
}

function spaced(text: string): string {
  return ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
}

/** Metrics as text, by label. */
async function measure(
  cases: readonly Case[],
  questions: readonly Question[],
  textOf: (each: Case) => Case['text'],
): Promise<Record<string, string>> {
  const byId = new Map(cases.map((each) => [each.skill.id, each]));
  const skills = cases.map(({ skill }) => skill);
  const snapshot = { skills: new Map(skills.map((skill) => [skill.id, skill])) };
  const index = createSkillIndex({
    store: {
      snapshot: { ...snapshot, shadowed: [], unreadable: [], versions: new Map() },
      readText: async ({ id }) => textOf(byId.get(id) ?? nothing(id)),
    },
    config: () => defaultSkillsConfig,
    onError: (error) => {
      throw error;
    },
  });
  const pauses = monitorEventLoopDelay({ resolution: 1 });
  pauses.enable();
  const startedAt = performance.now();
  index.refresh();
  await index.settled();
  const buildMs = performance.now() - startedAt;
  pauses.disable();
  const times: number[] = [];
  const ranks = questions.map((question) => {
    const before = process.cpuUsage();
    const ranked = index.ranking.rank(question.prompt, skills, 100);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    return rankAmong(ranked, question);
  });
  const unnamed = ranks.filter((_, at) => !questions[at]?.isNamed);
  const bytes = index.bytes / skills.length;
  return {
    'recall@1': recall(ranks, 1),
    'recall@5': recall(ranks, 5),
    'recall@10': recall(ranks, 10),
    'mean reciprocal rank': mean(ranks.map((rank) => 1 / rank)).toFixed(3),
    'recall@5 where the prompt does not say the name': recall(unnamed, 5),
    'processor time per query': `${mean(times).toFixed(2)} ms, 95th percentile ${quantile(times, 0.95).toFixed(2)} ms`,
    'index per skill': `${(bytes / 1000).toFixed(2)} kB`,
    'time to build it': `${(buildMs / 1000).toFixed(1)} s, ${(buildMs / skills.length).toFixed(2)} ms a skill`,
    'longest pause meanwhile': `${(pauses.max / 1e6).toFixed(0)} ms`,
  };
}

function nothing(id: string): never {
  throw new Error(`There is no skill "${id}".`);
}

/** The rank of the best correct skill. */
function rankAmong(ranked: readonly { skill: StoredSkill }[], { right }: Question): number {
  const found = ranked.findIndex(({ skill }) => right.has(skill.id));
  return found < 0 ? Number.POSITIVE_INFINITY : found + 1;
}

function recall(ranks: readonly number[], among: number): string {
  return mean(ranks.map((rank) => (rank <= among ? 1 : 0))).toFixed(3);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(share * values.length)] ?? 0;
}

/**
 * Prompts that should trigger a skill, from its `evals/` and files like `trigger-evals.json`.
 *
 * @param file path of its `SKILL.md`
 */
async function findPrompts(file: string): Promise<string[]> {
  const folder = dirname(file);
  const prompts = new Set<string>();
  for (const path of await evalsOf(folder)) {
    const text = await readFile(join(folder, path), 'utf8').catch(() => '');
    for (const { prompt, shouldTrigger } of promptsIn(path, parseJson(text))) {
      if (shouldTrigger) {
        prompts.add(prompt);
      }
    }
  }
  return [...prompts];
}

async function evalsOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const paths: string[] = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const { name } of entries.filter(
    (each) => each.isDirectory() && /^evals?$/i.test(each.name),
  )) {
    const inside = await readdir(join(folder, name), { withFileTypes: true });
    paths.push(...inside.filter((each) => each.isFile()).map((each) => `${name}/${each.name}`));
  }
  return paths.filter(isEvalsFile);
}
