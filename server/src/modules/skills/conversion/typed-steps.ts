import { isRecord } from '@knowhow/shared/is-record';
import { parse } from 'yaml';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { maxSteps, type SkillTool } from './skill-tool.ts';
import { extractFence, type TypedSection } from './typed-document.ts';

export type ToolSteps = Extract<SkillTool['run'], { type: 'steps' }>['steps'];

/** Parses the steps of an orchestration (YAML or JSON), or returns why they are invalid. */
export function readSteps(section: TypedSection): { steps: ToolSteps } | { reason: string } {
  const written = extractFence(section);
  if (!/\bsteps\b|\btool\b/.test(written)) {
    return { reason: 'it has no steps that name a tool.' };
  }
  const document = parseYaml(written);
  if ('reason' in document) {
    return document;
  }
  const { value } = document;
  const list = isRecord(value) ? value.steps : value;
  if (!Array.isArray(list) || list.length === 0) {
    return { reason: 'it has no list of steps.' };
  }
  if (list.length > maxSteps) {
    return { reason: `it has ${list.length} steps; ${maxSteps} can be run.` };
  }
  const steps: ToolSteps = [];
  for (const [at, step] of list.entries()) {
    if (!isRecord(step) || typeof step.tool !== 'string' || step.tool.trim() === '') {
      return { reason: `step ${at + 1} names no tool.` };
    }
    const { tool, params, output } = step;
    steps.push({
      tool: tool.trim(),
      params: isRecord(params) ? params : {},
      ...(typeof output === 'string' && output !== '' ? { output } : {}),
    });
  }
  return { steps };
}

const maxYamlLength = 64 * 1024;

/** Limits alias expansion: a few lines could expand to gigabytes (billion laughs attack). */
function parseYaml(text: string): { value: unknown } | { reason: string } {
  if (text.length > maxYamlLength) {
    return { reason: 'it is too long.' };
  }
  try {
    return { value: parse(text, { maxAliasCount: 20, logLevel: 'silent' }) };
  } catch (error) {
    const message = getErrorMessage(error);
    return { reason: `${message.split('\n')[0]}.` };
  }
}
