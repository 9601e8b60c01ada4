import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  maxTriggerPromptLength,
  maxTriggerPrompts,
  type TriggerPrompt,
  type TriggerPrompts,
  triggerPromptSchema,
} from '@knowhow/shared/skills/trigger-tests';
import { formatCount } from '../../../platform/lib/format-count.ts';
import {
  type AuthorPrompt,
  describeContent,
  isEvalsFile,
  isTriggerFile,
  parsePrompts,
  promptsIn,
  type SkillLocation,
  type SkillStore,
} from '../../skills/index.ts';

/** Default path of the prompts: the usual name in public collections. */
const defaultPath = 'evals/trigger-evals.json';
const maxFiles = 50;
const maxBytes = 1024 * 1024;

/** The prompts in a skill's folder: those in its trigger file, and all others. */
export async function readTriggerPrompts(
  skills: Pick<SkillStore, 'listFiles' | 'openFile'>,
  location: SkillLocation,
): Promise<TriggerPrompts> {
  const files = await readFiles(skills, location);
  const lists = files.filter(({ path, isList }) => isTriggerFile(path) && isList);
  const saved = lists.find(({ path }) => path === defaultPath) ?? lists[0];
  const prompts = saved?.prompts ?? [];
  const known = new Set(prompts.map(({ text }) => text));
  const found: TriggerPrompt[] = [];
  for (const file of files.filter((each) => each !== saved)) {
    for (const prompt of file.prompts.filter(({ text }) => !known.has(text))) {
      known.add(prompt.text);
      if (found.length < maxTriggerPrompts) {
        found.push(prompt);
      } else {
        file.tooMany += 1;
      }
    }
  }
  return {
    path: saved?.path ?? defaultPath,
    isSaved: saved !== undefined,
    prompts,
    found,
    faults: files.flatMap(faultsOf),
    checksum: (await describeContent(location)).checksum,
  };
}

/** The saved prompts; without a trigger file, those of the author's evals. */
export function chosenPrompts({ isSaved, prompts, found }: TriggerPrompts): TriggerPrompt[] {
  return isSaved ? prompts : found;
}

interface EvalsFile {
  path: string;
  /** Without duplicates, up to the maximum per skill. */
  prompts: TriggerPrompt[];
  /** Number of prompts beyond the maximum, and of those that are too long. */
  tooMany: number;
  tooLong: number;
  /** Whether the file is just a list. */
  isList: boolean;
  /** Why the file is not used. */
  fault?: string | undefined;
}

async function readFiles(
  skills: Pick<SkillStore, 'listFiles' | 'openFile'>,
  location: SkillLocation,
): Promise<EvalsFile[]> {
  const listed = (await skills.listFiles(location)).filter(({ path }) => isEvalsFile(path));
  const read: EvalsFile[] = [];
  for (const { path } of listed.slice(0, maxFiles)) {
    // Files of a draft come from the database, whose statements may be synchronous.
    await yieldToEventLoop();
    const { json, fault } = await readJson(skills, location, path);
    const prompts = promptsIn(path, json);
    read.push({ path, ...selectPrompts(prompts), isList: Array.isArray(json), fault });
  }
  return read;
}

/** The content of a file of prompts, or why it is not read; nothing if there is no such file. */
export async function readJson(
  skills: Pick<SkillStore, 'openFile'>,
  location: SkillLocation,
  path: string,
): Promise<{ json?: unknown; fault?: string }> {
  const file = await skills.openFile(location, path).catch(() => undefined);
  if (!file) {
    return {};
  }
  if (file.size > maxBytes) {
    return { fault: `The file has more than ${maxBytes / 1024} KiB and is not read.` };
  }
  return parsePrompts((await file.read(0, file.size)).toString('utf8'));
}

/** A file may have tens of thousands of prompts: only candidates are validated. */
function selectPrompts(
  written: readonly AuthorPrompt[],
): Pick<EvalsFile, 'prompts' | 'tooMany' | 'tooLong'> {
  const selected = new Map<string, TriggerPrompt>();
  let [tooMany, tooLong] = [0, 0];
  for (const { prompt, shouldTrigger } of written) {
    if (prompt.length > maxTriggerPromptLength) {
      tooLong += 1;
    } else if (!selected.has(prompt.trim())) {
      if (selected.size >= maxTriggerPrompts) {
        tooMany += 1;
        continue;
      }
      const { data } = triggerPromptSchema.safeParse({ text: prompt, expect: shouldTrigger });
      if (data) {
        selected.set(data.text, selected.get(data.text) ?? data);
      }
    }
  }
  return { prompts: [...selected.values()], tooMany, tooLong };
}

function faultsOf({ path, fault, tooLong, tooMany }: EvalsFile): TriggerPrompts['faults'] {
  const messages = [
    fault,
    tooLong > 0 &&
      `${formatCount(tooLong, 'prompt')} with more than ${maxTriggerPromptLength} characters: skipped.`,
    tooMany > 0 &&
      `${formatCount(tooMany, 'prompt')} skipped: a skill has at most ${maxTriggerPrompts}.`,
  ];
  return messages.flatMap((message) => (message ? [{ path, message }] : []));
}
