import {
  longestTriggerPrompt,
  mostTriggerPrompts,
  type TriggerPrompt,
  type TriggerPrompts,
  triggerPromptSchema,
} from '@knowhow/shared/trigger-tests';
import { describeContent } from '../skill-store/skill-content.ts';
import type { SkillLocation } from '../skill-store/skill-source.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import { authorPrompts, isEvalsFile, promptsIn } from '../skills/author-prompts.ts';
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
  const lists = files.filter(({ path, json }) => triggerFile.test(path) && Array.isArray(json));
  const saved = lists.find(({ path }) => path === usualPath) ?? lists[0];
  const faults = files.flatMap(({ path, fault }) => (fault ? [{ path, message: fault }] : []));
  const take = takeInto(faults);
  const prompts = saved ? take([saved]) : [];
  const known = new Set(prompts.map(({ text }) => text));
  const others = take(files.filter((file) => file !== saved));
  return {
    path: saved?.path ?? usualPath,
    isSaved: saved !== undefined,
    prompts,
    found: others.filter(({ text }) => !known.has(text)),
    faults,
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
  const [before] = (await readFiles(skills, entry)).filter((file) => file.path === path);
  const known: unknown[] = Array.isArray(before?.json) ? before.json : [];
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
  text: string;
  json: unknown;
  /** Why nothing of it is used. */
  fault?: string;
}

async function readFiles(
  skills: Pick<SkillStore, 'listFiles' | 'openFile'>,
  location: SkillLocation,
): Promise<EvalsFile[]> {
  const listed = (await skills.listFiles(location)).filter(({ path }) => isEvalsFile(path));
  const read: EvalsFile[] = [];
  for (const { path } of listed.slice(0, mostFiles)) {
    const file = await skills.openFile(location, path).catch(() => undefined);
    const isTooLarge = file !== undefined && file.size > mostBytes;
    const text = file && !isTooLarge ? (await file.read(0, file.size)).toString('utf8') : '';
    const fault = isTooLarge
      ? `The file has more than ${mostBytes / 1024} KiB and is not read.`
      : 'The file cannot be read as JSON.';
    const json = jsonIn(text);
    read.push({ path, text, json, ...(json === undefined ? { fault } : {}) });
  }
  return read;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Takes each prompt once, as many as a skill may have; the others are noted as faults. */
function takeInto(faults: TriggerPrompts['faults']) {
  return (files: readonly EvalsFile[]): TriggerPrompt[] => {
    const taken = new Map<string, TriggerPrompt>();
    for (const { path, text } of files) {
      let [tooLong, tooMany] = [0, 0];
      for (const { prompt, shouldTrigger } of promptsIn(path, text) ?? []) {
        const { data } = triggerPromptSchema.safeParse({ text: prompt, expect: shouldTrigger });
        if (!data) {
          tooLong += 1;
        } else if (taken.size >= mostTriggerPrompts && !taken.has(data.text)) {
          tooMany += 1;
        } else if (!taken.has(data.text)) {
          taken.set(data.text, data);
        }
      }
      if (tooLong > 0) {
        const message = `${tooLong} prompts have more than ${longestTriggerPrompt} characters and are left out.`;
        faults.push({ path, message });
      }
      if (tooMany > 0) {
        const message = `${tooMany} prompts are left out: a skill has at most ${mostTriggerPrompts}.`;
        faults.push({ path, message });
      }
    }
    return [...taken.values()];
  };
}
