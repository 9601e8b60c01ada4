import {
  longestTriggerPrompt,
  mostTriggerPrompts,
  type TriggerPrompt,
  type TriggerPrompts,
  triggerPromptSchema,
} from '@knowhow/shared/skills/trigger-tests';
import { counted } from '../lib/counted.ts';
import { parseJson } from '../lib/parse-json.ts';
import { describeContent } from '../skill-store/skill-content.ts';
import type { SkillLocation } from '../skill-store/skill-source.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import {
  type AuthorPrompt,
  authorPrompts,
  isEvalsFile,
  promptsIn,
} from '../skills/author-prompts.ts';
import { changeSkill } from './change-skill.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import { writeFileEdit } from './skill-edits.ts';
import { findEntry } from './skill-entries.ts';

/** Where they are saved when the skill has no such file yet: the usual name in public collections. */
const usualPath = 'evals/trigger-evals.json';
const triggerFile = /^evals?\/trigger/i;
const mostFiles = 50;
const mostBytes = 1024 * 1024;

/** The prompts in the folder of a skill: those saved in its list of triggers, and all others. */
export async function readTriggerPrompts(
  skills: Pick<SkillStore, 'listFiles' | 'openFile'>,
  location: SkillLocation,
): Promise<TriggerPrompts> {
  const files = await readFiles(skills, location);
  const lists = files.filter(({ path, isList }) => triggerFile.test(path) && isList);
  const saved = lists.find(({ path }) => path === usualPath) ?? lists[0];
  const prompts = saved?.prompts ?? [];
  const known = new Set(prompts.map(({ text }) => text));
  const found: TriggerPrompt[] = [];
  for (const file of files.filter((each) => each !== saved)) {
    for (const prompt of file.prompts.filter(({ text }) => !known.has(text))) {
      known.add(prompt.text);
      if (found.length < mostTriggerPrompts) {
        found.push(prompt);
      } else {
        file.tooMany += 1;
      }
    }
  }
  return {
    path: saved?.path ?? usualPath,
    isSaved: saved !== undefined,
    prompts,
    found,
    faults: files.flatMap(faultsOf),
    checksum: (await describeContent(location)).checksum,
  };
}

/**
 * Writes these prompts, and no others, into the skill's list of triggers: a JSON list of
 * `{query, should_trigger}`, as Anthropic's skill-creator reads it. An entry that says the same already
 * stays as its author wrote it.
 */
export async function saveTriggerPrompts(
  admin: SkillAdmin,
  change: Change & { name: string },
  prompts: readonly TriggerPrompt[],
): Promise<TriggerPrompts> {
  const { skills } = admin;
  const entry = findEntry(skills.snapshot, change.name);
  const { path } = await readTriggerPrompts(skills, entry);
  const { json } = await readJson(skills, entry, path);
  const known: unknown[] = Array.isArray(json) ? json : [];
  const bytes = Buffer.from(`${JSON.stringify(listOf(prompts, known), null, 2)}\n`);
  await changeSkill(admin, change, writeFileEdit(admin, path, bytes));
  return readTriggerPrompts(skills, findEntry(skills.snapshot, change.name));
}

function listOf(prompts: readonly TriggerPrompt[], known: readonly unknown[]): unknown[] {
  const byKey = new Map<string, unknown>();
  for (const entry of known) {
    const [read] = authorPrompts([entry]);
    if (read) {
      byKey.set(keyOf({ text: read.prompt.trim(), expect: read.shouldTrigger }), entry);
    }
  }
  const unlike = new Map(prompts.map((prompt) => [prompt.text, prompt]));
  return [...unlike.values()].map(
    (prompt) => byKey.get(keyOf(prompt)) ?? { query: prompt.text, should_trigger: prompt.expect },
  );
}

function keyOf({ text, expect }: TriggerPrompt): string {
  return JSON.stringify([text, expect]);
}

interface EvalsFile {
  path: string;
  /** Each once, as many as a skill may have. */
  prompts: TriggerPrompt[];
  /** How many others there are, and how many that are too long. */
  tooMany: number;
  tooLong: number;
  /** Whether it is a list and nothing else. */
  isList: boolean;
  /** Why nothing of it is used. */
  fault?: string | undefined;
}

async function readFiles(
  skills: Pick<SkillStore, 'listFiles' | 'openFile'>,
  location: SkillLocation,
): Promise<EvalsFile[]> {
  const listed = (await skills.listFiles(location)).filter(({ path }) => isEvalsFile(path));
  const read: EvalsFile[] = [];
  for (const { path } of listed.slice(0, mostFiles)) {
    const { json, fault } = await readJson(skills, location, path);
    const prompts = promptsIn(path, json);
    read.push({ path, ...takenFrom(prompts), isList: Array.isArray(json), fault });
  }
  return read;
}

async function readJson(
  skills: Pick<SkillStore, 'openFile'>,
  location: SkillLocation,
  path: string,
): Promise<{ json?: unknown; fault?: string }> {
  const file = await skills.openFile(location, path).catch(() => undefined);
  if (file && file.size > mostBytes) {
    return { fault: `The file has more than ${mostBytes / 1024} KiB and is not read.` };
  }
  const text = file ? (await file.read(0, file.size)).toString('utf8') : '';
  const json = parseJson(text);
  return json === undefined ? { fault: 'The file cannot be read as JSON.' } : { json };
}

/** A file may have tens of thousands: the schema sees those alone that may be taken. */
function takenFrom(
  written: readonly AuthorPrompt[],
): Pick<EvalsFile, 'prompts' | 'tooMany' | 'tooLong'> {
  const taken = new Map<string, TriggerPrompt>();
  let [tooMany, tooLong] = [0, 0];
  for (const { prompt, shouldTrigger } of written) {
    if (prompt.length > longestTriggerPrompt) {
      tooLong += 1;
    } else if (!taken.has(prompt.trim())) {
      if (taken.size >= mostTriggerPrompts) {
        tooMany += 1;
        continue;
      }
      const { data } = triggerPromptSchema.safeParse({ text: prompt, expect: shouldTrigger });
      if (data) {
        taken.set(data.text, taken.get(data.text) ?? data);
      }
    }
  }
  return { prompts: [...taken.values()], tooMany, tooLong };
}

function faultsOf({ path, fault, tooLong, tooMany }: EvalsFile): TriggerPrompts['faults'] {
  const messages = [
    fault,
    tooLong > 0 &&
      `${counted(tooLong, 'prompt')} with more than ${longestTriggerPrompt} characters: left out.`,
    tooMany > 0 &&
      `${counted(tooMany, 'prompt')} left out: a skill has at most ${mostTriggerPrompts}.`,
  ];
  return messages.flatMap((message) => (message ? [{ path, message }] : []));
}
