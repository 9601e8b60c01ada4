import { posix } from 'node:path';
import type { LeftPart, SourcePlugin } from '@knowhow/shared/skills/skill-origin';
import { parseJson } from '../lib/parse-json.ts';
import type { PackedFile } from '../skill-format/skill-format.ts';
import type { SourceSkill } from './make-skill.ts';
import { mostJsonBytes, readSourceJson } from './read-source-json.ts';

interface Switched {
  /** The setting of AnythingLLM. */
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
 * Applies the settings `default_agent_skills` and `disabled_agent_skills` of an AnythingLLM to the plugins and
 * flows of the same source, as a proposal: the review shows which of them an import switches on and off. Names
 * of what is built in there are listed with what there is here instead.
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
        all = all.map((skill) => (named.includes(skill) ? switched(skill, key, state) : skill));
        left.push(...(named.length > 0 ? [] : [leftPart(name, state)]));
      }
    }
    const folder = posix.dirname(file.path);
    found.push({ name: posix.basename(file.path), folder, skills: 0, left });
    return false;
  });
  return { skills: all, files: rest, plugins: [...plugins, ...found] };
}

/** The lists in a file, as JSON or with commas between; undefined for a file that is no such settings. */
function switchedIn(file: PackedFile): Switched[] | undefined {
  if (!file.path.endsWith('.json') || file.bytes.length > mostJsonBytes) {
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

/** By its hubId, or a flow by the id that its file is named after; `@@` and `@@flow_` may precede either. */
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

function switched(skill: SourceSkill, key: string, state: Switched['state']): SourceSkill {
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
  const ours = Object.hasOwn(instead, name) ? instead[name] : undefined;
  if (ours !== undefined) {
    return { what: `${name} (${state}): ${ours}`, why: 'built-in-here' };
  }
  return {
    what: `${name} (${state})`,
    why: name.startsWith('@@') ? 'elsewhere' : 'built-in-there',
  };
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
