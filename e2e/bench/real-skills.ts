import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const realSkills = 12_000;

/** Number of folders on the first level, and of subfolders in each. */
const owners = 40;
const areas = 6;

/**
 * Replaces the contents of a folder with skills like published ones: three levels, three files per skill,
 * varied frontmatter. Returns the paths of every `SKILL.md`.
 */
export async function writeRealSkills(folder: string): Promise<string[]> {
  await rm(folder, { recursive: true });
  const files: string[] = [];
  for (let index = 0; index < realSkills; index++) {
    const owner = index % owners;
    const area = Math.floor(index / owners) % areas;
    const skill = join(folder, `owner-${owner}`, `area-${area}`, skillName(index));
    await write(join(skill, 'SKILL.md'), realSkillText(index));
    await write(join(skill, 'references', 'guide.md'), step.repeat(60));
    await write(join(skill, 'scripts', 'run.py'), 'print("done")\n'.repeat(40));
    files.push(join(skill, 'SKILL.md'));
  }
  return files;
}

/** A `SKILL.md` of 3 to 12 kB in one of the common forms. */
function realSkillText(index: number): string {
  const form = index % 100 === 99 ? malformed : forms[index % forms.length];
  const fields = form?.(index) ?? '';
  const body = step.repeat(40 + (index % 7) * 20);
  return `---\n${fields}\n---\n\n# Task ${index}\n\n${body}`;
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const step = '1. Look at what is there, then do the next thing with care.\n';

function skillName(index: number): string {
  return `real-skill-${index}`;
}

function describe(index: number): string {
  const uses = ['its parts', 'its cost', 'the way it was done before', 'who has to agree to it'];
  const each = uses.map((use) => `Use when a user asks for task ${index} or ${use}.`);
  return `Does task ${index} the way we do it — from what is asked to what is handed over. ${each.join(' ')}`;
}

/** A few tags are on many skills, many on a few. */
function skillTags(index: number): string[] {
  return ['agent', `topic-${index % 60}`, `kind-${index % 700}`, `tag-${index % 4000}`];
}

type Form = (index: number) => string;

const plain: Form = (index) =>
  `name: ${skillName(index)}\ndescription: ${describe(index)}\nlicense: MIT`;

const listed: Form = (index) =>
  `${plain(index)}\ntags:\n${skillTags(index)
    .map((tag) => `  - ${tag}`)
    .join('\n')}\nversion: 1.${index % 10}.0`;

const quoted: Form = (index) =>
  `name: ${skillName(index)}\ndescription: "${describe(index)} Trigger on \\"task ${index}\\": yes."\nallowed-tools: Read, Bash(git *)`;

const folded: Form = (index) =>
  `name: ${skillName(index)}\ndescription: >-\n  ${describe(index).replaceAll('. ', '.\n  ')}\nmetadata:\n  author: bench\n  version: "1.0"`;

const wrapped: Form = (index) =>
  `name: ${skillName(index)}\ndescription: "${describe(index).replaceAll('. ', '.\n  ')}"\nmetadata:\n  author: bench`;

const nested: Form = (index) =>
  `${plain(index)}
metadata:
  version: 0.22.${index % 30}
  owner:
    category: productivity
    team: "team-${index % 50}"
    requires:
      bins:
        - git
      env: []
    install:
      - kind: uv
        package: pandas
        bins: [python3]
      - id: brew
        label: "Install it (brew)"
  tags: [${skillTags(index).join(', ')}]`;

const flow: Form = (index) =>
  `${plain(index)}
metadata: {"house": {"emoji": "🌐", "requires": {"bins": ["curl", "git"], "env": ["TASK_KEY"]}, "always": true}}
tags: [${skillTags(index).join(', ')}]`;

const flowInLines: Form = (index) =>
  `${plain(index)}
metadata:
  {
    "house":
      {
        "emoji": "🌐",
        "requires": { "bins": ["curl"] },
        "install":
          [
            {
              "id": "brew",
              "formula": "task-${index}",
              "bins": ["task"],
            },
          ],
      },
  }`;

const literal: Form = (index) =>
  `name: ${skillName(index)}\ndescription: |\n  ${describe(index).replaceAll('. ', '.\n  ')}\nallowed-tools:\n  - Read\n  - Bash(npm run *)\ntags: ["agent", "topic-${index % 60}"]`;

const declared: Form = (index) =>
  `${plain(index)}
version: 2.0.0
requires:
  mcp:
    - house
triggers:
  keywords:
    - task ${index}
    - 4-bit tasks
metrics:
  time: 3s
  rate: 0.9`;

/** One in a hundred needs repair before it is valid YAML: an unquoted text with a colon. */
const malformed: Form = (index) =>
  `name: ${skillName(index)}\ndescription: Task ${index}: ${describe(index)}\ntags: '["agent"'`;

const forms: readonly Form[] = [
  ...[plain, listed, nested, quoted, flow, folded, plain, nested, literal, flowInLines],
  ...[quoted, listed, declared, wrapped, plain, nested, flow, folded, listed, literal],
];
