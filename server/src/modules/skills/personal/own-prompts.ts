import { isRecord } from '@knowhow/shared/is-record';
import { maxTriggerPromptLength, maxTriggerPrompts } from '@knowhow/shared/skills/trigger-tests';
import type { PackedFile } from '@knowhow/skill-format';
import {
  isEvalsFile,
  isForOthers,
  isTriggerFile,
  parsePrompts,
  promptsIn,
} from '../author-prompts.ts';

/** The prompts that should activate a skill, of all its files with prompts: each once, and on one line. */
export function readOwnPrompts(files: readonly PackedFile[]): string[] {
  return promptsOf(evalsIn(files));
}

function promptsOf(evals: readonly EvalsFile[]): string[] {
  const prompts = new Set<string>();
  for (const { path, json } of evals) {
    for (const prompt of wantedIn(path, json)) {
      if (prompts.size < maxTriggerPrompts && prompt.length <= maxTriggerPromptLength) {
        prompts.add(prompt);
      }
    }
  }
  return [...prompts];
}

/**
 * The files with these prompts instead of those that `readOwnPrompts` reads. Everything else in the files stays as
 * their author wrote it, and so do files that cannot be read.
 */
export function withOwnPrompts(
  files: readonly PackedFile[],
  wanted: readonly string[],
): PackedFile[] {
  const evals = evalsIn(files);
  const before = promptsOf(evals);
  const prompts = new Set(wanted.map(toLine).filter((prompt) => prompt !== ''));
  const dropped = new Set(before.filter((prompt) => !prompts.has(prompt)));
  const added = [...prompts].filter((prompt) => !before.includes(prompt)).map(toEntry);
  const lists = evals.filter(
    ({ path, json }) =>
      Array.isArray(json) &&
      !isForOthers(path) &&
      (json.length === 0 || isTriggerFile(path) || promptsIn(path, json).length > 0),
  );
  const target = lists.find(({ path }) => isTriggerFile(path)) ?? lists[0];
  const changed = new Map<string, PackedFile | undefined>();
  for (const file of evals) {
    const kept = withoutPrompts(file, dropped);
    const isExtended = file === target && added.length > 0 && Array.isArray(kept);
    const json = isExtended ? [...kept, ...added] : kept;
    if (json !== file.json) {
      const isEmpty = Array.isArray(json) && json.length === 0;
      changed.set(file.path, isEmpty ? undefined : toFile(file.path, json));
    }
  }
  const result = files.flatMap((file) =>
    changed.has(file.path) ? (changed.get(file.path) ?? []) : [file],
  );
  return target || added.length === 0 ? result : [...result, toFile(freePath(files), added)];
}

interface EvalsFile {
  path: string;
  json: unknown;
}

function evalsIn(files: readonly PackedFile[]): EvalsFile[] {
  return files
    .filter(({ path }) => isEvalsFile(path))
    .map(({ path, bytes }) => ({
      path,
      json: parsePrompts(Buffer.from(bytes).toString('utf8')).json,
    }));
}

function wantedIn(path: string, json: unknown): string[] {
  return promptsIn(path, json).flatMap(({ prompt, shouldTrigger }) =>
    shouldTrigger ? [toLine(prompt)] : [],
  );
}

/** The content of a file without some prompts: the same value if it has none of them. */
function withoutPrompts({ path, json }: EvalsFile, dropped: ReadonlySet<string>): unknown {
  if (!wantedIn(path, json).some((prompt) => dropped.has(prompt))) {
    return json;
  }
  const keep = (entry: unknown) =>
    !isRecord(entry) || !wantedIn(path, [entry]).some((prompt) => dropped.has(prompt));
  if (Array.isArray(json)) {
    return json.filter(keep);
  }
  if (!isRecord(json)) {
    return json;
  }
  const key = ['evals', 'cases', 'queries'].find((each) => Array.isArray(json[each]));
  const list = key === undefined ? undefined : json[key];
  // Without a list, the file is one prompt.
  return key !== undefined && Array.isArray(list) ? { ...json, [key]: list.filter(keep) } : [];
}

function toEntry(query: string) {
  return { query, should_trigger: true };
}

/** Prompts are edited one per line. */
function toLine(prompt: string): string {
  return prompt.replace(/\s+/g, ' ').trim();
}

function toFile(path: string, json: unknown): PackedFile {
  return { path, bytes: Buffer.from(`${JSON.stringify(json, null, 2)}\n`), executable: false };
}

/** A file with another format keeps its name. */
function freePath(files: readonly PackedFile[]): string {
  const taken = new Set(files.map(({ path }) => path.toLowerCase()));
  let path = 'evals/evals.json';
  for (let number = 2; taken.has(path); number += 1) {
    path = `evals/evals-${number}.json`;
  }
  return path;
}
