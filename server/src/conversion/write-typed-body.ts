import type { CodeScope } from './code-scope.ts';
import { plainHeading, sectionOf, type TypedDocument } from './typed-document.ts';
import type { TypedKind } from './typed-kinds.ts';
import type { ToolSteps } from './typed-steps.ts';

/** How a model is asked, as the skill says. */
export interface Sampling {
  temperature?: number;
  maxTokens?: number;
}

/** What is known of a typed skill. */
export interface TypedFacts {
  kind: TypedKind;
  name: string;
  document: TypedDocument;
  description: string;
  parameters: Record<string, unknown> | undefined;
  steps: ToolSteps | undefined;
  sampling: Sampling;
  /** The variables that its code has in addition to its input. */
  scope: CodeScope;
  /** The module of code that does the work. */
  script: string | undefined;
  /** Of the records of a table. */
  schema: Record<string, unknown> | undefined;
}

/** Where the schema of a table is kept. */
export const schemaFile = 'references/schema.json';

/** Sections that tell the model what to do. */
export const prompts = ['system prompt', 'prompt', 'instructions', 'behaviour', 'behavior'];

/** What is not for the model, or said elsewhere. */
const omitted: ReadonlySet<string> = new Set([
  'config',
  'configuration',
  'orchestration',
  'module',
  'session',
  'llm mode',
]);

/** The instructions made of a typed skill: its prompt first, what a machine reads left out. */
export function writeTypedBody(facts: TypedFacts): string {
  const { name, document } = facts;
  const prompt = sectionOf(document, ...prompts);
  const others = document.sections.filter(
    (section) => section !== prompt && !omitted.has(plainHeading(section.heading)),
  );
  return [
    `# ${document.title ?? name}`,
    document.intro,
    prompt?.text ?? '',
    ...others.map(({ heading, text }) => `## ${heading}\n\n${text}`),
    noteOn(facts),
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n');
}

function noteOn({ kind, steps, script, schema }: TypedFacts): string {
  if (steps || script !== undefined) {
    return `The tool of this skill does this in one go, where it is offered. Where it is not, ${steps ? 'call the tools one after the other yourself' : 'follow the description as far as possible without the code, and say what you could not do'}.`;
  }
  const note = notes[kind] ?? '';
  return schema ? `${note} Its fields are in ${schemaFile} as a JSON schema.` : note;
}

const generated =
  'The tool of this skill has code written for this, shows it to the user and runs it, where it is offered. Where it is not, work the result out step by step, and say so.';

const notes: Partial<Record<TypedKind, string>> = {
  iskill:
    'Ask for what is missing, one thing at a time, and have the whole confirmed before you go on.',
  oskill:
    'Activate the skills that this one names, in the order that fits, and pass on what each gives.',
  cskill:
    'The code of this skill is not run here: follow its description, and say what you could not do.',
  cgskill: generated,
  dcgskill: generated,
  tskill: 'There is no database behind this skill here: it describes the table and its rules.',
};
