import { parseWith } from '@knowhow/shared/describe-issue';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { memoizeByObject } from '../../../platform/lib/memoize-by-object.ts';
import { parseJson } from '../../../platform/lib/parse-json.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import {
  maxToolBytes,
  runsCode,
  type SkillTool,
  type SkillView,
  skillToolSchema,
  toolFile,
  type VisibleSkill,
} from '../../skills/index.ts';
import { codeLimits } from '../call-clock.ts';
import { findSchemaIssue } from '../check-arguments.ts';
import { codeConsent } from '../code-consent.ts';
import type { Sampling, Tool, ToolCall, ToolResult } from '../tool.ts';
import type { ToolSource } from '../tool-source.ts';
import { type CodeServices, runCode } from './run-code.ts';
import { type FlowServices, runFlow, truncateMiddle } from './run-flow.ts';
import { runGenerated } from './run-generated.ts';
import { fillPaths } from './value-path.ts';

interface Dependencies extends FlowServices {
  /** All enabled skills, regardless of permissions. */
  everything: () => SkillView;
  /** Dependencies of code tools; undefined without a runner. */
  code?: CodeServices | undefined;
}

/** Tools provided by skills: the `assets/tool.json` of the skills a caller may use. */
export function createSkillToolSource(dependencies: Dependencies): ToolSource {
  const known = new Map<string, Tool>();
  const lists = new Map<string, ListedTools>();
  let faults: readonly string[] = [];
  const listFrom = async (view: SkillView) => {
    const read = await Promise.all(
      findSkillsWithTools(view.skills).map(async (skill) => {
        const text = await readTool(view, skill);
        const key = keyOf(
          skill,
          `${skill.fixedVersion} ${skill.checksum} ${skill.allowsScripts} ${skill.approvedScripts} ${text}`,
        );
        return text === undefined ? [] : [{ skill, text, key }];
      }),
    );
    const found = read.flat();
    const all = keyOf({ id: '' }, found.map(({ key }) => key).join());
    const same = lists.get(all);
    if (same) {
      return same;
    }
    const issues: string[] = [];
    const tools = found.flatMap(({ skill, text, key }) => {
      const tool = known.get(key) ?? toolOf(skill, text, dependencies);
      if (typeof tool === 'string') {
        issues.push(`${skill.id}: ${tool}`);
        return [];
      }
      cacheEntry(known, key, tool);
      return [tool];
    });
    const listed = { list: tools.filter(isFirst), faults: issues };
    cacheEntry(lists, all, listed);
    return listed;
  };
  return {
    id: 'skills',
    title: 'Skills',
    kind: 'skills',
    list: async ({ view }) => (await listFrom(view)).list,
    listAll: async () => {
      const { list, faults: found } = await listFrom(dependencies.everything());
      faults = found;
      return list;
    },
    state: () => ({ status: 'ready', ...(faults[0] === undefined ? {} : { message: faults[0] }) }),
  };
}

interface ListedTools {
  list: readonly Tool[];
  /** Why some tools are missing from the list. */
  faults: readonly string[];
}

/** Maximum cached tools, and cached lists of them. */
const maxCached = 500;

function cacheEntry<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > maxCached && oldest !== undefined) {
    kept.delete(oldest);
  }
}

/** Memoized, because a turn would look at thousands of skills. */
const findSkillsWithTools = memoizeByObject((skills: readonly VisibleSkill[]) =>
  skills.filter(({ metadata }) => metadata.tool === toolFile),
);

/** If several skills provide tools of the same name, the first one wins. */
function isFirst({ name }: Tool, at: number, all: readonly Tool[]): boolean {
  return all.findIndex((other) => other.name === name) === at;
}

function keyOf({ id }: Pick<VisibleSkill, 'id'>, text: string): string {
  return sha256(`${id}\0${text}`, 'base64');
}

async function readTool(view: SkillView, skill: VisibleSkill): Promise<string | undefined> {
  try {
    const file = await view.openFile(skill, toolFile);
    const isRead = file !== undefined && file.size <= maxToolBytes;
    return isRead ? (await file.read(0, file.size)).toString('utf8') : undefined;
  } catch {
    // Deleted since the skill was listed.
    return undefined;
  }
}

/** A skill's tool, or why it is invalid. */
function toolOf(skill: VisibleSkill, text: string, dependencies: Dependencies): Tool | string {
  const { data: tool, error } = parseWith(skillToolSchema, parseJson(text));
  if (!tool) {
    const [first] = error.issues;
    return `${toolFile} is invalid. ${first?.path.join('.')}: ${first?.message}`;
  }
  const { name, title, description, parameters, run } = tool;
  if (runsCode(tool) && !(dependencies.code && skill.allowsScripts)) {
    return 'Its code cannot run: there is no runner, or its scripts are not allowed.';
  }
  const issues = findSchemaIssue(parameters);
  if (issues !== undefined) {
    return `${toolFile} is invalid. ${issues}`;
  }
  const hints = hintsOf(run);
  return {
    version: keyOf(skill, text),
    name,
    title,
    description,
    parameters,
    hints,
    consent: hints.readOnly && !fillsAddresses(run) ? 'never' : 'ask',
    ...consentOf(skill, tool),
    ...(runsCode(tool) ? { limits: codeLimits } : {}),
    skills: [skill.id],
    run: (input, call) => runTool({ skill, tool }, input, { call, dependencies }),
  };
}

