import { problem } from '@knowhow/shared/problem';
import type { TriggerPrompt, TriggerPrompts } from '@knowhow/shared/skills/trigger-tests';
import { authorPrompts } from '../../skills/index.ts';
import { changeSkill } from '../skills/change-skill.ts';
import type { SkillAdmin, SkillWrite } from '../skills/skill-admin.ts';
import { writeFileEdit } from '../skills/skill-edits.ts';
import { findEntry } from '../skills/skill-entries.ts';
import { readJson, readTriggerPrompts } from './trigger-prompts.ts';

/**
 * Replaces the prompts in the skill's trigger file: a JSON list of `{query, should_trigger}`, the
 * format of Anthropic's skill-creator. Unchanged entries stay as their author wrote them.
 */
export async function saveTriggerPrompts(
  admin: SkillAdmin,
  change: SkillWrite,
  prompts: readonly TriggerPrompt[],
): Promise<TriggerPrompts> {
  const { skills } = admin;
  const entry = findEntry(skills.snapshot, change.name);
  const { path } = await readTriggerPrompts(skills, entry);
  const { json, fault } = await readJson(skills, entry, path);
  if (fault !== undefined || !(json === undefined || Array.isArray(json))) {
    throw problem(
      'conflict',
      `"${path}" would be overwritten. ${fault ?? 'It is no list.'} Rename or delete it first.`,
    );
  }
  const known: unknown[] = Array.isArray(json) ? json : [];
  const bytes = Buffer.from(`${JSON.stringify(listOf(prompts, known), null, 2)}\n`);
  const { sizeLimits } = admin;
  await changeSkill(admin, change, (writer) => writeFileEdit({ writer, sizeLimits }, path, bytes));
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
  const distinct = new Map(prompts.map((prompt) => [prompt.text, prompt]));
  return [...distinct.values()].map(
    (prompt) => byKey.get(keyOf(prompt)) ?? { query: prompt.text, should_trigger: prompt.expect },
  );
}

function keyOf({ text, expect }: TriggerPrompt): string {
  return JSON.stringify([text, expect]);
}
