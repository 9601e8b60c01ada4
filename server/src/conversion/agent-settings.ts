import type { LeftPart } from '@knowhow/shared/skills/skill-origin';
import { parseJson } from '../lib/parse-json.ts';

/**
 * What an AnythingLLM has switched on and off of its own agent skills: its settings `default_agent_skills` and
 * `disabled_agent_skills`, as JSON or with commas between. Undefined for what is no such settings. They are
 * built in there, so that no skill of ours can be switched by them: each is said with what there is here instead.
 */
export function agentSettings(value: Readonly<Record<string, unknown>>): LeftPart[] | undefined {
  const lists = [
    { key: 'default_agent_skills', state: 'on' },
    { key: 'disabled_agent_skills', state: 'off' },
  ].flatMap(({ key, state }) =>
    Object.hasOwn(value, key) ? [{ state, names: namesOf(value[key]) }] : [],
  );
  if (lists.length === 0) {
    return undefined;
  }
  return lists.flatMap(({ state, names }) =>
    names.map((name): LeftPart => {
      const ours = Object.hasOwn(instead, name) ? instead[name] : undefined;
      return ours === undefined
        ? { what: `${name} (${state})`, why: 'built-in-there' }
        : { what: `${name} (${state}): ${ours}`, why: 'built-in-here' };
    }),
  );
}

/** The tool or the part of ours that does the same. */
const instead: Readonly<Record<string, string>> = {
  'web-scraping': 'builtin/fetch_page',
};

const mostNames = 200;

function namesOf(value: unknown): string[] {
  const list = typeof value === 'string' ? (parseJson(value) ?? value.split(',')) : value;
  return (Array.isArray(list) ? list : [])
    .slice(0, mostNames)
    .flatMap((name) => (typeof name === 'string' && name.trim() !== '' ? [name.trim()] : []));
}