/** Code requires consent for its content; generated code is shown once it is written. */
function consentOf(skill: VisibleSkill, tool: SkillTool): Pick<Tool, 'consentFor'> {
  if (!runsCode(tool)) {
    return {};
  }
  return {
    consentFor: async (_, { view }) =>
      tool.run.type === 'generated' ? undefined : codeConsent(skill, await view.readFiles(skill)),
  };
}

/** Whether a flow fills values into requests: URLs could exfiltrate data of the conversation. */
function fillsAddresses(run: SkillTool['run']): boolean {
  return (
    run.type === 'flow' &&
    run.steps.some(
      ({ type, config }) =>
        ['apiCall', 'webScraping'].includes(type) && /\$\{/.test(JSON.stringify(config)),
    )
  );
}

/**
 * The HTTP methods tell whether a flow only reads. Steps that call tools leave consent to those
 * tools.
 */
function hintsOf(run: SkillTool['run']): Tool['hints'] {
  switch (run.type) {
    case 'flow': {
      const methods = run.steps
        .filter(({ type }) => type === 'apiCall')
        .map(({ config }) => String(config.method ?? 'GET').toUpperCase());
      const readOnly = methods.every((method) => ['GET', 'HEAD'].includes(method));
      return { readOnly, destructive: methods.includes('DELETE'), openWorld: true };
    }
    case 'prompt':
    case 'steps':
      return { readOnly: true, destructive: false, openWorld: run.type === 'steps' };
    default:
      return { readOnly: false, destructive: true, openWorld: true };
  }
}

interface Running {
  call: ToolCall;
  dependencies: Dependencies;
}

async function runTool(
  { skill, tool }: { skill: VisibleSkill; tool: SkillTool },
  input: unknown,
  { call, dependencies }: Running,
): Promise<ToolResult> {
  const { run, name, title = name } = tool;
  const result = await (() => {
    switch (run.type) {
      case 'flow': {
        const values = (input ?? {}) as Record<string, unknown>;
        return runFlow({ title, steps: run.steps }, values, { means: dependencies, call });
      }
      case 'steps': {
        return runSteps({ title, steps: run.steps }, input, call);
      }
      case 'prompt':
        return runPrompt({ skill, title, sampling: run }, input, call);
      case 'plugin':
      case 'script':
      case 'generated': {
        const { code: means } = dependencies;
        const runIt = run.type === 'generated' ? runGenerated : runCode;
        return means
          ? runIt({ skill, tool }, input, { means, call })
          : Promise.reject(new Error('There is no runner for its code.'));
      }
    }
  })();
  return { ...result, skills: [...new Set([skill.id, ...(result.skills ?? [])])] };
}

/** A single answer of the turn's model to the skill's instructions and the input. */
async function runPrompt(
  { skill, title, sampling }: { skill: VisibleSkill; title: string; sampling: Sampling },
  input: unknown,
  call: ToolCall,
): Promise<ToolResult> {
  if (!call.model) {
    const content = 'No model can be asked in this conversation. Follow the instructions yourself.';
    return { content, isError: true, summary: 'failed' };
  }
  call.progress(title);
  const instructions = await call.view.readBody(skill);
  const prompt = `${instructions}\n\n# Input\n\n${JSON.stringify(input ?? {}, null, 2)}`;
  const text = await call.model(prompt, sampling);
  return { content: truncateMiddle(text), isError: false, summary: title };
}

type ToolStep = Extract<SkillTool['run'], { type: 'steps' }>['steps'][number];

const braces = /\{\{([^{}]+)\}\}/g;

/**
 * Calls tools in sequence; each may refer to earlier values as `{{input.x}}` and `{{steps.y}}`.
 * Stops at the first failure, returning earlier results with the error.
 */
async function runSteps(
  { title, steps }: { title: string; steps: readonly ToolStep[] },
  input: unknown,
  call: ToolCall,
): Promise<ToolResult> {
  const outputs: Record<string, unknown> = {};
  const done: { tool: string; output: unknown }[] = [];
  for (const [at, { tool, params, output = `step_${at + 1}` }] of steps.entries()) {
    call.signal.throwIfAborted();
    call.progress(`Step ${at + 1} of ${steps.length}: ${tool}`);
    const result = await runStep(tool, async () =>
      call.callTool?.(tool, fill(params, input, outputs)),
    );
    call.signal.throwIfAborted();
    if (result.isError) {
      const error = `Step ${at + 1} (${tool}) failed: ${result.content}`;
      return answer(title, { success: false, error, steps: done });
    }
    outputs[output] = parseJson(result.content) ?? result.content;
    done.push({ tool, output: outputs[output] });
  }
  return answer(title, { success: true, steps: done, output: done.at(-1)?.output });
}

function fill(params: unknown, input: unknown, steps: Record<string, unknown>): unknown {
  return fillPaths(params, { input, steps }, braces);
}

async function runStep(
  tool: string,
  run: () => Promise<ToolResult | undefined>,
): Promise<Pick<ToolResult, 'content' | 'isError'>> {
  try {
    const missing = { content: `There is no tool "${tool}" here.`, isError: true };
    return (await run()) ?? missing;
  } catch (error) {
    return { content: getErrorMessage(error), isError: true };
  }
}

interface StepsResult {
  success: boolean;
  /** Results of the preceding steps. */
  steps: unknown[];
  error?: string;
  output?: unknown;
}

function answer(title: string, result: StepsResult): ToolResult {
  const { success } = result;
  const content = truncateMiddle(JSON.stringify(result));
  return { content, isError: !success, summary: success ? title : 'failed' };
}
