import { plainHeading, sectionOf, type TypedDocument } from './typed-document.ts';
import type { TypedKind } from './typed-kinds.ts';
import type { ToolSteps } from './typed-steps.ts';

/** What is known of a typed skill. */
export interface TypedFacts {
  kind: TypedKind;
  name: string;
  document: TypedDocument;
  description: string;
  parameters: Record<string, unknown> | undefined;
  steps: ToolSteps | undefined;
  /** The module of code that does the work. */
  script: string | undefined;
}

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
export function writeTypedBody({ kind, name, document, steps, script }: TypedFacts): string {
  const prompt = sectionOf(document, ...prompts);
  const others = document.sections.filter(
    (section) => section !== prompt && !omitted.has(plainHeading(section.heading)),
  );
  return [
    `# ${document.title ?? name}`,
    document.intro,
    prompt?.text ?? '',
    ...others.map(({ heading, text }) => `## ${heading}\n\n${text}`),
    noteOn(kind, { steps, script }),
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n');
}

function noteOn(kind: TypedKind, { steps, script }: Pick<TypedFacts, 'steps' | 'script'>): string {
  if (steps || script !== undefined) {
    return `The tool of this skill does this in one go, where it is offered. Where it is not, ${steps ? 'call the tools one after the other yourself' : 'follow the description as far as possible without the code, and say what you could not do'}.`;
  }
  return notes[kind] ?? '';
}

const notes: Partial<Record<TypedKind, string>> = {
  iskill:
    'Ask for what is missing, one thing at a time, and have the whole confirmed before you go on.',
  oskill:
    'Activate the skills that this one names, in the order that fits, and pass on what each gives.',
  cskill:
    'The code of this skill is not run here: follow its description, and say what you could not do.',
  cgskill:
    'Code that you write for this is run only where a tool for running code is offered. Where none is, work the result out step by step, and say so.',
  dcgskill:
    'Code that you write for this is run only where a tool for running code is offered. Where none is, work the result out step by step, and say so.',
  tskill: 'There is no database behind this skill here: it describes the table and its rules.',
};
