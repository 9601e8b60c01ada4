import { isRecord } from '@knowhow/shared/is-record';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose, type PackedFile } from '@knowhow/skill-format';
import { makeSkill, type SourceSkill } from './make-skill.ts';
import { textIn } from './read-source-json.ts';
import { maxSteps, type SkillTool, toJsonSchema, toolName } from './skill-tool.ts';
import { parameterList } from './write-plugin-body.ts';

/** Supported step types. */
const known: ReadonlySet<string> = new Set(['start', 'apiCall', 'llmInstruction', 'webScraping']);

type FlowSteps = Extract<SkillTool['run'], { type: 'flow' }>['steps'];

/** Whether a JSON file looks like an AnythingLLM flow. */
export function isFlow(value: Readonly<Record<string, unknown>>): boolean {
  const steps = stepsIn(value);
  return (
    steps !== undefined &&
    steps.length > 0 &&
    steps.every((step) => isRecord(step) && typeof step.type === 'string')
  );
}

/** Steps are at the top level, or below `config` if the flow was exported with its wrapper. */
function stepsIn({ steps, config }: Readonly<Record<string, unknown>>): unknown[] | undefined {
  const inner = isRecord(config) ? config.steps : undefined;
  return Array.isArray(steps) ? steps : Array.isArray(inner) ? inner : undefined;
}

/** Converts a flow into a skill. Unsupported flows get an error. */
export function convertFlow(
  file: PackedFile,
  flow: Readonly<Record<string, unknown>>,
): SourceSkill {
  const fileName = file.path.slice(file.path.lastIndexOf('/') + 1);
  const title = textIn(flow.name) ?? fileName.replace(/\.json$/i, '');
  const inner = isRecord(flow.config) ? flow.config : {};
  const about = textIn(flow.description) ?? textIn(inner.description);
  const description = about ?? `Runs the flow "${title}".`;
  const steps = readSteps(flow);
  const parameters = toJsonSchema(parametersOf(steps));
  const diagnostics = diagnoseFlow(flow, steps);
  const tool: SkillTool = {
    name: toolName(`flow_${toolName(title).toLowerCase() || toolName(fileName)}`),
    title: title.slice(0, 200),
    description: description.slice(0, 4096),
    parameters,
    run: { type: 'flow', steps: steps.slice(0, maxSteps) },
  };
  const isActive = flow.active !== false;
  return makeSkill({
    root: file.path,
    name: title,
    description,
    metadata: { 'flow-id': fileName.replace(/\.json$/i, '') },
    body: bodyOf({ title, description, tool, steps }),
    tool: diagnostics.length === 0 ? tool : undefined,
    originals: [{ ...file, path: fileName }],
    diagnostics,
    origin: {
      kind: 'agent-flow',
      name: title,
      mapped: [
        { from: 'name', to: 'name' },
        { from: 'description', to: 'description' },
        { from: 'start', to: 'parameters' },
        { from: 'steps', to: `tool ${tool.name}` },
      ],
      left: [],
      off: !isActive,
    },
  });
}

function readSteps(flow: Readonly<Record<string, unknown>>): FlowSteps {
  return (stepsIn(flow) ?? []).flatMap((step) => {
    const { type, config } = isRecord(step) ? step : {};
    // `finish` is only a marker of the editor.
    return typeof type === 'string' && type !== 'finish'
      ? [{ type, config: isRecord(config) ? config : {} }]
      : [];
  });
}

/** Variables of the start block: optional texts with default values. */
function parametersOf(steps: FlowSteps): Record<string, unknown> {
  const { variables } = steps.find(({ type }) => type === 'start')?.config ?? {};
  const named = (Array.isArray(variables) ? variables : []).flatMap((variable) => {
    const name = isRecord(variable) ? textIn(variable.name) : undefined;
    if (!isRecord(variable) || name === undefined) {
      return [];
    }
    const standard = textIn(variable.value);
    const description = textIn(variable.description) ?? `The value of ${name}.`;
    return [
      [name, { type: 'string', description, ...(standard ? { default: standard } : {}) }] as const,
    ];
  });
  return Object.fromEntries(named);
}

function diagnoseFlow(flow: Readonly<Record<string, unknown>>, steps: FlowSteps): Diagnostic[] {
  const count = stepsIn(flow)?.length ?? 0;
  if (count > maxSteps) {
    return [diagnose('flow-too-long', { values: { count, most: maxSteps } })];
  }
  if (steps.every(({ type }) => type === 'start')) {
    return [diagnose('flow-invalid', { values: { reason: 'it has no step that does anything.' } })];
  }
  return steps.flatMap(({ type, config }, at) => {
    const values = { step: at + 1, name: type };
    if (!known.has(type)) {
      return [diagnose('flow-step-unknown', { values })];
    }
    const missingField = missingIn(type, config);
    const reason = `step ${at + 1} has no "${missingField}".`;
    return missingField ? [diagnose('flow-invalid', { values: { reason } })] : [];
  });
}

const needed: Readonly<Record<string, string>> = {
  apiCall: 'url',
  webScraping: 'url',
  llmInstruction: 'instruction',
};

function missingIn(type: string, config: Readonly<Record<string, unknown>>): string | undefined {
  const field = needed[type];
  return field !== undefined && textIn(config[field]) === undefined ? field : undefined;
}

interface FlowText {
  title: string;
  description: string;
  tool: SkillTool;
  steps: FlowSteps;
}

function bodyOf({ title, description, tool, steps }: FlowText): string {
  const list = steps.filter(({ type }) => type !== 'start').slice(0, maxSteps);
  const lines = list.map(({ type, config }, at) => `${at + 1}. ${stepText(type, config)}`);
  return [
    `# ${title}`,
    description,
    `The tool whose name ends with \`${tool.name}\` runs these steps one after the other and stops at the first that fails. Where it is not offered, say so; do not play the steps by hand.`,
    parameterList(tool.parameters),
    `## Steps\n\n${lines.join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const maxShownLength = 200;

function stepText(type: string, config: Readonly<Record<string, unknown>>): string {
  const shown = (value: unknown) =>
    `\`${(textIn(value) ?? '').slice(0, maxShownLength).replace(/[`\s]+/g, ' ')}\``;
  switch (type) {
    case 'apiCall':
      return `Asks ${textIn(config.method) ?? 'GET'} ${shown(config.url)}.`;
    case 'webScraping':
      return `Reads the page ${shown(config.url)}.`;
    case 'llmInstruction':
      return `Has a model do this: ${shown(config.instruction)}.`;
    default:
      return type;
  }
}
