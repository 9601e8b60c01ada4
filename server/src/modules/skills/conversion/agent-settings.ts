import { posix } from 'node:path';
import type { LeftPart, SourcePlugin } from '@knowhow/shared/skills/skill-origin';
import type { PackedFile } from '@knowhow/skill-format';
import { parseJson } from '../../../platform/lib/parse-json.ts';
import type { SourceSkill } from './make-skill.ts';
import { maxSourceJsonBytes, readSourceJson } from './read-source-json.ts';

interface Switched {
  /** Key of the AnythingLLM setting. */
  key: string;
  state: 'on' | 'off';
  names: readonly string[];
}

interface Sources {
  skills: readonly SourceSkill[];
  files: readonly PackedFile[];
  plugins: readonly SourcePlugin[];
}

/**
 * Applies the settings `default_agent_skills` and `disabled_agent_skills` of AnythingLLM to plugins
 * and flows of the same source, as a proposal for the review. For AnythingLLM's built-in skills,
 * lists our equivalents.
 */
export function applyAgentSettings({ skills, files, plugins }: Sources): Sources {
  let all = skills;
  const found: SourcePlugin[] = [];
  const rest = files.filter((file) => {
    const lists = switchedIn(file);
    if (!lists) {
      return true;
    }
    const left: LeftPart[] = [];
    for (const { key, state, names } of lists) {
      for (const name of names) {
        const named = all.filter((skill) => isNamed(skill, name));
        all = all.map((skill) =>
          named.includes(skill) ? withSwitchState(skill, key, state) : skill,
        );
        left.push(...(named.length > 0 ? [] : [leftPart(name, state)]));
      }
    }
    const folder = posix.dirname(file.path);
    found.push({ name: posix.basename(file.path), folder, skills: 0, left });
    return false;
  });
  return { skills: all, files: rest, plugins: [...plugins, ...found] };
}

/** Lists in a file, as JSON or comma-separated; undefined if it contains no such settings. */
function switchedIn(file: PackedFile): Switched[] | undefined {
  if (!file.path.endsWith('.json') || file.bytes.length > maxSourceJsonBytes) {
    return undefined;
  }
  const read = readSourceJson(file);
  const lists = [
    { key: 'default_agent_skills', state: 'on' },
    { key: 'disabled_agent_skills', state: 'off' },
  ] as const;
  const found = lists.flatMap(({ key, state }) =>
    'value' in read && Object.hasOwn(read.value, key)
      ? [{ key, state, names: namesOf(read.value[key]) }]
      : [],
  );
  return found.length > 0 ? found : undefined;
}

/** Matches by hubId, or flows by their file's ID; the prefixes `@@` and `@@flow_` are optional. */
function isNamed({ origin, root }: SourceSkill, written: string): boolean {
  const name = written.replace(/^@@(?:flow_)?/, '');
  switch (origin?.kind) {
    case 'anythingllm-plugin':
      return origin.name === name;
    case 'agent-flow':
      return posix.basename(root, '.json') === name || origin.name === name;
    default:
      return false;
  }
}

function withSwitchState(skill: SourceSkill, key: string, state: Switched['state']): SourceSkill {
  const { origin } = skill;
  return origin
    ? {
        ...skill,
        origin: {
          ...origin,
          mapped: [...origin.mapped, { from: key, to: `switched ${state}` }],
          off: state === 'off',
        },
      }
    : skill;
}

function leftPart(name: string, state: Switched['state']): LeftPart {
  const equivalent = Object.hasOwn(equivalents, name) ? equivalents[name] : undefined;
  if (equivalent !== undefined) {
    return { what: `${name} (${state}): ${equivalent}`, why: 'built-in-here' };
  }
  return {
    what: `${name} (${state})`,
    why: name.startsWith('@@') ? 'elsewhere' : 'built-in-there',
  };
}

/** Our equivalents of built-in skills. */
const equivalents: Readonly<Record<string, string>> = {
  'web-scraping': 'builtin/fetch_page',
};

const maxNames = 200;

function namesOf(value: unknown): string[] {
  const list = typeof value === 'string' ? (parseJson(value) ?? value.split(',')) : value;
  return (Array.isArray(list) ? list : [])
    .slice(0, maxNames)
    .flatMap((name) => (typeof name === 'string' && name.trim() !== '' ? [name.trim()] : []));
}
